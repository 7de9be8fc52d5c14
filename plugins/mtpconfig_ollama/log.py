"""What Ollama's log tells of drafts. Both runners write one line for each request that drafted.

GGUF: llama.cpp's server is started with `--log-verbosity 4`, and what it prints is copied. For each request it prints
how long its tokens took, and, if anything was drafted, how much of it was accepted (tools/server/server-context.cpp,
print_timings). How it was started stands in a line of Ollama's own (llm/llama_server.go).

MLX: `MTP decode stats` (0.23.1 to 0.30.10) or `speculative decode stats` (from 0.32.6 on; only at the debug level since
0.30.11), of Ollama's own, also where nothing was drafted. Rounds without a draft are counted among its iterations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from mtpconfig.evidence import Counters, Counts

SOURCE = "the log"

_MOST_DIGITS = 9
_NUMBER = rf"(\d{{1,{_MOST_DIGITS}}})"
_LINE = re.compile(
    rf"(?P<timed>(?<!prompt )\beval time = *[\d.]+ ms / *(?P<tokens>{_NUMBER}) tokens)"
    rf"|draft acceptance(?: rate)? = *[\d.]+ \( *(?P<accepted>{_NUMBER}) accepted / *(?P<drafted>{_NUMBER}) generated\)"
    r"(?:, mean (?:acceptance )?len(?:gth)? = *(?P<length>\d{1,4}\.\d{2})\b)?"
    r'|msg="?(?P<mlx>speculative decode stats|MTP decode stats)"?(?P<rest>[^\r\n]*)'
    r"|starting llama-server(?P<start>[^\r\n]*)"
)
_PAIR = re.compile(rf"\b(drafted|accepted|generated|max_draft)={_NUMBER}(?!\d)")
_MODEL = re.compile(r"--model (\S+)")
_TYPE = re.compile(r"--spec-type (\S+?)[\"\s]")
_DEPTH = re.compile(rf"--spec-draft-n-max {_NUMBER}(?!\d)")


class _Start(Struct, frozen=True):
    """How a server of llama.cpp's was started."""

    model: str
    drafts: bool
    depth: int | None


def read(text: str) -> Counters:
    """Sum up the requests of a stretch of a log.

    Requests that drafted have a line that says so, and those that did not have none: what is not told was not drafted.
    Whether the log tells of the requests at all is seen from their number.
    """
    requests = tokens = 0
    untold = False
    counts = Counts(0, 0, 0)
    starts: dict[str, _Start] = {}
    depths: list[int] = []
    for match in _LINE.finditer(text):
        if match["timed"]:
            requests, tokens = requests + 1, tokens + int(match["tokens"])
        elif match["mlx"]:
            told = {name: int(number) for name, number in _PAIR.findall(match["rest"])}
            requests, counts = requests + 1, counts + Counts(told.get("drafted", 0), told.get("accepted", 0))
            depths.append(told.get("max_draft", 0))
            untold = untold or "generated" not in told
            tokens += told.get("generated", 0)
        elif match["drafted"]:
            counts += _told(int(match["drafted"]), int(match["accepted"]), match["length"])
        else:
            start = _start(match["start"])
            starts[start.model] = start
    loaded, gamma = _set_up(starts.values())
    return Counters(
        counts,
        source=SOURCE,
        loaded=loaded,
        gamma=gamma or max(depths, default=0) or None,
        requests=requests,
        tokens=None if untold else tokens,
    )


def _told(drafted: int, accepted: int, length: str | None) -> Counts:
    """One request; the steps are what the mean length, which is rounded, says if it fits one number alone."""
    if length is None or float(length) <= 1.01:
        return Counts(drafted, accepted)
    more = float(length) - 1
    least, most = accepted / (more + 0.005), accepted / (more - 0.005)
    steps = round(accepted / more)
    alone = least <= steps <= most and steps - 1 < least and most < steps + 1
    return Counts(drafted, accepted, steps if alone and steps else None)


def _start(line: str) -> _Start:
    model, kind, depth = _MODEL.search(line), _TYPE.search(line + " "), _DEPTH.search(line)
    drafts = kind is not None and kind[1] != "none"
    return _Start(model[1] if model is not None else "", drafts, int(depth[1]) if depth is not None else None)


def _set_up(starts: Iterable[_Start]) -> tuple[bool | None, int | None]:
    """Whether the servers were started to draft, and how deep, where all that were started agree."""
    found = {(start.drafts, start.depth) for start in starts}
    if len(found) != 1:
        return None, None
    ((drafts, depth),) = found
    return drafts, depth if drafts else None
