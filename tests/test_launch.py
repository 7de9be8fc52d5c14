from __future__ import annotations

import pytest

from mtpconfig.launch import ALWAYS, Default, Guard, Known, OneOf, Opaque, Setting, Value, exclude, texts_of
from mtpconfig.text import Fragment, Source

from .support import launch


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (Known("3"), ("3",)),
        (Default("3", "N"), ("3",)),
        (OneOf(("2", "5")), ("2", "5")),
        (Opaque("$1"), ()),
        (Known(""), ("",)),
    ],
)
def test_the_texts_that_a_value_may_be(value: Value, texts: tuple[str, ...]) -> None:
    assert texts_of(value) == texts


@pytest.mark.parametrize(
    ("one", "other", "never_together"),
    [
        (ALWAYS, ALWAYS, False),
        (ALWAYS, frozenset({(1, 0)}), False),
        (frozenset({(1, 0)}), frozenset({(1, 0)}), False),
        (frozenset({(1, 0)}), frozenset({(1, 1)}), True),
        (frozenset({(1, 0)}), frozenset({(2, 1)}), False),
        (frozenset({(1, 0), (2, 0)}), frozenset({(1, 0), (2, 1)}), True),
    ],
)
def test_guards_exclude_each_other_by_two_arms_of_one_branch(one: Guard, other: Guard, never_together: bool) -> None:
    assert exclude(one, other) is exclude(other, one) is never_together


def setting(value: Value | None) -> Setting:
    fragment = Fragment.of(Source("a", "--x"))
    return Setting("x", "flag", "--x", "spaced", value, fragment, None, (), ALWAYS, 0)


@pytest.mark.parametrize(
    ("value", "text"),
    [(Known("3"), "3"), (Default("3", "N"), "3"), (OneOf(("2", "5")), None), (Opaque("$1"), None), (None, None)],
)
def test_a_setting_has_a_text_when_there_is_one_candidate(value: Value | None, text: str | None) -> None:
    assert setting(value).text == text


def test_the_arguments_are_the_words_behind_the_program() -> None:
    found = launch("sudo /opt/llama-server -m q.gguf")
    assert (found.program, found.argv[0].text, [word.text for word in found.args]) == (
        "llama-server", "/opt/llama-server", ["-m", "q.gguf"],
    )  # fmt: skip


def test_a_launch_is_closed_unless_words_may_come_from_elsewhere() -> None:
    assert launch("llama-server -m q.gguf").closed
    opened = launch('llama-server -m q.gguf "$@"')
    assert not opened.closed and "$@" in opened.why_open
