from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtpconfig.text import Edit, Span, apply_edits


def edit(start: int, end: int, text: str) -> Edit:
    return Edit(Span(start, end), text)


@pytest.mark.parametrize(
    ("edits", "result"),
    [
        ([], "abcdef"),
        ([edit(0, 0, "X")], "Xabcdef"),
        ([edit(6, 6, "X")], "abcdefX"),
        ([edit(1, 3, "")], "adef"),
        ([edit(1, 3, "longer")], "alongerdef"),
        ([edit(3, 6, "Z"), edit(0, 1, "Y")], "YbcZ"),
        ([edit(1, 2, "B"), edit(2, 3, "C")], "aBCdef"),
        ([edit(1, 2, "B"), edit(1, 2, "B")], "aBcdef"),
        ([edit(1, 1, "<"), edit(1, 2, "B")], "a<Bcdef"),
        ([edit(1, 2, "B"), edit(2, 2, ">")], "aB>cdef"),
    ],
)
def test_edits_apply_in_any_order(edits: list[Edit], result: str) -> None:
    assert apply_edits("abcdef", edits) == result
    assert apply_edits("abcdef", reversed(edits)) == result


@pytest.mark.parametrize("edits", [[edit(0, 3, "x"), edit(2, 4, "y")], [edit(1, 2, "x"), edit(1, 2, "y")]])
def test_overlapping_edits_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcdef", edits)


@given(st.lists(st.tuples(st.text(max_size=4), st.one_of(st.none(), st.text(max_size=4))), max_size=8))
def test_edited_and_kept_pieces_stand_in_order(pieces: list[tuple[str, str | None]]) -> None:
    edits, place = [], 0
    for old, new in pieces:
        if new is not None and old:
            edits.append(edit(place, place + len(old), new))
        place += len(old)
    before = "".join(old for old, _ in pieces)
    assert apply_edits(before, edits) == "".join(new if new is not None and old else old for old, new in pieces)
