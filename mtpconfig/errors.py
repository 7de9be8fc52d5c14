"""Everything that mtpconfig raises on purpose.

    MtpconfigError
    ├── UsageError          the command line or the configuration asks for something that does not exist
    │   └── UnknownName     ... and a near name is offered
    ├── SpecError           a spec file or a spec value is malformed
    ├── KnowledgeError      a history or rule file (TOML) is malformed
    ├── UnreadableFile      a file cannot be read as text
    ├── CannotRender        an engine version has no way to say what was asked
    └── Unreachable         a server gives no complete answer
        ├── OutOfTime       ... within the time that was given
        └── NotAdmitted     ... to us: it asks for a key

The message of each is one sentence that a user can act on: what, where, what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class MtpconfigError(Exception):
    """Base of all expected errors; the command line prints the message and exits with 2."""


class UsageError(MtpconfigError):
    """A request that cannot be carried out as worded."""


class UnknownName(UsageError):
    """A name that is not among the known ones; offers the nearest."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        options = sorted(known)
        near = difflib.get_close_matches(name, options, n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(options)}" if options else "none is known"
        super().__init__(f"unknown {kind} {name!r} ({hint})")


class SpecError(MtpconfigError):
    """A spec that does not have the documented shape."""


class KnowledgeError(MtpconfigError):
    """A history or rule file that does not have the documented shape."""


class UnreadableFile(MtpconfigError):
    """A file that cannot be read as text; the message says why."""


class CannotRender(MtpconfigError):
    """The engine version cannot express the requested spec at all."""


class Unreachable(MtpconfigError):
    """A server that gives no complete answer; the message names it, without secrets, and says why."""


class OutOfTime(Unreachable):
    """No complete answer came within the time that was given."""


class NotAdmitted(Unreachable):
    """The server refuses to answer without a key, or with this one."""
