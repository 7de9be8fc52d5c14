"""Ansible: playbooks and lists of tasks."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.ansible.claims import is_playbook
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["PlaybookCarrier"]


class PlaybookCarrier:
    """Reads the commands, containers and files of tasks."""

    name = "ansible playbook"

    def claims(self, name: str, head: str) -> bool:
        """Whether a text is a list of plays or of tasks."""
        return is_playbook(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The launches of all tasks; what cannot be parsed is left out."""
        from mtpconfig.carriers.ansible.tasks import Tasks
        from mtpconfig.carriers.generic_yaml.page import Page

        page = Page.of(fragment, opener, around, self.name)
        for document in page.documents():
            if document.root is not None:
                yield from Tasks(page).launches(document.root)
