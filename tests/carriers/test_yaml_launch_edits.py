"""Edits through stacks of layers, byte by byte, and read back: exactly the intended words differ."""

import json

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mtpconfig.launch import Word

from .shell_reading import check_segments
from .yaml_launches import inserted, named, read, removed, replaced, said

POD = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - image: r/llm:1\n"
TASK = "- hosts: a\n  tasks:\n"
MAP = "apiVersion: v1\nkind: ConfigMap\ndata:\n"
FLOW = "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n"

NESTINGS = {
    "markdown > list of a pod": (
        "readme.md",
        "Text 😀:\n\n```yaml\n" + POD + "      args:\n        - --n\n        - old\n        - --z\n```\n",
    ),
    "pod > literal > shell > flag": (
        "pod.yaml",
        POD + "      command: [sh, -c]\n"
        "      args:\n"
        "        - |\n"
        "          echo é😀\n"
        "          exec prog \\\n"
        "            --n old \\\n"
        "            --z\n",
    ),
    "pod > folded > shell > double quotes": (
        "pod.yaml",
        POD + "      command: [sh, -c]\n"
        "      args:\n"
        "        - >\n"
        "          exec prog\n"
        '          --n "old"\n'
        "          --z\n",
    ),
    "pod > double quotes > shell": (
        "pod.yaml",
        POD + '      command: ["sh", "-c", "prog\\t--n old --z"]\n',
    ),
    "pod > single quotes > shell > single quotes": (
        "pod.yaml",
        POD + "      command: [sh, -c, 'prog --n ''old'' --z']\n",
    ),
    "config map > literal > script > heredoc > script": (
        "map.yaml",
        MAP + "  all.sh: |\n    #!/bin/sh\n    cat > in.sh <<'E'\n    prog --n old --z\n    E\n",
    ),
    "config map > compose > list": (
        "map.yaml",
        MAP + "  compose.yaml: |\n    services:\n      a:\n        image: r/llm:1\n        command: [--n, old, --z]\n",
    ),
    "list of resources in json > list": (
        "all.json",
        '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod",\n'
        '  "spec": {"containers": [{"image": "r/llm:1", "args": ["--n", "old", "--z"]}]}}]}\n',
    ),
    "workflow > literal > docker run > shell": (
        "ci.yml",
        FLOW + "      - run: |\n          docker run r/llm:1 \\\n            bash -c 'prog --n old --z'\n",
    ),
    "workflow > plain > shell, with expressions before": (
        "ci.yml",
        FLOW + "      - run: prog -m ${{ inputs.m }} --n old --z\n",
    ),
    "pipeline > items > one shell text": (
        ".gitlab-ci.yml",
        "stages: [a]\nb:\n  before_script:\n    - X=1\n  script:\n    - echo é\n    - prog --n old --z\n",
    ),
    "playbook > literal with branches > shell": (
        "play.yml",
        TASK + "    - shell: |\n        prog {% if a %}--a{% endif %} --n old --z\n",
    ),
    "playbook > string of a container": (
        "play.yml",
        TASK + "    - docker_container: {image: 'r/llm:1', command: \"--n old --z\"}\n",
    ),
    "playbook > file > script": (
        "play.yml",
        TASK + "    - copy:\n        dest: /x/run.sh\n        content: |\n          prog --n old --z\n",
    ),
    "values > flow list, template beside": (
        "values.yaml",
        'image: {repository: r/llm, tag: b1}\nextraArgs: [-m, "{{ .m }}", --n, old, --z]\n',
    ),
    "generic > literal > shell": (
        "task.yaml",
        "run: |\n  cd x\n  prog --n old --z\n",
    ),
}


def variants(text: str) -> list[str]:
    return [text, text.replace("\n", "\r\n"), "\ufeff" + text]


@pytest.mark.parametrize(("name", "text"), NESTINGS.values(), ids=NESTINGS)
def test_a_word_is_replaced_in_place(name: str, text: str) -> None:
    for variant in variants(text):
        assert replaced(variant, name, "old", "new") == variant.replace("old", "new")


