"""How text is written in the places of a Dockerfile; a line end cannot be written in any of them."""

from __future__ import annotations

import json
import re

from mtpconfig.text import Codec

_PLAIN = re.compile(r"[\w@%+=:,./-]*")


class _Bare:
    """A word outside of quotes: special text brings its own quotes."""

    def encode(self, text: str) -> str | None:
        if "\n" in text:
            return None
        if _PLAIN.fullmatch(text):
            return text
        return f"'{text}'" if "'" not in text else None


class _Single:
    """Inside `'...'`, which nothing escapes."""

    def encode(self, text: str) -> str | None:
        return None if "'" in text or "\n" in text else text


class _Double:
    """Inside `"..."`; what would need the escape character is refused, as a directive may change it."""

    def encode(self, text: str) -> str | None:
        return None if re.search(r'[\\"$`\n]', text) else text


class _OneLine:
    """A line of shell text; line ends and trailing escapes would end or continue the instruction."""

    def encode(self, text: str) -> str | None:
        return None if "\n" in text else text


class _JsonString:
    """Inside a JSON string."""

    def encode(self, text: str) -> str | None:
        return json.dumps(text, ensure_ascii=False)[1:-1]


BARE: Codec = _Bare()
SINGLE: Codec = _Single()
DOUBLE: Codec = _Double()
ONE_LINE: Codec = _OneLine()
JSON_STRING: Codec = _JsonString()
