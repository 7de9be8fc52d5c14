"""From the words of a command to the program that it starts in the end, through all that stands in front."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.carriers.shell.options import take_option, take_options
from mtpconfig.carriers.shell.prefixes import (
    APPTAINER_VALUED,
    CONTAINER_ENGINES,
    CONTAINER_GLOBALS,
    PREFIXES,
    RUN_FLAGS,
    RUN_VERBS,
    SHELL_VALUED,
    SHELLS,
    Prefix,
)
from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.text import Kind

_NAME_VALUE = re.compile(r"[A-Za-z_]\w*=", re.ASCII)
_OPTIONS_NAME = re.compile(r"OPT|ARG|FLAG|EXTRA|PARAM|ENV|VOL|MOUNT|GPU|DEVICE|PORT|NET", re.IGNORECASE)
_IMAGE_NAME = re.compile(r"[a-z0-9][\w.-]*(?::\d+)?(?:/[\w.-]+)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]+)?")
_KEYS = re.compile(r"(?:Enter|C-[a-z]|KPEnter)\Z")
_PACKAGE = re.compile(r"[A-Za-z0-9][\w.-]*(?:\[[\w,.-]*\])?(?:@|==)(?:v?\d[\w.+!-]*|latest)")
_MOST_PREFIXES = 24


class Start(Struct):
    """The program that a command starts.

    items       its words, the program first; the words behind the image when a container runs
    script      these words, joined by blanks, are shell text and start further programs; then `items` is empty
    given       `NAME=value` items that its environment is given on the way
    outside     this script's environment does not reach it
    unset       variables that are taken out of its environment on the way
    stdin_shell it reads shell text from its standard input
    first       the item that the launch begins at: the program, or `docker`
    """

    items: list[Item]
    script: list[Item] = field(default_factory=list)
    given: list[Item] = field(default_factory=list)
    passed: list[Item] = field(default_factory=list)
    image: Item | None = None
    entrypoint: Item | None = None
    outside: bool = False
    unset: set[str] = field(default_factory=set)
    stdin_shell: bool = False
    first: Item | None = None


def base_name(item: Item | None) -> str:
    """The name of a program without its folder."""
    return item.text.rsplit("/", 1)[-1] if item is not None else ""


def unwrap(items: list[Item]) -> Start:
    """Strip what stands in front of the program, as far as it is understood."""
    start = Start(list(items))
    for _ in range(_MOST_PREFIXES):
        if not start.items or not _step(start):
            break
    if start.first is None and start.items:
        start.first = start.items[0]
    return start


def _step(start: Start) -> bool:
    """Strip one prefix; False when the program is reached."""
    name = base_name(start.items[0])
    if name in SHELLS:
        return _shell(start)
    if name in CONTAINER_ENGINES and _container(start):
        return bool(start.items)
    if name in ("apptainer", "singularity"):
        return _apptainer(start)
    if name in ("kubectl", "oc") and _pod(start):
        return bool(start.items)
    prefix = PREFIXES.get("docker" if name in CONTAINER_ENGINES else name)
    if prefix is None or (name in CONTAINER_ENGINES and not _container_verb(start, "exec")):
        return False
    return _prefix(start, prefix, name)


def _prefix(start: Start, prefix: Prefix, name: str) -> bool:
    items, at = start.items, 1
    if prefix.subcommands:
        while at < len(items) and (taken := take_option(items, at, prefix.valued)):
            at += taken.words
        if at < len(items) and items[at].text in prefix.groups:
            at += 1
        if at >= len(items) or items[at].text not in prefix.subcommands:
            return False
        at += 1
    if name == "command" and at < len(items) and items[at].text in ("-v", "-V"):
        return False
    valued = prefix.valued | prefix.scripts | prefix.environment
    if prefix.until and not prefix.scripts:
        at = next((i + 1 for i in range(at, len(items)) if items[i].text == prefix.until), len(items))
    operands = prefix.operands
    cleared = kept = False
    while at < len(items):
        text = items[at].text
        if text == "--" and not (prefix.until and not prefix.scripts):
            at += 1
            if operands <= 0:
                break
            continue
        if text in prefix.modules:
            start.items = [_python(items[0]), *items[at:]]
            return True
        taken = take_option(items, at, valued) if items[at].text != prefix.until else None
        if taken is not None:
            if taken.name in prefix.scripts and taken.value is not None:
                start.items, start.script = [], [taken.value]
                start.outside |= (prefix.outside and not kept) or cleared
                return False
            if taken.name in prefix.environment and taken.value is not None:
                start.given.append(taken.value)
            if taken.name in prefix.unsets and taken.value is not None:
                start.unset.add(taken.value.text)
            cleared |= taken.name in prefix.clears
            kept |= taken.name in prefix.keeps
            at += taken.words
        elif text == "-" and "-" in prefix.clears:
            cleared = True
            at += 1
        elif prefix.assigns and _NAME_VALUE.match(text):
            start.given.append(items[at])
            at += 1
        elif prefix.skips_unknown and items[at].many and _more_follows(items, at, prefix):
            at += 1
        elif operands > 0 or (prefix.scripts and prefix.until):
            operands -= 1
            at += 1
        else:
            break
    if at >= len(items):
        # `ssh host` and `su` may read their commands from the standard input; others start nothing.
        start.stdin_shell = prefix.remote and prefix.outside
        return False
    start.outside |= (prefix.outside and not kept) or cleared
    rest = items[at:]
    if prefix.remote and (name != "tmux" or len(rest) == 1 or "send" in "".join(i.text for i in items[1:3])):
        start.items, start.script = [], [item for item in rest if not _KEYS.match(item.text)]
        return False
    package = packaged(rest[0]) if prefix.packages else None
    start.items = [package[0], *rest[1:]] if package is not None else rest
    return True


def packaged(item: Item) -> tuple[Item, Item] | None:
    """A program that is written as a package with its version, `NAME@VERSION`: the name and the version."""
    if not _PACKAGE.fullmatch(item.text):
        return None
    return item.after("==") or item.after("@")


def _python(launcher: Item) -> Item:
    """What starts a module for a launcher: the interpreter, which is written nowhere."""
    return replace(launcher, runs=(Run("python", launcher.site, Kind.SUBSTITUTED, launcher.runs[0].codec),))


def _more_follows(items: Sequence[Item], at: int, prefix: Prefix) -> bool:
    """Whether a program or another of the prefix's options stands behind an unknown word."""
    following = items[at + 1].text if at + 1 < len(items) else "-"
    return not following.startswith("-") or following.split("=")[0] in prefix.valued


