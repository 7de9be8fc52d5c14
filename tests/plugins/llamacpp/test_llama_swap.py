"""llama-swap's configuration: its macros, its splitting, its environment, and edits through both layers.

Expected words follow llama-swap's internal/config (macros, comment lines) and the POSIX dialect of its splitter.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mtpconfig_llamacpp.llama_swap.claims import is_llama_swap

from mtpconfig.launch import Launch, Opaque
from mtpconfig.text import apply_edits
from tests.carriers.shell_reading import check_segments
from tests.carriers.systemd_reading import argv, env, inserted, place, removed, replaced
from tests.carriers.systemd_reading import read as launches
from tests.support import codes, lint, run

CONFIG = """\
# llama.cpp b10700
macros:
  server: /opt/llama-server --port ${PORT}
  "mtp": >-
    ${server} --spec-type draft-mtp
    --n 3
  once: '--old 1'
models:
  a/b:
    env:
      - "X=1"
      - LLAMA_ARG_Y=z
    cmd: |
      ${mtp} -m '/m/😀 y.gguf' \\
      # --spec-type none
        # another
      --alias ${MODEL_ID} --key ${env.KEY} ${once}
      --temp 0.6 # no comment
  c:
    macros:
      server: /usr/bin/numactl -N 0 "/c/llama-server"
      own: --x
    cmd: "${mtp} ${own} -m \\"a b\\" --left 'it''s'"
  d:
    cmd: docker run -e A=1 img/x:1 --q
      --r
  none:
    proxy: http://x
