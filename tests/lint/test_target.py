"""Which version a launch runs on: each source against each other, ranges, gaps, and what lies outside."""

from __future__ import annotations

import pytest

from mtpconfig.errors import UsageError
from mtpconfig.launch import Target
from mtpconfig.lint.linter import Linter
from mtpconfig.lint.target import Targets, parse_target
from mtpconfig.text import Source
from mtpconfig.version import BUILD, VersionRange

from ..support import codes, found, lint

IMAGE = "docker run ghcr.io/ggml-org/llama.cpp:server-b9001 -m /m.gguf"


def target(text: str, stated: str = "", configured: str = "") -> Target:
    checker = Linter(
        Targets(
            {"llama.cpp": BUILD.range(stated)} if stated else {},
            {"llama.cpp": BUILD.range(configured)} if configured else {},
        )
    )
    (report,) = checker.lint_source(Source("start.sh", text)).launches
    assert report.target is not None
    return report.target


@pytest.mark.parametrize(
    ("text", "stated", "configured", "range_", "source"),
    [
        ("llama-server -m q.gguf\n", "b9005", "", "b9005", "--target"),
        ("# mtpconfig: target llama.cpp@b9002\nllama-server -m q.gguf\n", "", "", "b9002", "the directive"),
        (IMAGE, "", "", "b9001", "the image"),
        ("/opt/llama-b9003/llama-server -m q.gguf\n", "", "", "b9003", "the path"),
        ("# llama.cpp build 9004\nllama-server -m q.gguf\n", "", "", "b9004", "the comment"),
        ("llama-server -m q.gguf  # b9004\n", "", "", "b9004", "the comment"),
        ("llama-server -m q.gguf\n", "", "b9006", "b9006", "the configuration"),
        # each against the next
        (f"# mtpconfig: target llama.cpp@b9002\n{IMAGE}", "b9005", "", "b9005", "--target"),
        (f"# mtpconfig: target llama.cpp@b9002\n{IMAGE}", "", "b9006", "b9002", "the directive"),
        (f"# llama.cpp b9004\n{IMAGE}", "", "b9006", "b9001", "the image"),
        ("# llama.cpp b9004\n/opt/llama-b9003/llama-server -m q.gguf\n", "", "b9006", "b9003", "the path"),
        ("# llama.cpp b9004\nllama-server -m q.gguf\n", "", "b9006", "b9004", "the comment"),
        (
            "# mtpconfig: target llama.cpp@b9002\n/opt/llama-b9003/llama-server -m q.gguf\n",
            "",
            "",
            "b9002",
            "the directive",
        ),
        ("llama-server -m q.gguf\n", "b9005", "b9006", "b9005", "--target"),
    ],
)
def test_the_first_that_says_something_wins(text: str, stated: str, configured: str, range_: str, source: str) -> None:
    got = target(text, stated, configured)
    assert (str(got.range), got.source, got.assumed) == (range_, source, False)


def test_nothing_says_it() -> None:
    got = target("llama-server -m q.gguf\n")
    assert got.assumed and str(got.range) == "b6497..b11549"


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        (IMAGE, "b9001"),
        ("/opt/llama-b9003/llama-server -m q.gguf\n", "b9003"),
        ("llama-server -m q.gguf  # b9004\n", "b9004"),
        (
            "\U0001f999=1 # mtpconfig: target llama.cpp@b9002\nllama-server -m q.gguf\n",
            "# mtpconfig: target llama.cpp@b9002",
        ),
    ],
)
def test_the_place_that_says_it(text: str, spelt: str) -> None:
    got = target(text)
    assert got.span is not None and text[slice(*got.span)] == spelt


def test_the_last_directive_before_a_launch_is_its_own() -> None:
    text = (
        "# mtpconfig: target llama.cpp@b9001\nllama-server -m a.gguf\n"
        "# mtpconfig: target llama.cpp@b9002\nllama-server -m b.gguf\n"
    )
    got = [str(report.target.range) for report in lint(text).launches if report.target]
    assert got == ["b9001", "b9002"]


def test_a_directive_below_counts_where_none_stands_above() -> None:
    assert str(target("llama-server -m q.gguf\n# mtpconfig: target llama.cpp@b9001\n").range) == "b9001"


@pytest.mark.parametrize("directive", ["other@b9001", "llama.cpp", "llama.cpp@", "llama.cpp@soon", "llama.cpp@b1..x"])
def test_a_directive_that_means_nothing_is_passed_over(directive: str) -> None:
    assert target(f"# mtpconfig: target {directive}\nllama-server -m q.gguf\n").assumed


def test_an_engine_s_other_launches_keep_their_own_image() -> None:
    text = f"{IMAGE}\n{IMAGE.replace('b9001', 'b9400')}\n"
    assert [str(report.target.range) for report in lint(text).launches if report.target] == ["b9001", "b9400"]


@pytest.mark.parametrize(
    "text", ["docker run ghcr.io/ggml-org/llama.cpp:server -m /m.gguf", "llama-server -m q.gguf # needs b9180 or newer"]
)
def test_a_floating_tag_or_a_bound_says_no_version(text: str) -> None:
    assert target(text).assumed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("llama.cpp", "has no version"),
        ("llama.cpp@", "has no version"),
        ("llama.cpp@newest", "'newest' is not a version"),
        ("lama.cpp@b9180", "did you mean llama.cpp?"),
        ("@b9180", "unknown engine ''"),
        ("llama.cpp@b9..b", "not a version"),
    ],
)
def test_a_malformed_target_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_target(text)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_a_target_is_a_version_or_a_range() -> None:
    b = BUILD.parse
    assert parse_target("llama.cpp@9180") == ("llama.cpp", VersionRange(b("b9180"), b("b9180")))
    assert parse_target(" llama.cpp@b9180..") == ("llama.cpp", VersionRange(b("b9180"), None))


