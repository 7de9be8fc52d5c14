"""From a launch to the canonical spec, as one release of LMDeploy understands it."""

from __future__ import annotations

from msgspec.structs import replace

from mtpconfig.engine import Reading
from mtpconfig.history import USABLE, OptionHistory
from mtpconfig.launch import Launch, Opaque, Setting
from mtpconfig.spec import MTPSpec, State
from mtpconfig.version import Version
from mtpconfig_lmdeploy.arguments import numeral, parse

ALGORITHM, DRAFTER = "speculative-algorithm", "speculative-draft-model"
TOKENS, BLOCK = "speculative-num-draft-tokens", "speculative-dflash-block-size"


def read(launch: Launch, history: OptionHistory, version: Version) -> Reading:
    """Parse a launch and say what speculation it asks for."""
    found = parse(launch, history, version)
    by_option: dict[str, list[Setting]] = {}
    unread = []
    for setting in found.settings:
        period = history.find("flag", setting.key, version, launch.program)
        if period is not None and period.status in USABLE:
            by_option.setdefault(period.option, []).append(setting)
        else:
            unread.append(setting)
    reading = Reading(
        launch,
        version,
        launch.program,
        found.settings,
        {option: tuple(settings) for option, settings in by_option.items()},
        MTPSpec(),
        unread=tuple(unread),
        why_open=launch.why_open or next((word.text for word in found.positionals if word.many), ""),
        operands=found.positionals[:1],
    )
    state, method = _state(reading, history)
    gamma, why = _gamma(reading, history, method) if state == "on" else (None, {})
    spec = MTPSpec(
        state=state,
        methods=(method,) if method else (),
        gamma=gamma,
        model=reading.operands[0].text if reading.operands else None,
        drafter=_text(reading, DRAFTER),
        adaptive=False,
    )
    return replace(reading, spec=spec, why=why)


def _last(reading: Reading, option: str) -> Setting | None:
    """The setting that has the last word; None where there is none, or where it depends on a branch."""
    found = reading.effective(option)
    return found[-1] if len(found) == 1 else None


def _text(reading: Reading, option: str) -> str | None:
    setting = _last(reading, option)
    if setting is None:
        return None
    opaque = isinstance(setting.value, Opaque) and setting.value_fragment is not None
    return setting.value_fragment.text if opaque and setting.value_fragment is not None else setting.text


def _state(reading: Reading, history: OptionHistory) -> tuple[State, str]:
    if ALGORITHM not in reading.by_option:
        meant = any(history.periods("flag", setting.key) for setting in reading.unread if setting.option is None)
        return ("off" if reading.closed and not meant else "unknown"), ""
    setting = _last(reading, ALGORITHM)
    word = setting.text if setting is not None else None
    choices = (c for c in history.options[ALGORITHM].values if c.text == word and c.stretch.holds(reading.version))
    choice = next(choices, None)
    return ("on", choice.method) if choice is not None else ("unknown", "")


def _gamma(reading: Reading, history: OptionHistory, method: str) -> tuple[int | None, dict[str, str]]:
    """The draft tokens: of DFlash's block, the first is the known token before them."""
    if method == "dflash" and BLOCK in reading.by_option:
        block = _integer(reading, BLOCK)
        return (block - 1 if block is not None and block > 1 else None), {}
    if TOKENS in reading.by_option:
        return _integer(reading, TOKENS), {}
    default = history.default(TOKENS, reading.version) if reading.closed else None
    return (int(default), {"gamma": f"the default of {reading.version}"}) if default is not None else (None, {})


def _integer(reading: Reading, option: str) -> int | None:
    setting = _last(reading, option)
    number = numeral(setting.text, "int") if setting is not None and setting.text is not None else None
    return int(number) if number is not None and number > 0 else None
