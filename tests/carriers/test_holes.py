"""Placeholders inside words: every carrier tells where they stand, so that what is around them can be read."""

from __future__ import annotations

import pytest

from mtpconfig.launch import Word
from mtpconfig.text import Source

from ..support import linter

SHELL = """vllm serve m --speculative-config '{"method":"mtp","num_speculative_tokens":'$N'}'\n"""
DEFAULT = """vllm serve m --speculative-config '{"method":"mtp","num_speculative_tokens":'${N:-3}'}'\n"""
COMPOSE = """\
services:
  v:
    image: vllm/vllm-openai:v0.24.0
    command: --model m --speculative-config '{"method":"mtp","num_speculative_tokens":${N}}'
"""
COMPOSE_LIST = """\
services:
  v:
    image: vllm/vllm-openai:v0.24.0
    command: [--model, m, --speculative-config, '{"method":"mtp","num_speculative_tokens":${N:-3}}']
"""
HELM = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: v}
spec:
  template:
    spec:
      containers:
        - name: v
          image: vllm/vllm-openai:v0.24.0
          args: [--model, m, --speculative-config, '{"method":"mtp","num_speculative_tokens":{{ .Values.n }}}']
"""
KUBERNETES = HELM.replace("{{ .Values.n }}", "$(N)")
KNOWN = KUBERNETES.replace("          args:", "          env: [{name: N, value: '3'}]\n          args:")
SYSTEMD = """\
[Service]
ExecStart=/usr/bin/vllm serve m --speculative-config '{"method":"mtp","num_speculative_tokens":${N}}'
"""
DOCKERFILE = """\
FROM vllm/vllm-openai:v0.24.0
ARG N
CMD vllm serve m --speculative-config "{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":$N}"
"""


def value_in(text: str, name: str) -> Word:
    (launch,) = linter().launches(Source(name, text))
    words = [word.text for word in launch.argv]
    return launch.argv[words.index("--speculative-config") + 1]


@pytest.mark.parametrize(
    ("text", "name", "hole"),
    [
        (SHELL, "start.sh", "$N"),
        (COMPOSE, "compose.yaml", "${N}"),
        (HELM, "deployment.yaml", "{{ .Values.n }}"),
        (KUBERNETES, "deployment.yaml", "$(N)"),
        (SYSTEMD, "v.service", "${N}"),
        (DOCKERFILE, "Dockerfile", "$N"),
    ],
)
def test_placeholders_stand_where_they_are_told(text: str, name: str, hole: str) -> None:
    word = value_in(text, name)
    assert [word.text[start:end] for start, end in word.holes] == [hole]


@pytest.mark.parametrize(("text", "name"), [(DEFAULT, "start.sh"), (COMPOSE_LIST, "compose.yaml")])
def test_defaults_stand_where_they_are_told(text: str, name: str) -> None:
    word = value_in(text, name)
    assert [(word.text[start:end], variable) for start, end, variable in word.defaults] == [("3", "N")]
    assert word.holes == ()


@pytest.mark.parametrize(
    ("text", "name", "gamma"),
    [
        (SHELL, "start.sh", None),
        (DEFAULT, "start.sh", 3),
        (COMPOSE, "compose.yaml", None),
        (COMPOSE_LIST, "compose.yaml", 3),
        (HELM, "deployment.yaml", None),
        (KUBERNETES, "deployment.yaml", None),
        (KNOWN, "deployment.yaml", 3),
        (SYSTEMD, "v.service", None),
        (DOCKERFILE, "Dockerfile", None),
    ],
)
def test_what_stands_around_them_is_read(text: str, name: str, gamma: int | None) -> None:
    (report,) = linter("vllm@0.24.0").lint_source(Source(name, text)).launches
    assert (report.spec.state, report.spec.methods, report.spec.gamma) == ("on", ("mtp",), gamma)
    findings = linter("vllm@0.24.0").lint_source(Source(name, text)).findings
    assert [finding.message for finding in findings if finding.severity != "info"] == []
