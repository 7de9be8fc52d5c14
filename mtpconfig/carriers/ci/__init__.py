"""Continuous integration: GitHub Actions and GitLab CI."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.ci.claims import is_pipeline, is_workflow
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["PipelineCarrier"]


class PipelineCarrier:
    """Reads the shell text of jobs and steps, and the containers that run beside them."""

    name = "ci / test yaml"

    def claims(self, name: str, head: str) -> bool:
        """Whether a text is a workflow, an action or a pipeline."""
        return is_pipeline(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The launches of all jobs; what cannot be parsed is left out."""
        from mtpconfig.carriers.ci.github import workflow_launches
        from mtpconfig.carriers.ci.gitlab import pipeline_launches
        from mtpconfig.carriers.generic_yaml.page import Page
        from mtpconfig.carriers.yaml_ import Entries

        page = Page.of(fragment, opener, around, self.name)
        read = workflow_launches if is_workflow(fragment.text) else pipeline_launches
        for document in page.documents():
            if isinstance(document.root, Entries):
                yield from read(page, document.root)
