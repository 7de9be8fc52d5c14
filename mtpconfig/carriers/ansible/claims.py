"""Which YAML texts are playbooks or lists of tasks."""

from __future__ import annotations

import re

_SUFFIXES = (".yml", ".yaml")
_PLAY = re.compile(r"^-?[ \t]*(?:- )?(?:hosts|import_playbook|ansible\.builtin\.import_playbook):", re.MULTILINE)
_TASKS = re.compile(r"^[ \t]*(?:tasks|pre_tasks|post_tasks|handlers|roles):", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*- (?:name|ansible\.\w+\.\w+|block|become|when):", re.MULTILINE)
_MODULE = re.compile(
    r"^[ \t]+(?:- )?(?:ansible\.(?:builtin|legacy|windows)\.\w+|community\.\w+\.\w+|containers\.podman\.\w+"
    r"|docker_container|podman_container|become|notify|register|changed_when|failed_when|delegate_to):",
    re.MULTILINE,
)
_SHORT = re.compile(
    r"^[ \t]+(?:shell|command|copy|template|systemd|service|apt|get_url|file|lineinfile):", re.MULTILINE
)
_OTHER = re.compile(r"^(?:[A-Za-z_][\w-]*):", re.MULTILINE)


def is_playbook(name: str, head: str) -> bool:
    """Whether a text is a list of plays or of tasks, by its keys."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    head = head.removeprefix("\ufeff")
    if not base.endswith(_SUFFIXES) or _OTHER.search(head):
        return False
    if _PLAY.search(head) and (_TASKS.search(head) or _MODULE.search(head)):
        return True
    return bool(_ITEM.search(head) and (_MODULE.search(head) or _SHORT.search(head)))
