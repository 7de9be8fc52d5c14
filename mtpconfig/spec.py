"""The canonical settings: what is wanted, whatever the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import asdict, fields, force_setattr, replace

from mtpconfig.errors import SpecError

State = Literal["on", "off", "auto", "unknown"]

METHODS = (
    "mtp",
    "draft-model",
    "eagle",
    "eagle3",
    "dflash",
    "dspark",
    "ngram",
    "suffix",
    "medusa",
)
"""One name for each way to draft, the same for all engines; engines may know further ones."""


class MTPSpec(Struct, frozen=True):
    """Speculative decoding as it is asked for or as it was read.

    state        on | off | auto (the engine decides by the model) | unknown (it cannot be told)
    methods      how drafts are made, in the order of METHODS: no engine lets the order be chosen
    gamma        draft tokens proposed per verification step (>= 1); None when nothing says it
    temperature  sampling temperature (>= 0); None leaves it to the model
    model        what is served: a path, a repository id or a tag
    drafter      a separate draft model, where the method needs one
    p_min        drafting stops below this probability (0..1)
    adaptive     whether the engine adapts gamma by itself
    """

    state: State = "unknown"
    methods: tuple[str, ...] = ()
    gamma: int | None = None
    temperature: float | None = None
    model: str | None = None
    drafter: str | None = None
    p_min: float | None = None
    adaptive: bool | None = None

    def __post_init__(self) -> None:
        rank = {method: place for place, method in enumerate(METHODS)}
        ordered = sorted(dict.fromkeys(self.methods), key=lambda method: (rank.get(method, len(rank)), method))
        force_setattr(self, "methods", tuple(ordered))
        if self.gamma is not None and self.gamma < 1:
            raise SpecError(
                f'gamma must be at least 1, not {self.gamma} (to switch speculation off, use state = "off")'
            )
        if self.temperature is not None and not 0 <= self.temperature <= 10:
            raise SpecError(f"temperature must lie between 0 and 10, not {self.temperature}")
        if self.p_min is not None and not 0 <= self.p_min <= 1:
            raise SpecError(f"p_min must lie between 0 and 1, not {self.p_min}")

    def restricted_to(self, names: frozenset[str]) -> MTPSpec:
        """The spec with every field that is not named set back to its default."""
        blank = MTPSpec()
        return replace(self, **{f.name: getattr(blank, f.name) for f in fields(self) if f.name not in names})

    def agreeing_with(self, other: MTPSpec) -> MTPSpec:
        """What two specs have in common; the state is unknown where they differ."""
        same = frozenset(f.name for f in fields(self) if getattr(self, f.name) == getattr(other, f.name))
        return self.restricted_to(same)

    def to_dict(self) -> dict[str, Any]:
        """The fields that say something, for TOML and JSON."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items() if v not in (None, ())}


_TYPES: dict[str, tuple[type, ...]] = {
    "state": (str,),
    "methods": (list,),
    "gamma": (int,),
    "temperature": (int, float),
    "model": (str,),
    "drafter": (str,),
    "p_min": (int, float),
    "adaptive": (bool,),
}


def load_spec(text: str, name: str = "spec", known: Sequence[str] = METHODS) -> MTPSpec:
    """Read a spec from TOML; `known` are the methods that it may name.

    Raises SpecError that names the file, the key and what is expected.
    """
    import tomli

    try:
        data = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise SpecError(f"{name}: not valid TOML: {error}") from None
    return spec_from(data, name, known)


def spec_from(data: dict[str, Any], name: str = "spec", known: Sequence[str] = METHODS) -> MTPSpec:
    """Build a spec from decoded TOML or JSON, strictly; `known` are the methods that it may name. Raises SpecError."""
    for key, value in data.items():
        expected = _TYPES.get(key)
        if expected is None:
            raise SpecError(f"{name}: unknown key {key!r} (known: {', '.join(_TYPES)})")
        if not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
            raise SpecError(f"{name}: {key} must be {_noun(expected)}, not {value!r}")
    for key in ("model", "drafter"):
        if key in data and not data[key].strip():
            raise SpecError(f"{name}: {key} is empty")
    if data.get("state", "on") not in get_args(State):
        raise SpecError(f"{name}: state must be one of {', '.join(get_args(State))}, not {data['state']!r}")
    methods = data.get("methods", [])
    for method in methods:
        if method not in known:
            raise SpecError(f"{name}: unknown method {method!r} (known: {', '.join(known)})")
    values: dict[str, Any] = {**data, "methods": tuple(methods)}
    for key in ("temperature", "p_min"):
        if key in values:
            values[key] = float(values[key])
    try:
        return MTPSpec(**values)
    except SpecError as error:
        raise SpecError(f"{name}: {error}") from None


def _noun(types: tuple[type, ...]) -> str:
    return {str: "a string", list: "a list", int: "a whole number", float: "a number", bool: "true or false"}[types[-1]]
