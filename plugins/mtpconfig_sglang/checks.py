"""Rule conditions that need SGLang's own code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from mtpconfig.engine import Check, Reading
from mtpconfig.history import OptionHistory
from mtpconfig.launch import Setting, texts_of
from mtpconfig.match import Match, plan
from mtpconfig_sglang.arguments import ALGORITHM, CONFIG, fact, parse
from mtpconfig_sglang.reading import BLOCKS, STEPS, TOKENS, TOPK, TREES, shape
from mtpconfig_sglang.versions import moving_tag

_TITLE = "SGLang"


def ambiguous_abbreviation(history: OptionHistory, reading: Reading) -> Sequence[Match]:
    """The beginning of several names, one of them speculation's: argparse does not choose (MTP109)."""
    found = []
    for spoken in parse(reading.launch, history, reading.version).ambiguous:
        options = {period.option for name in spoken.rivals for period in history.periods("flag", name)}
        if not any(history.options[option].speculative for option in options):
            continue
        size, meant = len(spoken.spelling), spoken.name if spoken.name != spoken.spelling else ""
        setting = next((s for s in reading.settings if s.words and s.words[0] is spoken.word), None)
        edit = spoken.word.fragment.replace(0, size, meant) if meant else None
        names = ", ".join(f"`{name}`" for name in spoken.rivals[:4]) + (" ..." if len(spoken.rivals) > 4 else "")
        found.append(
            Match(
                anchor=spoken.word.fragment,
                part=(0, size),
                message=f"{_TITLE} {reading.version} does not start: `{spoken.spelling}` may be {names}",
                setting=setting,
                detail="ambiguous option",
                help=f"write `{meant}`" if meant else "write the option in full",
                plan=plan(f"write `{meant}`", edit, same_meaning=True, holds_at=lambda version: True)
                if meant
                else None,
            )
        )
    return found


def _drafts(reading: Reading, words: Sequence[str]) -> bool:
    """Whether the algorithm is surely one of these."""
    settings = reading.effective(ALGORITHM)
    return len(settings) == 1 and settings[0].text in words


def _said(reading: Reading, option: str) -> Setting | None:
    """The setting of an option where there is just one that counts, and its value is known."""
    settings = reading.effective(option)
    return settings[0] if len(settings) == 1 and settings[0].text is not None else None


def draft_tokens_adjusted(history: OptionHistory, reading: Reading) -> Sequence[Match]:
    """A number of draft tokens that is not steps + 1, on a chain (MTP205)."""
    if fact(history, "draft-tokens", reading.version) != "adjusted" or not _drafts(reading, TREES):
        return ()
    tokens, topk = _said(reading, TOKENS), _said(reading, TOPK)
    steps, width, written = shape(reading, history)
    if tokens is None or topk is None or _said(reading, STEPS) is None or width != 1:
        return ()
    if steps is None or written is None or tokens.value_fragment is None or written == steps + 1:
        return ()
    edit = tokens.value_fragment.replace(0, len(tokens.value_fragment.text), str(steps + 1))
    return (
        Match(
            anchor=tokens.value_fragment,
            message=f"{_TITLE} {reading.version} makes {steps + 1} of `{tokens.spelling} {written}`: with topk 1 it is "
            "steps + 1",
            setting=tokens,
            detail=f"becomes {steps + 1}",
            help=f"write {steps + 1}; for a longer draft, give more steps",
            about_value=True,
            plan=plan(f"write {steps + 1}", edit, same_meaning=True, holds_at=lambda version: True),
        ),
    )


