"""Words of simple commands, faithful to the character.

The grammar library says where commands begin and how they nest. What a command's words are made of is read here,
because quoting is the very thing to be judged: blanks behind a backslash, quotes that vanish, braces that expand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mtpconfig.carriers.shell.codecs import ANSI_C, BARE, DOUBLE, SINGLE, ansi_c_escape
from mtpconfig.carriers.shell.pieces import (
    Assignment,
    Command,
    Literal,
    Parameter,
    Piece,
    RawArray,
    RawWord,
    Redirect,
    Substitution,
    Token,
)
from mtpconfig.text import Codec, Kind, Span

DECLARERS = frozenset(("export", "declare", "typeset", "local", "readonly"))

_BLANKS = re.compile(r"(?:[ \t]|\\\r?\n|\r(?=\n))+")
_PLAIN = re.compile(r"(?:[^ \t\r\n;&|()<>\\'\"$`]|\r(?!\n))+")
_PLAIN_IN_BRACES = re.compile(r"[^\\'\"$`}]+")
_PLAIN_IN_DOUBLE = re.compile(r"[^\\\"$`]+")
_PLAIN_IN_DOUBLE_BRACES = re.compile(r"[^\\\"$`}]+")
_PLAIN_IN_ANSI_C = re.compile(r"[^\\']+")
_QUOTED_QUOTE = re.compile(r"""'\\''|'"'"'""")
_CONTINUATION = re.compile(r"\\\r?\n")
_REDIRECT = re.compile(r"(?:[0-9]+|\{[A-Za-z_]\w*\})?(?:&>>|&>|<<<|<<-|<<|<&|>&|>>|>\||<>|<|>)", re.ASCII)
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[([^\]\s]*)\])?(\+?)=", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]", re.ASCII)
_BRACED = re.compile(r"([A-Za-z_]\w*|[0-9]+|[@*])(?:\[([^\]]*)\])?(:?[-=+?]|(?=\}))", re.ASCII)
_COMMENT = re.compile(r"#[^\r\n]*")
_ESCAPABLE_IN_DOUBLE = '$`"\\'
_DEEPEST = 30


