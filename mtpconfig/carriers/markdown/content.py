"""What a text without a file name is, told by its content."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mtpconfig.carriers.sentences import is_sentence, is_synopsis

_MOST_LINES = 60

_UNIT = re.compile(r"\[(?:Unit|Service|Install|Container|Socket|Timer)\]\s*$")
_SECTION = re.compile(r"\[[^\s\[\]\"'$|<>-][^\[\]\"'$|<>]*\]\s*$")
_SETTING = re.compile(r"[\w.-]+\s*=\s*\S?")
_FROM = re.compile(r"(?:FROM|ARG)\s+\S+(?:\s+[Aa][Ss]\s+\S+)?\s*$")
_DOCKER = re.compile(r"(?:RUN|CMD|ENTRYPOINT|ENV|COPY|ADD|WORKDIR|EXPOSE|USER|VOLUME)\s+\S")
_MODEL = re.compile(r"(?:PARAMETER|TEMPLATE|SYSTEM|ADAPTER|DRAFT|MESSAGE|LICENSE|REQUIRES)\s+\S")
_MANIFEST = re.compile(r"(?:apiVersion|services|kind|x-[\w-]+):(?:\s|$)")
_BATCH = re.compile(r"@echo off\b|set \"?\w+=|rem\s|::|start \"[^\"]*\" ", re.IGNORECASE)
_POWERSHELL = re.compile(
    r"\$\w+\s*=\s|\$env:\w|&\s*[\"'$.]|(?:Start-Process|Set-Location|Invoke-\w+)\b|\.\\\w", re.IGNORECASE
)
_PYTHON = re.compile(r"(?:import|from) [\w.]+(?: import .+)?$|def \w+\(|class \w+|@\w+|\w+ = \w+\(")
_KEY = re.compile(r"(?:- )*[\"']?[\w./*-]+[\"']?:(?:\s|$)|- \S")
_JSON = re.compile(r"[{\[]\s*(?:$|[\"{\[])")
_VARIABLE = re.compile(r"(?:export\s+)?[A-Z][A-Z0-9_]*=\S*\s*(?:#.*)?$")
_COMMAND = re.compile(
    r"(?:[A-Za-z_]\w*=\S*\s+)*(?:[\w~./+-]*\w|\"?\$\{?\w+\}?[\w./-]*\"?)(?:\.exe)?(?P<rest>\s.*|)$", re.ASCII
)
_OPTION = re.compile(r"\s--?[A-Za-z]")
_SHEBANG = re.compile(r"#!.*?\b(?P<program>(?:ba|z|da|k|a)?sh|python[\d.]*)\b")


def first_line(text: str) -> str:
    """The first line that holds more than a comment, without its indentation; empty if there is none."""
    return next(_lines(text), "")


def evident(text: str) -> str:
    """The name of a file of the kind that a text is, whatever its label says; empty where nothing proves it."""
    if shebang := _SHEBANG.match(text):
        return "fence.py" if shebang["program"].startswith("python") else "fence.sh"
    lines = list(_lines(text))
    if not lines:
        return ""
    first = lines[0]
    if any(_UNIT.match(line) for line in lines[:1]):
        return "fence.service"
    if _SECTION.match(first) and (len(lines) == 1 or _SETTING.match(lines[1]) or _SECTION.match(lines[1])):
        return "fence.ini"
    if _FROM.match(first):
        if any(_MODEL.match(line) for line in lines):
            return "Modelfile"
        if any(_DOCKER.match(line) for line in lines):
            return "Dockerfile"
    if _MANIFEST.match(first):
        return "fence.yaml"
    if any(line.endswith(" ^") for line in lines) or first.lower().startswith("@echo off"):
        return "fence.bat"
    return "fence.ps1" if any(line.endswith(" `") for line in lines) else ""


def likely(text: str) -> str:
    """The name of a file of the kind that an unlabelled text seems to be; empty if it may as well be prose."""
    lines = list(_lines(text))
    if not lines:
        return ""
    first = lines[0]
    if first.startswith(("```", "~~~")):
        return "fence.md"
    if _POWERSHELL.match(first):
        return "fence.ps1"
    if _BATCH.match(first):
        return "fence.bat"
    if _PYTHON.match(first):
        return "fence.py"
    if all(_VARIABLE.match(line) and not line.startswith("export") for line in lines):
        return ".env"
    if _JSON.match(first):
        return "fence.json"
    if _KEY.match(first) and not _OPTION.search(first):
        return "fence.yaml"
    return "fence.sh" if any(map(_is_command, lines)) else ""


def _lines(text: str) -> Iterator[str]:
    """The first lines that hold more than a comment, without their indentation."""
    found = 0
    for match in re.finditer(r"[^\n]+", text):
        line = match[0].strip()
        if line and not line.startswith(("#", ";", "//")):
            yield line
            found += 1
        if found >= _MOST_LINES:
            return


def _is_command(line: str) -> bool:
    """Whether a line seems to be a command with options, and neither a sentence nor a synopsis."""
    match = _COMMAND.match(line[:2000])
    if match is None or is_synopsis(line):
        return False
    if line.endswith("\\"):
        return True
    return bool(_OPTION.search(match["rest"])) and not is_sentence(line)
