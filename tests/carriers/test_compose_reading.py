"""What Docker Compose files start: words, environments, images, interpolation, inheritance."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtpconfig.carrier import Files, Opener
from mtpconfig.carriers.compose import ComposeCarrier
from mtpconfig.carriers.compose.interpolation import interpolate
from mtpconfig.carriers.compose.splitting import split
from mtpconfig.hooks import carriers
from mtpconfig.launch import Default, Known, Launch, Opaque
from mtpconfig.text import Fragment, Source
from tests.carriers.shell_reading import argv, check_segments, env

IMAGE = "ghcr.io/ggml-org/llama.cpp:server-b11434"


def read(text: str, files: Files | None = None) -> list[Launch]:
    """The launches in a Compose file."""
    opener = Opener(carriers(), files or Files(None))
    return list(opener.open(Fragment.of(Source("compose.yaml", text)), "compose.yaml"))


def service(*lines: str, files: Files | None = None) -> Launch:
    """The launch of one service."""
    text = "services:\n  s:\n" + "".join(f"    {line}\n" for line in lines)
    (launch,) = read(text, files)
    return launch


@pytest.mark.parametrize(
    "written, words",
    [
        ("command: -m x.gguf --n 3", ["-m", "x.gguf", "--n", "3"]),
        ("command: '-m \"a b\" --j ''{\"m\":1}'''", ["-m", "a b", "--j", '{"m":1}']),
        ('command: "-m \\"a b\\""', ["-m", "a b"]),
        ('command: ["-m", "a b", --n, 3]', ["-m", "a b", "--n", "3"]),
        ("command: [--flag 'x y']", ["--flag 'x y'"]),
        ("command: --a=$$HOME", ["--a=$HOME"]),
        ("command: ''", []),
        ("command: []", []),
        ("command:", []),
        (r"command: --a\ b c\\d", ["--a b", r"c\d"]),
        ("command: --a ; rm -rf x", ["--a"]),
        ("command: --a 'b''c' d\"e\"f", ["--a", "bc", "def"]),
        ("command: \"--a ''\"", ["--a", ""]),
    ],
)
def test_words(written: str, words: list[str]) -> None:
    launch = service(f"image: {IMAGE}", written)
    assert argv(launch) == words
    assert launch.image is not None and launch.image.value == Known(IMAGE)
    assert (launch.label, launch.carrier, launch.closed) == ("s", "docker compose", True)
    for word in launch.argv:
        check_segments(word.fragment)


BLOCKS = {
    ">": ["--a", "1", "--b", "# no comment"],
    ">-": ["--a", "1", "--b", "# no comment"],
    "|": ["--a", "1", "--b", "# no comment"],
    "> # a comment": ["--a", "1", "--b", "# no comment"],
}


@pytest.mark.parametrize("header", BLOCKS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_block_scalars(header: str, line_end: str) -> None:
    lines = ("services:", "  s:", f"    image: {IMAGE}", f"    command: {header}", "      --a 1", "", "        --b")
    (launch,) = read(line_end.join((*lines, "      '# no comment'", "")))
    assert argv(launch) == BLOCKS[header]


def test_a_backslash_at_a_line_end_is_no_continuation() -> None:
    literal = service(f"image: {IMAGE}", "command: |", "  --a 1 \\", "  --b 2")
    assert argv(literal) == ["--a", "1", "\n--b", "2"]
    folded = service(f"image: {IMAGE}", "command: >", "  --a 1 \\", "  --b 2")
    assert argv(folded) == ["--a", "1", " --b", "2"]


@pytest.mark.parametrize(
    "written, value",
    [
        ("$$", Known("$")),
        ("a$${X}", Known("a${X}")),
        ("$X", Opaque("$X")),
        ("${X}", Opaque("${X}")),
        ("${X:?set it}", Opaque("${X:?set it}")),
        ("${X:-d}", Default("d", "X")),
        ("${X-d}", Default("d", "X")),
        ("${X:-}", Default("", "X")),
        ("a${X:-d}b", Default("adb", "X")),
        ("${X:-${Y:-e}}", Default("e", "Y")),
        ("${X:-a${Y:-e}}", Default("ae", "X")),
        ("${X:-$$d}", Default("$d", "X")),
        ('${X:-{"a":{}}}', Default('{"a":{}}', "X")),
        ("${X:-${Y}}", Opaque("${Y}")),
        ("${X:+d}", Opaque("${X:+d}")),
        ("$K", Known("v")),
        ("${K}", Known("v")),
        ("${K:-d}", Known("v")),
        ("${E:-d}", Default("d", "E")),
        ("${E-d}", Known("")),
        ("${E}", Known("")),
        ("${K:+d}", Known("d")),
        ("${E:+d}", Known("")),
        ("${E+d}", Known("d")),
        ("${K:?m}", Known("v")),
        ("a ${X:-b c} d", Default("a b c d", "X")),
        ("$1 $(x) 5$", Known("$1 $(x) 5$")),
        ("${", Opaque("${")),
        ("${X:-a", Opaque("${")),
        ("", Known("")),
        ("{{ x }}", Opaque("{{ x }}")),
    ],
)
def test_interpolation(written: str, value: object) -> None:
    found = interpolate(Fragment.of(Source("x", written)), {"K": "v", "E": ""}.get)
    check_segments(found.fragment)
    assert found.value(0, len(found.text)) == value


@pytest.mark.parametrize(
    "written, words, fault",
    [
        ("--a ${X:-1 2}", ["--a", "1", "2"], ""),
        ("--a ${X:-} --b", ["--a", "--b"], "$X"),
        ("--a=${X:-}", ["--a="], ""),
        ("${X:-a ${Y:-b} c}", ["a", "b", "c"], ""),
        ("--a '${X:-}'", ["--a", ""], ""),
        ("--a $X", ["--a", "$X"], ""),
        ("--a ${X:?a b} c", ["--a", "${X:?a b}", "c"], ""),
        ('--a "x ${X:?a b}"', ["--a", "x ${X:?a b}"], ""),
        ("--m {{ a | b }}/c", ["--m", "{{ a | b }}/c"], ""),
        ("--a 'b c", ["--a", "b c"], "a quote that is not closed"),
        ('--a "b c', ["--a", "b c"], "a quote that is not closed"),
        ("--a b\\", ["--a", "b"], "a backslash at the end"),
        ("--a (b)", ["--a"], ""),
    ],
)
def test_splitting_after_interpolation(written: str, words: list[str], fault: str) -> None:
    found = split(interpolate(Fragment.of(Source("x", written)), lambda name: None))
    assert [word.text for word in found.words] == words
    assert found.fault == fault
    for word in found.words:
        check_segments(word.fragment)


def test_an_unknown_variable_alone_may_be_several_words() -> None:
    launch = service(f"image: {IMAGE}", "command: -m x.gguf $ARGS --a=$B '$C'")
    assert [word.many for word in launch.argv] == [False, False, True, False, False]
    assert (launch.closed, launch.why_open) == (False, "$ARGS")
    listed = service(f"image: {IMAGE}", "command: [-m, x.gguf, $ARGS]")
    assert listed.closed and not listed.argv[2].many


@pytest.mark.parametrize(
    "lines, expected",
    [
        (["environment:", "  A: 1", "  B: 'x y'", "  C: on"], {"A": "1", "B": "x y", "C": "on"}),
        (["environment:", "  - A=1", "  - 'B=x y'", "  - C=a=b"], {"A": "1", "B": "x y", "C": "a=b"}),
        (["environment: {A: $$x, B: '${X:-3}'}"], {"A": "$x", "B": "3"}),
        (["environment: [A=]"], {"A": ""}),
        (["environment: []"], {}),
        (["environment: {A: 1, A: 2}"], {"A": "2"}),
    ],
)
def test_environment(lines: list[str], expected: dict[str, str]) -> None:
    assert env(service(f"image: {IMAGE}", *lines)) == expected


def test_a_variable_without_value_is_passed_on() -> None:
    for lines in (["environment: [A]"], ["environment:", "  A:"]):
        (given,) = service(f"image: {IMAGE}", *lines).given
        assert given.value is not None and given.value.value == Opaque("$A")


def test_an_empty_default_is_told() -> None:
    (given,) = service(f"image: {IMAGE}", "environment: ['A=${X:-}']").given
    assert given.value is not None and given.value.value == Default("", "X")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    (tmp_path / ".env").write_text("TAG=server-b9000\nN=4\nBOTH='a b'\n")
    (tmp_path / "llm.env").write_text('A=file\nB=${N}x\nexport C="q\\"c"\n')
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "base.yml").write_text(
        "services:\n  base:\n    command: [-m, x.gguf]\n    env_file: own.env\n    environment: {D: 1}\n"
        f"    image: {IMAGE}\n"
    )
    (tmp_path / "sub" / "own.env").write_text("E=own\n")
    return Files(str(tmp_path), str(tmp_path))


def test_variables_of_the_project(files: Files) -> None:
    launch = service("image: 'ghcr.io/ggml-org/llama.cpp:${TAG}'", "command: --n $N ${BOTH}", files=files)
    assert launch.image is not None and launch.image.value == Known("ghcr.io/ggml-org/llama.cpp:server-b9000")
    assert argv(launch) == ["--n", "4", "a", "b"]
    assert launch.argv[1].fragment.replace(0, 1, "5") is None
    assert launch.argv[1].fragment.locate_all() != ()


def test_variables_that_grow_beyond_all_use_are_not_known(tmp_path: Path) -> None:
    tripled = "".join(f"A{i}=${{A{i - 1}}}${{A{i - 1}}}${{A{i - 1}}}\n" for i in range(1, 61))
    (tmp_path / ".env").write_text("A0=xxxxxxxxxx\n" + tripled)
    launch = service("image: x", "command: --a $A6 --b $A7 --c $A59", files=Files(str(tmp_path), str(tmp_path)))
    assert launch.argv[1].value == Known("x" * 10 * 3**6)
    assert [word.value for word in launch.argv[3::2]] == [Opaque("$A7"), Opaque("$A59")]


def test_files_of_variables(files: Files) -> None:
    launch = service(f"image: {IMAGE}", "env_file: [llm.env, missing.env]", "environment: {A: own}", files=files)
    assert env(launch) == {"A": "own", "B": "${N}x", "C": 'q"c'}
    given = next(given for given in launch.given if given.name.text == "C")
    assert given.value is not None and given.value.fragment.source.path.endswith("llm.env")
    assert given.value.fragment.replace(0, 1, "x") is None
    paths = service(f"image: {IMAGE}", "env_file:", "  - path: llm.env", "    required: false", files=files)
    assert "C" in env(paths)


def test_extending_a_service_of_another_file(files: Files) -> None:
    launch = service("extends: {file: sub/base.yml, service: base}", "environment: {F: 2}", files=files)
    assert argv(launch) == ["-m", "x.gguf"]
    assert env(launch) == {"E": "own", "D": "1", "F": "2"}
    assert launch.image is not None and launch.image.text == IMAGE
    assert launch.argv[0].fragment.replace(0, 2, "--model") is None
    assert launch.fragment.source.path == "compose.yaml"


def test_extending_a_service_of_the_same_file() -> None:
    text = (
        f"services:\n  b:\n    image: {IMAGE}\n    command: [--a]\n"
        "  s:\n    extends: b\n    command: --b\n  t:\n    extends: {service: b}\n"
    )
    base, own, same = read(text)
    assert [argv(launch) for launch in (base, own, same)] == [["--a"], ["--b"], ["--a"]]
    assert own.argv[0].fragment.replace(0, 3, "--c") is not None
    assert base.argv[0].fragment.replace(0, 3, "--c") is None
    assert same.container is not None and same.container.remove([same.argv[0]]) is None


def test_extending_oneself_ends() -> None:
    assert len(read("services:\n  a:\n    image: x\n    extends: b\n  b:\n    extends: a\n")) == 2


def test_anchors_and_merge_keys() -> None:
    text = f"""\
