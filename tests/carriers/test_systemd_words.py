"""Words, variables and environments of units. Expected values are systemd 252's own, by its library's functions."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.carrier import Files
from mtpconfig.carriers.systemd.claims import is_unit
from mtpconfig.carriers.systemd.codecs import codec_for, quote
from mtpconfig.carriers.systemd.envfile import parse as parse_environment
from mtpconfig.carriers.systemd.lines import parse
from mtpconfig.launch import Default, Known, Opaque
from mtpconfig.text import Fragment, Source
from tests.carriers.shell_reading import check_segments
from tests.carriers.systemd_reading import argv, env, only, place, read, service, words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (r"a 'b c' \"d\"", ["a", "b c", '"d"']),
        (r'x"y z" m' + "''" + '""n', ["xy z", "mn"]),
        (r'x="y"z "a"b c', ["x=yz", "ab", "c"]),
        (r'"" ' + "''", ["", ""]),
        (r'a\n "\u00e9\101" g\sh', ["a\n", "éA", "g h"]),
        (r"\q \8 \777 '\x2'", [r"\q", r"\8", r"\777", r"\x2"]),
        (r"\x00 \U0001F600 \x9z", [r"\x00", "😀", r"\x9z"]),
        (r'"i\"j" ' + r"'k\'l'", ['i"j', "k'l"]),
        (r"\; ; \\ e\ f", [";"]),
        (r"100%% %i/%h a%,b %", ["100%", "%i/%h", "a%,b", "%"]),
        ("a\u00a0b\tc", ["a\u00a0b", "c"]),
        (r"""--json '{"method":"mtp","n":3}' --x={"a":1}""", ["--json", '{"method":"mtp","n":3}', "--x={a:1}"]),
    ],
)
def test_quotes_and_escapes(line: str, expected: list[str]) -> None:
    assert argv(read(service(f"ExecStart=/p {line}"))[0])[1:] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("$A", ["1", "2"]),
        ("${A}", ["1 2"]),
        ("$B", ["x y", "z"]),
        ("a${B}c", ["a'x y' zc"]),
        ("'$A' \"$A\"", ["1", "2", "1", "2"]),
        ("x$A $$A x$$y $${A} a$", ["x$A", "$A", "x$y", "${A}", "a$"]),
        ("$C ${C}", [""]),
        ("${A:-3}", ["${A:-3}"]),
    ],
)
def test_variables_of_the_unit(line: str, expected: list[str]) -> None:
    assert words(f"/p {line}", 'Environment="A=1 2" "B=\'x y\' z" C=')[1:] == expected


def test_a_variable_that_nobody_sets_is_opaque() -> None:
    launch = only(service("ExecStart=/p $X -m ${DIR}/m.gguf"))
    assert argv(launch) == ["/p", "$X", "-m", "${DIR}/m.gguf"]
    assert [(type(word.value), word.many) for word in launch.argv[1:]] == [
        (Opaque, True),
        (Known, False),
        (Opaque, False),
    ]


def test_marks_in_front_of_the_program() -> None:
    assert words("-/p a") == ["/p", "a"]
    assert words("@/p name a") == ["/p", "a"]
    assert words("+!!/p a") == ["/p", "a"]
    assert words(":/p $A ${B} $$", "Environment=A=1") == ["/p", "$A", "${B}", "$$"]


def test_several_commands_and_resets() -> None:
    text = service(
        "ExecStart=/a 1 ; /b 2", "ExecStartPre=/c", "ExecStart=", "ExecStart=-/d \\", "  --x", "ExecStart=/e"
    )
    assert [argv(launch) for launch in read(text)] == [["/c"], ["/d", "--x"], ["/e"]]
    assert [argv(launch) for launch in read(service("ExecStart=/a 1 ; /b 2"))] == [["/a", "1"], ["/b", "2"]]


def test_continuation_lines_and_comments() -> None:
    text = service("ExecStart=/p a\\", "# why", "  ; why not", "\tb \\\\", "ExecStop=/q")
    assert [argv(launch) for launch in read(text)] == [["/p", "a", "b", "\\"], ["/q"]]
    assert [argv(launch) for launch in read(text.replace("\n", "\r\n"))] == [["/p", "a", "b", "\\"], ["/q"]]


def test_a_line_that_fell_off_is_a_command_of_its_own() -> None:
    text = service("ExecStart=/p a \\ ", "  --b 2 \\", "  --c", "Restart=always")
    assert [argv(launch) for launch in read(text)] == [["/p", "a", "\\"], ["--b", "2", "--c"]]


def test_prefixes_and_shells() -> None:
    assert words("/usr/bin/env A=1 numactl -N 0 /p --x") == ["/p", "--x"]
    launch = only(service("Environment=X=2", "ExecStart=/bin/sh -c 'exec /p --x \"${X}\" $$Y'"))
    assert argv(launch) == ["/p", "--x", "2", "$Y"]
    assert (env(launch)["X"], launch.carrier) == ("2", "systemd unit")


def test_the_environment() -> None:
    text = service(
        "Environment=A=0 GONE=1",
        "Environment=",
        "Environment=A=1 'B=2 3' \"C=x%%y\" noname =x 1D=2",
        "Environment=A=4",
        "UnsetEnvironment=B",
        "ExecStart=/p",
    )
    assert env(only(text)) == {"A": "4", "C": "x%y"}


def test_environment_files(tmp_path: Path) -> None:
    (tmp_path / "llama.env").write_text('# c\nA=\'1 2\' \nexport E=1\nB=x \\\n y\n;c\nLLAMA_ARG_X="q\\"r"\n')
    files = Files(str(tmp_path))
    unit = service("Environment=A=0 K=1", "EnvironmentFile=-llama.env", "ExecStart=/p $A ${B} ${K}")
    launch = only(unit, files=files)
    assert argv(launch) == ["/p", "1", "2", "x  y", "1"]
    assert env(launch) == {"A": "1 2", "K": "1", "B": "x  y", "LLAMA_ARG_X": 'q"r'}
    assert launch.closed
    given = next(given for given in launch.given if given.name.text == "LLAMA_ARG_X")
    assert given.name.fragment.source.path == str(tmp_path / "llama.env")
    assert given.name.fragment.replace(0, 1, "x") is None
    assert launch.argv[1].fragment.replace(0, 1, "x") is None


def test_an_environment_file_that_cannot_be_read_opens_the_launch() -> None:
    launch = only(service("Environment=A=1", "EnvironmentFile=/etc/x", "ExecStart=/p ${A}"))
    assert (launch.closed, launch.why_open) == (False, "EnvironmentFile=/etc/x")
    assert launch.argv[1].value == Default("1", "A")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C=\"a b\" c\nD='x'y\nI=a\\\nb\n", {"C": "a bc", "D": "xy", "I": "ab"}),
        ('J="a\\nb\\"c"\nK=a # c\nM=a"b"c\nN=\\q\n', {"J": 'a\\nb"c', "K": "a # c", "M": 'a"b"c', "N": "q"}),
        ("P =2\n O=1\n1X=3\nR='a\\b'\nS=\r\n", {"P": "2", "O": "1", "R": "a\\b", "S": ""}),
        ("ABA=\\$x \\\n\n#c \\\nX=1\nY=2\n", {"ABA": "$x ", "Y": "2"}),
        ("='x\nAA==b\n", {"AA": "=b"}),
    ],
)
def test_the_grammar_of_environment_files(text: str, expected: dict[str, str]) -> None:
    assert {text[slice(*entry.name)]: entry.text for entry in parse_environment(text)} == expected


def test_quadlets() -> None:
    launch = only(
        "[Container]\nImage=ghcr.io/x/y:server-b1\nExec=-m /m.gguf \\\n --x\nEnvironment=A=1\n"
        "PodmanArgs=--gpus all -e Q=1 --entrypoint=/app/x\n",
        "a.container",
    )
    assert argv(launch) == ["-m", "/m.gguf", "--x"]
    assert launch.image is not None and launch.image.text == "ghcr.io/x/y:server-b1"
    assert launch.entrypoint is not None and launch.entrypoint.text == "/app/x"
    assert env(launch) == {"A": "1", "Q": "1"}
    assert argv(only("[Container]\nImage=a/b:1\n", "a.container")) == []


def test_templates() -> None:
    launch = only(
        service("ExecStart=/p -m {{ model | default('x y') }} {{ args }} -p{{ n }} {% if a %}"), "a.service.j2"
    )
    assert argv(launch) == ["/p", "-m", "{{ model | default('x y') }}", "{{ args }}", "-p{{ n }}", "{% if a %}"]
    assert [word.many for word in launch.argv] == [False, False, True, True, False, True]


def test_hints_and_places() -> None:
    launch = only(
        "; one\n[Unit]\nDescription=llama b1\n"
        "[Service]\nWorkingDirectory=-/opt/x\n# two\nExecStart=/p \\\n# three\n a\n# four\n"
    )
    assert [hint.fragment.text for hint in launch.hints] == ["llama b1", "; one", "# two", "# three"]
    assert launch.places == ("/opt/x",)


@pytest.mark.parametrize("before", ["\ufeff", "# 😀\r\n", "\t\n", ""])
def test_places_of_words(before: str) -> None:
    newline = "\r\n" if "\r" in before else "\n"
    text = before + newline.join(["[Service]", '  ExecStart=/p "😀 é" \\', "\t'x' --y", ""])
    launch = only(text)
    first = 1 + before.count("\n")
    assert (place(launch, "/p"), place(launch, "x")) == ((first + 1, 13), (first + 2, 3))
    assert place(launch, "--y") == (first + 2, 6)


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("a.service", "", True),
        ("a@.service.j2", "", True),
        ("a.container", "", True),
        ("override.conf", "[Service]\nExecStart=\n", True),
        ("override.conf", "[Service]\nRestart=always\n", False),
        ("nginx.conf", "server {}\n", False),
        ("x.ini", "[Service]\nEnvironment=A=1\n", True),
        ("notes.md", "[Service]\nExecStart=/p\n", False),
        ("a.socket", "[Socket]\n", False),
    ],
)
def test_claims(name: str, head: str, claimed: bool) -> None:
    assert is_unit(name, head) is claimed


# --- segments, codecs, bounds

TEXTS = st.text(st.sampled_from("ab '\"\\$%{};#-=/é😀\tn\x01"), max_size=12)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_segments_cover_any_line(line: str) -> None:
    for launch in read(service('Environment="A=1 2" B=$x', f"ExecStart=/p {line}")):
        for word in launch.argv:
            check_segments(word.fragment)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(["", '"', "'"]), st.booleans())
def test_what_is_encoded_is_read_back(text: str, mark: str, variables: bool) -> None:
    written = codec_for(mark, variables=variables).encode(text)
    assert written is not None
    prefix = "" if variables else ":"
    assert words(f"{prefix}/p x{mark}{written}{mark}")[1:] == ["x" + text]
    quoted = quote(text, variables=variables)
    assert quoted is not None and words(f"{prefix}/p {quoted}")[1:] == [text]


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "text",
    [
        service("ExecStart=" + "a " * 2_000_000),
        service('ExecStart="' + "a" * 200_000 + '""' * 20_000),
        service("ExecStart=" + "{{" * 100_000),
        service("ExecStart=" + "${" * 100_000),
        service("ExecStart=" + "%%" * 100_000),
        service("ExecStart=" + "a \\\n" * 50_000),
        service(*["ExecStart=a", "ExecStart="] * 20_000),
        service(*["Environment=A=1"] * 20_000, "ExecStart=/p " + "$A " * 20_000),
        "[" * 500_000,
        "\r" * 500_000,
        "\x00\xff[Service]\nExecStart=\x01\n",
        "[Service]\nExecStart=/p \\",
    ],
    ids=range(12),
)
def test_hostile_units_are_bounded(text: str) -> None:
    for launch in read(text):
        assert len(launch.argv) <= 200_000


def test_the_lines_of_a_file_that_ends_in_a_continuation() -> None:
    (line,) = parse(Fragment.of(Source("x.service", "[S]\nK = a \\"))).lines
    assert (line.section, line.key, line.text) == ("S", "K", "a")
