"""GitHub Actions: workflows and composite actions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from mtpconfig.carriers.ci.containers import image_in, service
from mtpconfig.carriers.generic_yaml.page import Page, in_place, text_of
from mtpconfig.carriers.yaml_ import Entries, Items, Node, Scalar
from mtpconfig.launch import Given, Launch, Word

_FILES = {"bash": "step.sh", "sh": "step.sh", "pwsh": "step.ps1", "powershell": "step.ps1", "cmd": "step.bat"}
_FILES["python"] = "step.py"


class _Level(Struct, frozen=True, eq=False):
    """What a workflow, a job or a step says for all that is below it; `holders` are the maps that `given` stands in."""

    given: tuple[Given, ...] = ()
    holders: tuple[Node | None, ...] = ()
    image: Word | None = None
    shell: str = ""
    label: str = ""

    def within(self, page: Page, node: Entries, label: str = "") -> _Level:
        """The level of a map below this one."""
        env, defaults = node.get("env"), node.get("defaults")
        run = defaults.get("run") if isinstance(defaults, Entries) else None
        shell = text_of(run.get("shell")) if isinstance(run, Entries) else ""
        given = {entry.name.text: entry for entry in (*self.given, *page.variables(env))}
        image = image_in(page, node.get("container")) or self.image
        return _Level(tuple(given.values()), (*self.holders, env), image, shell or self.shell, label or self.label)


def workflow_launches(page: Page, root: Entries) -> Iterator[Launch]:
    """The launches of a workflow's jobs, or of an action's steps."""
    level = _Level().within(page, root)
    jobs, runs = root.get("jobs"), root.get("runs")
    for key, job in jobs.entries if isinstance(jobs, Entries) else ():
        if isinstance(job, Entries):
            yield from _job(page, job, level.within(page, job, key.text))
    if isinstance(runs, Entries):
        yield from _steps(page, runs, level.within(page, runs))


def _job(page: Page, job: Entries, level: _Level) -> Iterator[Launch]:
    services = job.get("services")
    for key, node in services.entries if isinstance(services, Entries) else ():
        env = node.get("env") if isinstance(node, Entries) else None
        yield from service(page, key.text, node, tuple(page.variables(env)), (env,))
    yield from _steps(page, job, level)


def _steps(page: Page, holder: Entries, level: _Level) -> Iterator[Launch]:
    steps = holder.get("steps")
    for step in steps.items if isinstance(steps, Items) else ():
        if isinstance(step, Entries):
            yield from _step(page, step, level.within(page, step))


def _step(page: Page, step: Entries, level: _Level) -> Iterator[Launch]:
    """`run:` is a script of its own, read by the shell that the step, the job or the workflow names."""
    run = step.get("run")
    if not isinstance(run, Scalar):
        return
    shell = (text_of(step.get("shell")) or level.shell or "bash").split()[:1]
    name = _FILES.get(shell[0] if shell else "")
    if name is not None:
        around = page.surroundings(level.label, level.given, level.image, [step, run], level.holders)
        yield from in_place(page.script(run.fragment, around, name), level.image)
