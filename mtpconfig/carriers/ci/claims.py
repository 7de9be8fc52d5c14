"""Which YAML texts are pipelines of GitHub Actions or GitLab CI."""

from __future__ import annotations

import re

_SUFFIXES = (".yml", ".yaml")
_JOBS = re.compile(r"^[\"']?jobs[\"']?:[ \t]*(?:#.*)?\r?$", re.MULTILINE)
_VERSION = re.compile(r"^[\"']?version[\"']?:", re.MULTILINE)
"""A key of CircleCI's, which has jobs and steps too."""

_AZURE = re.compile(r"^(?:trigger|pr|pool):|^jobs:[ \t]*\r?\n(?:[ \t]*#.*\n)*[ \t]*- ", re.MULTILINE)
"""Azure Pipelines, whose jobs are a list; the script of a step there stands alone."""

_TRIGGERS = re.compile(r"^[\"']?on[\"']?:", re.MULTILINE)
_STEPS = re.compile(r"^[ \t]+(?:- )?(?:runs-on|uses|steps|run):", re.MULTILINE)
_ACTION = re.compile(r"^runs:[ \t]*\r?\n(?:[ \t]+\S.*\r?\n)*?[ \t]+using:", re.MULTILINE)
_SCRIPT = re.compile(r"^[ \t]+(?:before_|after_)?script:[ \t]*(?:[|>\[].*|#.*)?\r?$", re.MULTILINE)
_GITLAB = re.compile(
    r"^(?:stages|workflow|default|include|image|before_script):|^[ \t]+(?:stage|rules|tags|only|extends|needs):",
    re.MULTILINE,
)


def is_pipeline(name: str, head: str) -> bool:
    """Whether a text is a workflow, an action or a pipeline, by its name or by its keys."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if not base.endswith(_SUFFIXES):
        return False
    return (
        base.endswith("gitlab-ci.yml")
        or is_workflow(head)
        or bool(_SCRIPT.search(head) and _GITLAB.search(head) and not _AZURE.search(head))
    )


def is_workflow(head: str) -> bool:
    """Whether a text is a workflow or an action of GitHub's."""
    head = head.removeprefix("\ufeff")
    apart = _VERSION.search(head) or _AZURE.search(head)
    workflow = _JOBS.search(head) and (_TRIGGERS.search(head) or (_STEPS.search(head) and not apart))
    return bool(workflow or _ACTION.search(head))
