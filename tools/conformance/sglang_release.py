"""What one SGLang release answers for requests whose steps are given, by the release's own code.

    python -m tools.conformance.sglang_release SOURCES < requests.json

Run by `sglang_responses` in a process of its own for each release. SOURCES holds the release's Python files. Two
pieces of them are run, without the rest of SGLang and without a model: the function that puts speculation into
`meta_info`, and the collectors behind `/metrics`; all else that they import is replaced by nothing.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
import tempfile
import textwrap
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import MagicMock

FUNCTION: Final = "_calculate_spec_decoding_metrics"
ABSENT: Final = frozenset(("sglang", "torch", "numpy", "orjson", "zmq", "psutil"))
LABELS: Final = {"model_name": "tiny"}
RANKS: Final = {**LABELS, "tp_rank": 0, "pp_rank": 0, "moe_ep_rank": 1}  # rank 0 has histograms of experts besides
_HEADER: Final = """
from __future__ import annotations
class BatchEmbeddingOutput: ...
def _ragged_verify_cap_accept(): return False
"""


class _Nothing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands for every module of what is absent: whatever is taken from it does nothing."""

    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] in ABSENT else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = types.ModuleType(spec.name)
        module.__path__ = []
        module.__getattr__ = lambda name: MagicMock(name=name)  # type: ignore[method-assign]
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def _module(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _received(request: Mapping[str, Any]) -> SimpleNamespace:
    """What the scheduler hands over for one request, under the names of all releases."""
    accepted = [request["counted"]]
    histogram = [request["histogram"]]
    return SimpleNamespace(
        spec_verify_ct=[request["steps"]],
        completion_tokens=[request["tokens"]],
        spec_accepted_tokens=accepted,
        spec_accepted_drafts=accepted,
        spec_num_correct_drafts=accepted,
        spec_acceptance_histogram=histogram,
        spec_correct_drafts_histogram=histogram,
    )


def meta_infos(sources: Path, requests: Sequence[Mapping[str, Any]], settings: Mapping[str, Any]) -> list[Any]:
    """What the release adds to `meta_info` of each request; an older one adds the number of steps alone."""
    text = (sources / "srt/managers/tokenizer_manager.py").read_text()
    found = [node for node in ast.walk(ast.parse(text)) if getattr(node, "name", "") == FUNCTION]
    if not found:
        assert 'meta_info["spec_verify_ct"] = recv_obj.spec_verify_ct[i]' in text
        return [{"spec_verify_ct": request["steps"]} for request in requests]
    lines = text.splitlines()[found[0].lineno - 1 : found[0].end_lineno]  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "told.py")
        path.write_text(_HEADER + textwrap.dedent("\n".join(lines)) + "\n")
        module = _module("told", path)
    values = SimpleNamespace(**settings)
    module.get_spec = lambda: values
    told = []
    for request in requests:
        meta: dict[str, Any] = {}
        getattr(module, FUNCTION)(SimpleNamespace(server_args=values), meta, _received(request), 0)
        told.append(meta)
    return told


def metrics(sources: Path, requests: Sequence[Mapping[str, Any]], gauges: Mapping[str, Any]) -> str:
    """The release's `/metrics` after these requests, and after a decode log with these gauges."""
    from prometheus_client import CollectorRegistry, generate_latest, multiprocess

    paths = ("srt/observability/metrics_collector.py", "srt/metrics/collector.py")
    path = next(sources / each for each in paths if (sources / each).exists())
    sys.meta_path.insert(0, _Nothing())
    module = _module("collector", path)
    for name in ("generate_buckets", "exponential_buckets"):  # of histograms, which are not looked at
        if isinstance(getattr(module, name, None), MagicMock):
            setattr(module, name, lambda *_, **__: [1.0, 2.0])
    for name in ("get_schedule", "get_observability"):
        if hasattr(module, name):
            setattr(module, name, _Unset)
    tokenizer = module.TokenizerMetricsCollector(labels=LABELS, **_server_args(module.TokenizerMetricsCollector))
    scheduler = module.SchedulerMetricsCollector(labels=RANKS, **_server_args(module.SchedulerMetricsCollector))
    stats = module.SchedulerStats()
    for name, value in gauges.items():
        if hasattr(stats, name):
            setattr(stats, name, value)
    for name in ("spec_accept_length", "spec_accept_rate", "spec_num_steps", "spec_num_draft_tokens"):
        if hasattr(stats, name):
            scheduler._log_gauge(getattr(scheduler, name), getattr(stats, name))
    observe = tokenizer.observe_one_finished_request
    names = observe.__code__.co_varnames[: observe.__code__.co_argcount]
    for request in requests:
        given = {
            "labels": LABELS,
            "prompt_tokens": 40,
            "generation_tokens": request["tokens"],
            "cached_tokens": 0,
            "e2e_latency": 1.0,
            "has_grammar": False,
            "retraction_count": 0,
            "spec_verify_ct": request["steps"],
        }
        observe(**{name: value for name, value in given.items() if name in names})
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry).decode()


def _server_args(collector: Any) -> dict[str, Any]:
    names = collector.__init__.__code__.co_varnames[: collector.__init__.__code__.co_argcount]
    return {"server_args": _Unset()} if "server_args" in names else {}


class _Unset:
    """Settings that nobody made, besides one that histograms are cut by."""

    prefill_delayer_max_delay_passes = 30

    def __getattr__(self, name: str) -> None:
        return None


def main() -> None:
    """Read a state from standard input, print what the release answers."""
    given = json.load(sys.stdin)
    sources = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        told = meta_infos(sources, given["requests"], given["settings"]) if given["settings"] else []
        gauges = given["gauges"]
        text = metrics(sources, given["requests"], gauges) if gauges is not None else ""
    print(json.dumps({"meta": told, "metrics": text}))


if __name__ == "__main__":
    main()
