"""Manifests, custom resources and values of charts."""

import pytest

from mtpconfig.carriers.kubernetes.claims import is_manifest

from .yaml_launches import at, env, named, read, said, word

POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: coder}}
spec:
  containers:
    - name: main
      image: reg.internal/llm:1
{}"""


def pod(body: str) -> str:
    return POD.format("".join(f"      {line}\n" for line in body.splitlines()))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("args: [-m, q.gguf]", "[reg.internal/llm:1] -m q.gguf"),
        ("args:\n- -m\n- q.gguf", "[reg.internal/llm:1] -m q.gguf"),
        ("args:\n  - '-m'\n  - \"q.gguf\"\n  - 3\n  - yes", "[reg.internal/llm:1] -m q.gguf 3 yes"),
        ("command: [/app/prog]\nargs: [-m, q]", "[reg.internal/llm:1] =/app/prog -m q"),
        ("args: [-m, q]\ncommand: [/app/prog, serve]", "[reg.internal/llm:1] =/app/prog serve -m q"),
        ("command: [numactl, -m, '0', env, A=1, prog, x]", "[reg.internal/llm:1] =prog x"),
        ("command: [sh, -c, 'exec prog --a \"b c\"']", "[reg.internal/llm:1] =prog --a b c"),
        ("command: [/bin/sh, -c]\nargs: ['prog --a']", "[reg.internal/llm:1] =prog --a"),
        ("command: [bash, -lc]\nargs:\n- |\n  prog \\\n    --a\n", "[reg.internal/llm:1] =prog --a"),
        ("args: ['--type draft']", "[reg.internal/llm:1] --type draft"),
        ("args: [{a: 1}, b]", "[reg.internal/llm:1] {a: 1}? b"),
        ("command: []\nargs: [-m]", "[reg.internal/llm:1] -m"),
    ],
)
def test_what_a_container_starts(body: str, expected: str) -> None:
    assert " ".join(said(named(pod(body), "pod.yaml"))) == expected


def test_an_item_is_one_word() -> None:
    assert said(named(pod("args: ['--type draft', -m]"), "pod.yaml"))[1:] == ["--type draft", "-m"]


def test_an_image_alone_starts_nothing_that_can_be_judged() -> None:
    assert read(pod("ports: []"), "pod.yaml") == []
    assert env(named(pod("env: [{name: A, value: '1'}]"), "pod.yaml")) == {"A": "1"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("env: [{name: T, value: x}]\nargs: [--t, $(T)]", ["--t", "x"]),
        ("env: [{name: T, value: x}]\nargs: [--t=$(T)/$(T)]", ["--t=x/x"]),
        ("env: [{name: T, value: x}]\nargs: [--t, $$(T), $T, $$$(T)]", ["--t", "$(T)", "$T", "$x"]),
        ("args: [--t, $(T)]", ["--t", "$(T)?"]),
        ("env: [{name: T, value: x}, {name: U, value: $(T)y}]\nargs: [$(U)]", ["xy"]),
        ("env: [{name: T, valueFrom: {fieldRef: {fieldPath: a}}}]\nargs: [--t=$(T)]", None),
    ],
)
def test_variables_in_words(body: str, expected: list[str] | None) -> None:
    words = said(named(pod(body), "pod.yaml"))[1:]
    assert words == expected if expected else words[0].endswith("?")


def test_a_shell_gets_what_kubernetes_leaves() -> None:
    launch = named(pod("env: [{name: T, value: x}]\ncommand: [sh, -c, 'prog $(T) $$HOME']"), "pod.yaml")
    assert said(launch)[1:] == ["=prog", "x", "$HOME?*"]


def test_a_variable_is_edited_where_it_is_set_unless_it_is_used_twice() -> None:
    once = named(pod("env: [{name: T, value: old}]\nargs: [--t, $(T)]"), "pod.yaml")
    assert at(once, "old") == ["old"]
    assert word(once, "old").fragment.replace(0, 3, "new") is not None
    twice = named(pod("env: [{name: T, value: old}]\nargs: [--t, $(T), --u=$(T)]"), "pod.yaml")
    assert at(twice, "old") == ["$(T)"]
    assert word(twice, "old").fragment.replace(0, 3, "new") is None


MAPS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: tuning}
data: {LLM_TYPE: draft, "not-a-name": x}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
        - image: reg.internal/llm:1
          envFrom: [{configMapRef: {name: tuning}}, {secretRef: {name: keys}}]
          env:
            - {name: OWN, valueFrom: {configMapKeyRef: {name: tuning, key: LLM_TYPE}}}
            - {name: KEY, valueFrom: {secretKeyRef: {name: keys, key: a}}}
          args: [--type, $(OWN)]
"""


