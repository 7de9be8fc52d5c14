"""What is not translated, and how a setting is shown."""

from __future__ import annotations

from msgspec import Struct

from mtpconfig.launch import Opaque, Setting


class Left(Struct, frozen=True):
    """Something that a launch says and its translation does not: as it is written, without secrets, and why."""

    text: str
    why: str


class Stays(Exception):
    """A setting is not taken along; the message says why."""


def values_of(setting: Setting) -> list[str]:
    """What stands behind a setting's name; what is opaque, as it is written."""
    if setting.form == "spaced":
        return [word.text for word in setting.words[1:]]
    if isinstance(setting.value, Opaque) and setting.value_fragment is not None:
        return [setting.value_fragment.text]
    return [setting.text] if setting.text is not None else []


def shown(setting: Setting) -> str:
    """A setting as it is written."""
    if setting.form == "spaced":
        return " ".join([setting.spelling, *values_of(setting)])
    value = setting.value_fragment.text if setting.value_fragment is not None else None
    if value is None:
        return setting.spelling
    separator = ": " if setting.surface in ("json", "config") else "="
    return f"{setting.spelling}{separator}{value}"
