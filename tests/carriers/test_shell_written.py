"""Files that a script writes with `printf` and `echo`, out of strings that it puts together."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.carrier import NO_FILES, NOTHING, Carrier, Opener, Surroundings
from mtpconfig.carriers.shell import ShellCarrier, quote
from mtpconfig.carriers.systemd import SystemdCarrier
from mtpconfig.launch import Launch, Opaque
from mtpconfig.lint.fixes import fix_source
from mtpconfig.text import Fragment, Source
from tests.carriers.shell_reading import applied, argv, check_segments
from tests.support import lint, linter

BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None, reason="bash is not installed")


class Collector:
    """A carrier that keeps what it is given, and finds nothing."""

    name = "anything else"

    def __init__(self) -> None:
        self.seen: list[Fragment] = []

    def claims(self, name: str, head: str) -> bool:
        return not name.endswith(".sh")

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        check_segments(fragment)
        self.seen.append(fragment)
        return iter(())


def written(script: str) -> list[str]:
    """The texts that a script writes to files, as we read it."""
    collector = Collector()
    carriers: list[Carrier] = [ShellCarrier(), collector]
    opener = Opener(carriers, NO_FILES)
    list(ShellCarrier().read(Fragment.of(Source("a.sh", script)), opener, NOTHING))
    return [fragment.text for fragment in collector.seen]


def launches(script: str) -> list[Launch]:
    carriers: list[Carrier] = [ShellCarrier(), SystemdCarrier()]
    source = Source("a.sh", script)
    return list(ShellCarrier().read(Fragment.of(source), Opener(carriers, NO_FILES), NOTHING))


def bash_writes(script: str, folder: Path) -> str:
    """What bash writes to the file `out`."""
    (folder / "out").unlink(missing_ok=True)
    subprocess.run(
        [BASH or "bash", "--norc", "-c", script], cwd=folder, check=False, timeout=60, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    return (folder / "out").read_bytes().decode()


@needs_bash
@pytest.mark.parametrize(
    "script",
    [
        r"printf '[Service]\nExecStart=/bin/prog%s\n' ' --a 1' > out",
        r"printf '%s\n' one 'two words' three > out",
        r'printf "a\tb\\n%%c\x41\101\n" > out',
        r"printf -- '%s-%s\n' a b c > out",
        r"printf '%d %i%s\n' 3 -4 > out",
        r"printf '%b|%b\n' 'a\nb\0101\c' 'never' > out",
        r"printf '%q %q\n' plain 'with blank' it\'s '' '~a#b' '#' '[x]' > out",
        r"printf '%5s|%-4s|\n' ab c > out",
        r"printf 'no line end' > out",
        r'printf "$(cat <<E' + "\n%s-x\nE\n" + r')" 7 > out',
        "printf '%s\\n' 'it'\\''s' \"\\$HOME\" > out",
        "echo -n a 'b  c' > out",
        r"echo -e 'a\nb\tc' > out",
        r"echo 'a\nb' -e > out",
        r"echo -ne '\x41\n' > out",
        "echo a > out; echo b >> out",
        "echo gone > out; echo b > out",
        "{ echo a; printf 'b\\n'; } > out",
        "( echo a; echo b ) >> out",
        "echo a | tee out",
        "echo a > out; echo b | tee -a out > /dev/null",
        "{ echo a; echo b; } | tee out",
        "cat > out <<E\na\nE\necho b >> out",
        'put() { echo "$1" >> out; }; echo a > out; put b',
        'for a in -m \'x y\' --n; do S+=" \\"$a\\""; done; echo "$S" > out',
        'A=(-m "x y"); A+=(--n 3); S=; for a in "${A[@]}"; do S="$S $a"; done; printf "%s" "$S" > out',
        "for a in 1 2; do for b in x y; do S+=$a$b,; done; done; echo $S > out",
        "for a in 1 2; do L+=(--n $a); done; echo ${L[@]} > out",
        'S=0; T=; for a in 1 2; do S=$a; T="$T $S"; done; echo "$S:$T" > out',
        "printf -v S '%s,' a b; echo $S > out",
    ],
)
def test_files_hold_what_bash_writes(script: str, tmp_path: Path) -> None:
    assert written(script)[-1] == bash_writes(script, tmp_path)


FORMATS = st.lists(
    st.sampled_from(
        ["a", " ", "%s", "%b", "%%", "\\n", "\\t", "\\\\", "\\0", "\\x4", "\\'", '\\"', "é", "$", "'", '"']
    ),
    max_size=8,
).map("".join)
WORDS = st.lists(st.text(st.sampled_from("ab-\\n0t%'\"$ é"), max_size=6), max_size=4)


@needs_bash
@settings(max_examples=80, deadline=None)
@given(FORMATS, WORDS, st.booleans())
def test_printf_is_read_as_bash_carries_it_out(pattern: str, words: list[str], double: bool) -> None:
    spelled = '"' + "".join("\\" + c if c in '\\"$`' else c for c in pattern) + '"' if double else quote(pattern)
    script = f"printf -- {spelled} {' '.join(map(quote, words))} > out"
    with tempfile.TemporaryDirectory() as folder:
        assert written(script) == [bash_writes(script, Path(folder))]


UNIT = """
ARGS=(-m x.gguf)
if [[ $DRAFT == 1 ]]; then
  ARGS+=(--draft-max 16)
