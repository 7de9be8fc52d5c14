"""Reading C++ text without a compiler: literals, brackets, argument lists, struct defaults.

Every function takes text from which ``clean`` removed comments and dead code.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r'R"(?P<mark>[^()\\ ]{0,16})\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\])*"'
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'"
    r"|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)")
_STRUCTURE = re.compile(_TOKEN.pattern + r"|[](){}\[,]", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_CLOSING = {"(": ")", "{": "}", "[": "]"}


def clean(text: str) -> str:
    """Return ``text`` without comments and without the lines that ``#if 0`` switches off."""
    return _drop_dead(_TOKEN.sub(lambda m: "\n" * m[0].count("\n") if m[0][0] == "/" else m[0], text))


def _drop_dead(text: str) -> str:
    kept: list[str] = []
    live: list[bool] = []  # one entry per open conditional
    for line in text.split("\n"):
        directive = _DIRECTIVE.match(line)
        if directive:
            word, rest = directive[1], directive[2].strip()
            if word in ("if", "ifdef", "ifndef"):
                live.append(not (word == "if" and rest == "0"))
            elif word == "endif" and live:
                live.pop()
            elif live:  # another branch of the same conditional may be compiled
                live[-1] = True
            kept.append("")
        else:
            kept.append(line if all(live) else "")
    return "\n".join(kept)


def close(text: str, start: int) -> int:
    """Return the index of the bracket that closes the one at ``start``.

    Raises:
        ValueError: the brackets do not match.

    """
    expected: list[str] = []
    for token in _STRUCTURE.finditer(text, start):
        char = token[0]
        if char in _CLOSING:
            expected.append(_CLOSING[char])
        elif char in ")}]":
            if not expected or expected.pop() != char:
                break
            if not expected:
                return token.start()
    raise ValueError(f"unbalanced bracket at offset {start}")


def split(text: str) -> list[str]:
    """Split an argument list at its top-level commas."""
    parts: list[str] = []
    depth = start = 0
    for token in _STRUCTURE.finditer(text):
        char = token[0]
        if char in _CLOSING:
            depth += 1
        elif char in ")}]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start : token.start()].strip())
            start = token.end()
    last = text[start:].strip()
    return [*parts, last] if last else parts


def strings(text: str) -> list[str]:
    """Return the values of the string literals in ``text``."""
    found: list[str] = []
    for token in _TOKEN.finditer(text):
        if token[0][0] == '"':
            found.append(re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), token[0][1:-1], flags=re.DOTALL))
        elif token[0][0] == "R":
            mark = token["mark"]
            found.append(token[0][3 + len(mark) : -2 - len(mark)])
    return found


def function_body(text: str, head: str) -> str | None:
    """Return the body of the first definition whose head matches the pattern ``head``, or None."""
    for match in re.finditer(head, text):
        brace = text.find("{", match.end())
        semicolon = text.find(";", match.end())
        if brace >= 0 and not 0 <= semicolon < brace:
            return text[brace + 1 : close(text, brace)]
    return None


_MEMBER = re.compile(
    r"(?:struct\s+|enum\s+)?(?P<type>[\w:]+(?:<.*>)?)\s*[*&]?\s+[*&]?(?P<name>\w+)\s*(?:=\s*(?P<value>.+))?\Z",
    re.DOTALL,
)


def struct_members(text: str, struct: str) -> dict[str, tuple[str, str | None]]:
    """Return the data members of a struct: ``name -> (type, default or None)``; {} if there is no such struct."""
    head = re.search(rf"\bstruct\s+{re.escape(struct)}\s*\{{", text)
    if not head:
        return {}
    body = text[head.end() : close(text, head.end() - 1)]
    members: dict[str, tuple[str, str | None]] = {}
    for statement in _statements(body):
        member = _MEMBER.match(statement)
        if member:
            default = member["value"]
            members[member["name"]] = (member["type"], default.strip() if default else None)
    return members


def _statements(body: str) -> list[str]:
    """Top-level statements of a struct body; member functions are left out."""
    found: list[str] = []
    index = start = 0
    while index < len(body):
        char = body[index]
        if char == ";":
            found.append(" ".join(body[start:index].split()))
            start = index = index + 1
        elif char == "{":
            end = close(body, index)
            function = "(" in body[start:index]
            index = end + 1
            if function:
                start = index
        else:
            index += 1
    return found
