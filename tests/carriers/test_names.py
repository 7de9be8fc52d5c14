"""A carrier's cheap question by name says yes to every file that the carrier itself would claim."""

from __future__ import annotations

from importlib import import_module

import pytest
from mtpconfig_llamacpp.plugin import mtpconfig_carriers as llamacpp_carriers

from mtpconfig.carrier import LazyCarrier
from mtpconfig.carriers.plugin import mtpconfig_carriers

CARRIERS = [carrier for carrier in (*mtpconfig_carriers(), *llamacpp_carriers()) if isinstance(carrier, LazyCarrier)]
NAMES = (
    *(
        "run.sh",
        "run.bash",
        "run.sh.in",
        "run.sh.example",
        "job.sbatch",
        "job.slurm",
        "run.bats",
        "start",
        "run.py",
        "RUN.PY",
        "run.pyw",
        "x.txt",
    ),
    *(".envrc", ".bashrc", "-", "<stdin>", "stdin", "", "run.command", "run", "entry.tmpl", "run.sh.j2", "run.sh.tmpl"),
    *("compose.yaml", "docker-compose.yml", "docker-compose.gpu.yml", "app.compose.yaml", "compose.override.yaml"),
    *(
        "values.yaml",
        "prod-values.yml",
        "deploy.yaml.gotmpl",
        "deploy.tpl",
        "deploy.yaml.tpl",
        "pod.json",
        "pod.json.j2",
    ),
    *(
        "deployment.yaml.example",
        "deployment.yml.sample",
        "playbook.yml",
        "main.yml",
        ".gitlab-ci.yml",
        "x.gitlab-ci.yml",
    ),
    *("llama-swap.yaml", "config.yaml", "config.yml.dist", "config.yaml.bak", "llama-swap", "config"),
    *(
        "llama.service",
        "llama.service.j2",
        "llama.service.erb",
        "override.conf",
        "llama.container",
        "unit.txt",
        "x.unit",
    ),
    *("llama.container.in", "x.systemd", "x.ini", "x.cfg", "unit", "x.conf.template", "10-x.conf.sample"),
    *("presets.ini", "models.ini.example", "config.ini", "llama.cfg", "llama.conf.j2", "presets.ini.tmpl", "models"),
    *(".env", "prod.env", ".env.example", "env", "env.local", ".env-prod", "vars.env.j2", ".env.production.local"),
    *("README", "README.md", "guide.mdx", "notes.qmd", "notes.Rmd", "x.markdown", "x.mkd", "x.mdown"),
    *(
        "Dockerfile",
        "Dockerfile.cuda",
        "cuda.Dockerfile",
        "Containerfile",
        "Dockerfile-rocm",
        "dockerfile_x",
        "x.containerfile",
    ),
)
HEADS = (
    "",
    "#!/bin/sh\nllama-server -m m.gguf\n",
    "set -e\nllama-server \\\n  -m m.gguf\n",
    "services:\n  llama:\n    image: x\n    command: --spec-type draft-mtp\n",
    "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - image: x\n      args: []\n",
    '{"apiVersion": "v1", "kind": "Pod"}',
    "image:\n  repository: x\nargs: []\n",
    "- hosts: all\n  tasks:\n    - name: x\n      ansible.builtin.shell: llama-server\n",
    "on: push\njobs:\n  x:\n    runs-on: y\n    steps:\n      - run: llama-server\n",
    "models:\n  a:\n    cmd: llama-server -m m.gguf\n",
    "[Service]\nExecStart=/usr/bin/llama-server\n",
    "[Container]\nImage=x\nExec=y\n",
    "[a]\nspec-type = draft-mtp\nmodel = m.gguf\nctx-size = 4096\n",
    "#!/usr/bin/env python3\nimport subprocess\n",
    "# Serving\n\n```sh\nllama-server -m m.gguf\n```\n",
)


@pytest.mark.parametrize("lazy", CARRIERS, ids=lambda lazy: lazy.name)
def test_the_name_question_is_no_narrower_than_the_carrier(lazy: LazyCarrier) -> None:
    module, _, kind = lazy.where.partition(":")
    eager = getattr(import_module(module), kind)()
    claimed = [(name, head) for name in NAMES for head in HEADS if eager.claims(name, head)]

    assert claimed
    assert [pair for pair in claimed if not lazy.claims(*pair)] == []


@pytest.mark.parametrize("lazy", CARRIERS, ids=lambda lazy: lazy.name)
def test_a_lazy_carrier_has_the_name_of_its_carrier(lazy: LazyCarrier) -> None:
    module, _, kind = lazy.where.partition(":")

    assert getattr(import_module(module), kind).name == lazy.name