def _shell(start: Start) -> bool:
    """`bash -c 'text' [name words]`: the text is read on; any other start of a shell is a program."""
    at, command = 1, False
    while at < len(start.items):
        text = start.items[at].text
        if text in SHELL_VALUED:
            at += 2
        elif text.startswith("--") and len(text) > 2:
            at += 1
        elif text[:1] in "-+" and len(text) > 1:
            command = command or (text.startswith("-") and "c" in text)
            at += 2 if text.endswith("o") else 1
        else:
            break
    if command and at < len(start.items):
        start.items, start.script = [], [start.items[at]]
    elif at >= len(start.items) or any(item.text == "-s" for item in start.items[1:]):
        start.stdin_shell = True
    return False


def _container_verb(start: Start, *verbs: str) -> bool:
    """Drop `[options] [container|compose] VERB` behind `docker`, if it is one of these verbs."""
    at = 1
    for _, taken in take_options(start.items, at, CONTAINER_GLOBALS):
        at += taken.words
    while at < len(start.items) and start.items[at].text in ("container", "compose"):
        at += 1
        for _, taken in take_options(start.items, at, CONTAINER_GLOBALS):
            at += taken.words
    if at < len(start.items) and start.items[at].text in verbs:
        start.items = [start.items[0], *start.items[at + 1 :]]
        return True
    return False