@pytest.mark.parametrize(("name", "text"), NESTINGS.values(), ids=NESTINGS)
def test_what_is_changed_is_read_back(name: str, text: str) -> None:
    for variant in variants(text):
        before = said(named(variant, name, "old"))
        place = before.index("old")
        taken = removed(variant, name, ["--n", "old"])
        assert taken is not None and said(named(taken, name, "--z")) == [*before[: place - 1], *before[place + 1 :]]
        put = inserted(variant, name, "old", ["--k", "7"])
        assert put is not None
        assert said(named(put, name, "--k")) == [*before[: place + 1], "--k", "7", *before[place + 1 :]]


def test_an_alias_is_located_and_not_edited() -> None:
    text = POD + "      args: &a [--n, old]\n    - image: r/llm:2\n      args: *a\n"
    first, second = read(text, "pod.yaml")
    assert first.argv[1].fragment.locate_all() == second.argv[1].fragment.locate_all() != ()
    assert first.argv[1].fragment.replace(0, 3, "new") is None
    assert second.container is not None and second.container.remove(second.argv[1:]) is None


def test_variables_are_taken_out_of_lists_and_maps() -> None:
    listed = (
        POD + "      env:\n        - name: A\n          value: x\n        - {name: B, value: y}\n      args: [-m]\n"
    )
    mapped = "image: r/llm:1\nenv:\n  A: x\n  B: y\nargs: [-m]\n"
    for text, name, without in (
        (listed, "pod.yaml", listed.replace("        - name: A\n          value: x\n", "")),
        (mapped, "values.yaml", mapped.replace("  A: x\n", "")),
    ):
        launch = named(text, name)
        assert launch.container is not None
        edits = launch.container.remove_given(next(g for g in launch.given if g.name.text == "A"))
        assert edits is not None
        (edit,) = edits
        assert text[: edit.span.start] + edit.text + text[edit.span.end :] == without


WORDS = st.lists(st.text(st.sampled_from("ab -:#'\"\\{}[],&*!|>%@`é😀\t"), max_size=8), min_size=1, max_size=6)
STYLES = st.sampled_from([None, "'", '"'])


def every(words: tuple[Word, ...]) -> None:
    for each in words:
        fragment = each.fragment
        while hasattr(fragment, "parent") and hasattr(fragment.parent, "segments"):
            check_segments(fragment)
            fragment = fragment.parent  # type: ignore[assignment]


@settings(max_examples=80, deadline=None)
@given(WORDS, STYLES, st.booleans())
def test_words_are_the_loader_s_own(words: list[str], style: str | None, flow: bool) -> None:
    arguments = ["--first", *words]
    pod = {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"image": "r/llm:1", "args": arguments}]}}
    text = yaml.safe_dump(pod, default_style=style, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    assume(not any(mark in text for mark in ("{{", "{%", "{#")))
    launch = named(text, "pod.yaml")
    assert [each.text for each in launch.argv] == yaml.safe_load(text)["spec"]["containers"][0]["args"]
    every(launch.argv)


@settings(max_examples=60, deadline=None)
@given(WORDS)
def test_words_in_json_are_json_s_own(words: list[str]) -> None:
    text = json.dumps({"servers": {"a": {"command": "prog", "args": words}}}, indent=1, ensure_ascii=False)
    assume(not any(mark in text for mark in ("{{", "{%", "{#")))
    launch = named(text, "servers.json")
    assert [each.text for each in launch.argv] == ["prog", *words]
    every(launch.argv)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["a", " ", "\n", "{{ x }}", "{% if a %}", "{% else %}", "{% endif %}", "'", '"', "{{"]))
)
def test_templates_in_shell_text_keep_their_places(parts: list[str]) -> None:
    text = yaml.safe_dump({"run": "prog " + "".join(parts)}, allow_unicode=True)
    for launch in read(text, "task.yaml"):
        every(launch.argv)
        for each in launch.argv:
            assert not any("\ue000" <= character <= "\uf8ff" for character in each.text)
