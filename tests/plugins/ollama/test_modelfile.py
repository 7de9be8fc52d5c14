"""Modelfiles as files: which they are, what a launch holds, edits, and through which layers they are reached."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mtpconfig_ollama.modelfile.claims import is_modelfile, may_be_modelfile
from mtpconfig_ollama.modelfile.container import page_of
from mtpconfig_ollama.modelfile.words import COMMAND, NAME, VALUES

from mtpconfig.launch import Launch, Opaque
from mtpconfig.lint.fixes import fix_source
from mtpconfig.text import Source, apply_edits
from tests.carriers.shell_reading import check_segments
from tests.carriers.systemd_reading import read as launches

from ...support import linter
from .support import report

FILE = """\
# ollama 0.32.14
FROM ./q.gguf
PARAMETER draft_num_predict "4"

parameter stop <|end|>
SYSTEM \"\"\"You
are PARAMETER draft_num_predict 9
\"\"\"
draft ./d.gguf
"""


def said(launch: Launch) -> list[tuple[str, str, str]]:
    return [(g.surface, g.name.text, g.value.text if g.value else "") for g in launch.given]


def test_a_modelfile_is_one_launch_without_words() -> None:
    (launch,) = launches(FILE, "Modelfile")
    assert (launch.carrier, launch.argv, launch.closed) == ("modelfile", (), True)
    assert said(launch) == [
        ("instruction", "FROM", "./q.gguf"),
        ("param", "draft_num_predict", "4"),
        ("param", "stop", "<|end|>"),
        ("instruction", "draft", "./d.gguf"),
    ]
    assert [hint.fragment.text for hint in launch.hints] == ["# ollama 0.32.14"]
    position = launch.fragment.source.position(launch.fragment.locate_all()[0].start)
    assert (position.line, position.column) == (2, 1)


def test_statements_are_taken_out_and_put_in_with_their_lines() -> None:
    (launch,) = launches(FILE, "Modelfile")
    page = page_of(launch)
    assert page is not None and launch.container is not None
    edits = launch.container.remove_given(launch.given[1])
    assert edits is not None
    assert apply_edits(FILE, edits) == FILE.replace('PARAMETER draft_num_predict "4"\n', "")
    first, last = page.statement(launch.given[0]), page.statement(launch.given[-1])
    assert first is not None and last is not None
    for statement, text in ((first, FILE), (last, FILE)):
        edit = page.add_line(statement, "PARAMETER seed 1")
        assert edit is not None
        written = apply_edits(text, [edit]).splitlines()
        assert written[written.index(FILE[slice(*statement.whole)].rstrip("\n")) + 1] == "PARAMETER seed 1"
    value = launch.given[1].value
    assert value is not None
    edit = value.fragment.replace(0, 1, "7")
    assert edit is not None and 'predict "7"' in apply_edits(FILE, [edit])


def test_a_line_is_put_behind_a_last_line_without_an_end() -> None:
    (launch,) = launches("FROM a.gguf", "Modelfile")
    page = page_of(launch)
    assert page is not None
    statement = page.statement(launch.given[0])
    assert statement is not None
    edit = page.add_line(statement, "PARAMETER seed 1")
    assert edit is not None and apply_edits("FROM a.gguf", [edit]) == "FROM a.gguf\nPARAMETER seed 1"


@pytest.mark.parametrize(
    ("name", "text", "claimed"),
    [
        ("Modelfile", "anything", True),
        ("modelfile", "", True),
        ("qwen.Modelfile", "", True),
        ("qwen36.modelfile", "", True),
        ("Modelfile.qwen", "", True),
        ("Modelfile-27b", "", True),
        ("deploy/Modelfile", "", True),
        ("my-modelfile", "", True),
        ("modelfile.md", "FROM a\nPARAMETER x 1\n", False),
        ("modelfile.py", "FROM a\nPARAMETER x 1\n", False),
        ("modelfile_generator.go", "", False),
        ("", "FROM a\nPARAMETER num_ctx 1\n", True),
        ("", "# x\nfrom a\nsystem \"x\"\n", True),
        ("", "FROM a\nDRAFT b\n", True),
        ("", "FROM ubuntu:24.04\nRUN make\n", False),
        ("", "FROM ubuntu\nARG PARAMETER x\nCMD [\"x\"]\n", False),
        ("", "From me to you\n", False),
        ("", "PARAMETER num_ctx 1\n", False),
        ("Dockerfile", "FROM a\nPARAMETER num_ctx 1\n", False),
        ("notes", "FROM a\nPARAMETER num_ctx 1\n", False),
    ],
)  # fmt: skip
def test_claims(name: str, text: str, claimed: bool) -> None:
    assert is_modelfile(name, text) is claimed
    assert not claimed or may_be_modelfile(name.rsplit("/", 1)[-1].lower())


@pytest.mark.parametrize("value", ["{{ .Values.n }}", "${N}", "$N", "$(nproc)", "@DEPTH@", "<N>"])
def test_what_is_still_to_be_filled_in_is_not_judged(value: str) -> None:
    text = f"FROM a.gguf\nPARAMETER draft_num_predict {value}\n"
    (launch,) = launches(text, "Modelfile")
    word = launch.given[1].value
    assert word is not None and word.value == Opaque(value)
    (found,) = report(text).launches
    assert (found.spec.state, report(text).findings) == ("unknown", [])


FENCE = "> 😀\n>\n> ```modelfile\n> FROM a.gguf\n> PARAMETER draft_num_predict 4 # x\n> ```\n"
UNLABELLED = "Text.\n\n```\nFROM a.gguf\nPARAMETER draft_num_predict 4 # x\n```\n"
HEREDOC = "cat > /tmp/q.Modelfile <<EOF\nFROM $D/a.gguf\nPARAMETER draft_num_predict 4 # x\nEOF\n"
PIPED = "ollama create q -f - <<'EOF'\nFROM a.gguf\nPARAMETER draft_num_predict 4 # x\nEOF\n"
CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: x}
data:
  Modelfile: |
    FROM a.gguf
    PARAMETER draft_num_predict 4 # x
"""
DOCKERFILE = """\
FROM ollama/ollama:0.32.14
COPY <<EOF /Modelfile
FROM a.gguf
PARAMETER draft_num_predict 4 # x
EOF
RUN ollama create q -f /Modelfile
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Modelfile", "\ufeffFROM a.gguf\r\nPARAMETER draft_num_predict 4 # x\r\n"),
        ("Modelfile", "FROM 😀.gguf\nPARAMETER draft_num_predict 4 # x"),
        ("a.md", FENCE),
        ("a.md", UNLABELLED),
        ("install.sh", HEREDOC),
        ("install.sh", PIPED),
        ("map.yaml", CONFIG_MAP),
        ("Dockerfile", DOCKERFILE),
    ],
)
def test_a_comment_behind_a_value_is_put_on_its_own_line_wherever_the_file_stands(name: str, text: str) -> None:
    before = report(text, name=name)
    (finding,) = [f for f in before.findings if f.code == "MTP105"]
    assert finding.fix is not None and finding.fix.safety == "safe"
    after = fix_source(linter("ollama@0.32.14"), before)
    assert [f.code for f in after.report.findings if f.severity != "info"] == []
    kept = [line.lstrip("> ") for line in after.source.text.splitlines()]
    place = kept.index("PARAMETER draft_num_predict 4")
    assert kept[place - 1] == "# x"


PARAMETERS = st.sampled_from(
    ["draft_num_predict 4 # deep", "draft_num_predict 4", "num_ctx 32k", "temperature 0.7 // warm", "stop <|x|>"]
)
NOISE = st.sampled_from(["", "# a comment", 'SYSTEM "a', 'b"', "  ", "DRAFT d-mtp.gguf", "TEMPLATE {{ .Prompt }}"])


@settings(max_examples=150, deadline=None)
@given(st.lists(PARAMETERS.map("PARAMETER {}".format) | NOISE, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_fixes_leave_everything_else_as_it_was(lines: list[str], end: str) -> None:
    text = end.join(["FROM ./a-MTP.gguf", *lines, ""])
    before = report(text)
    after = fix_source(linter("ollama@0.32.14"), before, unsafe=True)
    (old,) = before.launches
    (new,) = after.report.launches
    before_names, names = ([given.name.text for given in launch.given] for launch in (old.launch, new.launch))
    if len(names) > len(before_names):  # a line that sets the depth was put behind FROM
        assert names.pop(1) == "draft_num_predict"
    assert names == before_names
    assert len(after.report.findings) <= len(before.findings)
    for line in lines:
        if not line.startswith("PARAMETER"):
            assert line in after.source.text


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(["FROM a", "PARAMETER ", "num_ctx", " ", "4", '"', '"""', "\n", "\r\n", "#", "é😀", "\u200b"])
    )
)
def test_segments_cover_any_file(parts: list[str]) -> None:
    for launch in launches("".join(parts) + "\nPARAMETER seed 1\nFROM x\n", "Modelfile"):
        for entry in launch.given:
            check_segments(entry.name.fragment)
            if entry.value is not None:
                check_segments(entry.value.fragment)


