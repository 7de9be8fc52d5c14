"""The YAML file that `vllm serve --config` reads, where it is linted alone."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment
from mtpconfig_vllm.config_yaml.claims import is_config

__all__ = ["ConfigCarrier"]


class ConfigCarrier:
    """Reads the keys of the file as options; the command line beside it is not known."""

    name = "vllm --config yaml"

    def claims(self, name: str, head: str) -> bool:
        """Whether a YAML file is one, by all of its keys."""
        return is_config(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The one launch that the file is for."""
        from mtpconfig.carriers.yaml_ import Entries, ListContainer, comments, documents, report_faults
        from mtpconfig.carriers.yaml_.keys import givens

        found = documents(fragment)
        report_faults(found, fragment, opener)
        root = next((document.root for document in found), None)
        if not isinstance(root, Entries) or not root.entries:
            return
        yield Launch(
            argv=(),
            fragment=fragment.slice(*root.span),
            given=tuple(givens(root, fragment, "config")),
            container=ListContainer(fragment, (), [root], around.container),
            closed=False,
            why_open=root.why_open or "the command line",
            hints=(*around.hints, *comments(fragment, root.entries[0][0].span.start)),
            carrier=self.name,
            engine="vllm",
        )
