"""Registers the carriers that ship with mtpconfig, through the same hook as anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.carrier import Carrier
from mtpconfig.carriers.ansible import PlaybookCarrier
from mtpconfig.carriers.ci import PipelineCarrier
from mtpconfig.carriers.compose import ComposeCarrier
from mtpconfig.carriers.dockerfile import DockerfileCarrier
from mtpconfig.carriers.dotenv import DotenvCarrier
from mtpconfig.carriers.generic_yaml import YamlCarrier
from mtpconfig.carriers.kubernetes import KubernetesCarrier
from mtpconfig.carriers.markdown import MarkdownCarrier
from mtpconfig.carriers.shell import ShellCarrier
from mtpconfig.carriers.systemd import SystemdCarrier
from mtpconfig.hooks import hookimpl


@hookimpl
def mtpconfig_carriers() -> Iterable[Carrier]:
    """The carriers in the order in which they are asked: those that know a file by its own marks first."""
    return (
        DockerfileCarrier(),
        ComposeCarrier(),
        PipelineCarrier(),
        PlaybookCarrier(),
        KubernetesCarrier(),
        MarkdownCarrier(),
        SystemdCarrier(),
        DotenvCarrier(),
        YamlCarrier(),
        ShellCarrier(),
    )