"""


def read(text: str) -> list[Launch]:
    return launches(text, "config.yaml")


def command(written: str, macros: str = "") -> list[str]:
    """The words of a command in a literal scalar."""
    lines = "\n".join(f"      {line}" for line in written.split("\n"))
    (launch,) = read(f"macros: {macros or '{}'}\nmodels:\n  m:\n    cmd: |\n{lines}\n")
    return argv(launch)


def test_models_are_launches() -> None:
    first, second, third = read(CONFIG)
    assert argv(first)[:8] == "/opt/llama-server --port ${PORT} --spec-type draft-mtp --n 3 -m".split()  # noqa: SIM905
    assert argv(first)[8] == "/m/😀 y.gguf"
    assert " ".join(argv(first)[9:]) == "--alias a/b --key ${env.KEY} --old 1 --temp 0.6 # no comment"
    assert argv(second)[:7] == ["/c/llama-server", "--spec-type", "draft-mtp", "--n", "3", "--x", "-m"]
    assert argv(second)[7:] == ["a b", "--left", "its"]
    assert (argv(third), third.image and third.image.text) == (["--q", "--r"], "img/x:1")
    assert [launch.label for launch in (first, second, third)] == ["a/b", "c", "d"]
    assert {launch.carrier for launch in (first, second, third)} == {"llama-swap config"}
    assert (env(first), env(second), env(third)) == ({"X": "1", "LLAMA_ARG_Y": "z"}, {}, {"A": "1"})
    assert [hint.fragment.text for hint in first.hints] == ["# llama.cpp b10700"]


def test_places_of_words() -> None:
    first = read(CONFIG)[0]
    assert (place(first, "--old"), place(first, "--temp"), place(first, "--n")) == ((7, 10), (18, 7), (6, 5))
    assert place(first, "/m/😀 y.gguf") == (14, 18)
    position = first.fragment.source.position(first.fragment.locate_all()[0].start)
    assert (position.line, position.column) == (14, 7)


def test_a_backslash_in_a_scalar_that_folds_its_lines_joins_no_lines() -> None:
    (launch,) = read("models:\n  m:\n    cmd: p --q \\\n      --r\n")
    assert argv(launch) == ["p", "--q", " --r"]


def test_unknown_macros_are_opaque() -> None:
    (launch,) = read("models:\n  m:\n    cmd: p ${PORT} ${what} x${env.A} {{ y }}\n")
    assert [(type(word.value) is Opaque, word.many) for word in launch.argv] == [
        (False, False),
        (True, False),
        (True, True),
        (True, False),
        (True, True),
    ]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("p 'a b'\"c\"d", ["p", "a bcd"]),
        ('p \\\n  a\\ b \\\\ \'\\\' "\\$\\x\\""', ["p", "a b", "\\", "\\", '$\\x"']),
        ("p ~ $A a|b && c; > d", ["p", "~", "$A", "a|b", "&&", "c;", ">", "d"]),
        ("p a \\   \n# gone\n   # gone\nb #c", ["p", "a", "b", "#c"]),
        ("p '' \"\"", ["p", "", ""]),
        ("p 'a\n # gone\n b'", ["p", "a\n b"]),
        ("p 'open a", ["p", "open a\n"]),
    ],
)
def test_splitting(written: str, expected: list[str]) -> None:
    assert command(written) == expected


@pytest.mark.parametrize(
    ("macros", "written", "expected"),
    [
        ('{a: x y, b: "${a} z"}', "p ${b}", ["p", "x", "y", "z"]),
        ('{b: "${a} z", a: x}', "p ${b}", ["p", "${a}", "z"]),  # a macro uses those that stand before it
        ("{n: 3, f: 0.5, t: true}", "p ${n}${f} ${t}", ["p", "30.5", "true"]),
        ("{a: 'x\n\n  # c\n\n  y'}", "p ${a}", ["p", "x", "y"]),
        ("{a: x}", "p '${a}' \"${a}\"", ["p", "x", "x"]),
        ("[1, 2]", "p ${a}", ["p", "${a}"]),
    ],
)
def test_macros(macros: str, written: str, expected: list[str]) -> None:
    assert command(written, macros) == expected


# --- edits


def edited(change: str, *arguments: str) -> str | None:
    if change == "remove":
        return removed(CONFIG, "config.yaml", *arguments)
    if change == "insert":
        return inserted(CONFIG, "config.yaml", arguments[0], arguments[1:])
    return replaced(CONFIG, "config.yaml", *arguments)


@pytest.mark.parametrize(
    ("change", "arguments", "old", "new"),
    [
        ("replace", ("--old", "old", "new"), "'--old 1'", "'--new 1'"),
        ("replace", ("/m/😀 y.gguf", "y", "it's"), "😀 y", "😀 it'\\''s"),
        ("replace", ("a b", "b", '"$'), 'a b\\"', 'a \\\\\\"\\\\$\\"'),
        ("replace", ("--temp", "temp", "a b"), "--temp 0.6", "--'a b' 0.6"),
        ("replace", ("--n", "n", "m"), "", None),  # two models share it
        ("remove", ("--temp", "0.6"), "--temp 0.6 # no", "# no"),
        ("remove", ("--alias", "a/b"), "", None),  # the name itself is no word of the command
        ("remove", ("--key", "${env.KEY}"), " --key ${env.KEY}", ""),
        ("remove", ("--q",), " --q", ""),
        ("insert", ("0.6", "--x", "a b"), "0.6", "0.6 --x 'a b'"),
        ("insert", ("a b", "--y"), 'a b\\"', 'a b\\" --y'),
        ("insert", ("--q", "--y", "$z"), "--q", "--q --y '$z'"),
    ],
)
def test_edits(change: str, arguments: tuple[str, ...], old: str, new: str | None) -> None:
    assert edited(change, *arguments) == (CONFIG.replace(old, new) if new is not None else None)


def test_remove_an_assignment() -> None:
    first = read(CONFIG)[0]
    assert first.container is not None
    edits = first.container.remove_given(first.given[0])
    assert edits is not None and apply_edits(CONFIG, edits) == CONFIG.replace('      - "X=1"\n', "")


FENCE = "1. 😀\n\n   ```yaml\n" + "".join(f"   {line}\n" for line in CONFIG.splitlines()) + "   ```\n"
CONFIG_MAP = "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\ndata:\n  config.yaml: |\n" + "".join(
    f"    {line}\n" for line in CONFIG.splitlines()
)
HEREDOC = "cat > /etc/llama-swap.yaml <<'EOF'\n" + CONFIG + "EOF\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config.yaml", CONFIG),
        ("config.yaml", CONFIG.replace("\n", "\r\n")),
        ("a.md", FENCE),
        ("map.yaml", CONFIG_MAP),
        ("install.sh", HEREDOC),
    ],
)
def test_an_old_flag_is_fixed_in_place(name: str, text: str) -> None:
    text = text.replace("--old 1", "--draft-max 1").replace("--q", "--draft-min 2")
    text = text.replace("img/x:1", "ghcr.io/ggml-org/llama.cpp:server-b10700").replace(
        "LLAMA_ARG_Y", "LLAMA_ARG_DRAFT_P_MIN"
    )
    report = lint(text, "b10700", name)
    findings = [f for f in report.findings if f.code in ("MTP101", "MTP107")]
    edits = [edit for f in findings if f.fix and f.fix.safety == "safe" for edit in f.fix.edits]
    expected = text.replace("--draft-max", "--spec-draft-n-max").replace("--draft-min", "--spec-draft-n-min")
    assert apply_edits(text, edits) == expected.replace("LLAMA_ARG_DRAFT_P_MIN", "LLAMA_ARG_SPEC_DRAFT_P_MIN")


def test_the_command_line_shows_the_change() -> None:
    text = "models:\n  m:\n    cmd: llama-server -m q.gguf --spec-type draft-mtp --draft-max 3\n"
    done = run("lint", "--diff", "--target", "llama.cpp@b11434", "--stdin-filename", "config.yaml", "-", stdin=text)
    assert b"+    cmd: llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max 3\n" in done.stdout
    assert codes(text.replace("--draft-max", "--spec-draft-n-max"), "b11434", "config.yaml") == []


@pytest.mark.parametrize(
    ("name", "text", "claimed"),
    [
        ("config.yaml", "models:\n  a:\n    cmd: x\n", True),
        ("x.yml", "macros: {}\nmodels:\n  a:\n    cmd: x\n", True),
        ("llama-swap.yaml", "macros:\n  a: b\n", True),
        ("config.yaml", "models:\n  - name: x\n", False),
        ("compose.yaml", "services:\n  a:\n    command: x\n", False),
        ("a.json", '{"models": {"a": {"cmd": "x"}}}', False),
        ("a.md", "models:\n  a:\n    cmd: x\n", False),
    ],
)
def test_claims(name: str, text: str, claimed: bool) -> None:
    assert is_llama_swap(name, text) is claimed


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab '\"\\${}#\n-😀"), max_size=20), st.text(st.sampled_from("x '\"\\${}a#"), max_size=8))
def test_segments_cover_any_command(written: str, macro: str) -> None:
    quoted = macro.replace("'", "''")
    lines = "\n".join(f"      {line}" for line in written.split("\n"))
    for launch in read(f"macros:\n  a: '{quoted}'\nmodels:\n  m:\n    cmd: |\n      p ${{a}}\n{lines}\n"):
        for word in launch.argv:
            check_segments(word.fragment)


def _bomb() -> str:
    macros = ["macros:", "  m0: x"] + [f"  m{n}: '{'${m' + str(n - 1) + '} ' * 10}'" for n in range(1, 12)]
    return "\n".join([*macros, "models:", "  a:", "    cmd: p ${m11}", ""])


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "text",
    [
        _bomb(),
        "models:\n  a:\n    cmd: " + "${" * 100_000 + "\n",
        "models:\n  a:\n    cmd: '" + "a " * 100_000 + "'\n",
        "models:\n  a:\n    cmd: " + "{" * 5_000 + "\n",
        "models: [\n  cmd: \0",
        "models:\n" + "".join(f"  m{n}:\n    cmd: p\n" for n in range(5000)),
    ],
    ids=range(6),
)
def test_hostile_files_are_bounded(text: str) -> None:
    assert len(read(text)) <= 1000
