"""Dockerfiles: stages, forms, the environment, and edits of lists, lines and assignments."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.carrier import NO_FILES, NOTHING, Opener
from mtpconfig.carriers.dockerfile import DockerfileCarrier
from mtpconfig.carriers.dockerfile.exec_form import exec_form
from mtpconfig.hooks import carriers
from mtpconfig.launch import Default, Known, Launch, Opaque
from mtpconfig.text import Fragment, Source
from tests.carriers.shell_reading import applied, argv, check_segments, env
from tests.support import codes, run


def read(text: str) -> list[Launch]:
    opener = Opener(carriers(), NO_FILES)
    return list(DockerfileCarrier().read(Fragment.of(Source("Dockerfile", text)), opener, NOTHING))


def last(text: str) -> Launch:
    """The last launch with words, else the last."""
    launches = read(text)
    return next((launch for launch in reversed(launches) if launch.argv), launches[-1])


def image(launch: Launch) -> str:
    return launch.image.text if launch.image is not None else ""


# Commands

COMMANDS = [
    ('CMD ["-m", "x"]', ["-m", "x"]),
    ('CMD ["prog", "--a"]', ["prog", "--a"]),
    ('cmd [ "prog" , "--a" ]', ["prog", "--a"]),
    ('CMD ["prog", \\\n  "--a"]', ["prog", "--a"]),
    ('CMD ["prog", \\\n  # note\n\n  "--a"]', ["prog", "--a"]),
    ('CMD ["prog", "{\\"k\\": \\"v\\"}"]', ["prog", '{"k": "v"}']),
    ('CMD ["prog", "\\u00e9\\ud83d\\ude00\\/"]', ["prog", "é😀/"]),
    ('CMD ["prog", "--j\\\noined"]', ["prog", "--joined"]),
    ('CMD ["prog", "$X", ""]', ["prog", "$X", ""]),
    ("CMD prog --a 'x y'", ["prog", "--a", "x y"]),
    ("CMD prog \\\n # note\n\n  --a", ["prog", "--a"]),
    ("CMD prog --a '{\"k\": \\\n1}'", ["prog", "--a", '{"k": 1}']),
    ("CMD prog \\   \n  --a", ["prog", "--a"]),
    ('CMD ["a"]\nCMD ["b"]', ["b"]),
    ('ENTRYPOINT ["prog"]\nCMD ["--a"]', ["prog", "--a"]),
    ('CMD ["--a"]\nENTRYPOINT ["prog"]', ["prog", "--a"]),
    ('ENTRYPOINT ["a"]\nENTRYPOINT ["b"]\nCMD ["c"]', ["b", "c"]),
    ('ENTRYPOINT prog --a\nCMD ["--b"]', ["prog", "--a"]),
    ("ENTRYPOINT exec prog --a", ["prog", "--a"]),
    ('ENTRYPOINT ["sh", "-c"]\nCMD ["prog --a"]', ["prog", "--a"]),
    ('ENTRYPOINT ["tini", "--"]\nCMD ["prog", "--a"]', ["prog", "--a"]),
    ('ENTRYPOINT ["/docker-entrypoint.sh"]\nCMD ["prog", "--a"]', ["prog", "--a"]),
    ('ENTRYPOINT ["/docker-entrypoint.sh"]\nCMD prog --a', ["prog", "--a"]),
    ('ENTRYPOINT ["/start.sh"]\nCMD ["--a"]', ["/start.sh", "--a"]),
    ('ENTRYPOINT ["prog"]\nCMD []', ["prog"]),
    ("HEALTHCHECK CMD other\nCMD prog", ["prog"]),
    ("RUN prog --a", ["prog", "--a"]),
    ('RUN ["prog", "--a"]', ["prog", "--a"]),
    ("RUN --mount=type=cache,target=/x prog --a", ["prog", "--a"]),
    ("RUN cd /x && \\\n  prog --a", ["prog", "--a"]),
    ("RUN <<EOF\nprog --a\nEOF", ["prog", "--a"]),
    ("RUN <<-'EOF'\n\tprog --a\n\tEOF", ["prog", "--a"]),
    ("RUN bash <<EOF\nprog --a\nEOF", ["prog", "--a"]),
    ("ONBUILD RUN prog --a", ["prog", "--a"]),
    ('ONBUILD CMD ["prog", "--a"]', ["prog", "--a"]),
    ("COPY <<EOF /x/start.sh\nprog --a\nEOF", ["prog", "--a"]),
    ("COPY <<'start.sh' /x/\nprog --a\nstart.sh", ["prog", "--a"]),
    ("RUN cat > /x/start.sh <<EOF\nprog --a\nEOF", ["prog", "--a"]),
]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(("text", "words"), COMMANDS)
def test_commands(text: str, words: list[str], line_end: str) -> None:
    whole = f"FROM img:1\n{text}\n".replace("\n", line_end)
    assert argv(last(whole)) == words


@pytest.mark.parametrize("text", ["CMD ['prog']", 'CMD ["prog",]', 'CMD ["prog"] x', 'CMD ["prog", 1]', 'CMD {"a": 1}'])
def test_what_is_no_list_of_strings_is_shell_text(text: str) -> None:
    assert exec_form(Fragment.of(Source("x", text[4:]))) is None
    read(f"FROM img\n{text}\n")


def test_the_escape_directive() -> None:
    text = "# escape=`\nFROM img\nENV A=x `\n  B=C:\\y\nCMD prog `\n  --a\n"
    launch = last(text)
    assert argv(launch) == ["prog", "--a"]
    assert env(launch) == {"A": "x", "B": "C:\\y"}


def test_another_shell_is_not_read_as_one() -> None:
    assert read('FROM img\nSHELL ["powershell", "-Command"]\nRUN prog --a\n') == []
    assert argv(last('FROM img\nSHELL ["/bin/bash", "-c"]\nRUN prog --a\n')) == ["prog", "--a"]


# Stages and images

IMAGES = [
    ("FROM a/b:1\nCMD x", "a/b:1", Known("a/b:1")),
    ("FROM --platform=linux/amd64 a/b:1@sha256:00 AS c\nCMD x", "a/b:1@sha256:00", Known("a/b:1@sha256:00")),
    ("ARG T=1\nFROM a/b:${T}\nCMD x", "a/b:1", Default("a/b:1", "T")),
    ("ARG T=1\nFROM a/b:$T-x\nCMD x", "a/b:1-x", Default("a/b:1-x", "T")),
    ("FROM a/b:${T:-1}\nCMD x", "a/b:1", Default("a/b:1", "T")),
    ("ARG T=2\nFROM a/b:${T:-1}\nCMD x", "a/b:2", Default("a/b:2", "T")),
    ("ARG T\nFROM a/b:${T}\nCMD x", "a/b:${T}", Opaque("$T")),
    ("FROM a/b:1 AS x\nFROM c/d:2\nCMD x", "c/d:2", Known("c/d:2")),
    ("FROM a/b:1 AS x\nFROM X AS y\nFROM y\nCMD x", "a/b:1", Known("a/b:1")),
]


@pytest.mark.parametrize(("text", "name", "value"), IMAGES)
def test_images(text: str, name: str, value: object) -> None:
    launch = last(text)
    assert launch.image is not None
    assert (launch.image.text, launch.image.value) == (name, value)
    assert launch.image.fragment.locate_all()
    check_segments(launch.image.fragment)


def test_a_stage_is_the_label_and_the_last_commands_of_each_count() -> None:
    text = 'FROM a AS one\nCMD ["x"]\nFROM b AS two\nENTRYPOINT ["y"]\nCMD ["z"]\n'
    assert [(found.label, image(found), argv(found)) for found in read(text)] == [
        ("one", "a", ["x"]),
        ("two", "b", ["y", "z"]),
    ]


def test_a_stage_takes_over_what_it_starts_from() -> None:
    text = 'FROM a AS base\nENV A=1\nENTRYPOINT ["x"]\nCMD ["y"]\nFROM base\nENV B=2\n'
    (launch,) = read(text)
    assert (argv(launch), env(launch)) == (["x", "y"], {"A": "1", "B": "2"})
    assert launch.argv[1].fragment.replace(0, 1, "z") is not None
    (launch,) = read(text + 'ENTRYPOINT ["other"]\n')[1:]
    assert (argv(launch), launch.closed) == (["other"], False)


def test_what_two_stages_share_is_located_but_not_edited() -> None:
    text = 'FROM a AS base\nENV A=1\nCMD ["x", "--a"]\nFROM base AS b\nFROM base AS c\n'
    for launch in read(text):
        assert launch.argv[1].fragment.locate_all() == ((34, 37),)
        assert launch.argv[1].fragment.replace(0, 1, "z") is None
        assert launch.container is not None
        assert launch.container.remove(launch.argv[1:]) is None
        assert launch.container.insert(launch.argv[1], ["z"]) is None
        assert launch.container.remove_given(launch.given[0]) is None
    assert len(read(text)) == 2


OPEN = [
    ('ENTRYPOINT ["prog"]', "the arguments of `docker run`"),
    ('ENTRYPOINT ["prog", "-m", "x"]', ""),
    ('ENTRYPOINT ["/start.sh"]\nCMD ["-m"]', "/start.sh"),
    ('ENTRYPOINT ["/entrypoint.sh"]\nCMD ["prog", "-m"]', "/entrypoint.sh"),
    ('CMD ["prog"]', ""),
    ("ENV A=1", "the arguments of `docker run`"),
]


@pytest.mark.parametrize(("text", "why"), OPEN)
def test_what_may_add_words(text: str, why: str) -> None:
    launch = last(f"FROM img\n{text}\n")
    assert (launch.closed, launch.why_open) == (not why, why)


def test_an_image_alone_with_its_environment() -> None:
    launch = last("FROM img:1\nENV A=1\n")
    assert (argv(launch), image(launch), env(launch)) == ([], "img:1", {"A": "1"})
    assert read("FROM img:1\nCOPY a b\n") == []


# Environment

ENVIRONMENTS = [
    ("ENV A=1 B=2", {"A": "1", "B": "2"}),
    ("ENV A one two", {"A": "one two"}),
    ('ENV A "one two"', {"A": "one two"}),
    ("ENV A=x\\ y B='$A' C=\"$A\"", {"A": "x y", "B": "$A", "C": "$A"}),
    ("ENV A=1\nENV B=${A}2 A=3", {"B": "12", "A": "3"}),
    ("ENV A=\"a'b\"'c\"d'e", {"A": "a'bc\"de"}),
    ('ENV A="\\"x\\" \\y \\$z"', {"A": '"x" \\y $z'}),
    ("ENV A=1 \\\n  # note\n\n  B=2", {"A": "1", "B": "2"}),
    ("ENV A=", {"A": ""}),
    ("ENV A='' B=\"\"", {"A": "", "B": ""}),
    ("ARG X=1\nENV A=$X", {"A": "1"}),
    ("ARG X\nENV A=${X:-7}", {"A": "${X:-7}"}),
    ("ENV A=${Y:-7}", {"A": "7"}),
    ("ENV A=$PATH:/x", {"A": "$PATH:/x"}),
    ("ENV A=\\\n  1", {"A": ""}),
]


@pytest.mark.parametrize(("text", "expected"), ENVIRONMENTS)
def test_environment(text: str, expected: dict[str, str]) -> None:
    launch = last(f"FROM img\n{text}\nCMD prog\n")
    if expected != {"A": ""} or text == "ENV A=":
        assert env(launch) == expected
    for said in launch.given:
        assert said.value is not None
        check_segments(said.value.fragment)


def test_build_arguments_from_before_the_stage_are_asked_for() -> None:
    asked = last("ARG X=1\nFROM img\nARG X\nENV A=$X\nCMD prog\n").given[0].value
    unasked = last("ARG X=1\nFROM img\nENV A=$X\nCMD prog\n").given[0].value
    assert asked is not None and asked.value == Default("1", "X")
    assert unasked is not None and isinstance(unasked.value, Opaque)


# Hints


def hints(text: str) -> list[tuple[str, str]]:
    return [(hint.kind, hint.fragment.text) for hint in last(text).hints]


def test_hints() -> None:
    text = (
        "# top\nARG REF=b9180\nFROM img AS build\nARG REF\n"
        "RUN pip install 'one==1.0' two~=2 three && x\n"
        "RUN git clone \\\n  --branch ${REF} https://h/x && cd x\n"
        "ADD https://h/b9180/x.zip /x\n"
        "CMD prog\n# below\n"
    )
    assert hints(text) == [
        ("comment", "# top"),
        ("pin", "one==1.0"),
        ("pin", "two~=2"),
        ("comment", "git clone   --branch b9180 https://h/x"),
        ("comment", "https://h/b9180/x.zip /x"),
        ("comment", "# below"),
    ]


def test_a_built_command_knows_its_image_as_a_hint() -> None:
    launch = last("FROM img:1\nRUN prog\n")
    assert launch.image is None
    assert [(hint.kind, hint.fragment.text) for hint in launch.hints] == [("image", "img:1")]


# Places and edits


@pytest.mark.parametrize(
    "text",
    [
        'FROM é😀\nCMD ["é", "😀", "--old", "1"]\n',
        "FROM img\r\n# é\r\nCMD é \\\r\n\t--old 1\r\n",
        "FROM img\nENV A=é\nRUN <<E\n\t😀 --old 1\nE\n",
    ],
)
def test_spans_to_the_column(text: str) -> None:
    word = next(word for word in last(text).argv if word.text == "--old")
    at = text.index("--old")
    assert word.fragment.locate_all() == ((at, at + 5),)


NESTINGS = [
    'CMD ["prog", "--old", "1", "--c"]',
    'CMD ["prog", \\\n     "--old", "1", \\\n     "--c"]',
    'CMD ["prog", "--old", \\\n # note\n "1", \\\n "--c"]',
    'ENTRYPOINT ["prog"]\nCMD ["--old", "1", "--c"]',
    'ENTRYPOINT ["bash", "-c"]\nCMD ["prog --old 1 --c"]',
    'CMD ["bash", "-c", "prog --old \\"1\\" --c"]',
    "CMD prog --old 1 --c",
    "CMD prog \\\n  --old 1 \\\n  --c",
    "CMD prog \\\n  # note\n  --old 1 \\\n\n  --c",
    "ENTRYPOINT exec prog --old '1' --c",
    "RUN x && \\\n  prog --old 1 --c",
    "RUN <<EOF\nprog \\\n  --old 1 \\\n  --c\nEOF",
    "COPY <<'EOF' /x/start.sh\nprog --old 1 --c\nEOF",
    "RUN bash -c 'prog --old 1 --c'",
    "RUN cat > x.sh <<'E'\nprog --old 1 --c\nE",
]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("instructions", NESTINGS)
def test_edits_through_all_layers(instructions: str, line_end: str) -> None:
    text = f"# é😀\nFROM img\nENV X='\t😀'\n{instructions}\n".replace("\n", line_end)
    launch = last(text)
    assert argv(launch) == ["prog", "--old", "1", "--c"]
    name, value = launch.argv[1], launch.argv[2]
    assert launch.container is not None
    renamed = applied(text, name.fragment.replace(2, 5, "newer"))
    assert renamed == text.replace("--old", "--newer")
    assert argv(last(renamed)) == ["prog", "--newer", "1", "--c"]
    longer = applied(text, launch.container.insert(value, ["--d", "x-y"]))
    assert argv(last(longer)) == ["prog", "--old", "1", "--d", "x-y", "--c"]
    shorter = applied(text, launch.container.remove([name, value]))
    assert argv(last(shorter)) == ["prog", "--c"]
    assert shorter.startswith(text[: text.index("prog")])


REMOVED = [
    ('CMD ["a", "b", "c"]', [0], 'CMD ["b", "c"]'),
    ('CMD ["a", "b", "c"]', [2], 'CMD ["a", "b"]'),
    ('CMD ["a", \\\n  "b", "c", \\\n  "d"]', [1, 2], 'CMD ["a", \\\n  "d"]'),
    ('CMD ["a", \\\n  "b", "c", \\\n  "d"]', [1], 'CMD ["a", \\\n  "c", \\\n  "d"]'),
    ('CMD ["a", \\\n  "b", "c"]', [1, 2], 'CMD ["a"]'),
    ('CMD ["a", "b", \\\n  "c"]', [1], 'CMD ["a", \\\n  "c"]'),
]


@pytest.mark.parametrize(("text", "places", "result"), REMOVED)
def test_removed_elements(text: str, places: list[int], result: str) -> None:
    launch = last(f"FROM x\n{text}\n")
    assert launch.container is not None
    edits = launch.container.remove([launch.argv[place] for place in places])
    assert applied(f"FROM x\n{text}\n", edits) == f"FROM x\n{result}\n"


ASSIGNMENTS = [
    ("ENV A=1\n", ""),
    ("ENV A=1 B=2\n", "ENV B=2\n"),
    ("ENV B=2 A=1\n", "ENV B=2\n"),
    ("ENV B=2 \\\n    A=1\n", "ENV B=2\n"),
    ("ENV A=1 \\\n    B=2\n", "ENV B=2\n"),
    ("ENV B=2 \\\n    A=1 \\\n    C=3\n", "ENV B=2 \\\n    C=3\n"),
    ("ENV A one two\n", ""),
    ("  ENV A=1  \n", ""),
]


@pytest.mark.parametrize(("text", "result"), ASSIGNMENTS)
def test_removed_assignments(text: str, result: str) -> None:
    whole = f"FROM x\n{text}CMD prog\n"
    launch = last(whole)
    said = next(given for given in launch.given if given.name.text == "A")
    assert launch.container is not None
    assert applied(whole, launch.container.remove_given(said)) == f"FROM x\n{result}CMD prog\n"


def test_a_value_is_edited_in_its_quotes() -> None:
    text = "FROM x\nENV A='3' B=\"4\" C=5\nCMD prog\n"
    edits = [given.value.fragment.replace(0, 1, "7") for given in last(text).given if given.value]
    assert applied(text, [edit for edit in edits if edit]) == "FROM x\nENV A='7' B=\"7\" C=7\nCMD prog\n"


def test_a_value_from_a_build_argument_is_located_but_not_edited() -> None:
    text = "FROM x\nARG N=3\nENV A=$N\nCMD prog\n"
    value = last(text).given[0].value
    assert value is not None and value.fragment.locate_all() == ((13, 14),)
    assert value.fragment.replace(0, 1, "4") is None


TEXTS = st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6), min_size=1, max_size=5)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.booleans(), st.data())
def test_lists_are_read_as_json_reads_them(words: list[str], ascii_only: bool, data: st.DataObject) -> None:
    line = json.dumps(words, ensure_ascii=ascii_only)
    form = exec_form(Fragment.of(Source("x", line)))
    assert form is not None
    assert [word.text for word in form.words] == words
    for word in form.words:
        check_segments(word.fragment)
    chosen = data.draw(st.integers(0, len(words) - 1))
    added = applied(line, form.insert(form.words[chosen], ['x"y']))
    assert json.loads(added) == [*words[: chosen + 1], 'x"y', *words[chosen + 1 :]]
    edits = form.remove([form.words[chosen]])
    assert json.loads(applied(line, edits)) == words[:chosen] + words[chosen + 1 :]


SNIPPETS = st.sampled_from(
    [
        *("FROM a\n", "FROM b AS c\n", "FROM c\n", "ENV A=1 B='x", "' \\\n", "\n", "# c\n", 'CMD ["a", ', '"b"]\n'),
        *("CMD x ", "\\\n", "ENTRYPOINT ", '["y"]\n', "RUN ", "<<EOF\n", "EOF\n", "ARG X=1\n", "$X ", "${X:-2}", "é😀"),
        *("\r\n", "ONBUILD ", "COPY ", "# escape=`\n", "`\n", "SHELL ", "HEALTHCHECK CMD x\n", "pip install a==1 "),
        *("git clone ", "{{ x }}\n", '"', "'"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(SNIPPETS, max_size=25))
def test_soup_is_read_without_an_error_and_with_sound_segments(snippets: list[str]) -> None:
    for launch in read("".join(snippets)):
        for word in launch.argv:
            check_segments(word.fragment)
        for said in launch.given:
            assert said.value is not None
            check_segments(said.value.fragment)
        for hint in launch.hints:
            check_segments(hint.fragment)


@pytest.mark.parametrize(
    "text",
    [
        "FROM a\nCMD " + "[" * 100_000,
        "FROM a\nCMD [" + '"a",' * 10_000 + '"b"]',
        "FROM a\nRUN x " + "\\\n" * 10_000,
        "FROM a\nRUN x \\\n" + "# c\n" * 10_000,
        "FROM a\n" + "ENV A=$A$A\n" * 200,
        "FROM a\n" + "".join(f"ENV A{n}=1\n" for n in range(3_000)) + "RUN x\n" * 100,
        "FROM a\n" + "".join(f"ARG A{n}=$A{n - 1}$A{n - 1}\n" for n in range(300)),
        "FROM a\nENV " + "A=1 " * 5_000,
        "".join(f"FROM s{n} AS s{n + 1}\nENV A{n}=1\n" for n in range(300)),
        "FROM a\nENV A=1\n" + "RUN " + "a" * 1_000_000,
        "FROM a\nRUN " + "<<E " * 5_000 + "\n",
        "# escape=\n" * 20_000,
        "\0\x01FROM a\n\0",
        "FROM a\nRUN " + "pip " * 3_000 + "\nRUN " + "git " * 3_000,
        "FROM a\nENV A='" + '"' * 50_000,
    ],
    ids=lambda text: text[:24],
)
@pytest.mark.timeout(60)  # what hangs takes minutes; this measures no speed
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    read(text)


@pytest.mark.parametrize("below", ["a", "s{}"])
def test_of_many_stages_the_last_ones_are_read(below: str) -> None:
    stages = (f"FROM {below.format(i - 1)} AS s{i}\nENV X{i}={i}\nCMD prog {i}\n" for i in range(800))
    found = read("".join(stages))
    assert [launch.label for launch in found] == [f"s{i}" for i in range(800 - 64, 800)]
    assert argv(found[-1]) == ["prog", "799"]


def test_what_a_stage_that_is_not_read_has_too_is_not_edited() -> None:
    first = "FROM a AS below\nENV A=1\nCMD prog 1\nFROM below AS top\nCMD prog 2\n"
    others = "".join(f"FROM a AS s{i}\nCMD prog\n" for i in range(63))
    top = read(first + others)[0]
    assert (top.label, env(top)) == ("top", {"A": "1"})
    assert top.given[0].value is not None and top.given[0].value.fragment.replace(0, 1, "2") is None
    assert top.container is not None and top.container.remove_given(top.given[0]) is None


@pytest.mark.parametrize(
    ("name", "claimed"),
    [
        ("Dockerfile", True),
        ("Dockerfile.cuda", True),
        ("dockerfile-rocm", True),
        ("cuda.Dockerfile", True),
        ("Containerfile", True),
        ("x.containerfile", True),
        ("Dockerfile.dockerignore", False),
        ("dockerfile.go", False),
        ("docker.sh", False),
        ("Modelfile", False),
    ],
)
def test_claims(name: str, claimed: bool) -> None:
    assert DockerfileCarrier().claims(name, "") is claimed


OLD = (
    "FROM ghcr.io/ggml-org/llama.cpp:server-b11434\n"
    'CMD ["-m", "a.gguf", \\\n     "--draft-max", "3", "--spec-type", "draft-mtp"]\n'
)


def test_old_flags_are_found_and_fixed_in_place(tmp_path: object) -> None:
    assert codes(OLD, name="Dockerfile") == ["MTP101"]
    path = f"{tmp_path}/Dockerfile"
    with open(path, "w", encoding="utf-8") as file:
        file.write(OLD)
    shown = run("lint", "--isolated", "--diff", path, "--target", "llama.cpp@b11434").stdout.decode()
    assert '\n+     "--spec-draft-n-max", "3", "--spec-type", "draft-mtp"]\n' in shown