fi
for a in "${ARGS[@]}"; do EXEC+=" \\"$a\\""; done
printf '[Service]\\nExecStart=/bin/llama-server%s\\n' "$EXEC" > /etc/systemd/system/x.service
"""


def test_words_of_a_branch_keep_their_guard_in_a_written_file() -> None:
    (launch,) = launches(UNIT)
    assert argv(launch) == ["/bin/llama-server", "-m", "x.gguf", "--draft-max", "16"]
    assert [bool(word.guard) for word in launch.argv] == [False, False, False, True, True]
    assert launch.argv[3].guard == launch.argv[4].guard
    ((branch, arm),) = launch.argv[3].guard
    assert set(launch.exhaustive[branch]) > {arm}


@pytest.mark.parametrize(
    ("script", "words", "opaque"),
    [
        ('echo "[Service]\nExecStart=/bin/prog --n=$N --m 2" > x.service', ["/bin/prog", "--n=$N", "--m", "2"], 1),
        (
            "if [ $A ]; then N=1; else N=2; fi\nprintf '[Service]\nExecStart=/bin/prog --n=%s\n' \"$N\" > x.service",
            ["/bin/prog", '--n="$N"'],
            1,
        ),
    ],
)
def test_what_is_not_known_stays_unknown(script: str, words: list[str], opaque: int) -> None:
    (launch,) = launches(script)
    assert [isinstance(word.value, Opaque) for word in launch.argv].index(True) == opaque
    assert len(launch.argv) == len(words)


def test_alternative_values_are_words_of_their_arms() -> None:
    script = "if [ $A ]; then N=1; else N=2; fi\nprintf '[Service]\nExecStart=/bin/prog --n %s\n' \"$N\" > x.service\n"
    (launch,) = launches(script)
    assert argv(launch) == ["/bin/prog", "--n", "1", "2"]
    assert [len(word.guard) for word in launch.argv] == [0, 0, 1, 1]
    heredoc = "if [ $A ]; then N=1; else N=2; fi\ncat > x.service <<E\n[Service]\nExecStart=/bin/prog --n $N\nE\n"
    (launch,) = launches(heredoc)
    assert [len(word.guard) for word in launch.argv] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("script", "closed"),
    [
        ("printf '[Service]\nExecStart=/bin/prog %s\n' \"$*\" > x.service", False),
        ("printf '[Service]\nExecStart=/bin/prog %s\n' \"$@\" > x.service", False),
        ('printf \'[Service]\nExecStart=/bin/prog -m "%s"\n\' "$M" > x.service', True),
        ('echo "[Service]\nExecStart=/bin/prog $ARGS" > x.service', False),
    ],
)
def test_what_may_add_words_opens_a_written_launch(script: str, closed: bool) -> None:
    (launch,) = launches(script)
    assert launch.closed is closed


def test_a_shell_that_is_fed_runs_what_is_printed() -> None:
    assert [argv(launch) for launch in launches("echo 'prog --a 1' | ssh host bash\n") if launch.argv[0].text == "prog"]
    assert not launches("echo 'prog --a 1' | grep prog\necho prog --a > /dev/null\n")


def test_fixes_go_back_to_the_words_as_written() -> None:
    script = (
        "ARGS=(-m x.gguf --spec-type draft-mtp --draft-max 16)\n"
        'for a in "${ARGS[@]}"; do EXEC+=" \\"$a\\""; done\n'
        "printf '[Service]\\nExecStart=/bin/llama-server%s --draft-min 2\\n' \"$EXEC\" > x.service\n"
    )
    fixed = fix_source(linter("llama.cpp@b11434"), lint(script, "b11434"), unsafe=False)
    expected = script.replace("--draft-max", "--spec-draft-n-max").replace("--draft-min", "--spec-draft-n-min")
    assert fixed.source.text == expected


def test_what_each_turn_of_a_loop_writes_is_not_edited() -> None:
    script = (
        'for a in 2 5; do EXEC+=" --spec-type draft-mtp --draft-max $a"; done\n'
        "printf '[Service]\\nExecStart=/bin/llama-server%s\\n' \"$EXEC\" > x.service\n"
    )
    report = lint(script, "b11434")
    assert "MTP101" in [finding.code for finding in report.findings]
    assert fix_source(linter("llama.cpp@b11434"), report, unsafe=True).source.text == script


@pytest.mark.parametrize(
    "script",
    [
        "printf '[Service]\\nExecStart=/bin/prog --n %d\\n' 3 > x.service\n",
        "printf '[Service]\\nExecStart=/bin/prog --n %q\\n' 3 > x.service\n",
        "printf -v S '%s ' --n 3; printf '[Service]\\nExecStart=/bin/prog %s\\n' \"$S\" > x.service\n",
    ],
)
def test_what_printf_changes_is_located_and_not_edited(script: str) -> None:
    (launch,) = launches(script)
    word = launch.argv[2]
    assert word.text == "3" and word.fragment.locate_all()
    assert word.fragment.replace(0, 1, "4") is None
    assert launch.container is not None
    edit = launch.container.insert(word, ["--new", "x"])
    if "-v" in script:
        assert edit is None
        return
    (changed,) = launches(applied(script, edit))  # into the format, behind its directive
    assert argv(changed) == ["/bin/prog", "--n", "3", "--new", "x"]


def test_a_format_that_printf_refuses_prints_nothing_known() -> None:
    assert written("printf '%--n %d' 3 > out") == []


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "script",
    [
        "for a in " + "x " * 5000 + '; do S+=" $a"; done\nprog $S\n',
        "for a in 1 2 3 4 5 6 7 8; do " * 12 + 'S+="$a"' + "; done" * 12 + "\nprog $S\n",
        "for a in 1 2 3 4 5 6 7 8 9; do if [ $a ]; then S+=$a; else S+=b; fi; done; prog $S\n",
        "printf '%s' " + "x " * 20000 + "> out\n",
        "printf '" + "%s" * 20000 + "' a > out\n",
        "printf '%999999999s' a > out\n",
        "".join(f"echo {n} >> out\n" for n in range(3000)),
    ],
)
def test_what_grows_is_bounded(script: str) -> None:
    launches(script)


@needs_bash
@pytest.mark.parametrize(
    "word",
    [
        """"$(printf "'{\\"n\\":%d}'" "$N")\"""",
        """"$(printf '{"n": %s}' "$N")\"""",
        """"$(printf '%s-%s\\n' a b)\"""",
        """"x$(echo -n a 'b c')y\"""",
        """"$(echo "a\\n")\"""",
        """"$(printf '%s' "$(printf '%d' 7)")\"""",
        """"$(printf 'a\\n\\n')b\"""",
        """"$(printf '%s,' 1 2 3)\"""",
    ],
)
def test_a_printing_substitution_is_what_bash_makes_of_it(word: str, tmp_path: Path) -> None:
    script = f"N=3\nprog {word}\n"
    said = subprocess.run(
        [BASH or "", "-c", f"prog() {{ printf '%s' \"$1\"; }}\n{script}"], capture_output=True, check=True, cwd=tmp_path
    )
    (one,) = launches(script)
    assert one.argv[1].text == said.stdout.decode()
    assert not isinstance(one.argv[1].value, Opaque)
    check_segments(one.argv[1].fragment)


@pytest.mark.parametrize(
    "word",
    [
        '"$(printf %s "$1")"',
        '"$(printf %s a; reboot)"',
        '"$(printf %s a | tr a b)"',
        '"$(printf %s a > f)"',
        "$(printf %s a)",
    ],
)
def test_what_a_substitution_does_beside_printing_is_not_known(word: str) -> None:
    (one,) = [found for found in launches(f"prog {word}\n") if found.argv[0].text == "prog"]
    assert isinstance(one.argv[1].value, Opaque)