x-llm: &llm
  image: {IMAGE}
  environment: &env
    A: 1
services:
  one:
    <<: *llm
    command: --a
  two:
    <<: *llm
    environment:
      <<: *env
      B: 2
"""
    one, two = read(text)
    assert (argv(one), env(one), one.label) == (["--a"], {"A": "1"}, "one")
    assert (argv(two), env(two)) == ([], {"B": "2", "A": "1"})
    shared = next(given for given in two.given if given.name.text == "A")
    assert shared.name.fragment.locate_all() and shared.name.fragment.replace(0, 1, "Z") is None
    assert two.container is not None and two.container.remove_given(shared) is None


@pytest.mark.parametrize(
    "lines, entrypoint, words",
    [
        (["entrypoint: /app/llama-server", "command: -m x"], "/app/llama-server", ["-m", "x"]),
        (["entrypoint: [llama-server, -m, x]", "command: [--n, '3']"], "llama-server", ["-m", "x", "--n", "3"]),
        (["entrypoint: [numactl, -N, '0', llama-server]", "command: -m x"], "llama-server", ["-m", "x"]),
        (["entrypoint: [sh, -c]", "command: ['exec llama-server -m $$M']"], None, ["llama-server", "-m", "$M"]),
        (["entrypoint: ['bash', '-lc', 'llama-server -m x']"], None, ["llama-server", "-m", "x"]),
        (["command: bash -c 'llama-server -m x'"], None, ["llama-server", "-m", "x"]),
        (["entrypoint: ''", "command: llama-server -m x"], None, ["llama-server", "-m", "x"]),
    ],
)
def test_entrypoints(lines: list[str], entrypoint: str | None, words: list[str]) -> None:
    launch = service(f"image: {IMAGE}", *lines)
    assert (launch.entrypoint.text if launch.entrypoint else None, argv(launch)) == (entrypoint, words)
    assert launch.image is not None and launch.label == "s" and launch.carrier == "docker compose"


def test_a_built_image_has_no_name() -> None:
    launch = service("build: .", "command: llama-server -m x", "environment: {A: 1}")
    assert launch.image is None and argv(launch) == ["llama-server", "-m", "x"] and env(launch) == {"A": "1"}
    bare = service("build: {context: .}", "environment: {A: 1}")
    assert bare.argv == () and env(bare) == {"A": "1"}


def test_services_and_places() -> None:
    text = (
        f"# 🙂 served by b9000\n\nservices:\n  a: {{image: {IMAGE}}} # why\n  # about b\n  b:\n"
        "    image: x:1 # pinned\n    command: >\n      -m x\n"
    )
    first, second = read("\ufeff" + text)
    assert (first.label, second.label) == ("a", "b")
    position = second.fragment.source.position(second.fragment.locate_all()[0].start)
    assert position == (9, 7)
    hints = [hint.fragment.text for hint in second.hints]
    assert hints == ["# 🙂 served by b9000", "# about b", "# pinned"]


def test_a_dockerfile_within() -> None:
    lines = ("services:", "  s:", "    build:", "      dockerfile_inline: |", "        FROM x:1")
    text = "\n".join((*lines, '        CMD ["llama-server", "-m"]', ""))
    assert ["llama-server", "-m"] in [argv(launch) for launch in read(text)]


def test_a_map_among_the_words_is_no_word() -> None:
    launch = service(f"image: {IMAGE}", 'command: [--speculative-config, {"method": "mtp"}]')
    assert launch.argv[1].value == Opaque("a YAML map, not a string")
    assert launch.argv[1].text == '{"method": "mtp"}'


def test_a_broken_file_is_read_up_to_its_fault() -> None:
    text = f'services:\n  a:\n    image: {IMAGE}\n    command:\n      - --a\n      - --b \'{{"m": "n", x}}\'\n'
    (launch,) = read(text)
    assert argv(launch)[:1] == ["--a"] and not launch.closed


@pytest.mark.parametrize(
    "name, text, claimed",
    [
        ("compose.yaml", "", True),
        ("docker-compose.prod.yml", "", True),
        ("docker-compose.override.yml", "", True),
        ("llm.compose.yml", "", True),
        ("compose.yml.j2", "", True),
        ("stack.yaml", "version: '3'\nservices:\n  a:\n    image: x\n", True),
        ("stack.yaml", "services:\n\n  # c\n  a:\n    build: .\n", True),
        ("stack.yaml", "services:\n  - docker:dind\nimage: x\n", False),
        ("ci.yml", "jobs:\n  a:\n    services:\n      b:\n        image: x\n", False),
        ("compose.sh", "services:\n  a:\n    image: x\n", False),
        ("composer.json", "", False),
    ],
)
def test_claims(name: str, text: str, claimed: bool) -> None:
    assert ComposeCarrier().claims(name, text) is claimed


HOSTILE = {
    "words": "services:\n  a:\n    image: x\n    command: " + "x " * 500_000,
    "braces": "services:\n  a:\n    image: x\n    command: " + "${X:-" * 100_000,
    "closed braces": "services:\n  a:\n    image: x\n    command: " + "${X:-" * 20_000 + "}" * 20_000,
    "empty defaults": "services:\n  a:\n    image: x\n    command: " + "${X:-} " * 20_000,
    "defaults": "services:\n  a:\n    image: x\n    command: " + "${X:-b}" * 20_000,
    "quotes": "services:\n  a:\n    image: x\n    command: >\n      " + "'\"" * 200_000,
    "dollars": "services:\n  a:\n    image: x\n    command: " + "$" * 500_001,
    "services": "services:\n" + "".join(f"  s{i}: {{image: x, command: [--a]}}\n" for i in range(20_000)),
    "extends": "services:\n" + "".join(f"  s{i}: {{image: x, extends: s{i + 1}}}\n" for i in range(4_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.timeout(60)  # what hangs takes minutes; this measures no speed
def test_hostile_files_are_bounded(name: str) -> None:
    read(HOSTILE[name])