class Lexer:
    """Reads commands and words out of a text.

    `ends` maps the start of each `$(...)`, `` `...` `` and `<(...)` to its end, as the grammar found them.
    `unterminated` tells whether the last command ran into the end inside of quotes.
    """

    def __init__(self, text: str, ends: Mapping[int, int]) -> None:
        self._text = text
        self._ends = ends
        self._depth = 0
        self.unterminated = False

    def command(self, start: int, limit: int) -> Command:
        """The simple command that starts at an offset: its tokens up to a newline, an operator or `limit`."""
        tokens: list[Token] = []
        declares: bool | None = None
        self.unterminated = False
        comment: Span | None = None
        position = end = start
        while (position := self._skip_blanks(position, limit)) < limit:
            character = self._text[position]
            if character == "#":
                match = _COMMENT.match(self._text, position, limit)
                comment = Span(position, match.end() if match else limit)
                break
            token: Token | None = self._redirect(position, limit)
            if token is None and declares is not False:
                token = self._assignment(position, limit)
            token = token or self.word(position, limit)
            if token is None:
                break
            tokens.append(token)
            position = end = token.span.end
            if isinstance(token, RawWord) and declares is None:
                declares = token.plain in DECLARERS
        return Command(tuple(tokens), Span(start, end), comment)

    def _skip_blanks(self, position: int, limit: int) -> int:
        match = _BLANKS.match(self._text, position, limit)
        return match.end() if match else position

    def _redirect(self, position: int, limit: int) -> Redirect | None:
        match = _REDIRECT.match(self._text, position, limit)
        if match is None or (match[0] in ("<", ">") and self._text.startswith("(", match.end())):
            return None
        target = self.word(self._skip_blanks(match.end(), limit), limit)
        return Redirect(
            match[0].lstrip("0123456789"), target, Span(position, target.span.end if target else match.end())
        )

    def _assignment(self, position: int, limit: int) -> Assignment | None:
        match = _ASSIGNMENT.match(self._text, position, limit)
        if match is None:
            return None
        value: RawWord | RawArray
        if self._text.startswith("(", match.end()):
            value = self._array(match.end(), limit)
        else:
            value = self.word(match.end(), limit) or RawWord((), Span(match.end(), match.end()))
        return Assignment(
            match[1], Span(*match.span(1)), match[2] or "", bool(match[3]), value, Span(position, value.span.end)
        )

    def _array(self, start: int, limit: int) -> RawArray:
        words: list[RawWord] = []
        comments: list[Span] = []
        position = start + 1
        while position < limit and self._text[position] != ")":
            if self._text[position] == "#" and (match := _COMMENT.match(self._text, position, limit)):
                comments.append(Span(*match.span()))
                position = match.end()
            elif word := self.word(position, limit):
                words.append(word)
                position = word.span.end
            else:
                position = max(self._skip_blanks(position, limit), position + 1)
        return RawArray(tuple(words), tuple(comments), Span(start, min(position + 1, limit)))

    def word(self, start: int, limit: int) -> RawWord | None:
        """The word at an offset, or None where an operator, a blank or the end is."""
        pieces: list[Piece] = []
        position = self._unquoted(start, limit, pieces, _PLAIN)
        return RawWord(tuple(pieces), Span(start, position)) if position > start else None

    def _unquoted(self, position: int, limit: int, pieces: list[Piece], plain: re.Pattern[str]) -> int:
        text = self._text
        while position < limit:
            character = text[position]
            if match := plain.match(text, position, limit):
                pieces.append(Literal(match[0], Span(*match.span()), Kind.COPY, BARE, False))
                position = match.end()
            elif character == "\\":
                position = self._backslash(position, limit, pieces)
            elif character == "'":
                position = self._single(position, limit, pieces)
            elif character == '"':
                position = self._double(position, limit, pieces)
            elif text.startswith("$'", position):
                position = self._ansi_c(position, limit, pieces)
            elif text.startswith('$"', position):
                position = self._double(position + 1, limit, pieces)
            elif character in "$`" or text.startswith(("<(", ">("), position):
                position = self._expansion(position, limit, pieces, BARE, quoted=False)
            else:
                break
        return position

    def _backslash(self, position: int, limit: int, pieces: list[Piece]) -> int:
        if match := _CONTINUATION.match(self._text, position, limit):
            return match.end()
        end = min(position + 2, limit)
        escaped = self._text[position + 1 : end] or "\\"
        pieces.append(Literal(escaped, Span(position, end), Kind.ESCAPE, BARE, True))
        return end

    def _single(self, start: int, limit: int, pieces: list[Piece]) -> int:
        """`'...'`, with `'\\''` in the middle of it read as an escaped single quote."""
        position = start + 1
        while True:
            close = self._text.find("'", position, limit)
            stop = close if close >= 0 else limit
            if stop > position or stop == start + 1:
                pieces.append(Literal(self._text[position:stop], Span(position, stop), Kind.COPY, SINGLE, True))
            inner = _QUOTED_QUOTE.match(self._text, stop, limit)
            if inner is None:
                return self._closed(stop, limit)
            pieces.append(Literal("'", Span(*inner.span()), Kind.ESCAPE, SINGLE, True))
            position = inner.end()

    def _ansi_c(self, start: int, limit: int, pieces: list[Piece]) -> int:
        position = start + 2
        if self._text.startswith("'", position):
            pieces.append(Literal("", Span(position, position), Kind.COPY, ANSI_C, True))
        while position < limit and self._text[position] != "'":
            if match := _PLAIN_IN_ANSI_C.match(self._text, position, limit):
                pieces.append(Literal(match[0], Span(*match.span()), Kind.COPY, ANSI_C, True))
                position = match.end()
            else:
                decoded, end = ansi_c_escape(self._text, position)
                pieces.append(Literal(decoded, Span(position, min(end, limit)), Kind.ESCAPE, ANSI_C, True))
                position = end
        return self._closed(position, limit)

    def _double(self, start: int, limit: int, pieces: list[Piece]) -> int:
        if self._text.startswith('"', start + 1):
            pieces.append(Literal("", Span(start + 1, start + 1), Kind.COPY, DOUBLE, True))
        position = self._in_double(start + 1, limit, pieces, _PLAIN_IN_DOUBLE)
        return self._closed(position, limit)

    def _closed(self, position: int, limit: int) -> int:
        """Behind the closing mark at a position, or the limit where it is missing."""
        self.unterminated |= position >= limit
        return min(position + 1, limit)

    def _in_double(self, position: int, limit: int, pieces: list[Piece], plain: re.Pattern[str]) -> int:
        text = self._text
        while position < limit:
            if match := plain.match(text, position, limit):
                pieces.append(Literal(match[0], Span(*match.span()), Kind.COPY, DOUBLE, True))
                position = match.end()
            elif text[position] == "\\":
                position = self._backslash_in_double(position, limit, pieces, plain)
            elif text[position] in "$`":
                position = self._expansion(position, limit, pieces, DOUBLE, quoted=True)
            else:
                break
        return position

    def _backslash_in_double(self, position: int, limit: int, pieces: list[Piece], plain: re.Pattern[str]) -> int:
        text = self._text
        if match := _CONTINUATION.match(text, position, limit):
            # The vanished line end joins the next character, so that an edit across it finds no gap.
            if match.end() < limit and plain.match(text, match.end()):
                span = Span(position, match.end() + 1)
                pieces.append(Literal(text[match.end()], span, Kind.ESCAPE, DOUBLE, True))
                return span.end
            return match.end()
        following = text[position + 1 : position + 2]
        if following and (following in _ESCAPABLE_IN_DOUBLE or (following == "}" and plain is _PLAIN_IN_DOUBLE_BRACES)):
            pieces.append(Literal(following, Span(position, position + 2), Kind.ESCAPE, DOUBLE, True))
            return position + 2
        pieces.append(Literal("\\", Span(position, position + 1), Kind.COPY, DOUBLE, True))
        return position + 1

    def _expansion(self, position: int, limit: int, pieces: list[Piece], codec: Codec, *, quoted: bool) -> int:
        text = self._text
        if text[position] in "`<>" or text.startswith("$(", position):
            end = min(self._ends.get(position) or self._closing(position, limit), limit)
            pieces.append(Substitution(Span(position, end), quoted))
            return end
        if text.startswith("${", position):
            return self._braced(position, limit, pieces, quoted=quoted)
        if match := _NAME.match(text, position + 1, limit):
            pieces.append(Parameter(match[0], "", "", (), Span(position, match.end()), quoted))
            return match.end()
        pieces.append(Literal("$", Span(position, position + 1), Kind.COPY, codec, quoted))
        return position + 1

    def _braced(self, start: int, limit: int, pieces: list[Piece], *, quoted: bool) -> int:
        self._depth += 1
        try:
            match = _BRACED.match(self._text, start + 2, limit)
            argument: list[Piece] = []
            position = match.end() if match else start + 2
            if self._depth > _DEEPEST:
                position = limit
            elif quoted:
                position = self._in_double_braces(position, limit, argument)
            else:
                position = self._unquoted(position, limit, argument, _PLAIN_IN_BRACES)
        finally:
            self._depth -= 1
        span = Span(start, min(position + 1, limit))
        if match is None:
            pieces.append(Parameter(self._text[start + 2 : position], "", "?!", (), span, quoted))
        else:
            operator = match[3] if match[3] or not argument else "?!"
            pieces.append(Parameter(match[1], match[2] or "", operator, tuple(argument), span, quoted))
        return span.end

    def _in_double_braces(self, position: int, limit: int, pieces: list[Piece]) -> int:
        """The argument of `${...}` inside double quotes, where `"..."` may open once more."""
        while True:
            position = self._in_double(position, limit, pieces, _PLAIN_IN_DOUBLE_BRACES)
            if position >= limit or self._text[position] != '"':
                return position
            position = self._double(position, limit, pieces)

    def _closing(self, start: int, limit: int) -> int:
        """The end of a substitution that the grammar did not find: the matching parenthesis, quotes left aside."""
        if self._text[start] == "`":
            return self._text.find("`", start + 1, limit) + 1 or limit
        depth = 0
        for match in re.compile(r"""\\.|'[^']*'|[()]""", re.DOTALL).finditer(self._text, start, limit):
            depth += {"(": 1, ")": -1}.get(match[0], 0)
            if depth == 0 and match[0] == ")":
                return match.end()
        return limit
