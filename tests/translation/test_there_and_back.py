"""Translated there and back, a launch asks for what both engines can say."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mtpconfig.errors import CannotRender
from mtpconfig.hooks import find_engine
from mtpconfig.spec import METHODS, MTPSpec
from mtpconfig.text import Source
from mtpconfig.writers import WRITERS

from ..support import linter
from .helping import translated

VERSIONS = {
    name: [str(version) for version in find_engine(name).options().versions[-12:]]
    for name in ("llama.cpp", "vllm", "sglang")
}
WHERE = st.sampled_from([f"{name}@{version}" for name, versions in VERSIONS.items() for version in versions])
FIELDS = frozenset(MTPSpec.__struct_fields__) - {"adaptive"}  # an engine that never adapts says so, others may not
MODELS = st.sampled_from(["Qwen/Qwen3.6-27B", "org/model", "/m/q \U0001f999's"])


@st.composite
def specs(draw: st.DrawFn) -> MTPSpec:
    on = draw(st.booleans())
    method = draw(st.sampled_from(METHODS))
    alone = method in ("mtp", "ngram", "suffix")
    return MTPSpec(
        state="on" if on else "off",
        methods=(method,) if on else (),
        gamma=draw(st.integers(1, 9)) if on else None,
        temperature=draw(st.sampled_from([None, 0.0, 0.6, 1.0])),
        model=draw(MODELS),
        drafter=None if alone or not on else draw(st.sampled_from(["org/draft", "/models/draft"])),
        p_min=draw(st.sampled_from([None, 0.5])) if on else None,
    )


@pytest.mark.timeout(300)
@settings(max_examples=120, deadline=None)
@given(specs(), WHERE, WHERE)
def test_there_and_back(spec: MTPSpec, here: str, there: str) -> None:
    name, _, number = here.partition("@")
    try:
        first = find_engine(name).render(spec, find_engine(name).scheme.parse(number))
        start = WRITERS["shell"](first)
        gone = translated(start, there, here)
        back = translated(WRITERS["shell"](gone.rendering), here, there)
    except CannotRender:
        assume(False)
    asked, returned = gone.report.spec, back.report.spec
    if "state" in gone.rendering.dropped:
        assert returned.state == "off"
        return
    replaced = {one.text.split()[0] for one in (*gone.left, *back.left)} & {"model", "drafter"}
    both = (gone.rendering.kept & back.rendering.kept) - replaced - {"adaptive"}
    assert {"state", "methods", "gamma"} & set(asked.to_dict()) <= both | set(gone.rendering.dropped)
    assert returned.restricted_to(both) == asked.restricted_to(both)
    (again,) = linter(here).lint_source(Source("back.sh", WRITERS["shell"](back.rendering))).launches
    assert again.spec.restricted_to(both) == asked.restricted_to(both)
    if gone.complete and back.complete:
        assert again.spec.restricted_to(FIELDS) == asked.restricted_to(FIELDS)


@pytest.mark.timeout(300)
@settings(max_examples=60, deadline=None)
@given(specs(), WHERE)
def test_to_where_it_is_nothing_changes(spec: MTPSpec, here: str) -> None:
    """A launch that was rendered says all that it says; translated to its own version, it is the same."""
    name, _, number = here.partition("@")
    try:
        first = find_engine(name).render(spec, find_engine(name).scheme.parse(number))
        same = translated(WRITERS["shell"](first), here, here)
    except CannotRender:
        assume(False)
    assert same.complete and same.rendering.argv == first.argv