def draft_tree_too_small(history: OptionHistory, reading: Reading) -> Sequence[Match]:
    """More draft tokens than a tree of so many steps has (MTP205)."""
    tokens = _said(reading, TOKENS)
    if tokens is None or tokens.value_fragment is None or not _drafts(reading, TREES):
        return ()
    steps, topk, written = shape(reading, history)
    if steps is None or topk is None or written is None or steps < 1 or topk < 2:
        return ()
    nodes = topk + (steps - 1) * topk * topk
    if written - 1 <= nodes:
        return ()
    return (
        Match(
            anchor=tokens.value_fragment,
            message=f"{_TITLE} {reading.version} fails when it drafts: the tree of {steps} steps with topk {topk} has "
            f"{nodes} tokens, `{tokens.spelling} {written}` asks for {written - 1} of them",
            setting=tokens,
            detail=f"at most {nodes + 1} here",
            help=f"write at most {nodes + 1}, or give more steps",
            about_value=True,
        ),
    )


def dspark_window(history: OptionHistory, reading: Reading) -> Sequence[Match]:
    """DSPARK with a number of draft tokens that is not its block size and one (MTP205)."""
    tokens, block = _said(reading, TOKENS), _said(reading, BLOCKS["DSPARK"])
    if tokens is None or block is None or tokens.value_fragment is None or not _drafts(reading, ("DSPARK",)):
        return ()
    wanted, written = (int(s.text) if s.text and s.text.isdecimal() else None for s in (block, tokens))
    if wanted is None or written is None or written == wanted + 1:
        return ()
    edit = tokens.value_fragment.replace(0, len(tokens.value_fragment.text), str(wanted + 1))
    return (
        Match(
            anchor=tokens.value_fragment,
            message=f"{_TITLE} {reading.version} does not start: DSPARK with blocks of {wanted} verifies {wanted + 1} "
            f"tokens, not {written}",
            setting=tokens,
            detail=f"must be {wanted + 1}, or left out",
            help=f"write {wanted + 1}, or leave it out",
            about_value=True,
            related=(block.name,),
            plan=plan(f"write {wanted + 1}", edit, same_meaning=False, holds_at=lambda version: True),
        ),
    )


def config_file_glued(history: OptionHistory, reading: Reading) -> Sequence[Match]:
    """`--config=FILE`, which no release reads (MTP106)."""
    return [
        Match(
            anchor=setting.words[0].fragment,
            message=f"{_TITLE} {reading.version} reads no file for `{CONFIG}=...`: only the word `{CONFIG}` "
            "alone is looked for",
            setting=setting,
            detail="the file is not read",
            help=f"write `{CONFIG} {setting.text or 'FILE'}`",
        )
        for setting in reading.by_option.get("config", ())
        if setting.form == "glued" and setting.key == CONFIG
    ]


def unpinned_version(history: OptionHistory, reading: Reading) -> Sequence[Match]:
    """The moving tag of an image that the project publishes, where speculation is asked for (MTP501)."""
    image = reading.launch.image
    if image is None or not texts_of(image.value) or not _speculates(reading):
        return ()
    moving = moving_tag(image.text)
    if moving is None:
        return ()
    tag = image.text[slice(*moving)]
    said = f"the tag `{tag}` moves on" if tag else "without a tag the image moves on"
    return (
        Match(
            anchor=image.fragment,
            part=moving if tag else None,
            message=f"{said} with each release: nobody knows which SGLang will run",
            detail="no release is named",
            help=f"name the release, as in `v{reading.version}`",
        ),
    )


def _speculates(reading: Reading) -> bool:
    """Whether any setting is one of speculative decoding's."""
    return reading.spec.state != "off" or any(option.startswith("speculative-") for option in reading.by_option)


_CHECKS: Mapping[str, Callable[[OptionHistory, Reading], Sequence[Match]]] = {
    "ambiguous-abbreviation": ambiguous_abbreviation,
    "config-file-glued": config_file_glued,
    "draft-tokens-adjusted": draft_tokens_adjusted,
    "draft-tree-too-small": draft_tree_too_small,
    "dspark-window": dspark_window,
    "unpinned-version": unpinned_version,
}


def checks(history: OptionHistory) -> Mapping[str, Check]:
    """The conditions by the names that rule files call them."""
    return {name: partial(check, history) for name, check in _CHECKS.items()}
