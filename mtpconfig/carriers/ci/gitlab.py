"""GitLab CI: the scripts of jobs, with what `default`, `extends` and global keys add to them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from mtpconfig.carriers.ci.containers import image_in, service
from mtpconfig.carriers.generic_yaml.page import Page, in_place, scalars_of
from mtpconfig.carriers.yaml_ import Entries, Items, Node
from mtpconfig.launch import Given, Launch

_NOT_JOBS = frozenset(
    (
        "default",
        "variables",
        "stages",
        "workflow",
        "include",
        "image",
        "services",
        "cache",
        "before_script",
        "after_script",
    )
)
_MOST_PARENTS = 10


class _Job(Struct, frozen=True, eq=False):
    """A job with the maps that it takes keys from, the nearest first; all but the first are shared with other jobs."""

    levels: tuple[Entries, ...]

    def get(self, name: str) -> Node | None:
        """The nearest value of a key."""
        return next((node for level in self.levels if (node := level.get(name)) is not None), None)

    def shared(self) -> list[Node]:
        """What other jobs use too."""
        return [value for level in self.levels[1:] for _, value in level.entries]


def pipeline_launches(page: Page, root: Entries) -> Iterator[Launch]:
    """The launches of a pipeline's jobs."""
    default = root.get("default")
    common = (default, root) if isinstance(default, Entries) else (root,)
    for key, node in root.entries:
        if key.text not in _NOT_JOBS and isinstance(node, Entries):
            job = _Job((node, *_parents(root, node), *common))
            yield from _launches(page, key.text, job)


def _parents(root: Entries, job: Entries) -> list[Entries]:
    """The jobs that a job extends, the nearest first; the last named wins."""
    found: list[Entries] = []
    waiting = [job]
    while waiting and len(found) < _MOST_PARENTS:
        names = [scalar.text for scalar in scalars_of(waiting.pop(0).get("extends"))][:_MOST_PARENTS]
        parents = [parent for name in reversed(names) if isinstance(parent := root.get(name), Entries)]
        new = [parent for parent in parents if parent not in found]
        found += new
        waiting += new
    return found


def _launches(page: Page, label: str, job: _Job) -> Iterator[Launch]:
    """One shell reads `before_script` and `script`, another one `after_script`."""
    given, holders = _variables(page, job)
    image, shared = image_in(page, job.get("image")), job.shared()
    services = job.get("services")
    for node in services.items if isinstance(services, Items) and services not in shared else ():
        extra = node.get("variables") if isinstance(node, Entries) else None
        own = (*given, *page.variables(extra))
        yield from service(page, label, node, own, (*holders, extra))
    script = job.get("script")
    around = page.surroundings(label, given, image, [job.levels[0], script], holders)
    for nodes in ((job.get("before_script"), script), (job.get("after_script"),)):
        if any(node is not None and node not in shared for node in nodes):
            yield from in_place(page.lines(nodes, around, shared), image)


def _variables(page: Page, job: _Job) -> tuple[tuple[Given, ...], tuple[Node | None, ...]]:
    """The variables of all levels, those of the job last; a value may be a map that describes it."""
    found: dict[str, Given] = {}
    holders: list[Node | None] = []
    for level in reversed(job.levels):
        node = level.get("variables")
        holders.append(node)
        for key, value in node.entries if isinstance(node, Entries) else ():
            said = value.get("value") if isinstance(value, Entries) else value
            found[key.text] = page.given(key, said, value.span)
    return tuple(found.values()), tuple(holders)
