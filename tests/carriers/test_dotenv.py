"""Files of variables: what they set, and edits of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtpconfig.carrier import NO_FILES, Opener
from mtpconfig.carriers.dotenv import DotenvCarrier, variables
from mtpconfig.launch import Default, Known, Launch, Opaque
from mtpconfig.text import Fragment, Source, apply_edits
from tests.carriers.shell_reading import check_segments, env


def read(text: str) -> Launch | None:
    carrier = DotenvCarrier()
    return next(Opener([carrier], NO_FILES).open(Fragment.of(Source(".env", text)), ".env"), None)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("A=1\nB=two words\n", {"A": "1", "B": "two words"}),
        ("\ufeffA=1\r\nB=2", {"A": "1", "B": "2"}),
        ("export A=1\n  B = 2 \nC: 3\n", {"A": "1", "B": "2", "C": "3"}),
        ("A='a # b' # c\nB=\"a # b\" # c\nC=a#b # c\n", {"A": "a # b", "B": "a # b", "C": "a#b"}),
        ("A=\nB=''\nC=\"\"\n", {"A": "", "B": "", "C": ""}),
        ("A= # nothing\n", {"A": ""}),
        ('A="x\\ny\\t\\"z\\" \\$B"\n', {"A": 'x\ny\t"z" $B'}),
        ("A='x\ny'\nB=\"x\ny\"\nC=1\n", {"A": "x\ny", "B": "x\ny", "C": "1"}),
        ("# A=1\nB=2\n", {"B": "2"}),
        ("A=1\nA=2\n", {"A": "2"}),
        ("A=1\nB=${A}2\nC='${A}2'\nD=\"$A$$\"\n", {"A": "1", "B": "12", "C": "${A}2", "D": "1$"}),
        ('A=\'{"method":"mtp"}\'\nB={"n":2}\n', {"A": '{"method":"mtp"}', "B": '{"n":2}'}),
        ("A\nnot a line\nB=1\n", {"B": "1"}),
        ("A='not closed\nB=1\n", {"A": "'not closed", "B": "1"}),
    ],
)
def test_variables(text: str, expected: dict[str, str]) -> None:
    launch = read(text)
    assert launch is not None and env(launch) == expected
    assert (launch.argv, launch.carrier, launch.closed) == ((), "dotenv file", False)
    for entry in launch.given:
        assert entry.surface == "env" and entry.value is not None
        check_segments(entry.name.fragment)
        check_segments(entry.value.fragment)


def test_what_is_not_known() -> None:
    values = [g.value.value for g in variables(Fragment.of(Source(".env", "A=$X\nB=${X:-1}\n"))) if g.value]
    assert values == [Opaque("$X"), Default("1", "X")]


@pytest.mark.parametrize("text", ["", "# only\n", "just text\n"])
def test_no_variables_no_launch(text: str) -> None:
    assert read(text) is None


def test_comments_are_hints_and_places_count_code_points() -> None:
    launch = read("# 🙂 b9000\n\nA=🙂\nB=x\n")
    assert launch is not None
    assert [hint.fragment.text for hint in launch.hints] == ["# 🙂 b9000"]
    source = launch.fragment.source
    assert source.position(launch.fragment.locate_all()[0].start) == (3, 1)
    value = launch.given[1].value
    assert value is not None and source.position(value.fragment.locate_all()[0].start) == (4, 3)


@pytest.mark.parametrize(
    "text, name, new, expected",
    [
        ("A=1\nB=2\n", "B", "x#y", None),
        ("A=1\nB=2\n", "B", "x y", "A=1\nB=x y\n"),
        ("A=1\r\nB='2' # c\r\n", "B", 'x "y"', "A=1\r\nB='x \"y\"' # c\r\n"),
        ("B='2'\n", "B", "it's", None),
        ('B="2"\n', "B", 'a"\\$\n', 'B="a\\"\\\\$$\\n"\n'),
        ("A=1\nB=$A\n", "B", "2", None),
    ],
)
def test_replacing_a_value(text: str, name: str, new: str, expected: str | None) -> None:
    launch = read(text)
    assert launch is not None
    value = next(given.value for given in launch.given if given.name.text == name)
    assert value is not None
    edit = value.fragment.replace(0, len(value.text), new)
    assert (apply_edits(text, [edit]) if edit else None) == expected
    if edit:
        after = read(apply_edits(text, [edit]))
        assert after is not None and env(after)[name] == new


@pytest.mark.parametrize(
    "text, expected",
    [("A=1\nB='x\ny' # c\nC=3\n", "A=1\nC=3\n"), ("A=1\nexport B=2", "A=1\n"), ("B=1\r\nA=1\r\n", "A=1\r\n")],
)
def test_removing_a_variable(text: str, expected: str) -> None:
    launch = read(text)
    assert launch is not None and launch.container is not None
    entry = next(given for given in launch.given if given.name.text == "B")
    edits = launch.container.remove_given(entry)
    assert edits is not None and apply_edits(text, edits) == expected


def test_renaming_a_variable() -> None:
    launch = read("export OLD='1'\n")
    assert launch is not None
    edit = launch.given[0].name.fragment.replace(0, 3, "NEW")
    assert edit is not None and apply_edits("export OLD='1'\n", [edit]) == "export NEW='1'\n"


@pytest.mark.parametrize(
    "name, claimed",
    [
        (".env", True),
        ("prod.env", True),
        (".env.example", True),
        ("env.example", True),
        ("llama.env.sample", True),
        ("deploy/.env.local", True),
        (".envrc", False),
        ("env.sh", False),
        ("environment.yml", False),
        ("env.py", False),
        ("environ", False),
    ],
)
def test_claims(name: str, claimed: bool) -> None:
    assert DotenvCarrier().claims(name, "A=1\n") is claimed


@given(st.text(alphabet="AB=:'\"\\$#{} \t\r\nexport🙂", max_size=40))
def test_any_text_is_read(text: str) -> None:
    launch = read(text)
    for entry in launch.given if launch else ():
        assert entry.value is not None
        check_segments(entry.value.fragment)
        if isinstance(entry.value.value, Known):
            assert entry.value.value.text == entry.value.text


@pytest.mark.parametrize(
    "text", ["A='" * 200_000, "A=" + " #" * 200_000, 'A="' + "\\" * 300_000, "A=1\n" * 100_000, " " * 500_000]
)
@pytest.mark.timeout(60)  # what hangs takes minutes; this measures no speed
def test_hostile_files_are_bounded(text: str) -> None:
    read(text)
