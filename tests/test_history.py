"""What a spelling means at a version. Expected values come from llama.cpp's sources and from runs of real builds."""

from __future__ import annotations

import pytest

from mtpconfig.history import Option, OptionHistory, Period, Row, Stretch, at
from mtpconfig.version import BUILD, Version

from .support import build, llamacpp


def v(number: int) -> Version:
    return BUILD.parse(str(number))


# --- stretches


@pytest.mark.parametrize(
    ("stretch", "number", "holds"),
    [
        (Stretch(), 1, True),
        (Stretch((None, v(10))), 9, True),  # open below: present at the first version that was read
        (Stretch((None, v(10))), 10, True),
        (Stretch((v(5), v(10))), 5, False),
        (Stretch((v(5), v(10))), 4, False),
        (Stretch((v(5), v(10))), 7, None),
        (Stretch((v(5), v(10))), 10, True),
        (Stretch((v(5), v(10))), 99, True),
        (Stretch((v(9), v(10))), 9, False),
        (Stretch((v(9), v(10))), 10, True),
        (Stretch((None, v(1)), (v(20), v(30))), 20, True),
        (Stretch((None, v(1)), (v(20), v(30))), 25, None),
        (Stretch((None, v(1)), (v(20), v(30))), 30, False),
        (Stretch((None, v(1)), (v(20), v(30))), 31, False),
        (Stretch((v(5), v(10)), (v(20), v(30))), 3, False),
        (Stretch((v(5), v(10)), (v(20), v(30))), 6, None),
        (Stretch((v(5), v(10)), (v(20), v(30))), 15, True),
        (Stretch((v(5), v(10)), (v(20), v(30))), 21, None),
        (Stretch((v(5), v(10)), (v(20), v(30))), 40, False),
        (Stretch((v(5), v(10)), (v(20), None)), 40, False),  # gone after 20, the next version not being told
    ],
)
def test_a_stretch_holds_fails_or_is_unknown(stretch: Stretch, number: int, holds: bool | None) -> None:
    assert stretch.holds(v(number)) is holds


def test_the_boundaries_of_a_stretch_are_all_ends_that_are_known() -> None:
    assert list(Stretch((None, v(10)), (v(20), v(30))).boundaries()) == [v(10), v(20), v(30)]
    assert list(Stretch().boundaries()) == []


def test_the_row_that_surely_holds() -> None:
    rows = [Row("16", Stretch(until=(v(5), v(10)))), Row("3", Stretch((v(5), v(10))))]
    found = [row.value if (row := at(rows, v(number))) else None for number in (1, 5, 7, 10)]
    assert found == ["16", "16", None, "3"]


# --- lookups in a small history


def period(spelling: str, stretch: Stretch = Stretch(), **more: object) -> Period:  # noqa: B008
    return Period("gamma", spelling, "flag", stretch, **more)  # type: ignore[arg-type]


SMALL = OptionHistory(
    "toy",
    [v(1), v(10), v(20)],
    [
        Option(
            "gamma",
            default=(Row("16", Stretch(until=(v(5), v(10)))), Row("3", Stretch((v(5), v(10))))),
            merge=(Row("last", Stretch(until=(v(5), v(10)))), Row("append", Stretch((v(5), v(10))))),
            periods=(
                period("--old", Stretch(until=(v(5), v(10)))),
                period("-o", status="alias"),
                period("--new", Stretch((v(5), v(10))), programs=frozenset({"server"})),
                period("--new", Stretch((v(5), v(10))), status="fatal", programs=frozenset({"cli"})),
                period("--no-new", negates=True),
                period("--all", excludes=frozenset({"bench"})),
            ),
        )
    ],
)


def test_a_spelling_is_found_for_the_program_that_reads_it() -> None:
    assert SMALL.find("flag", "--new", v(10), "server") is not None
    assert SMALL.find("flag", "--new", v(10), "bench") is None
    assert SMALL.find("flag", "--new", v(7), "server") is None
    assert SMALL.find("env", "--new", v(10), "server") is None
    fatal = SMALL.find("flag", "--new", v(20), "cli")
    assert fatal is not None and fatal.status == "fatal"
    assert (
        SMALL.find("flag", "--all", v(1), "server") is not None and SMALL.find("flag", "--all", v(1), "bench") is None
    )


def test_the_current_spelling_is_active_before_alias_and_never_a_negation() -> None:
    assert SMALL.current_spelling("gamma", "flag", v(1), "server") == "--old"
    assert SMALL.current_spelling("gamma", "flag", v(20), "server") == "--new"
    assert SMALL.current_spelling("gamma", "flag", v(20), "bench") == "-o"
    assert SMALL.current_spelling("gamma", "env", v(20), "server") is None


