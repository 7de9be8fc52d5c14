"""Fixes touch what they say and nothing else, remove their finding, add none, and leave every other byte alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.lint.findings import FileReport
from mtpconfig.lint.fixes import Fixed, fix_source, write_atomically
from mtpconfig.text import Source

from ..support import lint, linter

AT = "llama.cpp@b11434"


def lint_text(text: str, target: str = AT, name: str = "start.sh") -> FileReport:
    return linter(target).lint_source(Source(name, text))


def fixed(text: str, *, unsafe: bool = False, target: str = AT) -> Fixed:
    return fix_source(linter(target), lint_text(text, target), unsafe=unsafe)


def after(text: str, *, unsafe: bool = False, target: str = AT) -> str:
    return fixed(text, unsafe=unsafe, target=target).source.text


# --- what a fix writes


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (
            "llama-server --spec-type draft-mtp --draft-max 5\n",
            "llama-server --spec-type draft-mtp --spec-draft-n-max 5\n",
        ),
        ("llama-server --spec-type draft-mtp --draft 5\n", "llama-server --spec-type draft-mtp --spec-draft-n-max 5\n"),
        (
            "llama-server --spec-type draft-mtp --draft_max 5\n",
            "llama-server --spec-type draft-mtp --spec-draft-n-max 5\n",
        ),
        (
            "llama-server --spec-type draft-mtp --draft-min 1\n",
            "llama-server --spec-type draft-mtp --spec-draft-n-min 1\n",
        ),
        ("llama-server --spec-type mtp\n", "llama-server --spec-type draft-mtp\n"),
        ("llama-server --spec-type 'mtp'\n", "llama-server --spec-type 'draft-mtp'\n"),
        ('llama-server --spec-type "mtp"\n', 'llama-server --spec-type "draft-mtp"\n'),
        ("llama-server --spec-type mtp,ngram_mod\n", "llama-server --spec-type draft-mtp,ngram-mod\n"),
        (
            "LLAMA_ARG_DRAFT_MAX=5 llama-server --spec-type draft-mtp\n",
            "LLAMA_ARG_SPEC_DRAFT_N_MAX=5 llama-server --spec-type draft-mtp\n",
        ),
        (
            "export LLAMA_ARG_MODEL_DRAFT=d.gguf\nllama-server --spec-type draft-simple\n",
            "export LLAMA_ARG_SPEC_DRAFT_MODEL=d.gguf\nllama-server --spec-type draft-simple\n",
        ),
        (
            "ARGS=(--spec-type draft-mtp\n      --draft-max 5)  # five\nllama-server -m q.gguf \"${ARGS[@]}\"\n",
            "ARGS=(--spec-type draft-mtp\n      --spec-draft-n-max 5)  # five\nllama-server -m q.gguf \"${ARGS[@]}\"\n",
        ),
        (
            "docker run ghcr.io/ggml-org/llama.cpp:server-b11434 -m m --spec-type draft-mtp --draft-max 5\n",
            "docker run ghcr.io/ggml-org/llama.cpp:server-b11434 -m m --spec-type draft-mtp --spec-draft-n-max 5\n",
        ),
        (
            "bash -c 'llama-server --spec-type \"mtp\" --draft-max 5'\n",
            "bash -c 'llama-server --spec-type \"draft-mtp\" --spec-draft-n-max 5'\n",
        ),
        (
            'ssh host "llama-server --spec-type draft-mtp --draft-max 5"\n',
            'ssh host "llama-server --spec-type draft-mtp --spec-draft-n-max 5"\n',
        ),
    ],
)  # fmt: skip
def test_safe_fixes(before: str, expected: str) -> None:
    assert after(before) == expected
    assert after(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "llama-server -m big.gguf -md small.gguf\n",
        "llama-server -m q.gguf -md d.gguf --spec-type draft-simple --ctx-size-draft 4096\n",
    ],
)
def test_what_changes_the_launch_is_not_done_unasked(text: str) -> None:
    assert after(text) == text
    assert after(text, unsafe=True) != text


def test_an_option_with_another_owner_is_renamed_only_when_asked() -> None:
    text = "llama-server --spec-type ngram-mod --draft-max 48\n"
    assert after(text) == text
    assert after(text, unsafe=True) == "llama-server --spec-type ngram-mod --spec-ngram-mod-n-max 48\n"


def test_a_removal_takes_the_value_and_its_line_along() -> None:
    text = "llama-server -m q.gguf -md d.gguf --spec-type draft-simple \\\n  --ctx-size-draft 4096 \\\n  --port 80\n"
    assert after(text, unsafe=True) == "llama-server -m q.gguf -md d.gguf --spec-type draft-simple \\\n  --port 80\n"


def test_an_insertion_stands_behind_its_option() -> None:
    text = "llama-server -m big.gguf \\\n  -md small.gguf \\\n  --port 80\n"
    got = after(text, unsafe=True)
    assert lint_text(got).launches[0].spec.methods == ("draft-model",)
    assert got.startswith("llama-server -m big.gguf \\\n  -md small.gguf") and got.endswith("--port 80\n")


# --- what has no fix


@pytest.mark.parametrize(
    "text",
    [
        'N=--draft-max\nllama-server --spec-type draft-mtp "$N" 5\nllama-server --port 81 --spec-type none "$N" 6\n',
        'T=mtp\nllama-server --spec-type "$T"\nllama-server --port 81 --spec-type "$T"\n',
        'ARGS="--spec-type draft-mtp --draft-max 5"\necho "$ARGS"\nother-tool $ARGS\nllama-server -m q.gguf $ARGS\n',
    ],
)
def test_a_variable_that_others_use_is_left_alone(text: str) -> None:
    assert after(text) == text


def test_a_value_from_outside_is_left_alone() -> None:
    text = 'llama-server --spec-type "$1" --draft-max "$2"\n'
    got = after(text, unsafe=True)
    assert '"$1"' in got and '"$2"' in got


# --- every other byte

SURROUNDINGS = [
    "\ufeff# start\n{}",
    "# \U0001f999\U0001f680 caf\u00e9\n{}",
    "\t{}\n\t\techo done\n",
    "{}   \n\n\n# end without newline",
    "#!/bin/bash\r\nset -e\r\n{}\r\necho ok\r\n",
    "MSG='\U0001f999 --draft-max 9 is old'; {}\n",
    "{}  # was --draft-max 16 (\U0001f999)\n",
]


@pytest.mark.parametrize("around", SURROUNDINGS)
def test_the_text_around_a_fix_stays_byte_for_byte(around: str) -> None:
    text = around.replace("{}", "llama-server --spec-type draft-mtp --draft-max 5")
    expected = around.replace("{}", "llama-server --spec-type draft-mtp --spec-draft-n-max 5")
    assert after(text) == expected


@pytest.mark.parametrize("bom", ["", "utf-8-sig", "utf-16"])
def test_the_encoding_stays(bom: str) -> None:
    text = "# caf\u00e9 \U0001f999\r\nllama-server --spec-type draft-mtp --draft-max 5\r\n"
    data = text.encode(bom or "utf-8")
    done = fix_source(linter(AT), linter(AT).lint_bytes("start.sh", data))
    assert done.source.to_bytes() == text.replace("--draft-max", "--spec-draft-n-max").encode(bom or "utf-8")


OLD = {
    "--draft-max": "--spec-draft-n-max",
    "--draft": "--spec-draft-n-max",
    "--draft-n": "--spec-draft-n-max",
    "--draft-min": "--spec-draft-n-min",
    "--draft-n-min": "--spec-draft-n-min",
}
NEUTRAL = [
    "--port 8080",
    "-c 4096",
    "-ngl 99",
    "--host 127.0.0.1",
    "-np 2",
    "--jinja",
    "-fa on",
    "--metrics",
    "--alias 'my model'",
]
JOINTS = [" ", "  ", "\t", " \\\n  ", " \\\n\t"]


@st.composite
def old_launches(draw: st.DrawFn) -> tuple[str, str]:
    """A launch with old spellings, and the same with the new ones."""
    spellings = draw(
        st.lists(st.sampled_from(sorted(OLD)), min_size=1, max_size=2, unique_by=lambda spelling: OLD[spelling])
    )
    parts: list[tuple[str, str]] = [
        (f"{old} {value}", f"{OLD[old]} {value}") for old, value in zip(spellings, ("2", "2"))
    ]
    parts += [(text, text) for text in draw(st.lists(st.sampled_from(NEUTRAL), max_size=4, unique=True))]
    parts.append(("--spec-type draft-mtp", "--spec-type draft-mtp"))
    parts = draw(st.permutations(parts))
    joints = [draw(st.sampled_from(JOINTS)) for _ in parts]
    head = draw(st.sampled_from(["", "# \U0001f999\n", "set -e\n", "export A=1\n", "cd /srv && ", "sudo ", "nohup "]))
    tail = draw(st.sampled_from(["", "\n", " &\n", " > log 2>&1\n", "  # --draft-max stays here\n"]))

    def text(side: int) -> str:
        words = "".join(joint + part[side] for joint, part in zip(joints, parts))
        return f"{head}llama-server -m 'q \U0001f999.gguf'{words}{tail}"

    return text(0), text(1)


@settings(max_examples=60, deadline=None)
@given(old_launches())
def test_old_spellings_anywhere_in_a_launch(pair: tuple[str, str]) -> None:
    before, expected = pair
    done = fixed(before)
    assert done.source.text == expected
    assert {finding.code for finding in done.applied} == {"MTP101"}
    assert [f.code for f in done.report.findings if f.severity != "info"] == []
    again = fixed(done.source.text)
    assert again.applied == () and again.source.text == expected


@settings(max_examples=40, deadline=None)
@given(old_launches())
def test_the_edits_of_a_finding_lie_in_its_own_span(pair: tuple[str, str]) -> None:
    report = lint_text(pair[0])
    for finding in report.findings:
        for edit in finding.fix.edits if finding.fix else ():
            assert finding.span.start <= edit.span.start <= edit.span.end <= finding.span.end


@settings(max_examples=30, deadline=None)
@given(old_launches())
def test_windows_line_ends_are_kept(pair: tuple[str, str]) -> None:
    before, expected = (text.replace(" \\\n", " ").replace("\n", "\r\n") for text in pair)
    assert after(before) == expected


def test_fixes_of_several_launches_are_done_in_one_go() -> None:
    line = "llama-server --port {} --spec-type draft-mtp --draft-max 5\n"
    text = "".join(line.format(port) for port in range(80, 100))
    done = fixed(text)
    assert done.source.text == text.replace("--draft-max", "--spec-draft-n-max") and len(done.applied) == 20


def test_a_fix_that_cannot_be_proven_does_not_take_the_others_along() -> None:
    one = "llama-server --spec-type mtp --draft-max 5\n"
    text = one + "llama-server --port 81 --spec-type ngram_mod,draft-mtp --draft-min 1\n"
    done = fixed(text)
    assert lint_text(done.source.text).launches[0].spec.methods == ("mtp",)
    assert "--spec-type ngram-mod,draft-mtp" in done.source.text
    assert not [f for f in done.report.findings if f.fix is not None and f.fix.safety == "safe"]  # none is promised


# --- writing


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o4755])
def test_writing_keeps_the_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.sh"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_atomically(str(path), b"new\r\n")
    assert path.read_bytes() == b"new\r\n" and stat.S_IMODE(path.stat().st_mode) == mode
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.sh"]


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "real.sh").write_bytes(b"old")
    (tmp_path / "link.sh").symlink_to("real.sh")
    write_atomically(str(tmp_path / "link.sh"), b"new")
    assert (tmp_path / "link.sh").is_symlink() and (tmp_path / "real.sh").read_bytes() == b"new"


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.sh"
    path.write_bytes(b"old")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(str(path), b"new")
    assert path.read_bytes() == b"old" and [entry.name for entry in tmp_path.iterdir()] == ["a.sh"]


def test_a_read_only_file_system_or_folder_raises(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        write_atomically(str(tmp_path / "gone" / "a.sh"), b"new")


def test_all_that_can_be_fixed_is_fixed_in_one_run() -> None:
    image = "    image: ghcr.io/ggml-org/llama.cpp:server-b11434\n"
    unprovable = f"  a:\n{image}    command: -m a --spec-type draft-mtp --spec-type draft --draft-max 4\n"
    others = "".join(
        f"  s{n}:\n{image}    command: -m a --spec-type draft-mtp --draft-max {n + 2}\n" for n in range(20)
    )
    report = lint(f"services:\n{unprovable}{others}", name="compose.yaml")

    fixed = fix_source(linter(), report, unsafe=True)

    assert fixed.source.text.count(" --draft-max") == 0
    assert fix_source(linter(), fixed.report, unsafe=True).applied == ()
