"""The YAML file that `--config` reads, where it is linted alone; and recipes that hold one such map for each server."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment
from mtpconfig_sglang.config_yaml.claims import is_config

__all__ = ["ConfigCarrier"]


class ConfigCarrier:
    """Reads the keys of each map as options; the command line beside it is not known."""

    name = "sglang --config yaml"

    def claims(self, name: str, head: str) -> bool:
        """Whether a YAML file is one, by all of its keys."""
        return is_config(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """One launch for the file, or one for each of its sections."""
        from mtpconfig.carriers.yaml_ import Entries, ListContainer, comments, documents, report_faults
        from mtpconfig.carriers.yaml_.keys import givens

        found = documents(fragment)
        report_faults(found, fragment, opener)
        root = next((document.root for document in found), None)
        if not isinstance(root, Entries) or not root.entries:
            return
        inner = [(key.text, value) for key, value in root.entries if isinstance(value, Entries) and value.entries]
        maps = inner if len(inner) == len(root.entries) else [("", root)]
        for label, entries in maps:
            yield Launch(
                argv=(),
                fragment=fragment.slice(*entries.span),
                given=tuple(givens(entries, fragment, "config")),
                container=ListContainer(fragment, (), [entries], around.container),
                closed=False,
                why_open=entries.why_open or "the command line",
                hints=(*around.hints, *comments(fragment, entries.entries[0][0].span.start)),
                carrier=self.name,
                label=label,
                engine="sglang",
            )
