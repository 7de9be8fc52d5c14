"""Markdown: which blocks are read, what prefixes and prompts become, and edits through all of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.carrier import NO_FILES, NOTHING, Opener
from mtpconfig.carriers.markdown import MarkdownCarrier
from mtpconfig.carriers.markdown.blocks import code_blocks
from mtpconfig.carriers.markdown.kinds import reading_of
from mtpconfig.hooks import carriers
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment, Source, apply_edits
from tests.carriers.shell_reading import applied, argv, check_segments
from tests.carriers.yaml_launches import said
from tests.support import codes, run


def read(text: str, path: str = "guide.md") -> list[Launch]:
    opener = Opener(carriers(), NO_FILES)
    return list(MarkdownCarrier().read(Fragment.of(Source(path, text)), opener, NOTHING))


def argvs(text: str, path: str = "guide.md") -> list[list[str]]:
    return [argv(launch) for launch in read(text, path)]


def kind(text: str) -> str:
    (block,) = code_blocks(Fragment.of(Source("guide.md", text)))
    reading = reading_of(block)
    return reading.name if reading is not None else ""


PROG = [["prog", "--a", "1"]]


@pytest.mark.parametrize(
    "text",
    [
        "```bash\nprog --a 1\n```\n",
        "~~~sh\nprog --a 1\n~~~\n",
        "````sh\nprog --a 1\n````\n",
        "```sh\nprog --a 1",
        "  ```sh\n  prog --a 1\n  ```\n",
        "```\nprog --a 1\n```\n",
        "> ```sh\n> prog --a 1\n> ```\n",
        "> > ```sh\n> > prog \\\n> >   --a 1\n> > ```\n",
        ">```sh\n>prog \\\n> --a 1\n>```\n",
        "- item\n\n  ```sh\n  prog \\\n    --a 1\n  ```\n",
        "1. ```sh\n   prog --a 1\n   ```\n",
        "> 1. x\n>\n>    ```sh\n>    prog \\\n>\n>    ```\n>    ```sh\n>    prog --a 1\n>    ```\n",
        "* a\n  * b\n\n    ```sh\n    prog \\\n    --a 1\n    ```\n",
        "1. x\n\n\t```sh\n\tprog --a 1\n\t```\n",
        "text\n\n    prog --a 1\n\ntext\n",
        "text\n\n\tprog --a 1\n",
        "````md\n```sh\nprog --a 1\n```\n````\n",
        "````md\ntext\n\n> ```sh\n> prog --a 1\n> ```\n````\n",
        "```console\n$ prog --a 1\nsome output\n```\n",
        "```bash\n$ prog \\\n>   --a 1\noutput --b\n```\n",
        "```\nme@host:~/src$ prog --a 1\n```\n",
        "```console\n(venv) me@host:~$ prog --a 1\n```\n",
        "```console\nroot@3f2:/# prog --a 1\n```\n",
        "```console\n# prog --a 1\noutput\n```\n",
        "```sh-session\n[me@host src]$ prog --a 1\n```\n",
        "```console\nprog --a 1\n```\n",
        "```{.bash .numbers}\nprog --a 1\n```\n",
        "```{bash}\nprog --a 1\n```\n",
        "```Bash\nprog --a 1\n```\n",
        "```yaml\nprog --a 1\n```\n",
        "```sh\r\nprog \\\r\n  --a 1\r\n```\r\n",
        "> ```sh\r\n> prog \\\r\n>   --a 1\r\n> ```\r\n",
        "<details>\n<summary>x</summary>\n\n```sh\nprog --a 1\n```\n\n</details>\n",
        "---\ntitle: x\n---\n\n```sh\nprog --a 1\n```\n",
    ],
)
def test_what_is_read(text: str) -> None:
    found = [words for words in argvs(text) if len(words) > 1]
    assert found == PROG


@pytest.mark.parametrize(
    "text",
    [
        "prog --a 1\n",
        "`prog --a 1`\n",
        "| x |\n|---|\n| `prog --a 1` |\n",
        "```text\nprog --a 1\n```\n",
        "```diff\n- prog --a 1\n+ prog --b 1\n```\n",
        "```output\nprog --a 1\n```\n",
        "```log\nprog --a 1\n```\n",
        "<!--\n```sh\nprog --a 1\n```\n-->\n",
        "```\nprog [options] --a N\n```\n",
        "```\nYou can start it with prog --a 1.\n```\n",
        "```\n--a 1   the number\n--b 2\n```\n",
        "```bash\n--a 1 --b 2\n```\n",
        "```bash\n# note\n--a 1 --b 2\n```\n",
        "```console\n$ other\nprog --a 1\n```\n",
        "```\n```\n",
        "```sh\n```\n",
        "para\n    prog --a 1\n",
        "```\nprog --a 1 is no longer supported\n```\n",
        "```console\n$ prog --a 1\nerror: invalid argument: --a\n$ other\n```\n",
        '```bash\n$ prog \\\n>  --a 1\nstarting\nerror while handling argument "--a": x has been removed\n```\n',
        "```console\n$ other\n$ prog --a 1\nprog: unknown argument: --a\n```\n",
    ],
)
def test_what_is_not_read(text: str) -> None:
    assert [words for words in argvs(text) if words != ["other"]] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("```\nservices:\n  a:\n    image: b\n```\n", "fence.yaml"),
        ("```bash\nservices:\n  a:\n    image: b\n```\n", "fence.yaml"),
        ("```\napiVersion: v1\nkind: Pod\n```\n", "fence.yaml"),
        ("```\nmodels:\n  a:\n    cmd: prog --a 1\n```\n", "fence.yaml"),
        ("```\n[*]\nspec-type = none\n```\n", "fence.ini"),
        ("```bash\n[my-model]\nmodel = x.gguf\n```\n", "fence.ini"),
        ("```ini\n[Service]\nExecStart=/bin/prog\n```\n", "fence.service"),
        ("```\nFROM x:1\nRUN y\n```\n", "Dockerfile"),
        ("```dockerfile\nFROM ./x.gguf\nPARAMETER num_ctx 1\n```\n", "Modelfile"),
        ("```\nFROM ./x.gguf\nDRAFT ./y.gguf\n```\n", "Modelfile"),
        ("```powershell\nprog.exe ^\n  --a 1\n```\n", "fence.bat"),
        ("```\n.\\prog.exe `\n  --a 1\n```\n", "fence.ps1"),
        ("```\nA_B=1\n# c\nC=2\n```\n", ".env"),
        ("```dotenv\nA_B=1\n```\n", ".env"),
        ('```\n{\n  "a": 1\n}\n```\n', "fence.json"),
        ("```python\nprog --a 1\n```\n", "fence.py"),
        ("```\nimport os\n```\n", "fence.py"),
        ("```\n#!/usr/bin/env bash\nprog\n```\n", "fence.sh"),
        ('```yaml title="compose.yml"\na: 1\n```\n', "compose.yml"),
        ("```yaml:deploy/compose.yml\na: 1\n```\n", "compose.yml"),
        ('```{.ini filename="a/presets.ini"}\na=1\n```\n', "presets.ini"),
        ("```sh\n[ -f x ] && prog --a 1\n```\n", "fence.sh"),
        ("```toml\n[a]\nb = 1\n```\n", "fence.ini"),
        ("```mystery\nFROM x\nPARAMETER a 1\n```\n", "Modelfile"),
        ("```c++\nint x;\n```\n", ""),
        ("```\njust some words\n```\n", ""),
    ],
)
def test_kinds(text: str, name: str) -> None:
    assert kind(text) == name


def test_mdx_tags_are_markup() -> None:
    text = "import X from 'x'\n\n<Tabs>\n  <Tab>\n    ```sh\n    prog --a 1\n    ```\n  </Tab>\n</Tabs>\n"
    assert argvs(text, "a.mdx") == PROG


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ("```sh\nprog --a <N> --b 1\n```\n", ["prog", "--a", "<N>?*", "--b", "1"]),
        ("```sh\nprog --a=<N> --b <a b>\n```\n", ["prog", "--a=<N>?", "--b", "<a b>?*"]),
        ("```sh\n<dir>/prog -m <dir>/x.gguf\n```\n", ["<dir>/prog?", "-m", "<dir>/x.gguf?"]),
        ("> ```sh\n> prog --a YOUR_VALUE \\\n>   -b N\n> ```\n", ["prog", "--a", "YOUR_VALUE?*", "-b", "N?*"]),
        ("```console\n$ prog --a=NUM\n```\n", ["prog", "--a=NUM?"]),
        ("```yaml\ncommand: prog --a <N> -b '<M>'\n```\n", ["prog", "--a", "<N>?*", "-b", "<M>?"]),
        ("````md\n```sh\nprog --a <N>\n```\n````\n", ["prog", "--a", "<N>?*"]),
        ("```sh\nprog --a ON -b Q8_0 -c N/M N\n```\n", ["prog", "--a", "ON", "-b", "Q8_0", "-c", "N/M", "N"]),
        ("```sh\nprog --a 1 <in >out\n```\n", ["prog", "--a", "1"]),
    ],
)
def test_placeholders_are_opaque(block: str, words: list[str]) -> None:
    (launch,) = read(block)
    assert said(launch) == words


def test_a_command_that_works_is_read_beside_one_that_is_refused() -> None:
    text = "```console\n$ prog --a 1\nerror: invalid argument: --a\n$ prog --b 1\nready\n```\n"
    assert argvs(text) == [["prog", "--b", "1"]]


def test_words_beside_placeholders_are_edited_in_place() -> None:
    text = "> ```sh\n> prog --a <N> --b 1\n> ```\n"
    (launch,) = read(text)
    edit = launch.argv[1].fragment.replace(0, 3, "--new")
    assert edit is not None
    assert apply_edits(text, [edit]) == text.replace("--a", "--new")


def test_placeholders_are_no_faulty_values() -> None:
    text = "```sh\nllama-server -m a.gguf --spec-draft-n-max {} --spec-type draft-mtp\n```\n"
    for value in ("<N>", "<gamma>", "N", "YOUR_VALUE"):
        assert codes(text.format(value), "b11434", "guide.md") == []
    assert codes(text.format("three"), "b11434", "guide.md") == ["MTP105"]


def test_hints_are_the_headings_above_and_the_paragraph_before() -> None:
    text = "# A 1\n\n## B\n\ntext\n\n## C 2\n\nabove\n3\n\n```sh\nprog\n```\n\n```sh\nother\n```\n"
    first, second = read(text)
    assert [hint.fragment.text for hint in first.hints] == ["# A 1", "## C 2", "above\n3"]
    assert [hint.fragment.text for hint in second.hints] == ["# A 1", "## C 2"]
    assert {hint.kind for hint in first.hints} == {"comment"}


def test_the_carrier_is_named() -> None:
    assert read("```sh\nprog\n```\n")[0].carrier == "markdown with fenced code"


@pytest.mark.parametrize("name", ["a.md", "A.MD", "b.markdown", "c.mdx", "d.qmd"])
def test_claims_by_suffix(name: str) -> None:
    assert MarkdownCarrier().claims(name, "")


def test_claims_a_readme_that_looks_so() -> None:
    assert MarkdownCarrier().claims("README", "Title\n=====\n")
    assert MarkdownCarrier().claims("README", "text\n```sh\n")
    assert not MarkdownCarrier().claims("README", "plain text\n")
    assert not MarkdownCarrier().claims("notes.rst", "# x\n")


@pytest.mark.parametrize(
    "text",
    [
        "é😀\n\n> - x\n>\n>   ```sh\n>   é prog --old 1\n>   ```\n",
        "\t😀\r\n\r\n- a\r\n\r\n  ```sh\r\n  prog \\\r\n    --old 1\r\n  ```\r\n",
        "```console\n😀$ x\n$ prog \\\n>   --old 1\n```\n",
        "a\n\n    prog é😀 --old 1\n",
    ],
)
def test_spans_to_the_column(text: str) -> None:
    words = [word for launch in read(text) for word in launch.argv if word.text == "--old"]
    at = text.index("--old")
    assert [word.fragment.locate_all() for word in words] == [((at, at + 5),)]


NESTINGS = [
    "> ```sh\n> prog \\\n>   --old 1 \\\n>   --c\n> ```\n",
    "- x\n\n  ```sh\n  prog \\\n    --old 1 \\\n    --c\n  ```\n",
    "> 1. é\n>\n>    ~~~\n>    $ prog \\\n>    >   --old 1 \\\n>    >   --c\n>    out\n>    ~~~\n",
    "```yaml\nservices:\n  a:\n    image: img\n    command: >-\n      prog\n      --old 1\n      --c\n```\n",
    "> ```yaml\n> services:\n>   a:\n>     image: img\n>     command:\n>       - prog\n>       - --old\n>       - '1'\n"
    ">       - --c\n> ```\n",
    '- ```dockerfile\n  FROM x\n  CMD ["prog", \\\n    "--old", "1", \\\n    "--c"]\n  ```\n',
    "> ```sh\n> bash -c 'prog --old 1 --c'\n> ```\n",
    "  ```sh\n  cat > x.sh <<'E'\n  prog --old 1 --c\n  E\n  ```\n",
    "````md\n> ```sh\n> prog --old 1 --c\n> ```\n````\n",
    "x\n\n    $ prog --old 1 --c\n",
    "> ```sh\r\n> prog \\\r\n>   --old 1 \\\r\n>   --c\r\n> ```\r\n",
    "\t😀é\n\n* a\n\n\t```sh\n\tprog \\\n\t  --old 1 \\\n\t  --c\n\t```\n",
]


def launched(text: str) -> Launch:
    return next(launch for launch in read(text) if launch.argv and launch.argv[0].text == "prog")


@pytest.mark.parametrize("text", NESTINGS)
def test_edits_through_all_layers(text: str) -> None:
    launch = launched(text)
    assert argv(launch) == ["prog", "--old", "1", "--c"]
    name, value = launch.argv[1], launch.argv[2]
    assert launch.container is not None
    renamed = applied(text, name.fragment.replace(2, 5, "newer"))
    assert renamed == text.replace("--old", "--newer")
    assert argv(launched(renamed)) == ["prog", "--newer", "1", "--c"]
    longer = applied(text, launch.container.insert(value, ["--d", "x-y"]))
    assert argv(launched(longer)) == ["prog", "--old", "1", "--d", "x-y", "--c"]
    shorter = applied(text, launch.container.remove([name, value]))
    assert argv(launched(shorter)) == ["prog", "--c"]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (NESTINGS[0], "> ```sh\n> prog \\\n>   --c\n> ```\n"),
        (NESTINGS[1], "- x\n\n  ```sh\n  prog \\\n    --c\n  ```\n"),
        (NESTINGS[2], "> 1. é\n>\n>    ~~~\n>    $ prog \\\n>    >   --c\n>    out\n>    ~~~\n"),
        (NESTINGS[10], "> ```sh\r\n> prog \\\r\n>   --c\r\n> ```\r\n"),
    ],
)
def test_removed_lines_take_their_prefix_along(text: str, result: str) -> None:
    launch = launched(text)
    assert launch.container is not None
    assert applied(text, launch.container.remove(launch.argv[1:3])) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("> ```sh\n> a\n> b\n> ```\n", "> ```sh\n> a\n> c\n> d\n> b\n> ```\n"),
        ("> - ```sh\r\n>   a\r\n>   b\r\n>   ```\r\n", "> - ```sh\r\n>   a\r\n>   c\r\n>   d\r\n>   b\r\n>   ```\r\n"),
        ("```sh\na\nb\n```\n", "```sh\na\nc\nd\nb\n```\n"),
    ],
)
def test_inserted_lines_carry_the_prefix(text: str, result: str) -> None:
    (block,) = code_blocks(Fragment.of(Source("a.md", text)))
    at = block.body.text.index("b")
    assert applied(text, block.body.replace(at, at, "c\nd\n")) == result


def test_a_line_that_closes_the_fence_is_refused() -> None:
    (block,) = code_blocks(Fragment.of(Source("a.md", "> ```sh\n> a\n> b\n> ```\n")))
    assert block.body.replace(0, 0, "x\n```\n") is None


@pytest.mark.parametrize("text", ["> ```sh\n> a\n> b\n> ```\n", "  ```sh\n  a\n  b\n   ```\n"])
def test_the_last_line_can_go(text: str) -> None:
    (block,) = code_blocks(Fragment.of(Source("a.md", text)))
    after = applied(text, block.body.replace(2, 4, ""))
    (again,) = code_blocks(Fragment.of(Source("a.md", after)))
    assert again.body.text == "a\n"


# The library that defines what a code block is

PARTS = st.sampled_from(
    [
        *(
            "# h\n",
            "para\n",
            "- item\n",
            "1. one\n",
            "> ",
            "> > ",
            "- ",
            "  ",
            "   ",
            "```sh\n",
            "```\n",
            "~~~\n",
            "\n",
        ),
        *(
            "````\n",
            "prog --a\n",
            "foo \\\n",
            "  --b\n",
            "> foo\n",
            "> ```\n",
            "  ```bash\n",
            "  ```\n",
            "10) x\n",
            "é😀\n",
        ),
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PARTS, max_size=14))
def test_segments_are_sound(parts: list[str]) -> None:
    for block in code_blocks(Fragment.of(Source("a.md", "".join(parts)))):
        check_segments(block.body)


BODIES = st.lists(st.sampled_from(["a", "  b", "", "--c d \\", "é😀", "\tx", "> y", "- z"]), min_size=1, max_size=5)
WRAPS = st.lists(st.sampled_from(["> ", "- ", "1. ", "   "]), max_size=4)


def wrapped(lines: list[str], wraps: list[str]) -> list[str]:
    for wrap in reversed(wraps):
        rest = wrap if wrap == "> " else " " * len(wrap)
        lines = [(wrap if place == 0 else rest) + line for place, line in enumerate(lines)]
    return lines


@settings(max_examples=200, deadline=None)
@given(BODIES, WRAPS, st.sampled_from(["\n", "\r\n"]))
def test_bodies_are_those_of_the_reference_implementation(body: list[str], wraps: list[str], line_end: str) -> None:
    markdown_it = pytest.importorskip("markdown_it")
    reference = markdown_it.MarkdownIt("commonmark")
    text = line_end.join([*wrapped(["```sh", *body, "```"], wraps), ""])
    expected = [token.content for token in reference.parse(text) if token.type == "fence"]
    found = [block.body for block in code_blocks(Fragment.of(Source("a.md", text))) if block.info is not None]
    assert [fragment.text.replace("\r\n", "\n") for fragment in found] == expected
    for fragment in found:
        check_segments(fragment)


@pytest.mark.parametrize(
    "text",
    [
        ">" * 50_000,
        "> " * 20_000 + "```sh\n",
        "- " * 20_000,
        "".join(" " * (2 * n) + "- a\n" for n in range(300)),
        "```\n" * 20_000,
        "a\n" * 100_000,
        "    a\n" * 10_000,
        "```console\n" + "$ a 'b\n" * 1_000 + "```\n",
        "```console\n" + "$ a <<E\n" * 2_000 + "```\n",
        "````md\n" * 200,
        "x" * 1_000_000,
        "```\n" + "a=" * 200_000 + "\n```\n",
        "```\n" + "- " * 100_000 + "\n```\n",
        "```\n" + '"' * 100_000 + "\n```\n",
        "\0\x01\x02```sh\n\0\n```\n",
    ],
    ids=lambda text: text[:12],
)
@pytest.mark.timeout(60)  # what hangs takes minutes; this measures no speed
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    read(text)


OLD = "> ```sh\n> llama-server -m a.gguf \\\n>   --draft-max 3 --spec-type draft-mtp\n> ```\n"


def test_old_flags_are_found_and_fixed_in_place(tmp_path: object) -> None:
    assert codes(OLD, "b11434", "guide.md") == ["MTP101"]
    path = f"{tmp_path}/guide.md"
    with open(path, "w", encoding="utf-8") as file:
        file.write(OLD)
    shown = run("lint", "--isolated", "--diff", path, "--target", "llama.cpp@b11434").stdout.decode()
    assert "\n->   --draft-max 3 --spec-type draft-mtp\n+>   --spec-draft-n-max 3 --spec-type draft-mtp\n" in shown
