"""Every shipped rule is complete, and every example in it does what it says."""

from __future__ import annotations

import pytest

from mtpconfig.hooks import engines
from mtpconfig.knowledge import knowledge_root
from mtpconfig.lint.findings import FileReport
from mtpconfig.lint.fixes import fix_source
from mtpconfig.lint.rule import Example, Rule, code_names
from mtpconfig.text import Source

from ..support import linter

RULES = linter().rules
WITHOUT_EXAMPLES = {"unreadable-file", "deprecated-spelling"}
"""Rules about files that are no text, and about a status that no shipped engine uses today."""

EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{number}-{'bad' if example.bad else 'good'}")
    for rule in RULES
    for number, example in enumerate(rule.examples)
]
FIXED = [param for param in EXAMPLES if param.values[1].fixed is not None]  # type: ignore[union-attr]


def report_of(example: Example) -> FileReport:
    return linter(example.target).lint_source(Source(example.name, example.text))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_why_and_how_we_know(rule: Rule) -> None:
    for text in (rule.summary, rule.what, rule.why, rule.help):
        assert len(text) > 5
    assert rule.evidence and all(len(item) > 10 for item in rule.evidence)
    assert rule.code in code_names() and rule.name == code_names()[rule.code]["name"]
    assert rule.summary.endswith(".")


@pytest.mark.parametrize("rule", [r for r in RULES if r.id not in WITHOUT_EXAMPLES], ids=lambda rule: rule.id)
def test_a_rule_has_bad_and_good_examples(rule: Rule) -> None:
    assert {example.bad for example in rule.examples} == {True, False}


def test_rule_ids_are_unique_and_every_code_has_a_rule() -> None:
    assert len({(rule.engine, rule.id) for rule in RULES}) == len(RULES)
    assert {rule.code for rule in RULES} == set(code_names())


def test_every_rule_file_is_loaded() -> None:
    root = knowledge_root()
    files = [
        path.name.removesuffix(".toml")
        for folder in (root / "common" / "rules", *(root / engine / "rules" for engine in engines()))
        for path in folder.iterdir()
        if path.name.endswith(".toml")
    ]
    assert sorted(files) == sorted(rule.id for rule in RULES)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_a_bad_example_fires_its_rule_and_a_good_one_is_clean(rule: Rule, example: Example) -> None:
    findings = report_of(example).findings
    fired = [finding.rule for finding in findings]
    if example.bad:
        assert rule.id in fired
    else:
        assert rule.id not in fired
        assert [finding.message for finding in findings if finding.severity == "error"] == []


@pytest.mark.parametrize(("rule", "example"), FIXED)
def test_a_fixed_text_is_what_the_fixes_make(rule: Rule, example: Example) -> None:
    report = report_of(example)
    safe = fix_source(linter(example.target), report)
    done = safe if safe.applied else fix_source(linter(example.target), report, unsafe=True)
    assert done.source.text == example.fixed
    assert rule.id in {finding.rule for finding in done.applied}
    assert [
        finding.rule for finding in report_of_text(example, done.source.text).findings if finding.rule == rule.id
    ] == []


def report_of_text(example: Example, text: str) -> FileReport:
    return linter(example.target).lint_source(Source(example.name, text))


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_examples_hold_in_their_windows_line_ends_too(rule: Rule, example: Example) -> None:
    """A file with CRLF that the shell reads the same (no continuation) says the same."""
    if "\\\n" in example.text:
        return
    crlf = linter(example.target).lint_source(Source(example.name, example.text.replace("\n", "\r\n")))
    assert (rule.id in [finding.rule for finding in crlf.findings]) is example.bad
