"""The option table that llama.cpp's common argument parser registers, read from ``common/arg.cpp``.

An option is one ``add_opt(common_arg({spellings}, ["hint",] "help", handler).set_...())`` call.  All
spellings of one call are equal to the parser.  It belongs to a program when the program's example (or
COMMON) is in ``set_examples`` and not in ``set_excludes``.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from .. import cpp
from ..pypi import HarvestError

EVERY_PROGRAM = "*"
REMOVED_PREFIX = "the argument has been removed. "

_CALL = re.compile(r"\badd_opt\s*\(|\b(?:args|opts|options)\.(?:push_back|emplace_back)\s*\((?=\s*common_arg\s*\()")
_LAMBDA = re.compile(r"\[[^\]]*\]\s*\((?P<params>.*?)\)\s*(?:->\s*[\w:]+\s*)?\{", re.DOTALL)
_TARGET = re.compile(
    r"params\.([A-Za-z_][\w.]*?)(?:\s*=(?!=)|\.(?:push_back|emplace_back|insert|clear|resize|assign)\s*\()"
)
_PASSED = re.compile(r"\b\w+\([^;]*?[,(]\s*params\.([A-Za-z_][\w.]*)\s*\)")
_GONE = re.compile(r"(?:[\w:]*arg_removed\s*\(|throw\b)")


@dataclass(frozen=True)
class OptionDef:
    """One registered option at one build.

    Attributes:
        flags: spellings in the source's order.
        no_flags: spellings that set a boolean to false.
        env: environment variable, if any.
        type: ``flag`` and ``bool`` take no word, ``string2`` takes two, the others one.
        programs: parser examples in lower case, ``*`` for every program.
        excepted: examples that ``programs`` does not cover after all.
        speculative: it configures speculative decoding.
        preset_only: not a flag, but a key of preset files.
        removed: what the handler says when it does nothing but throw.
        targets: members of ``common_params`` that the handler writes.
        appends: the handler adds to what was there instead of replacing it.

    """

    flags: tuple[str, ...]
    no_flags: tuple[str, ...]
    env: str | None
    type: str
    programs: tuple[str, ...]
    excepted: tuple[str, ...]
    speculative: bool
    preset_only: bool
    removed: str | None
    targets: tuple[str, ...]
    appends: bool

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-ready mapping."""
        return asdict(self)

    @staticmethod
    def from_json(row: dict[str, Any]) -> OptionDef:
        """Undo ``to_json``."""
        fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
        return OptionDef(**fields)


def parse(source: str) -> list[OptionDef]:
    """Return the options of one ``arg.cpp``.

    Raises:
        HarvestError: a registration was not understood, so absence would prove nothing.

    """
    text = cpp.clean(source)
    found: list[OptionDef] = []
    for call in _CALL.finditer(text):
        inner = text[call.end() : cpp.close(text, call.end() - 1)].strip()
        maker = re.match(r"(?:common_arg|llama_arg)\s*\(", inner)
        if not maker:
            raise HarvestError(f"option registration not understood: {inner[:80]!r}")
        end = cpp.close(inner, maker.end() - 1)
        found.append(_option(cpp.split(inner[maker.end() : end]), inner[end + 1 :], text))
    if not found:
        raise HarvestError("no option registrations found")
    return found


def _option(arguments: list[str], chain: str, text: str) -> OptionDef:
    flags = tuple(cpp.strings(arguments[0])) if arguments and arguments[0].startswith("{") else ()
    if not flags:
        raise HarvestError(f"option without spellings: {arguments[:1]!r}")
    negated = len(arguments) > 1 and arguments[1].startswith("{")
    handler = arguments[-1]
    kind, body = _handler(handler, flags[0])
    gone = _GONE.match(body)
    targets = sorted({*_TARGET.findall(body), *_PASSED.findall(body)})
    env = _chained(chain, "set_env")
    examples = _examples(chain, "set_examples", text)
    return OptionDef(
        flags=flags,
        no_flags=tuple(cpp.strings(arguments[1])) if negated else (),
        env=next(iter(cpp.strings(env)), None) if env is not None else None,
        type=kind,
        programs=tuple(EVERY_PROGRAM if e == "common" else e for e in examples) if examples else (EVERY_PROGRAM,),
        excepted=tuple(_examples(chain, "set_excludes", text)),
        speculative=_speculative(flags, targets, chain),
        preset_only=".set_preset_only" in chain,
        removed=_removal(body) if gone else None,
        targets=tuple(targets),
        appends=bool(re.search(r"\.(?:insert|push_back)\s*\(", body)),
    )


def _handler(handler: str, flag: str) -> tuple[str, str]:
    head = _LAMBDA.search(handler)
    if head:
        params = cpp.split(cpp.clean(head["params"]))
        body = " ".join(handler[head.end() : handler.rindex("}")].split())
        second = params[1] if len(params) > 1 else ""
        if len(params) == 1:
            return "flag", body
        if len(params) == 3:
            return "string2", body
        if re.search(r"\bbool\b", second):
            return "bool", body
        if re.search(r"\bint\b", second):
            return "int", body
        if re.search(r"string_split<[\w:]+>\(value, ','\)", body):
            return "list", body
        return ("float" if re.search(r"std::sto[fd]\s*\(\s*(?:value|text)\b", body) else "string"), body
    raise HarvestError(f"handler of {flag} not understood: {handler[:80]!r}")


def _chained(chain: str, method: str) -> str | None:
    call = re.search(rf"\.{method}\s*\(", chain)
    return chain[call.end() : cpp.close(chain, call.end() - 1)] if call else None


def _examples(chain: str, method: str, text: str) -> list[str]:
    argument = _chained(chain, method)
    if argument is None:
        return []
    names = re.findall(r"LLAMA_EXAMPLE_(\w+)", argument)
    if not names:  # a named list, e.g. mmproj_examples
        named = re.search(rf"\b{re.escape(argument.strip())}\s*=\s*\{{([^}}]*)\}}", text)
        names = re.findall(r"LLAMA_EXAMPLE_(\w+)", named[1]) if named else []
        if not names:
            raise HarvestError(f"example list not understood: {argument!r}")
    return sorted(name.lower() for name in names)


_SPECULATIVE_FLAG = re.compile(
    r"--(?:no-)?(?:spec-|draft|lookup-cache)|.*-draft\Z|.*-draft-|--(?:mtp|dflash|eagle3|nextn)\Z"
)


def _speculative(flags: tuple[str, ...], targets: list[str], chain: str) -> bool:
    return (
        ".set_spec()" in chain
        or any(_SPECULATIVE_FLAG.match(flag) for flag in flags)
        or any(re.match(r"speculative\b|lookup_cache", target) for target in targets)
    )


def _removal(body: str) -> str:
    said = " ".join(cpp.strings(body))
    return REMOVED_PREFIX + said if "arg_removed" in body else said