def test_defaults_and_merges_change_over_the_versions() -> None:
    assert [SMALL.default("gamma", v(n)) for n in (1, 7, 10)] == ["16", None, "3"]
    assert SMALL.default("nothing", v(1)) is None
    assert [SMALL.merge("gamma", v(n)) for n in (1, 20)] == ["last", "append"]


def test_the_known_range() -> None:
    assert (SMALL.oldest, SMALL.newest) == (v(1), v(20))
    assert [SMALL.known_version(v(n)) for n in (0, 1, 15, 20, 21)] == [False, True, True, True, False]


# --- llama.cpp, from its sources

BUILDS = ("b8946", "b8992", "b9093", "b9180", "b9246", "b9464", "b10200", "b11549")
USABLE = "usable"

FLAGS: list[tuple[str, str, str]] = [
    # spelling, program, what it is at each of BUILDS: u usable, f fatal, - unknown
    ("--draft-max", "server", "ufffffff"),
    ("--draft", "server", "ufffffff"),
    ("--draft-n", "server", "ufffffff"),
    ("--draft-min", "server", "ufffffff"),
    ("--draft-n-min", "server", "ufffffff"),
    ("--draft-max", "cli", "ufffffff"),
    ("--draft-p-min", "server", "uuuuuuuu"),
    ("--draft-p-split", "server", "-uuuuuuu"),
    ("--spec-draft-n-max", "server", "-uuuuuuu"),
    ("--spec-draft-n-min", "server", "-uuuuuuu"),
    ("--spec-draft-p-min", "server", "-uuuuuuu"),
    ("--spec-draft-p-split", "server", "-uuuuuuu"),
    ("--spec-draft-model", "server", "-uuuuuuu"),
    ("--spec-draft-hf", "server", "-uuuuuuu"),
    ("-md", "server", "uuuuuuuu"),
    ("--model-draft", "server", "uuuuuuuu"),
    ("-hfd", "server", "uuuuuuuu"),
    ("-hfrd", "server", "uuuuuuuu"),
    ("--hf-repo-draft", "server", "uuuuuuuu"),
    ("-ngld", "server", "uuuuuuuu"),
    ("--n-gpu-layers-draft", "server", "uuuuuuuu"),
    ("--gpu-layers-draft", "server", "uuuuuuuu"),
    ("--spec-draft-ngl", "server", "-uuuuuuu"),
    ("-devd", "server", "uuuuuuuu"),
    ("--device-draft", "server", "uuuuuuuu"),
    ("--spec-draft-device", "server", "-uuuuuuu"),
    ("-td", "server", "uuuuuuuu"),
    ("-tbd", "server", "uuuuuuuu"),
    ("-ctkd", "server", "uuuuuuuu"),
    ("-ctvd", "cli", "uuuuuuuu"),
    ("-otd", "server", "uuuuuuuu"),
    ("-cmoed", "server", "uuuuuuuu"),
    ("-ncmoed", "server", "uuuuuuuu"),
    ("-Cd", "server", "-uuuuuuu"),
    ("-Crbd", "server", "--------"),
    ("-Crbd", "speculative", "uuuuuuuu"),
    ("-cd", "server", "uuu-----"),
    ("--ctx-size-draft", "server", "uuu-----"),
    ("--spec-draft-ctx-size", "server", "-uu-----"),
    ("--spec-replace", "server", "uuu-----"),
    ("--spec-draft-replace", "server", "-uu-----"),
    ("--spec-type", "server", "uuuuuuuu"),
    ("--spec-type", "cli", "-uuuuuuu"),
    ("--spec-default", "server", "uuuuuuuu"),
    ("--spec-ngram-size-n", "server", "ufffffff"),
    ("--spec-ngram-size-m", "server", "ufffffff"),
    ("--spec-ngram-min-hits", "server", "ufffffff"),
    ("--spec-ngram-size-n", "cli", "--------"),
    ("--spec-ngram-check-rate", "server", "--------"),
    ("--spec-ngram-simple-size-n", "server", "-uuuuuuu"),
    ("--spec-ngram-map-k4v-size-m", "server", "-uuuuuuu"),
    ("--spec-ngram-mod-n-match", "server", "-uuuuuuu"),
    ("--spec-ngram-mod-n-max", "server", "-uuuuuuu"),
    ("--spec-draft-backend-sampling", "server", "-----uuu"),
    ("--no-spec-draft-backend-sampling", "server", "-----uuu"),
    ("--spec-draft-sampling", "server", "-------u"),
    ("--spec-synth-len", "server", "-------u"),
    ("--spec-synth-rates", "server", "-------u"),
    ("--mtp", "server", "--------"),
    ("--mtp", "download", "------uu"),
    ("--eagle3", "server", "--------"),
    ("--dflash", "download", "------uu"),
    ("--nextn", "imatrix", "-------u"),
    ("--nextn", "server", "--------"),
    ("--spec-draft-conf-min", "server", "--------"),
    ("--no-spec-type", "server", "--------"),
    ("--spec-mtp", "server", "--------"),
    ("-lcs", "server", "uuuuuuuu"),
    ("--lookup-cache-dynamic", "server", "uuuuuuuu"),
    ("--fim-qwen-7b-spec", "server", "uuuuuuuu"),
    ("--spec-draft-n-max", "lookup", "-uuuuuuu"),
    ("--spec-type", "bench", "--------"),
]

