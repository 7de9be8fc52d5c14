"""What a launch leaves to variables: kept where a shell can fill it in, and told elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mtpconfig.launch import Opaque, Word

_VARIABLE = re.compile(r"\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\}")
_SPECIAL = re.compile(r'([\\"$`])')


def live_words(argv: Sequence[str], words: Sequence[Word]) -> Mapping[str, str]:
    """The words of `argv` that stand in a launch and hold plain variables alone, in double quotes.

    Nothing but `$NAME` and `${NAME}` is left to the shell: what else is written there is text.
    """
    found: dict[str, str] = {}
    for word in words:
        if not isinstance(word.value, Opaque) or word.text not in argv or not word.holes:
            continue
        if all(_VARIABLE.fullmatch(word.text[start:end]) for start, end in word.holes):
            pieces, place = [], 0
            for start, end in word.holes:
                pieces += [_SPECIAL.sub(r"\\\1", word.text[place:start]), word.text[start:end]]
                place = end
            found[word.text] = '"' + "".join(pieces) + _SPECIAL.sub(r"\\\1", word.text[place:]) + '"'
    return found


def unknown_words(argv: Sequence[str], words: Sequence[Word], live: Mapping[str, str]) -> list[str]:
    """The texts of a launch that are not known, and stand in `argv` as they are written."""
    opaque = dict.fromkeys(word.text for word in words if isinstance(word.value, Opaque) and word.text)
    return [text for text in opaque if text not in live and any(text in word for word in argv)]
