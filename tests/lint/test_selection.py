from __future__ import annotations

import pytest

from mtpconfig.errors import UsageError
from mtpconfig.lint.linter import Linter, Selection
from mtpconfig.lint.target import Targets, parse_target
from mtpconfig.text import Source


@pytest.mark.parametrize(
    ("selection", "admitted", "refused"),
    [
        (Selection(), ["MTP101", "MTP503"], []),
        (Selection(select=("MTP1",)), ["MTP101", "MTP110"], ["MTP206"]),
        (Selection(select=("MTP101", "MTP2")), ["MTP101", "MTP203"], ["MTP102"]),
        (Selection(ignore=("MTP1",)), ["MTP206"], ["MTP101"]),
        (Selection(ignore=("MTP101",)), ["MTP102"], ["MTP101"]),
        (Selection(select=("MTP1",), ignore=("MTP101",)), ["MTP102"], ["MTP101", "MTP206"]),
        (Selection(select=("MTP101",), ignore=("MTP1",)), ["MTP101"], ["MTP102"]),
        (Selection(select=("MTP1",), ignore=("MTP1",)), [], ["MTP101"]),
        (Selection(select=("MTP2",), extend_select=("MTP101",)), ["MTP101", "MTP206"], ["MTP102"]),
        (Selection(ignore=("MTP1",), extend_select=("MTP101",)), ["MTP101", "MTP206"], ["MTP102"]),
        (Selection(ignore=("MTP",)), [], ["MTP101"]),
        (Selection(select=("MTP",)), ["MTP101"], []),
    ],
)
def test_the_longest_prefix_wins_and_an_ignore_on_a_tie(
    selection: Selection, admitted: list[str], refused: list[str]
) -> None:
    assert all(selection.admits(code) for code in admitted)
    assert not any(selection.admits(code) for code in refused)


@pytest.mark.parametrize("name", ["select", "ignore", "extend_select"])
@pytest.mark.parametrize("prefix", ["MTP9", "E501", "mtp101", "MTP1011"])
def test_an_unknown_prefix_is_refused(name: str, prefix: str) -> None:
    with pytest.raises(UsageError, match="unknown code"):
        Selection(**{name: (prefix,)}).check()


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(), ["MTP105", "MTP101"]),
        (Selection(select=("MTP101",)), ["MTP101"]),
        (Selection(ignore=("MTP101",)), ["MTP105"]),
        (Selection(select=("MTP3",)), []),
    ],
)
def test_only_selected_codes_are_reported(selection: Selection, expected: list[str]) -> None:
    checker = Linter(Targets(dict([parse_target("llama.cpp@b11434")])), selection)
    report = checker.lint_source(Source("a.sh", "llama-server -m q.gguf --spec-type mtp --draft-max 5\n"))
    assert [finding.code for finding in report.findings if finding.severity != "info"] == expected


def test_an_unselected_unreadable_file_says_nothing() -> None:
    assert Linter(selection=Selection(ignore=("MTP001",))).lint_bytes("a.sh", b"llama-server \xff\n").findings == []