def _container(start: Start) -> bool:
    """`docker run [options] IMAGE words`."""
    command, composed = start.items[0], any(item.text == "compose" for item in start.items[1:4])
    if not _container_verb(start, *RUN_VERBS):
        return False
    if composed or base_name(command) == "docker-compose":
        start.items = []
        return True
    items, at = start.items, 1
    while at < len(items):
        if items[at].text == "--" or (items[at].many and _is_options(items, at)):
            at += 1
        elif (taken := _run_option(items, at)) is not None:
            at += taken[2]
            _note_run_option(start, taken[0], taken[1])
        else:
            break
    if at >= len(items):
        start.items = []
        return True
    start.image, start.first, start.outside = items[at], command, True
    start.items = items[at + 1 :]
    if base_name(start.entrypoint) in SHELLS and start.entrypoint is not None:
        start.items = [start.entrypoint, *start.items]
    elif start.entrypoint is not None or (start.items and start.items[0].text.startswith("-")):
        _finish(start)
    return True


def _finish(start: Start) -> None:
    """Arguments of an entrypoint are not searched for prefixes."""
    start.items, start.passed = [], start.items


def _run_option(items: Sequence[Item], at: int) -> tuple[str, Item | None, int] | None:
    """An option of `docker run`: every option takes a value, except those known to be switches."""
    text = items[at].text
    if not text.startswith("-") or text == "-":
        return None
    if text.startswith("--"):
        if text.split("=")[0] in RUN_FLAGS:
            return text, None, 1
        taken = take_option(items, at, (text,))
        return taken and (taken.name, taken.value, taken.words)
    letters = {f"-{letter}" for letter in text[1:] if f"-{letter}" not in RUN_FLAGS}
    taken = take_option(items, at, letters)
    return taken and (taken.name, taken.value, taken.words)


def _note_run_option(start: Start, name: str, value: Item | None) -> None:
    if value is None:
        return
    if name in ("-e", "--env"):
        start.given.append(value)
    elif name == "--entrypoint":
        start.entrypoint = value


def _is_options(items: Sequence[Item], at: int) -> bool:
    """Whether an unquoted variable stands for options rather than for the image."""
    if at + 1 >= len(items):
        return False
    following = items[at + 1].text
    named = bool(_OPTIONS_NAME.search(items[at].text))
    return named or bool(_IMAGE_NAME.fullmatch(following) and ("/" in following or ":" in following))


def _apptainer(start: Start) -> bool:
    items, at = start.items, 1
    for _, taken in take_options(items, at, ("-l",)):
        at += taken.words
    if at >= len(items) or items[at].text not in ("exec", "run"):
        return False
    at += 1
    for _, taken in take_options(items, at, APPTAINER_VALUED | {"--env"}):
        if taken.name == "--env" and taken.value is not None:
            start.given.append(taken.value)
        at += taken.words
    if at + 1 >= len(items):
        return False
    start.image, start.items = items[at], items[at + 1 :]
    return True


def _pod(start: Start) -> bool:
    """`kubectl run NAME --image=IMAGE [--command] -- words`."""
    items = start.items
    texts = [item.text for item in items]
    if "run" not in texts[:4] or "--" not in texts:
        return False
    behind = texts.index("--")
    at = 1
    while at < behind:
        taken = take_option(items, at, ("--image", "--env", "-n", "--namespace", "--overrides"))
        if taken is not None and taken.name == "--image":
            start.image = taken.value
        if taken is not None and taken.name == "--env" and taken.value is not None:
            start.given.append(taken.value)
        at += taken.words if taken else 1
    start.first, start.outside = items[0], True
    start.items = items[behind + 1 :]
    if "--command" not in texts[:behind]:
        _finish(start)
    return True


def environment(start: Start) -> list[tuple[Item, Item | None, Item]]:
    """The assignments given on the way: name, value (None where the value here is passed on), and the whole item."""
    pairs: list[tuple[Item, Item | None, Item]] = []
    for item in start.given:
        cut = item.after("=")
        pairs.append((cut[0], cut[1], item) if cut else (replace(item), None, item))
    return pairs