ENV: list[tuple[str, str]] = [
    # f fatal, r nobody reads it (known or not), u usable
    ("LLAMA_ARG_DRAFT_MAX", "ufffffff"),
    ("LLAMA_ARG_DRAFT_MIN", "ufffffff"),
    ("LLAMA_ARG_DRAFT_P_MIN", "urrrrrrr"),
    ("LLAMA_ARG_MODEL_DRAFT", "urrrrrrr"),
    ("LLAMA_ARG_HFD_REPO", "urrrrrrr"),
    ("LLAMA_ARG_CTX_SIZE_DRAFT", "urrrrrrr"),
    ("LLAMA_ARG_CACHE_TYPE_K_DRAFT", "urrrrrrr"),
    ("LLAMA_ARG_CACHE_TYPE_V_DRAFT", "urrrrrrr"),
    ("LLAMA_ARG_CPU_MOE_DRAFT", "urrrrrrr"),
    ("LLAMA_ARG_N_CPU_MOE_DRAFT", "urrrrrrr"),
    ("LLAMA_ARG_N_GPU_LAYERS_DRAFT", "uuuuuuuu"),
    ("LLAMA_ARG_SPEC_TYPE", "uuuuuuuu"),
    ("LLAMA_ARG_SPEC_DRAFT_N_MAX", "ruuuuuuu"),
    ("LLAMA_ARG_SPEC_DRAFT_N_MIN", "ruuuuuuu"),
    ("LLAMA_ARG_SPEC_DRAFT_P_MIN", "ruuuuuuu"),
    ("LLAMA_ARG_SPEC_DRAFT_MODEL", "ruuuuuuu"),
    ("LLAMA_ARG_SPEC_DRAFT_HF_REPO", "ruuuuuuu"),
    ("LLAMA_ARG_SPEC_DRAFT_CTX_SIZE", "ruurrrrr"),
    ("LLAMA_ARG_SPEC_DRAFT_CACHE_TYPE_K", "ruuuuuuu"),
    ("LLAMA_ARG_SPEC_DRAFT_N_CPU_MOE", "ruuuuuuu"),
    ("LLAMA_ARG_SPEC_DRAFT_MAX", "rrrrrrrr"),
    ("LLAMA_ARG_SPEC_DRAFT_BACKEND_SAMPLING", "rrrrruuu"),
    ("LLAMA_ARG_SPEC_DRAFT_SAMPLING", "rrrrrrru"),
    ("LLAMA_ARG_SPEC_SYNTH_LEN", "rrrrrrru"),
]

VALUES: list[tuple[str, str]] = [
    # u works, i accepted without effect, - refused
    ("draft-mtp", "---uuuuu"),
    ("mtp", "--------"),
    ("draft-simple", "---uuuuu"),
    ("draft", "--------"),
    ("eagle3", "--------"),
    ("draft-eagle3", "---iiiuu"),
    ("draft-dflash", "------uu"),
    ("draft-dspark", "------uu"),
    ("ngram-simple", "uuuuuuuu"),
    ("ngram-map-k", "uuuuuuuu"),
    ("ngram-map-k4v", "uuuuuuuu"),
    ("ngram-mod", "uuuuuuuu"),
    ("ngram-cache", "uuuuuuuu"),
    ("none", "uuuuuuuu"),
    ("ngram_mod", "--------"),
]