# --- ranges

OLD = "llama-server -m q.gguf -md d.gguf --spec-type draft-simple --draft-max 5\n"


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("..b8946", []),
        ("b8900..b8946", []),
        ("b8992..", ["MTP101"]),
        ("b8900..b9000", ["MTP101"]),
        ("b8992..b11549", ["MTP101"]),
        ("b11549", ["MTP101"]),
        ("b8946", []),
    ],
)
def test_a_range_reports_what_fails_anywhere_in_it(stated: str, expected: list[str]) -> None:
    text = "llama-server -m q.gguf -md d.gguf --draft-max 5\n"
    assert [code for code in codes(text, stated) if code == "MTP101"] == expected


def test_a_fix_is_safe_only_if_it_is_right_in_the_whole_range() -> None:
    def safety(stated: str) -> str | None:
        (finding,) = [f for f in found(OLD, stated) if f.code == "MTP101"]
        return finding.fix.safety if finding.fix else None

    assert safety("b9200..b9400") == "safe"
    assert safety("b8900..b9400") == "unsafe"
    assert safety("") == "unsafe"


# --- outside the known range


@pytest.mark.parametrize("version", ["b99999", "b11550"])
def test_above_the_known_range_names_are_not_judged(version: str) -> None:
    report = lint("llama-server -m q.gguf --spec-type draft-mtp --draft-max 5 --spec-draft-foo 3\n", version)
    assert [finding.code for finding in report.findings if finding.severity != "info"] == []
    assert report.launches[0].outside and report.launches[0].spec.methods == ("mtp",)


def test_below_the_known_range_names_are_not_judged() -> None:
    report = lint("llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max 5\n", "b1000")
    assert [finding.code for finding in report.findings if finding.code in ("MTP101", "MTP103", "MTP104")] == []
    assert report.launches[0].outside


def test_inside_the_known_range_nothing_is_outside() -> None:
    for version in ("b6497", "b8957", "b9180", "b11549"):
        assert not lint("llama-server -m q.gguf\n", version).launches[0].outside


# --- gaps between known builds


def test_between_two_known_builds_what_differs_is_told_as_depending() -> None:
    """`-cd` went somewhere between b9105 and b9113."""
    (finding,) = lint("llama-server -m q.gguf -md d.gguf -cd 4096\n", "b9109").findings
    assert finding.code == "MTP102" and finding.certainty == "if-version"
    assert "b9113" in finding.message and "b9105" in finding.message


@pytest.mark.parametrize("version", ["b8700", "b10000", "b11500", "b9150"])
def test_between_two_known_builds_that_agree_the_asked_one_is_named(version: str) -> None:
    old, new = ("--draft-max", "--spec-draft-n-max") if version > "b8992" or len(version) > 5 else ("", "")
    text = f"llama-server -m q.gguf -md d.gguf {old or '--spec-draft-n-max'} 5\n"
    finding = next(f for f in found(text, version) if f.code in ("MTP101", "MTP104"))
    assert version in finding.message and finding.certainty == "sure"
    assert new in (finding.help + finding.detail)


GUIDE = "# Guide\n\ntext\n\n## llama.cpp b8900\n\n```bash\nllama-server -m a.gguf\n```\n"
CLONE = "RUN git clone --branch ${V} https://github.com/ggml-org/llama.cpp\n"
RELEASE = "RUN curl -LO https://github.com/ggml-org/llama.cpp/releases/download/$V/llama-$V-bin-ubuntu-x64.zip\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("guide.md", GUIDE),
        ("guide.md", GUIDE.replace("## llama.cpp b8900", "## llama.cpp b8900\n\nSome text.\n\nIt goes:")),
        ("prod.env", "LLAMA_IMAGE=ghcr.io/ggml-org/llama.cpp:server-b8900\nLLAMA_ARG_DRAFT_MAX=16\n"),
        ("Dockerfile", f'FROM ubuntu\nARG V=b8900\n{CLONE}ENTRYPOINT ["llama-server", "-m", "x"]\n'),
        ("Dockerfile", f'FROM ubuntu\nARG V=b8900\n{RELEASE}ENTRYPOINT ["llama-server", "-m", "x"]\n'),
    ],
)
def test_what_a_format_says_of_the_version(name: str, text: str) -> None:
    (report,) = lint(text, name=name).launches
    assert report.target is not None
    assert str(report.target.range) == "b8900"


@pytest.mark.parametrize(
    "command",
    [
        "uvx vllm@0.32.0 serve m",
        "uv tool run vllm@0.32.0 serve m",
        "uv run --with vllm==0.32.0 vllm serve m",
        "pipx run vllm==0.32.0 serve m",
        "pipx run --spec vllm==0.32.0 vllm serve m",
    ],
)
def test_a_package_that_is_run_with_its_version_is_a_pin(command: str) -> None:
    (launch,) = lint(command + "\n").launches
    assert str(launch.version) == "0.32.0" and launch.target is not None
    assert launch.target.source == "the pin" and not launch.target.unreleased