def test_values_of_config_maps_are_seen_and_not_edited() -> None:
    launch = named(MAPS, "all.yaml")
    assert env(launch) == {"LLM_TYPE": "draft", "OWN": "draft", "KEY": "?"}
    assert launch.label == "web"
    assert said(launch)[1:] == ["--type", "draft"]
    assert word(launch, "draft").fragment.replace(0, 5, "x") is None


FILES = """\
kind: ConfigMap
apiVersion: v1
metadata:
  name: scripts
data:
  start.sh: |
    #!/bin/sh
    exec prog --a 1
  notes.txt: |
    prog --b
---
kind: Secret
apiVersion: v1
metadata: {name: hidden}
data: {run.sh: cHJvZw==}
stringData:
  run.sh: prog --c
"""


def test_files_in_config_maps_are_read_by_their_names() -> None:
    assert [(launch.label, said(launch)) for launch in read(FILES, "cm.yaml")] == [
        ("scripts", ["prog", "--a", "1"]),
        ("hidden", ["prog", "--c"]),
    ]


@pytest.mark.parametrize(
    ("kind", "carrier"),
    [
        ("apiVersion: apps/v1\nkind: StatefulSet", "kubernetes manifest"),
        ("apiVersion: batch/v1\nkind: CronJob", "kubernetes manifest"),
        ("apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService", "kubernetes custom resource"),
        ("apiVersion: llm.example.org/v1alpha1\nkind: Model", "kubernetes custom resource"),
        ("fullname: x", "helm values"),
    ],
)
def test_containers_are_found_at_any_depth_of_any_kind(kind: str, carrier: str) -> None:
    launch = named(f"{kind}\na: {{b: [{{image: 'r/llm:1', name: box, args: [-m, q]}}]}}\n", "x.yaml")
    assert (launch.carrier, launch.label, said(launch)) == (carrier, "box", ["[r/llm:1]", "-m", "q"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("image: {repository: r/llm, tag: b1}\nextraArgs: [-m, q]\n", "[r/llm:b1] -m q"),
        ("image: {registry: x.io, repository: r/llm, tag: '1'}\nargs: [-m]\n", "[x.io/r/llm:1] -m"),
        ("image: {repository: r/llm, digest: 'sha256:0a'}\nargs: [-m]\n", "[r/llm@sha256:0a] -m"),
        ("image: r/llm\ntag: b1\nargs: [-m]\n", "[r/llm:b1] -m"),
        ("image: {repository: r/llm, tag: b1}\nserver: {extraArgs: [-m, q]}\n", "[r/llm:b1] -m q"),
        ("models: [{repository: r/llm, tag: b1, engine: {extraArgs: [-m]}}]\n", "[r/llm:b1] -m"),
        ("image: r/llm:b1\nargs: -m q --t 'a b'\n", "[r/llm:b1] -m q --t a b"),
        ("image: r/llm:b1\ncommand: prog serve\n", "[r/llm:b1] =prog serve"),
        ("image: r/llm:b1\ncommand: /prog\nargs: [-m]\n", "[r/llm:b1] =/prog -m"),
    ],
)
def test_values_of_charts(text: str, expected: str) -> None:
    launch = named(text, "values.yaml")
    assert (" ".join(said(launch)), launch.carrier) == (expected, "helm values")


def test_both_parts_of_an_image_are_located() -> None:
    launch = named("image:\n  tag: b1\n  repository: r/llm\nargs: [-m]\n", "values.yaml")
    assert launch.image is not None
    spans = launch.image.fragment.locate_all()
    assert [launch.image.fragment.source.text[slice(*span)] for span in spans] == ["r/llm", "b1"]


