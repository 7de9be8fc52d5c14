"""`LLMConfig(engine_kwargs=...)` of Ray Serve in Python: what is in the map is what vLLM receives."""

from __future__ import annotations

from mtpconfig.lint.fixes import fix_source
from tests.support import found, lint, linter

CALL = """\
from ray.serve.llm import LLMConfig

cfg = LLMConfig(
    model_loading_config=dict(model_id="q", model_source="Qwen/Qwen3.6-27B"),
    engine_kwargs=dict(max_model_len=4096, speculative_config={'method': 'mtp', 'num_speculative_tokens': 2}),
)
"""


def test_the_map_is_read_as_keyword_arguments() -> None:
    (report,) = lint(CALL, "vllm@0.24.0", "serve.py").launches
    spec = report.spec
    assert (spec.state, spec.methods, spec.gamma, spec.model) == ("on", ("mtp",), 2, "Qwen/Qwen3.6-27B")
    assert found(CALL, "vllm@0.24.0", "serve.py") == []


def test_the_family_of_the_model_counts() -> None:
    assert [finding.code for finding in found(CALL, "vllm@0.16.0", "serve.py")] == ["MTP307"]


def test_a_fault_two_levels_deep_has_its_place_and_its_fix() -> None:
    wrong = CALL.replace("num_speculative_tokens", "num_speculative_token")
    (finding,) = found(wrong, "vllm@0.24.0", "serve.py")
    assert finding.code == "MTP202"
    assert wrong[slice(*finding.span)] == "num_speculative_token"
    fixed = fix_source(linter("vllm@0.24.0"), lint(wrong, "vllm@0.24.0", "serve.py"), unsafe=True)
    assert fixed.source.text == CALL


def test_what_is_put_together_elsewhere_is_open() -> None:
    text = CALL.replace("engine_kwargs=dict(", "engine_kwargs=dict(**more, ")
    (report,) = lint(text, "vllm@0.24.0", "serve.py").launches
    assert report.spec.state == "unknown" or report.why_open


def test_another_class_of_that_name_is_no_launch() -> None:
    assert lint(CALL.replace("ray.serve.llm", "ours"), "vllm@0.24.0", "serve.py").launches == []
