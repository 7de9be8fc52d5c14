from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtpconfig.errors import SpecError
from mtpconfig.hooks import find_engine
from mtpconfig.spec import METHODS, MTPSpec, load_spec, spec_from


def test_a_full_spec() -> None:
    text = """
state = "on"
methods = ["mtp", "ngram"]
gamma = 3
temperature = 1
model = "qwen.gguf"
drafter = "d.gguf"
p_min = 0
adaptive = false
"""
    assert load_spec(text) == MTPSpec("on", ("mtp", "ngram"), 3, 1.0, "qwen.gguf", "d.gguf", 0.0, False)


def test_an_empty_spec_says_nothing() -> None:
    assert load_spec("") == MTPSpec()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gamma = 0", ["gamma", "at least 1", 'state = "off"']),
        ("gamma = -1", ["gamma", "at least 1"]),
        ("gamma = true", ["gamma", "whole number", "True"]),
        ("gamma = 3.0", ["gamma", "whole number"]),
        ('gamma = "3"', ["gamma", "whole number"]),
        ("gama = 3", ["unknown key 'gama'", "gamma"]),
        ("temperature = true", ["temperature", "a number"]),
        ('temperature = "0.6"', ["temperature", "a number"]),
        ("temperature = -0.1", ["temperature", "between 0 and 10"]),
        ("temperature = 11", ["temperature", "between 0 and 10"]),
        ("temperature = nan", ["temperature", "between 0 and 10"]),
        ("temperature = inf", ["temperature", "between 0 and 10"]),
        ("p_min = 1.5", ["p_min", "between 0 and 1"]),
        ("p_min = false", ["p_min", "a number"]),
        ('methods = "mtp"', ["methods", "a list"]),
        ('methods = ["MTP"]', ["unknown method 'MTP'", "mtp"]),
        ("methods = [1]", ["unknown method 1"]),
        ("methods = [[]]", ["unknown method []"]),
        ('state = "yes"', ["state", "on, off, auto, unknown", "'yes'"]),
        ("state = true", ["state", "a string"]),
        ("model = 3", ["model", "a string"]),
        ("drafter = []", ["drafter", "a string"]),
        ("adaptive = 1", ["adaptive", "true or false"]),
        ("model = 2026-11-29", ["model", "a string"]),
        ("[gamma]", ["gamma", "whole number"]),
        ("gamma = ", ["not valid TOML"]),
        ("gamma = 3\ngamma = 4", ["not valid TOML"]),
    ],
)
def test_a_malformed_spec_is_one_sentence_with_the_file_and_the_key(text: str, said: list[str]) -> None:
    with pytest.raises(SpecError) as error:
        load_spec(text, "team/mtp.toml")
    message = str(error.value)
    assert message.startswith("team/mtp.toml: ") and "\n" not in message
    for part in said:
        assert part in message


def test_a_method_that_one_engine_alone_knows_can_be_admitted() -> None:
    text = 'methods = ["uno", "mtp"]'
    assert load_spec(text, known=(*METHODS, "uno")).methods == ("mtp", "uno")
    with pytest.raises(SpecError, match="unknown method 'uno'"):
        load_spec(text)
    assert (
        "uno" in find_engine("sglang").options().methods() and "standard" not in find_engine("vllm").options().methods()
    )


def test_values_are_checked_without_a_file_too() -> None:
    with pytest.raises(SpecError, match="gamma"):
        MTPSpec(gamma=0)
    with pytest.raises(SpecError, match=r"^the options: gamma"):
        spec_from({"gamma": 0}, "the options")


SPECS = st.builds(
    MTPSpec,
    state=st.sampled_from(("on", "off", "auto", "unknown")),
    methods=st.lists(st.sampled_from(METHODS), max_size=3, unique=True).map(tuple),
    gamma=st.none() | st.integers(1, 64),
    temperature=st.none() | st.floats(0, 10),
    model=st.none() | st.text(max_size=5).filter(str.strip),
    drafter=st.none() | st.text(max_size=5).filter(str.strip),
    p_min=st.none() | st.floats(0, 1),
    adaptive=st.none() | st.booleans(),
)


@given(SPECS)
def test_a_dict_of_a_spec_reads_back(spec: MTPSpec) -> None:
    assert spec_from(spec.to_dict()) == spec


@given(SPECS)
def test_restriction_keeps_what_is_named(spec: MTPSpec) -> None:
    assert spec.restricted_to(frozenset()) == MTPSpec()
    kept = spec.restricted_to(frozenset({"gamma", "state"}))
    assert (kept.gamma, kept.state, kept.methods, kept.temperature) == (spec.gamma, spec.state, (), None)


@given(SPECS, SPECS)
def test_agreement_is_symmetric_and_says_only_what_both_say(one: MTPSpec, other: MTPSpec) -> None:
    both = one.agreeing_with(other)
    assert both == other.agreeing_with(one) and one.agreeing_with(one) == one
    assert both.gamma in (None, one.gamma) and both.state in ("unknown", one.state)