def test_codecs_refuse_what_the_grammar_cannot_hold() -> None:
    assert [NAME.encode(text) for text in ("num_ctx", "a b", "a-b", "")] == ["num_ctx", None, None, None]
    assert [COMMAND.encode(text) for text in ("DRAFT", "D_X", "")] == ["DRAFT", None, None]
    bare, quoted = VALUES["bare"], VALUES["quoted"]
    assert [bare.encode(t) for t in ("a b", " a", "a\n", '"a', "a\u200b", 'a"')] == [
        "a b",
        None,
        None,
        None,
        None,
        'a"',
    ]
    assert [quoted.encode(t) for t in ("a b", " a", "a\n", '"a', "a\u200b")] == ["a b", " a", None, None, None]


def test_a_file_in_utf_16_is_fixed_as_it_was_encoded() -> None:
    data = b"\xff\xfe" + "FROM a.gguf\r\nPARAMETER draft_num_predict 4 # x\r\n".encode("utf-16-le")
    before = linter("ollama@0.32.14").lint_bytes("Modelfile", data)
    after = fix_source(linter("ollama@0.32.14"), before)
    wanted = "FROM a.gguf\r\n# x\r\nPARAMETER draft_num_predict 4\r\n"
    assert isinstance(after.source, Source)
    assert after.source.to_bytes() == b"\xff\xfe" + wanted.encode("utf-16-le")
