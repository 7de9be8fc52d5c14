"""Rule files of others: malformed ones are refused with a sentence that names the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from mtpconfig.errors import KnowledgeError
from mtpconfig.lint.rule import Rule, code_names, load_rules

from ..support import LLAMACPP, llamacpp

GOOD = """
engine = "llama.cpp"
code = "MTP304"
severity = "info"
anchor = "spec-draft-n-max"
since = ["b8946", "b8992"]
message = "too deep: {value}"
summary = "Deep."
what = "w"
why = "y"
help = "h"
evidence = ["e"]
when = { option = "spec-draft-n-max", gt = 8 }

[[example]]
target = "b9180"
bad = "llama-server --spec-draft-n-max 9"
"""


def load(folder: Path, text: str) -> Sequence[Rule]:
    (folder / "team.toml").write_text(text, "utf-8")
    known = {LLAMACPP: (llamacpp().scheme, llamacpp().options())}
    return [rule for rule in load_rules([folder], schemes=known) if rule.id == "team"]


def test_a_rule_of_a_team(tmp_path: Path) -> None:
    (rule,) = load(tmp_path, GOOD)
    assert (rule.code, rule.severity, rule.name) == ("MTP304", "info", "requested-but-off")
    assert rule.examples[0].target == "llama.cpp@b9180" and rule.examples[0].bad
    assert [str(version) for version in rule.stretches[0].boundaries()] == ["b8946", "b8992"]


def test_the_severity_of_the_code_is_the_default(tmp_path: Path) -> None:
    (rule,) = load(tmp_path, GOOD.replace('severity = "info"\n', ""))
    assert rule.severity == code_names()["MTP304"]["severity"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('code = "MTP304"', 'code = "MTP999"', "MTP999"),
        ('code = "MTP304"\n', "", "code"),
        ('severity = "info"', 'severity = "fatal"', "severity"),
        ('help = "h"', 'helps = "h"', "helps"),
        ('help = "h"\n', "", "help"),
        ('evidence = ["e"]\n', "", "evidence"),
        ('engine = "llama.cpp"', 'engine = "lama.cpp"', "lama.cpp"),
        ("gt = 8", "above = 8", "not a condition"),
        ('option = "spec-draft-n-max", gt', 'option = "gamma", gt', "unknown option 'gamma'"),
        ("gt = 8", 'gt = { option = "gamma" }', "unknown option 'gamma'"),
        ("when = {", 'check = "x"\nwhen = {', "condition"),
        ('when = { option = "spec-draft-n-max", gt = 8 }', "", "condition"),
        ("when = { option", "when = { set = 'spec-type', option", "not a condition"),
        ('engine = "llama.cpp"\n', "", "unknown option"),
        ("gt = 8", "gt = ", "team.toml"),
        ('since = ["b8946", "b8992"]', 'since = "b8992"', "since"),
        ('since = ["b8946", "b8992"]', 'since = ["b8946", "soon"]', "soon"),
        ("gt = 8", 'matches = "("', "team.toml"),
        ("when = { option", "when = 3\nx = { option", "team.toml"),
        ('bad = "llama', 'bed = "llama', "team.toml"),
        ('what = "w"', "what = 3", "what"),
        ('anchor = "spec-draft-n-max"', 'anchor = "gamma"', "gamma"),
    ],
)
def test_a_malformed_rule_names_its_file(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(KnowledgeError, match=r"team\.toml") as error:
        load(tmp_path, GOOD.replace(old, new))
    assert said in str(error.value) and "\n" not in str(error.value).strip()
