"""Rule conditions that need vLLM's own code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from mtpconfig.engine import Check, Reading
from mtpconfig.history import OptionHistory
from mtpconfig.launch import Setting, texts_of
from mtpconfig.match import Match
from mtpconfig.text.json_ import read_json
from mtpconfig.version import PEP440
from mtpconfig_vllm import draft_shape
from mtpconfig_vllm.arguments import CONFIG, nested_maps
from mtpconfig_vllm.configuration import is_no_map
from mtpconfig_vllm.grammar import DOTTED_SINCE, Parser
from mtpconfig_vllm.names import method_by_name
from mtpconfig_vllm.programs import SERVE
from mtpconfig_vllm.reading import DRAFTER, METHOD
from mtpconfig_vllm.versions import moving_tag

ADDITIONAL = "additional-config"
_MODEL_REFUSED = PEP440.parse("0.8.3"), PEP440.parse("0.11.1")
"""From and to which release `vllm serve --model` is refused (FlexibleArgumentParser.parse_args)."""

_SHORTHAND = re.compile(r"(?:--)?spec[-_](?:method|model|tokens)$")


def unpinned_version(reading: Reading) -> Sequence[Match]:
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
            message=f"{said} with each release: nobody knows which vLLM will run",
            detail="no release is named",
            help=f"name the release, as in `v{reading.version}`",
        ),
    )


def shorthand_beside_config(reading: Reading) -> Sequence[Match]:
    """`--spec-tokens` and its like beside the same key of `--speculative-config`: vLLM does not start.

    It compares before it turns hyphens into underscores, so that a key with hyphens is not noticed.
    """
    found = []
    for option, settings in reading.by_option.items():
        short = next((s for s in settings if s.surface != "json" and _SHORTHAND.match(s.key)), None)
        keyed = next((s for s in settings if s.surface == "json" and "-" not in s.spelling), None)
        if option.startswith("spec.") and short is not None and keyed is not None:
            found.append(
                Match(
                    anchor=short.name,
                    message=f"vLLM {reading.version} does not start: `{short.spelling}` and "
                    f"`{keyed.spelling}` in {_configuration(short)} are mutually exclusive",
                    setting=short,
                    detail="said in the configuration too",
                    help="say it in one place",
                    related=(keyed.name,),
                )
            )
    return found


def configuration_is_no_map(reading: Reading) -> Sequence[Match]:
    """A text as keyword argument, where only the command line decodes JSON, or a list there or in a file (MTP201)."""
    return [
        Match(
            anchor=setting.word.fragment,
            message=f"vLLM {reading.version} does not start: `{setting.spelling}` wants a dict, and is given "
            + ("a list" if setting.given.nested else "a text"),
            setting=setting,
            detail="no dict",
            help="give the dict itself" + ("" if setting.given.nested else "; only the command line decodes JSON"),
            about_value=True,
        )
        for setting in reading.by_option.get(CONFIG, ())
        if setting.given is not None
        and setting.word is not None
        and (setting.surface == "kwarg" or (setting.given.nested and nested_maps(reading.version)))
        and is_no_map(setting.word, setting.given.nested)
    ]


def drafter_name_overrides_method(history: OptionHistory, reading: Reading) -> Sequence[Match]:
    """A name with `eagle3`, `dflash` ... in it, which makes the method another one than is said.

    A method that the release refuses is not overridden by anything.
    """
    methods = reading.effective(METHOD)
    if len(methods) != 1 or methods[0].text is None:
        return ()
    method = methods[0]
    drafter = next(iter(reading.effective(DRAFTER)), None)
    said = method.text
    if all(c.stretch.holds(reading.version) is False for c in history.options[METHOD].values if c.text == said):
        return ()
    if drafter is not None:
        name = drafter.text
    else:
        name = reading.spec.model if said == "mtp" or (said or "").endswith("_mtp") else None
    by_name = method_by_name(name, said, reading.version) if name is not None else None
    if by_name is None or by_name == said:
        return ()
    whose = "draft model" if drafter is not None else "model"
    return (
        Match(
            anchor=method.value_fragment or method.name,
            message=f"vLLM {reading.version} takes the name of the {whose} for it: `{by_name}` runs, not `{said}`",
            setting=method,
            detail=f"`{name}` makes it `{by_name}`",
            help=f"write `{by_name}` if that is meant, else rename the folder",
            about_value=True,
            related=(drafter.value_fragment,) if drafter is not None and drafter.value_fragment is not None else (),
        ),
    )


def model_as_option(reading: Reading) -> Sequence[Match]:
    """`vllm serve --model X`, which is refused before anything is parsed; `--model=X` passes (MTP302)."""
    if reading.program != SERVE or not _MODEL_REFUSED[0] <= reading.version < _MODEL_REFUSED[1]:
        return ()
    word = next((word for word in reading.launch.args if word.text == "--model" and not word.guard), None)
    setting = next((s for s in reading.settings if word is not None and s.words[:1] == (word,)), None)
    if word is None or not _speculates(reading):
        return ()
    return (
        Match(
            anchor=word.fragment,
            message=f"vLLM {reading.version} does not start: `vllm serve` wants the model right behind it, "
            "not in `--model`",
            setting=setting,
            detail="refused up to 0.11.0",
            help=f"write `vllm serve {setting.text}`" if setting is not None and setting.text else "",
        ),
    )


def speculation_in_additional_config(reading: Reading) -> Sequence[Match]:
    """A speculative configuration inside `--additional-config`, which takes any key and hands none on (MTP304)."""
    found = []
    for setting in reading.by_option.get(ADDITIONAL, ()):
        if setting.word is None or setting.surface not in ("flag", "kwarg", "config"):
            continue
        root = read_json(setting.word.fragment, setting.word.holes).root
        for entry in root.entries if root is not None and root.type == "object" else ():
            if entry.key.text.replace("-", "_") != "speculative_config":
                continue
            found.append(
                Match(
                    anchor=entry.key.fragment,
                    message=f"vLLM {reading.version} does nothing with `{entry.key.text}` in `{setting.spelling}`",
                    setting=setting,
                    detail="no speculation comes of it",
                    help=f"say it in `--{CONFIG}`",
                    about_value=True,
                )
            )
    return found


def nested_mapping(reading: Reading) -> Sequence[Match]:
    """A map under a key of the file behind `--config`, at a release that hands on Python's text of it."""
    if nested_maps(reading.version):
        return ()
    return [
        Match(
            anchor=setting.name,
            message=f"vLLM {reading.version} makes Python's text of the map under `{setting.spelling}`, no JSON",
            setting=setting,
            detail="a map, where this release takes text alone",
            help=f"write JSON in quotes: `{setting.spelling}: '{{...}}'`, or use 0.16.0 or newer",
        )
        for setting in reading.by_option.get(CONFIG, ())
        if setting.surface == "config" and setting.given is not None and setting.given.nested
    ]


