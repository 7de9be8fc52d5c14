"""llama-server's preset files: sections to launches, what builds make of their keys, edits.

The grammar and the look-up of keys are common/preset.cpp's; what a router does with a removed key was run on b10434.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mtpconfig_llamacpp.preset_ini.claims import is_preset
from mtpconfig_llamacpp.preset_ini.grammar import KEY, VALUE, parse

from mtpconfig.launch import Launch, Opaque
from mtpconfig.text import Kind, apply_edits
from tests.carriers.shell_reading import check_segments
from tests.carriers.systemd_reading import read as launches
from tests.support import codes, found, lint, llamacpp, run

PRESETS = """\
version = 1
; llama.cpp b10434

[*]
flash-attn = on
c = 4096

[chat] ; big
model = /m/q 8.gguf  # note
ctx-size = 65536
LLAMA_ARG_SPEC_TYPE=draft-mtp
spec-draft-n-max = 3;

[embed]
hf = org/embed
embeddings = true
"""


def keys(launch: Launch) -> dict[str, str]:
    return {given.name.text: given.value.text if given.value else "" for given in launch.given}


def test_each_model_section_is_a_launch() -> None:
    chat, embed = launches(PRESETS, "presets.ini")
    assert (chat.label, chat.carrier, chat.argv, chat.closed) == ("chat", "llama-server preset INI", (), True)
    assert keys(chat) == {
        "flash-attn": "on",
        "c": "4096",
        "model": "/m/q 8.gguf",
        "ctx-size": "65536",
        "LLAMA_ARG_SPEC_TYPE": "draft-mtp",
        "spec-draft-n-max": "3",
    }
    assert keys(embed) == {"flash-attn": "on", "c": "4096", "hf": "org/embed", "embeddings": "true"}
    assert {given.surface for given in chat.given} == {"ini"}
    position = chat.fragment.source.position(chat.fragment.locate_all()[0].start)
    assert (position.line, position.column) == (8, 2)
    assert [hint.fragment.text for hint in chat.hints] == ["; llama.cpp b10434", "# note", ";"]


def test_what_all_sections_share_is_located_and_not_edited() -> None:
    chat, _ = launches(PRESETS, "presets.ini")
    shared, own = chat.given[0], chat.given[-1]
    assert shared.name.fragment.locate_all() and shared.name.fragment.segments[0].kind is Kind.SUBSTITUTED
    assert shared.name.fragment.replace(0, 1, "x") is None
    assert chat.container is not None and chat.container.remove_given(shared) is None
    edits = chat.container.remove_given(own)
    assert edits is not None and apply_edits(PRESETS, edits) == PRESETS.replace("spec-draft-n-max = 3;\n", "")


def test_a_section_that_comes_again_replaces_the_first() -> None:
    (launch,) = launches("[a]\nmodel = x\n[a]\nm = y\nspec-type = none\n", "presets.ini")
    assert keys(launch) == {"m": "y", "spec-type": "none"}


def test_templates_are_opaque() -> None:
    (launch,) = launches("[a]\nmodel = {{ dir }}/x.gguf\nc = 1\n", "models.ini")
    assert launch.given[0].value is not None and launch.given[0].value.value == Opaque("{{ dir }}")


def test_keys_above_all_sections_are_a_model_of_their_own() -> None:
    (launch,) = launches("model = x\n[*]\nc = 1\n", "presets.ini")
    assert (launch.label, keys(launch)) == ("", {"c": "1", "model": "x"})


def test_the_configuration_file_of_a_user_is_no_whole_launch() -> None:
    (launch,) = launches("[default]\nspec-type = draft-mtp\n", "/home/x/.config/llama.cpp/config.ini")
    assert (launch.given[0].surface, launch.closed) == ("config", False)


@pytest.mark.parametrize(
    ("name", "text", "claimed"),
    [
        ("presets.ini", "[a]\nmodel = x\n", True),
        ("my-models.ini", "[a]\nhf = x/y\n", True),
        ("q.preset.ini", "[a]\nc = 1\n", True),
        ("config.ini", "[default]\nngl = 1\n", True),
        ("x.ini", "[a]\nspec-type = draft-mtp\nmodel = x\n", True),
        ("x.ini", "[*]\nspec-type = draft-mtp\n", True),
        ("x.ini", "[*]\nctx-size = 1\n", True),
        ("fence.ini", "[a]\nspec-type = draft-mtp\n", True),
        ("x.ini", "[a]\nspec-type = draft-mtp\n", False),
        ("hugo.ini", "[params]\ndraft-max = 3\n", False),
        ("app.ini", "[a]\nctx-size = 1\nctx-size = 2\nctx-size = 3\n", False),
        ("tox.ini", "[a]\nspec-type = draft-mtp\nmodel = x\n", False),
        ("x.ini", "[a]\nmodel = x\nctx-size = 1\nngl = 2\n", True),
        ("", "[a]\nspec-draft-n-max = 3\n", True),
        ("presets.ini", "model = x\n", False),
        ("models.ini", "[db]\nhost = x\n", False),
        ("config.ini", "[core]\neditor = vi\n", False),
        ("x.ini", "[a]\nmodel = x\n", False),
        ("setup.cfg", "[metadata]\nname = x\n", False),
        ("a.md", "[a]\nspec-type = draft-mtp\n", False),
        ("a.toml", "[a]\nspec-type = 'x'\n", False),
    ],
)
def test_claims(name: str, text: str, claimed: bool) -> None:
    assert is_preset(name, text) is claimed


# --- what builds make of it


def spec(text: str, version: str) -> tuple[str, tuple[str, ...], int | None]:
    (launch,) = lint(text, version, "presets.ini").launches
    return launch.spec.state, launch.spec.methods, launch.spec.gamma


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("spec-type = draft-mtp\nspec-draft-n-max = 4", ("on", ("mtp",), 4)),
        ("LLAMA_ARG_SPEC_TYPE = draft-mtp\nLLAMA_ARG_SPEC_DRAFT_N_MAX = 2", ("on", ("mtp",), 2)),
        ("spec-type = draft-mtp\nspec-type = none", ("off", (), None)),
        ("spec-type = draft-mtp,ngram-mod", ("on", ("mtp", "ngram"), 3)),
        ("spec-default = 1", ("on", ("ngram",), None)),
        ("spec-default = off", ("off", (), None)),
        ("md = d.gguf\nspec-type = draft-simple\ndraft-max = 5", ("on", ("draft-model",), 5)),
        ("spec-type = draft-mtp\nLLAMA_ARG_SPEC_TYPE = none", ("on", ("mtp",), 3)),  # keys go by their names' order
        ("", ("off", (), None)),
    ],
)
def test_the_spec_of_a_section(lines: str, expected: tuple[str, tuple[str, ...], int | None]) -> None:
    state, methods, gamma = spec(f"[a]\nmodel = llama.gguf\n{lines}\n", "b10434")
    assert (state, gamma if expected[2] is not None else None) == (expected[0], expected[2])
    assert methods == expected[1]


def test_a_section_overrides_what_all_share() -> None:
    text = "[*]\nspec-type = draft-mtp\nspec-draft-n-max = 2\n[a]\nmodel = x\nspec-draft-n-max = 5\nspec-type = none\n"
    assert spec(text, "b10434") == ("off", (), None)
    assert spec(text.replace("spec-type = none\n", ""), "b10434") == ("on", ("mtp",), 5)


KEYS = [
    # key = value, build, the code and a part of the message
    ("draft-max = 16", "b10434", "MTP101", "takes `draft-max` and then does not start this model"),
    ("LLAMA_ARG_DRAFT_MAX = 16", "b10434", "MTP101", "takes `LLAMA_ARG_DRAFT_MAX` and then"),
    ("ctx-size-draft = 1", "b10434", "MTP102", "refuses this file: it does not know `ctx-size-draft`"),
    ("LLAMA_ARG_MODEL_DRAFT = x", "b10434", "MTP101", "refuses this file: it does not know `LLAMA_ARG_MODEL_DRAFT`"),
    ("spec-draft-sampling = greedy", "b10434", "MTP104", "does not know `spec-draft-sampling` yet"),
    ("--spec-type = draft-mtp", "b10434", "MTP103", "never known `--spec-type`"),
    ("spec-draft-foo = 1", "b10434", "MTP103", "never known `spec-draft-foo`"),
    ("spec-typ = draft-mtp", "b10434", "MTP103", "never known `spec-typ`"),
    ("spec-typ = draft-mtp", "b7600", "MTP107", "and nothing says so"),
    ("spec-type = draft-mtp", "b7600", "MTP107", "does not read `spec-type` yet, and says nothing"),
    ("spec-type = mtp", "b10434", "MTP105", "does not start with `spec-type` `mtp`"),
    ("spec-draft-n-max = many", "b10434", "MTP105", "wants a whole number"),
    ('spec-type = "draft-mtp"', "b10434", "MTP207", "the quotes reach llama-server"),
]


@pytest.mark.parametrize(("line", "version", "code", "message"), KEYS)
def test_what_a_build_makes_of_a_key(line: str, version: str, code: str, message: str) -> None:
    findings = found(f"[a]\nmodel = x.gguf\n{line}\n", version, "presets.ini")
    assert [finding.code for finding in findings if finding.code == code] == [code]
    assert any(message in finding.message for finding in findings)


def test_the_router_s_own_words_name_key_and_section() -> None:
    (finding,) = found("[a b]\nmodel = x.gguf\nctx-size-draft = 1\n", "b10434", "presets.ini")
    assert "option 'ctx-size-draft' not recognized in preset 'a b'" in finding.why


@pytest.mark.parametrize(
    "lines",
    [
        "spec-type = draft-mtp\nspec-draft-n-max = 3 ; fine",
        "LLAMA_ARG_SPEC_TYPE = draft-mtp",
        "load-on-startup = true\nstop-timeout = 10\nno-mmap = true\njinja = on",
        "some-key-of-tomorrow = 1",
        "draft-max = 16",
    ],
)
def test_what_is_right_or_nobody_s_business(lines: str) -> None:
    version = "b8946" if "draft-max" in lines else "b10434"
    assert codes(f"version = 1\n[a]\nmodel = llama.gguf\n{lines}\n", version, "presets.ini") == []


def test_a_key_said_twice() -> None:
    text = "[a]\nm = q.gguf\nspec-type = draft-mtp\nc = 1\nspec-type = ngram-simple\n"
    (finding,) = [f for f in found(text, "b9594", "presets.ini") if f.code == "MTP206"]
    assert finding.source.position(finding.span.start).line == 5
    assert "`ngram-simple` replaces `draft-mtp`" in finding.message
    assert finding.fix is not None and finding.fix.safety == "unsafe"
    assert apply_edits(text, finding.fix.edits) == "[a]\nm = q.gguf\nc = 1\nspec-type = ngram-simple,draft-mtp\n"


def test_what_a_section_says_again_of_the_shared_ones_is_no_repetition() -> None:
    text = "[*]\nspec-type = none\n[a]\nm = q.gguf\nspec-type = draft-mtp\n"
    assert codes(text, "b9594", "presets.ini") == []


# --- through layers

FENCE = "> 😀\n>\n> ```ini\n> [a]\n> m = q.gguf\n> spec-type = draft-simple\n> draft-max = 4 ; x\n> ```\n"
HEREDOC = "cat > presets.ini <<EOF\n[a]\nm = $D/q.gguf\nspec-type = draft-simple\nmd = d.gguf\ndraft-max = 4\nEOF\n"
CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: x}
data:
  presets.ini: |
    [a]
    m = q.gguf
    spec-type = draft-simple
    draft-max = 4
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("presets.ini", "\ufeff[a]\r\nm = 😀.gguf\r\nspec-type = draft-simple\r\ndraft-max=4\r\n"),
        ("a.md", FENCE),
        ("install.sh", HEREDOC),
        ("map.yaml", CONFIG_MAP),
    ],
)
def test_an_old_key_is_fixed_in_place(name: str, text: str) -> None:
    findings = [f for f in lint(text, "b11434", name).findings if f.code == "MTP101"]
    assert [f.fix is not None and f.fix.safety for f in findings] == ["safe"]
    edits = [edit for f in findings if f.fix for edit in f.fix.edits]
    assert apply_edits(text, edits) == text.replace("draft-max", "spec-draft-n-max")


def test_the_command_line_shows_the_change() -> None:
    text = "[a]\nm = llama.gguf\nspec-type = draft-mtp\ndraft-max = 4\n"
    done = run("lint", "--diff", "--target", "llama.cpp@b11434", "--stdin-filename", "presets.ini", "-", stdin=text)
    assert b"-draft-max = 4\n+spec-draft-n-max = 4\n" in done.stdout


def test_codecs_refuse_what_the_grammar_cannot_hold() -> None:
    assert [VALUE.encode(text) for text in ("a b", "a;b", "#", " a", "a\n", "")] == ["a b", None, None, None, None, ""]
    assert [KEY.encode(text) for text in ("spec-type", "a b", "-x", "")] == ["spec-type", None, None, None]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["[a]", "[*]", "[", "]", "k", "m=", "=", " ", ";", "#", "\n", "\r\n", "é😀", "\ufeff"]))
)
def test_segments_cover_any_file(parts: list[str]) -> None:
    text = "".join(parts)
    for launch in launches(text + "\n[z]\nspec-type=x\n", "presets.ini"):
        for entry in launch.given:
            assert entry.value is not None
            check_segments(entry.name.fragment)
            check_segments(entry.value.fragment)


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "text", ["[a]\n" * 200_000, "[a]\nk=v\n" * 50_000, "[" * 900_000, "k=" * 400_000, "\0\xff[a]\n\0="]
)
def test_hostile_files_are_bounded(text: str) -> None:
    assert len(parse(text).sections) <= 20_000
    assert len(launches("[*]\nspec-type=x\n" + text, "presets.ini")) <= 500


def test_of_a_key_said_over_and_over_the_last_ones_are_read() -> None:
    text = "[a]\nmodel = x.gguf\n" + "".join(f"spec-draft-n-max = {i}\n" for i in range(4000))
    (launch,) = launches(text, "presets.ini")
    assert [entry.value.text for entry in launch.given if entry.value] == ["x.gguf", *map(str, range(3980, 4000))]


def test_the_engine_sees_a_preset_as_its_server() -> None:
    (launch,) = launches("[a]\nspec-type = draft-mtp\n", "presets.ini")
    identity = llamacpp().identify(launch)
    assert identity is not None and (identity.program, identity.args_at) == ("llama-server", 0)
