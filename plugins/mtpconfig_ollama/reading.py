"""From a launch to the canonical spec, as one version of Ollama understands it.

Two runners serve models, and each has its own rules (facts.toml): llama.cpp's server serves GGUF files, and drafts
where `draft_num_predict` is set, or a DRAFT layer is there; the MLX runner serves safetensors, and drafts whenever a
head is there. Which one serves a model is only known from some names; where it is not, nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from mtpconfig.engine import Reading
from mtpconfig.history import USABLE, OptionHistory, at
from mtpconfig.launch import Launch, Opaque, Setting
from mtpconfig.spec import MTPSpec, State
from mtpconfig.version import Version
from mtpconfig_ollama.arguments import DEPTH, DRAFT, MODEL, lookup, parse, subcommand
from mtpconfig_ollama.embedding import inherited
from mtpconfig_ollama.models import names_mtp, origin_of, runner_of, tags_of
from mtpconfig_ollama.numerals import numeral
from mtpconfig_ollama.programs import MODELFILE, REQUEST
from mtpconfig_ollama.requests import NULL, request_of

UNSET_DEPTH = 4
"""Draft tokens where a DRAFT layer is there and nothing says how many (api/types.go, DefaultOptions)."""


def read(launch: Launch, history: OptionHistory, version: Version) -> Reading:
    """Parse a launch and say what speculation it asks for."""
    program = subcommand(launch.program)
    settings = parse(launch, history, version)
    found = [(s, history.find(s.surface, lookup(s.surface, s.spelling), version, program)) for s in settings]
    usable = [(s, period.option) for s, period in found if period is not None and period.status in USABLE]
    told = {id(setting) for setting, _ in usable}
    unread = tuple(setting for setting in settings if id(setting) not in told)
    first = Reading(
        launch, version, launch.program, settings, _grouped(usable), MTPSpec(), unread, _why_open(launch, usable)
    )
    speculation = _Speculation(first, history)
    spec = speculation.spec()
    return replace(first, spec=spec, why=speculation.why)


def _grouped(settings: Iterable[tuple[Setting, str]]) -> dict[str, tuple[Setting, ...]]:
    groups: dict[str, tuple[Setting, ...]] = {}
    for setting, option in settings:
        groups[option] = (*groups.get(option, ()), setting)
    return groups


def _why_open(launch: Launch, settings: Iterable[tuple[Setting, str]]) -> str:
    """What may say more than the launch does: the base of a Modelfile brings its own parameters along."""
    if launch.why_open or launch.program != MODELFILE:
        return launch.why_open or ("the model itself" if launch.program == REQUEST else "")
    bases = [setting for setting, option in settings if option == MODEL]
    if not bases:
        return "the file that this is a part of"
    base = bases[-1].text
    if base is None:
        return "the model that FROM names"
    return "" if origin_of(base) != "library" else f"the parameters of `{base}`"


def method_of(drafter: str | None, passed_as: str) -> str:
    """The method that a draft is used with: by its architecture, of which its name is what can be seen here."""
    return "dflash" if passed_as == "architecture" and "dflash" in (drafter or "").lower() else "mtp"


class _Speculation:
    """Reads the spec's fields out of a parsed launch."""

    def __init__(self, reading: Reading, history: OptionHistory) -> None:
        self._reading = reading
        self._history = history
        self._version = reading.version
        self.why: dict[str, str] = {}

    def spec(self) -> MTPSpec:
        """The canonical settings; `why` says where those come from that no setting says."""
        launch = self._reading.launch
        if launch.program == MODELFILE:
            return self._of_modelfile()
        if launch.program == REQUEST:
            return self._of_request()
        if launch.program == "ollama serve":
            return self._of_server()
        return self._of_model(self._operand())

    def _fact(self, name: str) -> str:
        row = at(self._history.facts.get(name, ()), self._version)
        return row.value if row else ""

    # --- Modelfiles

    def _of_modelfile(self) -> MTPSpec:
        model, drafters = self._last(MODEL), self._reading.by_option.get(DRAFT, ())
        drafter = self._written(drafters[-1]) if drafters else None
        base = MTPSpec(model=self._written(model), drafter=drafter, temperature=self._temperature(), adaptive=False)
        runner = runner_of(base.model or "", self._version)
        if runner == "mlx":
            return self._by_mlx(base)
        if self._fact("gguf-drafting") != "opt-in":
            return replace(base, state="unknown" if drafter is not None and runner != "gguf" else "off")
        depth = self._last(DEPTH)
        if depth is None:
            return self._without_depth(base)
        return self._with_depth(base, depth.text if depth.value is not None else None)

    def _with_depth(self, base: MTPSpec, text: str | None) -> MTPSpec:
        number = numeral(text or "", "int")
        if number is None:
            return replace(base, state="unknown")
        if number <= 0:
            return replace(base, state="off")
        return replace(base, state="on", methods=(self._method(base),), gamma=int(number))

    def _without_depth(self, base: MTPSpec) -> MTPSpec:
        if base.drafter is not None:
            if self._reading.why_open:  # the base may bring a depth along, but hardly one of 0
                return replace(base, state="on", methods=(self._method(base),))
            self.why["gamma"] = f"the default of {self._version} for a DRAFT layer"
            return replace(base, state="on", methods=(self._method(base),), gamma=UNSET_DEPTH)
        if base.model is None or origin_of(base.model) == "library" or self._reading.why_open:
            return self._by_tag(base)
        self.why["state"] = "nothing sets draft_num_predict: an MTP head inside the model is not used"
        return replace(base, state="off")

    def _method(self, base: MTPSpec) -> str:
        return method_of(base.drafter, self._fact("draft-passed-as"))

    def _by_mlx(self, base: MTPSpec) -> MTPSpec:
        """The MLX runner drafts by itself, with a depth of its own."""
        depth = self._fact("mlx-depth")
        if depth in ("", "none"):
            return replace(base, state="off")
        self.why["state"] = "the MLX runner drafts where the model holds a head, whatever draft_num_predict says"
        state: State = "on" if base.drafter is not None else "auto"
        return replace(base, state=state, methods=("mtp",) if state == "on" else (), adaptive=depth == "automatic")

    def _by_tag(self, base: MTPSpec) -> MTPSpec:
        """A model that may bring its own parameters along: known for few, else unknown."""
        for tag in tags_of(base.model or "", self._version):
            if tag.gamma is not None:
                self.why["state"] = self.why["gamma"] = tag.why
                return replace(base, state="on", methods=("mtp",), gamma=tag.gamma, adaptive=False)
        return replace(base, state="unknown")

    # --- commands and requests

    def _of_model(self, model: str | None) -> MTPSpec:
        """`ollama run`, `pull` ...: only what the name of the model tells."""
        base = MTPSpec(model=model, adaptive=None)
        if model is None or self._reading.launch.program == "ollama create":
            return replace(base, model=None)
        if runner_of(model, self._version) == "mlx":
            return self._by_mlx(base)
        if self._fact("gguf-drafting") != "opt-in":
            # the few models that the MLX runner drafted with then are known by their tags
            return replace(base, state="off", adaptive=False)
        if origin_of(model) == "hub":
            if names_mtp(model):
                self.why["state"] = "a repository of the hub sets draft_num_predict only in a file `params` of its own"
            return base
        return self._by_tag(base)

    def _operand(self) -> str | None:
        taken = {id(word) for setting in self._reading.settings for word in setting.words}
        words = [word for word in self._reading.launch.args if id(word) not in taken]
        return words[0].text if words and not isinstance(words[0].value, Opaque) else None

    def _of_request(self) -> MTPSpec:
        request = request_of(self._reading.launch)
        model = request.text("model", "from") if request is not None else None
        base = MTPSpec(model=model, temperature=self._temperature())
        depth = self._last(DEPTH)
        if runner_of(model or "", self._version) == "mlx":
            return self._by_mlx(base)
        if depth is None or self._fact("gguf-drafting") != "opt-in":
            return base
        if depth.text == NULL:  # counts as said, and keeps the default
            return replace(base, state="on", methods=("mtp",), gamma=UNSET_DEPTH)
        number = numeral((depth.text or "").split(".")[0], "int")
        if number is None:
            return base
        if number <= 0:
            return replace(base, state="off")
        return replace(base, state="on", methods=("mtp",), gamma=int(number))

    def _of_server(self) -> MTPSpec:
        """What holds for all models that are served: only what llama.cpp's server inherits."""
        inner = inherited(self._reading.launch, self._version)
        if inner is None or inner.spec.state != "on":
            return MTPSpec()
        self.why["state"] = "llama.cpp's server inherits the variables of Ollama's"
        return replace(inner.spec, model=None, temperature=None)

    # --- fields

    def _last(self, option: str) -> Setting | None:
        found = self._reading.effective(option)
        return found[-1] if len(found) == 1 else None

    def _written(self, setting: Setting | None) -> str | None:
        if setting is None or setting.value_fragment is None:
            return None
        return setting.value_fragment.text if isinstance(setting.value, Opaque) else setting.text

    def _temperature(self) -> float | None:
        setting = self._last("temperature")
        value = numeral(setting.text or "", "float") if setting is not None else None
        return value if value is not None and 0 <= value <= 10 else None