def ambiguous_abbreviation(history: OptionHistory, reading: Reading) -> Sequence[Match]:
    """The beginning of several names, one of them speculation's: argparse does not choose (MTP109)."""
    parser = Parser(history, reading.version, reading.program)
    found = []
    for setting in reading.settings:
        if setting.option is not None or setting.surface != "flag" or not setting.key.startswith("--"):
            continue
        names = parser.candidates(setting.key)
        if len(names) > 1 and any(history.options[p.option].speculative for n in names if (p := parser.find(n))):
            shown = ", ".join(f"`{name}`" for name in names[:5])
            found.append(
                Match(
                    anchor=setting.name,
                    message=f"vLLM {reading.version} does not start: `{setting.spelling}` may be {shown}",
                    setting=setting,
                    detail="the beginning of several names",
                    help="write the whole name",
                )
            )
    return found


def dotted_too_early(history: OptionHistory, reading: Reading) -> Sequence[Match]:
    """`--speculative-config.KEY` at a release that knows the option, and no keys behind dots yet (MTP104)."""
    if reading.version >= DOTTED_SINCE:
        return ()
    parser = Parser(history, reading.version, reading.program)
    said = [
        (spoken.word.fragment.slice(0, len(spoken.spelling)), spoken.spelling)
        for spoken in parser.options(reading.launch.args)
        if spoken.untaken and spoken.period is not None and spoken.period.option == CONFIG
    ]
    for given in reading.launch.given:
        name, dot, _ = given.name.text.partition(".")
        period = parser.resolve(f"--{name}")[1] if dot and given.surface == "config" else None
        if period is not None and period.option == CONFIG:
            said.append((given.name.fragment, given.name.text))
    return [
        Match(
            anchor=fragment,
            message=f"vLLM {reading.version} does not start with `{spelling}`: it takes no keys behind a dot yet",
            detail=f"first in {DOTTED_SINCE}",
            help=f"write one object, `--{CONFIG} '{{...}}'`, or use {DOTTED_SINCE} or newer",
            severity="error",
        )
        for fragment, spelling in said
    ]


def _configuration(beside: Setting) -> str:
    return "`speculative_config`" if beside.surface == "kwarg" else f"`--{CONFIG}`"


def _speculates(reading: Reading) -> bool:
    """Whether any setting is one of speculative decoding's."""
    return reading.spec.state != "off" or any(option.startswith("spec.") for option in reading.by_option)


CHECKS: Mapping[str, Check] = {
    "unpinned-version": unpinned_version,
    "shorthand-beside-config": shorthand_beside_config,
    "nested-mapping": nested_mapping,
    "model-as-option": model_as_option,
    "speculation-in-additional-config": speculation_in_additional_config,
    "configuration-is-no-map": configuration_is_no_map,
    **draft_shape.CHECKS,
}

OF_HISTORY: Mapping[str, Callable[[OptionHistory, Reading], Sequence[Match]]] = {
    "ambiguous-abbreviation": ambiguous_abbreviation,
    "drafter-name-overrides-method": drafter_name_overrides_method,
    "not-yet-available": dotted_too_early,
}
"""Those that ask what the release knows."""