DEFAULTS: list[tuple[str, str, str | None]] = [
    ("spec-draft-n-max", "b8946", "16"),
    ("spec-draft-n-max", "b9093", "16"),
    ("spec-draft-n-max", "b9222", "16"),
    ("spec-draft-n-max", "b9246", "3"),
    ("spec-draft-n-max", "b9294", "3"),
    ("spec-draft-n-max", "b11549", "3"),
    ("spec-draft-n-min", "b8946", "0"),
    ("spec-draft-n-min", "b11549", "0"),
    ("spec-draft-p-min", "b9093", "0.75"),
    ("spec-draft-p-min", "b9222", "0.75"),
    ("spec-draft-p-min", "b9246", "0.0"),
    ("spec-draft-p-min", "b11549", "0.0"),
    ("spec-draft-p-split", "b11549", "0.1"),
    ("spec-type", "b11549", "none"),
    ("spec-ngram-mod-n-match", "b11549", "24"),
    ("spec-ngram-mod-n-min", "b11549", "48"),
    ("spec-ngram-mod-n-max", "b11549", "64"),
    ("spec-ngram-simple-size-n", "b11549", "12"),
    ("spec-ngram-simple-size-m", "b11549", "48"),
    ("spec-ngram-map-k-min-hits", "b11549", "1"),
    ("spec-draft-sampling", "b11549", "greedy"),
]


def kind(surface: str, spelling: str, version: str, program: str) -> str:
    found = llamacpp().options().find(surface, spelling, build(version), program)
    unknown = "-" if surface == "flag" else "r"
    if found is None:
        return unknown
    return {"active": "u", "alias": "u", "deprecated": "u", "fatal": "f", "unread": unknown}[found.status]


@pytest.mark.parametrize(("spelling", "program", "expected"), FLAGS)
def test_flags_of_llama_cpp(spelling: str, program: str, expected: str) -> None:
    got = "".join(kind("flag", spelling, version, program) for version in BUILDS)
    assert got == expected


@pytest.mark.parametrize(("spelling", "expected"), ENV)
def test_environment_of_llama_cpp(spelling: str, expected: str) -> None:
    assert "".join(kind("env", spelling, version, "server") for version in BUILDS) == expected


@pytest.mark.parametrize(("value", "expected"), VALUES)
def test_speculative_types_of_llama_cpp(value: str, expected: str) -> None:
    option = llamacpp().options().options["spec-type"]
    got = ""
    for version in BUILDS:
        choice = next((c for c in option.values if c.text == value and c.stretch.holds(build(version))), None)
        got += "-" if choice is None else "i" if choice.status == "ignored" else "u"
    assert got == expected


@pytest.mark.parametrize(("option", "version", "expected"), DEFAULTS)
def test_defaults_of_llama_cpp(option: str, version: str, expected: str | None) -> None:
    got = llamacpp().options().default(option, build(version))
    assert got == expected or (got is not None and expected is not None and float(got) == float(expected))


@pytest.mark.parametrize(("version", "merge"), [("b9113", "last"), ("b9222", "append"), ("b11549", "append")])
def test_lists_of_types_are_appended_since_mtp(version: str, merge: str) -> None:
    assert llamacpp().options().merge("spec-type", build(version)) == merge


@pytest.mark.parametrize(
    ("version", "value"),
    [("b8405", None), ("b8505", "usable"), ("b8863", None), ("b8929", "usable")],
)
def test_small_steps(version: str, value: str | None) -> None:
    history = llamacpp().options()
    surface, spelling = ("env", "LLAMA_ARG_SPEC_TYPE") if version < "b86" else ("flag", "--spec-default")
    assert (history.find(surface, spelling, build(version), "server") is not None) is (value is not None)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("--draft-max", "the argument has been removed. use --spec-draft-n-max or --spec-ngram-mod-n-max"),
        ("--draft", "the argument has been removed. use --spec-draft-n-max or --spec-ngram-mod-n-max"),
        ("--draft-min", "the argument has been removed. use --spec-draft-n-min or --spec-ngram-mod-n-min"),
        ("--spec-ngram-size-n", "the argument has been removed. use the respective --spec-ngram-*-size-n"),
    ],
)
def test_removed_options_carry_the_engines_own_words(spelling: str, message: str) -> None:
    found = llamacpp().options().find("flag", spelling, build("b11549"), "server")
    assert found is not None and found.message == message


def test_request_fields_are_read_until_parallel_drafting() -> None:
    history = llamacpp().options()
    read = [
        history.find("request", "speculative.n_max", build(b), "server") for b in ("b8946", "b9105", "b9113", "b11549")
    ]
    assert [found.status if found else None for found in read] == ["active", "active", "unread", "unread"]


@pytest.mark.parametrize(
    ("program", "version", "example"),
    [("llama-server", "b11549", "server"), ("llama-cli", "b7278", "main"), ("llama-cli", "b7376", "cli")],
)
def test_programs_of_llama_cpp(program: str, version: str, example: str) -> None:
    assert llamacpp().program_at(program, build(version)) == example


def test_the_known_range_of_llama_cpp() -> None:
    history = llamacpp().options()
    assert (str(history.oldest), str(history.newest)) == ("b6497", "b11549")