def test_values_inside_a_release_are_a_chart_s() -> None:
    text = "apiVersion: helm.example.io/v2\nkind: HelmRelease\nspec: {values: {image: 'r/llm:1', args: [-m]}}\n"
    assert named(text, "release.yaml").carrier == "helm values"


TEMPLATE = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "chart.name" . }}
spec:
  containers:
    - name: main
      image: "r/llm:{{ .Values.tag }}"
      args:
        - -m
        - {{ .Values.model }}
        - "--n={{ .Values.n }}"
        {{- if .Values.fast }}
        - --fast
        {{- else }}
        - --slow
        {{- end }}
"""


def test_what_a_chart_fills_in_is_not_known() -> None:
    launch = named(TEMPLATE, "deployment.yaml")
    assert said(launch) == [
        "[r/llm:{{ .Values.tag }}]",
        "-m",
        "{{ .Values.model }}?",
        "--n={{ .Values.n }}?",
        "--fast",
        "--slow",
    ]
    arms = [each.guard for each in launch.argv]
    assert arms[0] == arms[2] == frozenset() and len(arms[3]) == len(arms[4]) == 1 and arms[3] != arms[4]


@pytest.mark.parametrize(
    "line",
    ["        {{- toYaml .Values.more | nindent 8 }}\n", "        {{- range .Values.more }}\n        - {{ . }}\n"],
)
def test_a_template_that_may_add_words_opens_the_launch(line: str) -> None:
    launch = named(TEMPLATE.replace("        - -m\n", "        - -m\n" + line), "deployment.yaml")
    assert not launch.closed and launch.why_open.startswith("{{-")


def test_all_words_in_one_branch_are_plain_words() -> None:
    text = TEMPLATE.replace("        - -m\n", "").replace("        - {{ .Values.model }}\n", "")
    text = text.replace('        - "--n={{ .Values.n }}"\n', "").replace("        {{- else }}\n        - --slow\n", "")
    assert [each.guard for each in named(text, "deployment.yaml").argv] == [frozenset()]


def test_shell_text_with_templates() -> None:
    body = 'command: [sh, -c]\nargs:\n- |\n  prog -m {{ .m }} --n={{ .n }} "{{ .q }}" {{ .more }}\n'
    launch = named(pod(body), "pod.yaml")
    assert said(launch)[1:] == ["=prog", "-m", "{{ .m }}?*", "--n={{ .n }}?", "{{ .q }}?", "{{ .more }}?*"]
    assert at(launch, "--n={{ .n }}") == ["--n={{ .n }}"]


def test_json_is_yaml() -> None:
    text = (
        '{"apiVersion": "v1", "kind": "Pod", "x": {"containers": [{"image": "r/llm:1", "args": ["-m", "q\\u00e9"]}]}}'
    )
    assert said(named(text, "pod.json")) == ["[r/llm:1]", "-m", "qé"]


def test_comments_beside_a_container_are_hints() -> None:
    text = pod("# build 9628\nargs: [-m] # until friday").replace("    - name", "    # pinned\n    - name")
    hints = [hint.fragment.text for hint in named(text, "pod.yaml").hints]
    assert "# pinned" in hints and "# build 9628" in hints


def test_probes_are_no_launches() -> None:
    assert read(pod("livenessProbe: {exec: {command: [prog, -m]}}\nports: []"), "pod.yaml") == []


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("a.yaml", "apiVersion: v1\nkind: Pod\n", True),
        ("a.json", '{"kind": "Pod", "apiVersion": "v1"}', True),
        ("values-prod.yaml", "", True),
        ("a.yaml", "containers:\n  - image: x\n", True),
        ("a.yaml", "image: x\nextraArgs:\n  - a\n", True),
        ("a.yaml", "title: apiVersion and kind: a talk\n", False),
        ("a.sh", "apiVersion: v1\nkind: Pod\n", False),
        ("a.yaml", "image: cat.png\n", False),
    ],
)
def test_claims(name: str, head: str, claimed: bool) -> None:
    assert is_manifest(name, head) is claimed
