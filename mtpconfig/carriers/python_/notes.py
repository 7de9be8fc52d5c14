"""What calls say besides: versions that are installed, images that are chosen, defaults of a program's own options."""

from __future__ import annotations

from collections.abc import Sequence

from mtpconfig.carriers.python_.drafts import Arguments
from mtpconfig.carriers.python_.hints import PIN
from mtpconfig.carriers.python_.programs import IMAGE_METHODS, PINNING_METHODS
from mtpconfig.carriers.python_.values import Made, Pair, Table, Text, Value, defaulted, made_up
from mtpconfig.launch import Hint
from mtpconfig.text import Builder, Fragment


class Notes:
    """Collects what the calls of a text say of versions and options."""

    def __init__(self, layer: Fragment) -> None:
        self._layer = layer
        self._hints: list[Hint] = []
        self._options: dict[str, Value] = {}

    def parsed(self) -> Made:
        """What `parse_args()` gives: the options met so far with their defaults."""
        return Made("arguments", Table(tuple(Pair(made_up(name), value) for name, value in self._options.items())))

    def noted(self, name: str, arguments: Arguments) -> None:
        """What a call says by its last name."""
        texts = [e.value for e in arguments.items.entries if isinstance(e.value, Text) and e.value.kind == "str"]
        if name in PINNING_METHODS:
            self._hint("pin", [text for text in texts if PIN.fullmatch(text.text)])
        elif name in IMAGE_METHODS:
            self._hint("image", texts[:1])
        elif name == "add_argument":
            self._option(texts, arguments)

    def _hint(self, kind: str, texts: Sequence[Text]) -> None:
        for text in texts:
            builder = Builder(self._layer)
            for run in text.runs:
                builder.add(run.text, run.origin, run.kind, run.codec)
            self._hints.append(Hint("image" if kind == "image" else "pin", builder.build(), chosen=True))

    def hints(self) -> list[Hint]:
        """The versions that the program names; where it names several images, nobody knows which one counts."""
        images = {hint.fragment.text for hint in self._hints if hint.kind == "image"}
        return [hint for hint in self._hints if hint.kind != "image" or len(images) == 1]

    def _option(self, names: Sequence[Text], arguments: Arguments) -> None:
        """An option of the program's own command line, with its default."""
        long = next((text.text for text in names if text.text.startswith("--")), "")
        given = arguments.get(None, "dest")
        dest = given.text if isinstance(given, Text) else long.lstrip("-").replace("-", "_")
        default = defaulted(arguments.get(None, "default"), long or dest)
        action = arguments.get(None, "action")
        if default is not None and dest and action is None and dest not in self._options:
            self._options[dest] = default
