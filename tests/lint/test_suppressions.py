from __future__ import annotations

import pytest

from mtpconfig.lint.suppressions import read_directives
from mtpconfig.text import Source

from ..support import codes, lint

BAD = "llama-server -m q.gguf --spec-type draft-mtp --draft-max 5"
BUILD = "b11434"


@pytest.mark.parametrize(
    "text",
    [
        f"{BAD}  # mtpconfig: ignore[MTP101]\n",
        f"{BAD}  # mtpconfig: ignore\n",
        f"{BAD}  # mtpconfig: ignore[MTP1]\n",
        f"{BAD}  # mtpconfig: ignore[mtp101]\n",
        f"{BAD}  #mtpconfig:ignore[MTP101]\n",
        f"{BAD}  # MTPCONFIG: Ignore[ MTP101 ]\n",
        f"{BAD}  # see the wiki # mtpconfig: ignore[MTP101]\n",
        f"# mtpconfig: ignore[MTP101]\n{BAD}\n",
        f"   # mtpconfig: ignore[MTP101]\n{BAD}\n",
        f"# mtpconfig: ignore[MTP101]\n\n# why: the old build\n\n{BAD}\n",
        f"# mtpconfig: ignore-file\n{BAD}\n",
        f"{BAD}\n# mtpconfig: ignore-file\n",
        "# mtpconfig: ignore[MTP101]\nllama-server -m q.gguf \\\n  --spec-type draft-mtp \\\n  --draft-max 5\n",
        "llama-server -m q.gguf \\\n  --spec-type draft-mtp \\\n  --draft-max 5  # mtpconfig: ignore[MTP101]\n",
        "# mtpconfig: ignore[MTP101]\nexport LLAMA_ARG_DRAFT_MAX=5\nllama-server -m q.gguf --spec-type draft-mtp\n",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_ignored_is_not_said(text: str, end: str) -> None:
    if end == "\r\n" and "\\\n" in text:
        return
    assert codes(text.replace("\n", end), BUILD) == []


def test_an_ignore_for_another_place_or_code_silences_nothing_and_is_told() -> None:
    assert codes(f"{BAD}  # mtpconfig: ignore[MTP102]\n", BUILD) == ["MTP101", "MTP003"]
    text = f"# mtpconfig: ignore[MTP101]\necho hello\n{BAD}\n"
    assert sorted(codes(text, BUILD)) == ["MTP003", "MTP101"]


def test_an_unused_code_beside_a_used_one_is_told_by_name() -> None:
    (finding,) = lint(f"{BAD}  # mtpconfig: ignore[MTP101, MTP206]\n", BUILD).findings
    assert finding.code == "MTP003" and "ignore[MTP206]" in finding.message and "MTP101" not in finding.message


def test_a_bare_ignore_that_silences_nothing_is_told() -> None:
    text = "llama-server -m q.gguf --spec-type draft-mtp  # mtpconfig: ignore\n"
    (finding,) = lint(text, BUILD).findings
    assert finding.code == "MTP003"
    assert text[slice(*finding.span)] == "# mtpconfig: ignore"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_place_of_an_unused_ignore(end: str) -> None:
    source = Source("a.sh", f"x=1{end}  # mtpconfig: ignore[MTP101]{end}llama-server -m q.gguf{end}")
    (ignore,) = read_directives(source).ignores
    assert source.text[slice(*ignore.span)] == "# mtpconfig: ignore[MTP101]"
    assert ignore.line == 3


def test_one_ignore_silences_one_launch_only() -> None:
    text = f"# mtpconfig: ignore[MTP101]\n{BAD}\n{BAD} --port 81\n"
    (finding,) = lint(text, BUILD).findings
    assert (finding.code, finding.source.position(finding.span.start).line) == ("MTP101", 3)


def test_a_trailing_ignore_speaks_of_its_own_line() -> None:
    text = "llama-server -m q.gguf --spec-type mtp \\\n  --draft-max 5  # mtpconfig: ignore[MTP101]\n"
    assert codes(text, BUILD) == ["MTP105"]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("# mtpconfig: target llama.cpp@b8900\n", ["llama.cpp@b8900"]),
        ("# mtpconfig: target llama.cpp@b8900..b9000  \n", ["llama.cpp@b8900..b9000"]),
        ("<!-- mtpconfig: target llama.cpp@b8900 -->\n", ["llama.cpp@b8900"]),
        ("; mtpconfig: target a@1\n", ["a@1"]),
        ("// mtpconfig: target a@1\n", ["a@1"]),
        ("REM mtpconfig: target a@1\n", ["a@1"]),
        ("/* mtpconfig: target a@1*/\n", ["a@1"]),
        ("# mtpconfig: target\n", [""]),
        ("# mtpconfig is nice\n", []),
        ("# mtpconfig: targets a@1\n", []),
        ("mtpconfig: target a@1\n", []),
        ("# mtpconfig: target llama.cpp@b8900\r\n", ["llama.cpp@b8900"]),
    ],
)
def test_target_directives_in_every_comment_style(text: str, targets: list[str]) -> None:
    assert [target for target, _ in read_directives(Source("a", text)).targets] == targets


def test_a_directive_in_a_string_is_none() -> None:
    assert codes(f"echo '# mtpconfig: ignore-file'\n{BAD}\n", BUILD) == ["MTP101"]


def test_an_unknown_code_in_an_ignore_is_told() -> None:
    assert codes("llama-server -m q.gguf  # mtpconfig: ignore[MTP999]\n", BUILD) == ["MTP003"]


def test_ignored_findings_have_no_fix_applied() -> None:
    from mtpconfig.lint.fixes import fix_source

    from ..support import linter

    source = Source("a.sh", f"{BAD}  # mtpconfig: ignore[MTP101]\n")
    checker = linter("llama.cpp@b11434")
    assert fix_source(checker, checker.lint_source(source), unsafe=True).source.text == source.text


def test_a_directive_that_is_only_spoken_of_is_none() -> None:
    assert (
        codes("Say it with `# mtpconfig: target llama.cpp@b11434` or `# mtpconfig: ignore[MTP101]`.\n", name="a.md")
        == []
    )
    assert codes("A file for llama-server.\n# mtpconfig: ignore[MTP101]\n", name="notes.txt") == []
