"""Registers the carriers that ship with mtpconfig, through the same hook as anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.carrier import Carrier, LazyCarrier
from mtpconfig.carriers.names import (
    may_be_dockerfile,
    may_be_dotenv,
    may_be_markdown,
    may_be_python,
    may_be_shell,
    may_be_unit,
    may_be_yaml,
)
from mtpconfig.hooks import hookimpl

_HERE = "mtpconfig.carriers"


@hookimpl
def mtpconfig_carriers() -> Iterable[Carrier]:
    """The carriers in the order in which they are asked: those that know a file by its own marks first."""
    return (
        LazyCarrier("dockerfile", f"{_HERE}.dockerfile:DockerfileCarrier", may_be_dockerfile),
        LazyCarrier("docker compose", f"{_HERE}.compose:ComposeCarrier", may_be_yaml),
        LazyCarrier("ci / test yaml", f"{_HERE}.ci:PipelineCarrier", may_be_yaml),
        LazyCarrier("ansible playbook", f"{_HERE}.ansible:PlaybookCarrier", may_be_yaml),
        LazyCarrier("kubernetes manifest", f"{_HERE}.kubernetes:KubernetesCarrier", may_be_yaml),
        LazyCarrier("markdown with fenced code", f"{_HERE}.markdown:MarkdownCarrier", may_be_markdown),
        LazyCarrier("systemd unit", f"{_HERE}.systemd:SystemdCarrier", may_be_unit),
        LazyCarrier("dotenv file", f"{_HERE}.dotenv:DotenvCarrier", may_be_dotenv),
        LazyCarrier("python", f"{_HERE}.python_:PythonCarrier", may_be_python),
        LazyCarrier("yaml", f"{_HERE}.generic_yaml:YamlCarrier", may_be_yaml),
        LazyCarrier("shell script", f"{_HERE}.shell:ShellCarrier", may_be_shell),
    )
