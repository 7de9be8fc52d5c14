"""Render, write as shell, read again: what was kept comes back, what was dropped is told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mtpconfig.engine import Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.spec import MTPSpec
from mtpconfig.text import Source
from mtpconfig.version import Version
from mtpconfig.writers import WRITERS

from ...support import build, codes, linter, llamacpp

ASKABLE = ("state", "methods", "gamma", "temperature", "model", "drafter", "p_min", "adaptive")
EDGES = ["b6497", "b7863", "b7864", "b7871", "b8946", "b8957", "b8992", "b9093", "b9105", "b9109", "b9113", "b9129",
         "b9150", "b9179", "b9180", "b9222", "b9246", "b9294", "b9453", "b9464", "b9606", "b9873", "b10423", "b11434",
         "b11549"]  # fmt: skip
BUILDS = st.sampled_from(EDGES) | st.integers(6497, 11549).map(lambda number: f"b{number}")
METHODS = st.sampled_from(
    [("mtp",), ("draft-model",), ("ngram",), ("eagle3",), ("dflash",), ("mtp", "ngram"), ("ngram", "draft-model")]
)


@st.composite
def specs(draw: st.DrawFn) -> MTPSpec:
    on = draw(st.booleans())
    methods = draw(METHODS) if on else ()
    return MTPSpec(
        state="on" if on else "off",
        methods=methods,
        gamma=draw(st.none() | st.integers(1, 8)) if on else None,
        temperature=draw(st.sampled_from([None, 0.0, 0.6, 1.0])),
        model=draw(st.sampled_from([None, "q.gguf", "/m/q \U0001f999's.gguf", "org/repo-GGUF:Q4_K_M", "org/repo"])),
        drafter=draw(st.sampled_from(["d.gguf", "org/draft"])) if set(methods) - {"mtp", "ngram"} else None,
        p_min=draw(st.sampled_from([None, 0.0, 0.5])) if on else None,
    )


def asked(spec: MTPSpec) -> set[str]:
    return set(spec.to_dict())


def read_back(rendering: Rendering, version: Version) -> MTPSpec:
    text = WRITERS["shell"](rendering)
    (launch,) = linter().launches(Source("start.sh", text + "\n"))
    assert [word.text for word in launch.argv] == list(rendering.argv)
    return llamacpp().read(launch, version).spec


@settings(max_examples=200, deadline=None)
@given(specs(), BUILDS)
def test_what_is_kept_comes_back(spec: MTPSpec, number: str) -> None:
    version = build(number)
    rendering = llamacpp().render(spec, version)
    assert rendering.kept.isdisjoint(rendering.dropped)
    assert set(rendering.kept) | set(rendering.dropped) >= asked(spec), "a field is neither kept nor dropped"
    assert read_back(rendering, version).restricted_to(rendering.kept) == spec.restricted_to(rendering.kept)


@settings(max_examples=60, deadline=None)
@given(specs(), BUILDS)
def test_a_rendering_is_right_at_its_own_build(spec: MTPSpec, number: str) -> None:
    rendering = llamacpp().render(replace(spec, model=spec.model or "q.gguf"), build(number))
    assert codes(WRITERS["shell"](rendering) + "\n", number) == []


@pytest.mark.parametrize(
    ("spec", "version", "words"),
    [
        (MTPSpec("on", ("mtp",), 3), "b11549", "--spec-type draft-mtp --spec-draft-n-max 3"),
        (MTPSpec("on", ("mtp",), 3, 0.6), "b9180", "--spec-type draft-mtp --spec-draft-n-max 3 --temperature 0.6"),
        (MTPSpec("on", ("mtp", "ngram"), 4), "b11549", "--spec-type draft-mtp,ngram-simple --spec-draft-n-max 4"),
        (
            MTPSpec("on", ("draft-model",), 8, drafter="d.gguf"),
            "b11549",
            "--spec-type draft-simple --spec-draft-model d.gguf --spec-draft-n-max 8",
        ),
        (
            MTPSpec("on", ("draft-model",), 8, drafter="d.gguf"),
            "b9294",
            "--spec-type draft-simple --spec-draft-model d.gguf --spec-draft-n-max 8",
        ),
        (MTPSpec("on", ("ngram",), 16), "b11549", "--spec-type ngram-simple --spec-ngram-simple-size-m 16"),
        (MTPSpec("off"), "b11549", ""),
    ],
)
def test_words(spec: MTPSpec, version: str, words: str) -> None:
    rendering = llamacpp().render(spec, build(version))
    assert " ".join(rendering.argv[1:]) == words
    assert not rendering.dropped


@pytest.mark.parametrize(
    ("version", "spelling"), [("b8946", "--draft"), ("b8992", "--spec-draft-n-max"), ("b11549", "--spec-draft-n-max")]
)
def test_an_old_build_gets_its_own_spelling(version: str, spelling: str) -> None:
    rendering = llamacpp().render(MTPSpec("on", ("draft-model",), 8, drafter="d.gguf"), build(version))
    assert rendering.argv[rendering.argv.index("8") - 1].startswith(spelling)
    assert "gamma" in rendering.kept


@pytest.mark.parametrize("version", ["b8946", "b9129", "b9179"])
def test_mtp_before_it_came_is_dropped_with_the_reason(version: str) -> None:
    rendering = llamacpp().render(MTPSpec("on", ("mtp",), 3, 0.6, "q.gguf"), build(version))
    assert set(rendering.dropped) == {"state", "methods", "gamma"}
    assert all("b9180" in reason and version in reason for reason in rendering.dropped.values())
    assert rendering.kept == {"model", "temperature"}


def test_without_a_method_mtp_is_chosen() -> None:
    assert "draft-mtp" in llamacpp().render(MTPSpec("on", (), 3), build("b11549")).argv


def test_adaptive_gamma_is_dropped() -> None:
    assert "adaptive" in llamacpp().render(MTPSpec("on", ("mtp",), adaptive=True), build("b11549")).dropped


@pytest.mark.parametrize("field", ["gamma", "methods", "p_min", "drafter"])
def test_off_drops_nothing_silently(field: str) -> None:
    values = {"gamma": 3, "methods": ("mtp",), "p_min": 0.5, "drafter": "d.gguf"}
    rendering = llamacpp().render(MTPSpec("off", **{field: values[field]}), build("b11549"))  # type: ignore[arg-type]
    assert field in {*rendering.kept, *rendering.dropped}


def test_a_field_that_is_said_not_to_be_is_kept_or_dropped_too() -> None:
    rendering = llamacpp().render(MTPSpec("on", ("mtp",), adaptive=False), build("b11549"))
    assert "adaptive" in {*rendering.kept, *rendering.dropped}


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (MTPSpec("on", ("draft-model",)), "drafter"),
        (MTPSpec("on", ("eagle3",)), "drafter"),
        (MTPSpec("auto"), 'state = "on"'),
    ],
)
def test_what_cannot_be_rendered_is_one_sentence(spec: MTPSpec, said: str) -> None:
    with pytest.raises(CannotRender, match=said) as error:
        llamacpp().render(spec, build("b11549"))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("method", ["suffix", "medusa", "eagle"])
def test_a_method_that_llama_cpp_never_had_is_dropped(method: str) -> None:
    rendering = llamacpp().render(MTPSpec("on", (method,), drafter="d.gguf"), build("b11549"))
    assert {"state", "methods", "drafter"} <= set(rendering.dropped)


@pytest.mark.parametrize("name", sorted(WRITERS.keys() - {"files"}))  # this engine needs none
def test_every_writer_says_something(name: str) -> None:
    assert "llama-server" in WRITERS[name](llamacpp().render(MTPSpec("on", ("mtp",)), build("b11549")))
