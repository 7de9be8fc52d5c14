"""The llama.cpp that Ollama starts: its build (LLAMA_CPP_VERSION of each release), and the variables that reach it."""

from __future__ import annotations

import json

import pytest
from mtpconfig_ollama.embedding import child

from ...support import run
from .support import report, told, version


@pytest.mark.parametrize(
    ("release", "build"),
    [
        ("0.24.0", ""),
        ("0.30.0", "b9452"),
        ("0.30.3", "b9479"),
        ("0.30.8", "b9509"),
        ("0.30.9", "b9626"),
        ("0.31.1", "b9840"),
        ("0.32.1", "b9888"),
        ("0.32.5", "b10091"),
        ("0.32.13", "b10380"),
        ("0.32.15", "b10488"),
        ("0.33.0-rc2", "b10488"),
        ("0.34.2", ""),  # its source could not be read
    ],
)
def test_the_build_of_a_release(release: str, build: str) -> None:
    assert child().build(version(release)) == build


SERVE = "LLAMA_ARG_DRAFT_MAX=8 LLAMA_ARG_SPEC_TYPE=mtp ollama serve\n"


def test_inherited_variables_are_judged_as_the_embedded_build_s() -> None:
    findings = told(SERVE, "0.32.15", "start.sh")
    assert [(f.code, f.severity) for f in findings] == [("MTP101", "error"), ("MTP105", "error")]
    assert all(f.message.startswith("llama.cpp b10488 does not start") for f in findings)
    assert {f.target.source for f in findings if f.target} == {"the llama.cpp that Ollama 0.32.15 starts"}
    assert [f.fix.safety for f in findings if f.fix] == ["safe", "safe"]


def test_a_version_that_starts_no_llama_cpp_reads_none_of_them() -> None:
    assert [(f.code, f.message.split(" in ")[0]) for f in told(SERVE, "0.24.0", "start.sh")] == [
        ("MTP107", "nobody reads `LLAMA_ARG_DRAFT_MAX`"),
        ("MTP107", "nobody reads `LLAMA_ARG_SPEC_TYPE`"),
    ]


def test_of_an_unknown_build_nothing_is_said() -> None:
    assert told(SERVE, "0.34.2", "start.sh") == []


def test_without_a_version_the_newest_known_build_decides() -> None:
    assert {str(f.target.range) for f in told(SERVE, "", "start.sh") if f.target} == {"b10488"}


def test_a_range_of_releases_is_a_range_of_builds() -> None:
    text = "LLAMA_ARG_SPEC_TYPE=draft-dflash ollama serve\n"
    (finding,) = told(text, "0.30.0..0.32.15", "start.sh")
    assert finding.certainty == "if-version" and "error up to b9830" in finding.message
    assert told(text, "0.32.0..0.32.15", "start.sh") == []


def test_what_is_right_is_clean_wherever_it_is_set() -> None:
    compose = (
        "services:\n  o:\n    image: ollama/ollama:0.32.15\n    environment:\n"
        "      LLAMA_ARG_SPEC_TYPE: ngram-mod\n      LLAMA_ARG_FIT: 'off'\n      OLLAMA_KV_CACHE_TYPE: q8_0\n"
    )
    (launch,) = report(compose, "", "compose.yaml").launches
    assert (launch.spec.state, launch.spec.methods) == ("on", ("ngram",))
    assert launch.target is not None and launch.target.embeds is not None
    assert (launch.target.embeds.engine, str(launch.target.embeds.range)) == ("llama.cpp", "b10488")
    assert told(compose, "", "compose.yaml") == []


def test_reports_name_the_embedded_engine() -> None:
    done = run("lint", "--output-format", "json", "--target", "ollama@0.32.15", "-", stdin=SERVE)
    (launch,) = json.loads(done.stdout)["launches"]
    assert launch["target"]["embeds"] == {"engine": "llama.cpp", "range": "b10488"}
