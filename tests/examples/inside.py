"""Run where the plugin is installed: its rules' examples, and reading back what it renders. Prints what is wrong."""

from __future__ import annotations

from itertools import product

from mtpconfig.errors import CannotRender
from mtpconfig.hooks import find_engine
from mtpconfig.lint.linter import Linter
from mtpconfig.lint.target import Targets, parse_target
from mtpconfig.spec import METHODS, MTPSpec
from mtpconfig.text import Source
from mtpconfig.writers import WRITERS

ENGINE = "lmdeploy"


def rules() -> int:
    """Every example does what it says; the number of examples."""
    count = 0
    for rule in Linter().rules:
        for example in rule.examples if rule.engine == ENGINE else ():
            linter = Linter(Targets(dict([parse_target(example.target)])))
            found = linter.lint_source(Source(example.name, example.text)).findings
            count += 1
            if example.bad != any(finding.rule == rule.id for finding in found):
                print(f"{rule.id}: {example}")
            if not example.bad and any(finding.severity != "info" for finding in found):
                print(f"{rule.id}: a good example has findings: {found}")
    return count


def renderings() -> int:
    """What is kept comes back, and has no fault; the number of launches that were read."""
    lmdeploy, count = find_engine(ENGINE), 0
    models = ("deepseek-ai/DeepSeek-V3", "Qwen/Qwen3.5-9B", "org/m")
    for version, method, gamma, model in product(lmdeploy.options().versions, METHODS, (None, 1, 4), models):
        drafter = None if method in ("mtp", "ngram", "suffix") else "org/d"
        spec = MTPSpec("on", (method,), gamma, 0.6, model, drafter, 0.5)
        try:
            rendering = lmdeploy.render(spec, version)
        except CannotRender:
            continue
        linter = Linter(Targets(dict([parse_target(f"{ENGINE}@{version}")])))
        report = linter.lint_source(Source("start.sh", WRITERS["shell"](rendering) + "\n"))
        back = report.launches[0].spec
        count += 1
        if back.restricted_to(rendering.kept) != spec.restricted_to(rendering.kept):
            print(f"{version}: {spec} comes back as {back}")
        if set(spec.to_dict()) - rendering.kept - set(rendering.dropped):
            print(f"{version}: {spec} lost something")
        if [f for f in report.findings if f.code not in ("MTP307", "MTP501")]:
            print(f"{version}: {rendering.argv} has {report.findings}")
    return count


if __name__ == "__main__":
    print(rules(), renderings())
