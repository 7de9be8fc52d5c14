"""`--config FILE`: read inside the tree, before the command line; only in the two-word form."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtpconfig.lint.findings import LaunchReport

from ...support import linter

SPEC = "speculative-config:\n  method: mtp\n  num_speculative_tokens: 2\n"


def launched(folder: Path, script: str, config: str = SPEC) -> LaunchReport:
    (folder / "c.yaml").write_text(config, encoding="utf-8")
    (folder / "start.sh").write_text(script + "\n", encoding="utf-8")
    (report,) = linter("vllm@0.24.0").lint_path(str(folder / "start.sh"), str(folder)).launches
    return report


@pytest.mark.parametrize(
    ("script", "state", "gamma"),
    [
        ("vllm serve m --config c.yaml", "on", 2),
        ("vllm serve m --config ./c.yaml", "on", 2),
        (
            'vllm serve m --config c.yaml --speculative-config \'{"method":"ngram","num_speculative_tokens":5}\'',
            "on",
            5,
        ),
        ("vllm serve m --config c.yaml --speculative-config.method mtp", "on", None),
        ("vllm serve m --config=c.yaml", "off", None),  # argparse stores the name, and nobody reads the file
        ("vllm serve m --config absent.yaml", "unknown", None),
        ("vllm serve m --config ../c.yaml", "unknown", None),
        ("vllm serve m --config $C", "unknown", None),
    ],
)
def test_what_the_file_says(tmp_path: Path, script: str, state: str, gamma: int | None) -> None:
    spec = launched(tmp_path, script).spec
    assert (spec.state, spec.gamma) == (state, gamma)


def test_a_fault_in_the_file_is_told_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("speculative-config:\n  method: nextn\n  num_speculative_tokens: 2\n")
    (tmp_path / "start.sh").write_text("vllm serve m --config c.yaml\n")
    report = linter("vllm@0.32.0").lint_path(str(tmp_path / "start.sh"), str(tmp_path))
    (finding,) = (each for each in report.findings if each.severity == "error")
    assert (finding.source.path.endswith("c.yaml"), finding.source.position(finding.span.start)) == (True, (2, 11))
    assert finding.fix is None


@pytest.mark.parametrize(
    ("text", "theirs"),
    [
        ("model: m\ntensor-parallel-size: 2\n", True),
        ("# serve\nmodel: m\nmax_model_len: 4096\nport: 8000\n", True),
        (SPEC + "model: m\n", True),
        ("model-path: m\ntp-size: 2\nmax-model-len: 4\n", False),  # another engine's
        ("image:\n  tag: x\nmax-model-len: 4\n", False),
        ("apiVersion: v1\nmax-model-len: 4\nmodel: m\n", False),
        ("- max-model-len: 4\n", False),
        ("port: 8000\nhost: x\n", False),
        ("max-model-len: 4\n", False),
    ],
)
def test_which_files_are_read_alone(text: str, theirs: bool) -> None:
    from mtpconfig_vllm.config_yaml.claims import is_config

    assert is_config("serve.yaml", text) is theirs
    assert not is_config("serve.toml", text)
