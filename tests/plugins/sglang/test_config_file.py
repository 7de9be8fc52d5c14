"""The YAML file behind `--config`, named by a launch or linted alone (srt/server_args_config_parser.py)."""

from __future__ import annotations

from pathlib import Path

from mtpconfig.carrier import Files
from mtpconfig.engine import Reading
from mtpconfig.lint.findings import FileReport
from mtpconfig.text import Source

from ...support import lint, linter
from .helping import release, sglang

CONFIG = """\
# sglang 0.5.9
model-path: org/m
tp-size: 8
speculative-algorithm: NEXTN
speculative-num-steps: 3
speculative-eagle-topk: 1
speculative-num-draft-tokens: 4
disable-radix-cache: false
enable-metrics: true
"""


def beside(tmp_path: Path, command: str, version: str = "0.5.10") -> Reading:
    (tmp_path / "server.yaml").write_text(CONFIG)
    source = Source("start.sh", command + "\n")
    (launch,) = linter().launches(source, Files(str(tmp_path)))
    return sglang().read(launch, release(version))


def test_the_keys_are_options_and_the_command_line_has_the_last_word(tmp_path: Path) -> None:
    reading = beside(tmp_path, "python -m sglang.launch_server --config server.yaml --speculative-num-steps 5")
    assert (reading.spec.model, reading.spec.methods, reading.spec.gamma) == ("org/m", ("mtp",), 5)
    assert "enable-metrics" in reading.by_option and "disable-radix-cache" not in reading.by_option
    assert reading.closed


def test_before_0_5_3rc2_no_file_is_read(tmp_path: Path) -> None:
    assert "speculative-algorithm" not in beside(tmp_path, "sglang serve --config server.yaml", "0.5.3rc0").by_option


def test_glued_the_file_is_not_read(tmp_path: Path) -> None:
    reading = beside(tmp_path, "python -m sglang.launch_server --config=server.yaml")
    assert "speculative-algorithm" not in reading.by_option and reading.spec.state == "off"


def test_a_file_that_cannot_be_read_leaves_everything_open() -> None:
    (launch,) = linter().launches(Source("start.sh", "sglang serve --config other.yaml\n"))
    assert sglang().read(launch, release("0.5.10")).spec.state == "unknown"


def alone(text: str, target: str = "") -> FileReport:
    return lint(text, target, "server.yaml")


def test_a_file_alone_is_a_launch() -> None:
    report = alone(CONFIG)
    (launch,) = report.launches
    assert (str(launch.version), launch.spec.gamma, launch.spec.methods) == ("0.5.9", 3, ("mtp",))
    assert [f.code for f in report.findings if f.severity != "info"] == []


def test_keys_with_underscores_are_refused() -> None:
    report = alone(CONFIG.replace("speculative-num-steps", "speculative_num_steps"), "sglang@0.5.10")
    (finding,) = [f for f in report.findings if f.severity == "error"]
    assert finding.code == "MTP103" and "speculative-num-steps" in finding.help


def test_names_that_are_gone_are_refused_in_the_file_too() -> None:
    report = alone(CONFIG + "mamba-scheduler-strategy: extra_buffer\n", "sglang@0.5.20")
    assert [f.code for f in report.findings if f.severity == "error"] == ["MTP101"]


def test_a_recipe_holds_one_map_for_each_server() -> None:
    section = "".join("  " + line + "\n" for line in CONFIG.splitlines()[1:])
    report = alone(f"# sglang 0.5.9\nprefill:\n{section}decode:\n{section}")
    assert [(launch.launch.label, launch.spec.gamma) for launch in report.launches] == [("prefill", 3), ("decode", 3)]


def test_other_files_are_not_claimed() -> None:
    for text in (
        "services:\n  sglang:\n    image: lmsysorg/sglang\n    mem-fraction-static: 1\n",
        CONFIG + "replicas: 3\n",
        "apiVersion: v1\nspeculative-algorithm: EAGLE\nmodel-path: m\n",
        "- speculative-algorithm: EAGLE\n  model-path: m\n",
        "tensor-parallel-size: 8\nserved-model-name: sglang\n",
    ):
        assert not any(one.launch.carrier == "sglang --config yaml" for one in alone(text).launches)
