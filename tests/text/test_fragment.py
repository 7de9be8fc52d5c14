"""Stacks of two and three layers: a JSON string in a shell word in an indented block, and random ones."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from mtpconfig.text import VERBATIM, Builder, Codec, Edit, Fragment, Kind, Source, Span, apply_edits


class Backslashed:
    """Writes text between quotes: quotes and backslashes are escaped."""

    def encode(self, text: str) -> str | None:
        return None if "\0" in text else text.replace("\\", "\\\\").replace('"', '\\"')


class Percented:
    """Writes `%` as `%%`."""

    def encode(self, text: str) -> str | None:
        return text.replace("%", "%%")


class Unwritable:
    def encode(self, text: str) -> str | None:
        return None


QUOTED: Codec = Backslashed()
PERCENT: Codec = Percented()


def open_quoted(parent: Fragment | Source, text: str, start: int, end: int) -> Fragment:
    """Decode `start..end` of the parent as the inside of a quoted string."""
    builder, place = Builder(parent), start
    while place < end:
        if text[place] == "\\" and place + 1 < end:
            builder.add(text[place + 1], Span(place, place + 2), Kind.ESCAPE, QUOTED)
            place += 2
        else:
            builder.add(text[place], Span(place, place + 1), Kind.COPY, QUOTED)
            place += 1
    return builder.build()


def open_percented(parent: Fragment | Source, text: str, start: int, end: int) -> Fragment:
    builder, place = Builder(parent), start
    while place < end:
        if text.startswith("%%", place):
            builder.add("%", Span(place, place + 2), Kind.ESCAPE, PERCENT)
            place += 2
        else:
            builder.add(text[place], Span(place, place + 1), Kind.COPY, PERCENT)
            place += 1
    return builder.build()


def open_folded(parent: Fragment | Source, text: str, start: int, end: int) -> Fragment:
    """Decode lines: an end of line with the indentation behind it reads as one blank."""
    builder, place = Builder(parent), start
    while place < end:
        if text[place] == "\n":
            after = place + 1
            while after < end and text[after] == " ":
                after += 1
            builder.add(" ", Span(place, after), Kind.FOLD)
            place = after
        else:
            builder.add(text[place], Span(place, place + 1))
            place += 1
    return builder.build()


def stack(text: str) -> tuple[Source, Fragment]:
    """The whole of a source, folded, and in it what stands between the first and the last double quote."""
    source = Source("a", text)
    folded = open_folded(Fragment.of(source), text, 0, len(text))
    inner = open_quoted(folded, folded.text, folded.text.index('"') + 1, folded.text.rindex('"'))
    return source, inner


def test_the_bottom_fragment_is_the_text_itself() -> None:
    fragment = Fragment.of(Source("a", "abc"))
    assert fragment.text == "abc" and fragment.locate(1, 3) == ((1, 3),)
    assert fragment.replace(1, 2, "X") == Edit(Span(1, 2), "X")


def test_escapes_are_located_whole_and_neighbours_are_joined() -> None:
    _, inner = stack('x "a\\"b" y')
    assert inner.text == 'a"b'
    assert inner.locate(0, 3) == ((3, 7),)
    assert inner.locate(1, 2) == ((4, 6),)


def test_a_fold_is_located_at_the_line_end_and_its_indentation() -> None:
    source, inner = stack('k: "one\n     two"')
    assert inner.text == "one two"
    (span,) = inner.locate(3, 4)
    assert source.text[slice(*span)] == "\n     "


def test_text_beside_a_fold_can_be_replaced_and_across_it_cannot() -> None:
    source, inner = stack('k: "one\n     two"')
    edit = inner.replace(4, 7, 'q"q')
    assert edit is not None
    assert apply_edits(source.text, [edit]) == 'k: "one\n     q\\"q"'
    assert inner.replace(2, 5, "x") is None
    assert inner.replace(3, 4, "x") is None


def test_half_an_escape_cannot_be_replaced() -> None:
    builder = Builder(Source("a", "\\u00e9"))
    builder.add("e\u0301", Span(0, 6), Kind.ESCAPE, QUOTED)
    fragment = builder.build()
    assert fragment.replace(0, 1, "x") is None
    assert fragment.replace(0, 2, "x") == Edit(Span(0, 6), "x")


def test_substituted_and_synthetic_text_cannot_be_replaced() -> None:
    source = Source("a", "V=3; run $V")
    builder = Builder(Fragment.of(source))
    builder.add("run ", Span(5, 9))
    builder.add("3", Span(2, 3), Kind.SUBSTITUTED)
    builder.add("!", None, Kind.SYNTHETIC)
    fragment = builder.build()
    assert fragment.text == "run 3!"
    assert fragment.locate(4, 5) == ((2, 3),)
    assert fragment.locate(5, 6) == ()
    assert fragment.locate_all() == ((5, 9), (2, 3))
    assert fragment.replace(4, 5, "4") is None
    assert fragment.replace(5, 6, "?") is None
    assert fragment.replace(0, 3, "go") == Edit(Span(5, 8), "go")


def test_synthetic_text_stands_nowhere() -> None:
    fragment = Fragment.synthetic("3", Source("a", "x"))
    assert fragment.locate_all() == () and fragment.replace(0, 1, "4") is None and fragment.replace(0, 0, "4") is None


def test_two_quoting_contexts_are_not_replaced_in_one() -> None:
    builder = Builder(Source("a", "ab'cd'"))
    builder.add("ab", Span(0, 2))
    builder.add("cd", Span(3, 5), Kind.COPY, QUOTED)
    fragment = builder.build()
    assert fragment.text == "abcd"
    assert fragment.replace(1, 3, "X") is None
    assert fragment.replace(2, 4, "X") == Edit(Span(3, 5), "X")


def test_what_a_layer_cannot_encode_has_no_edit() -> None:
    builder = Builder(Source("a", "ab"))
    builder.add("ab", Span(0, 2), Kind.COPY, Unwritable())
    assert builder.build().replace(0, 1, "x") is None
    _, inner = stack('"ab"')
    assert inner.replace(0, 1, "\0") is None


def test_an_insertion_goes_behind_the_escape_that_ends_there() -> None:
    source, inner = stack('"a\\"b"')
    edit = inner.replace(2, 2, "-")
    assert edit is not None
    assert apply_edits(source.text, [edit]) == '"a\\"-b"'


def test_a_slice_is_a_layer_that_copies() -> None:
    _, inner = stack('"abc\\"def"')
    part = inner.slice(2, 5)
    assert part.text == 'c"d' and part.locate_all() == ((3, 7),)


def test_the_builder_joins_neighbouring_copies_and_nothing_else() -> None:
    builder = Builder(Source("a", "abcd"))
    builder.add("a", Span(0, 1))
    builder.add("b", Span(1, 2))
    builder.add("d", Span(3, 4))
    assert [(s.start, s.end) for s in builder.build().segments] == [(0, 2), (2, 3)]
    assert builder.build().locate_all() == ((0, 2), (3, 4))


Opener = Callable[[Fragment | Source, str, int, int], Fragment]
LAYERS: dict[str, tuple[Opener, Codec]] = {
    "quoted": (open_quoted, QUOTED),
    "percented": (open_percented, PERCENT),
    "copied": (lambda parent, text, start, end: Fragment.slice(_whole(parent), start, end), VERBATIM),
}
NAMES = st.lists(st.sampled_from(sorted(LAYERS)), min_size=1, max_size=4)
TEXT = st.text('ab"\\% \u03b3\U0001f999', max_size=12)


def _whole(parent: Fragment | Source) -> Fragment:
    return parent if isinstance(parent, Fragment) else Fragment.of(parent)


def written(text: str, names: list[str]) -> str:
    """A text written through the layers, the innermost first."""
    for name in reversed(names):
        encoded = LAYERS[name][1].encode(text)
        assert encoded is not None
        text = encoded
    return text


def opened(source: Source, start: int, end: int, names: list[str]) -> Fragment:
    fragment = LAYERS[names[0]][0](Fragment.of(source), source.text, start, end)
    for name in names[1:]:
        fragment = LAYERS[name][0](fragment, fragment.text, 0, len(fragment.text))
    return fragment


@given(TEXT, NAMES, st.data())
def test_replace_then_open_again_gives_the_text(text: str, names: list[str], data: st.DataObject) -> None:
    body = written(text, names)
    source = Source("a", f"<<{body}>>")
    fragment = opened(source, 2, 2 + len(body), names)
    assert fragment.text == text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = data.draw(TEXT)
    edit = fragment.replace(start, end, new)
    if not text:
        return
    assert edit is not None
    changed = apply_edits(source.text, [edit])
    assert changed.startswith("<<") and changed.endswith(">>")
    again = opened(Source("a", changed), 2, len(changed) - 2, names)
    assert again.text == text[:start] + new + text[end:]


@given(TEXT, NAMES, st.data())
def test_located_spans_lie_inside_the_layer_and_follow_the_text(
    text: str, names: list[str], data: st.DataObject
) -> None:
    body = written(text, names)
    source = Source("a", f"<<{body}>>")
    fragment = opened(source, 2, 2 + len(body), names)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if start == end:
        return
    (span,) = fragment.locate(start, end)
    assert source.text[slice(*span)] == written(text[start:end], names)
