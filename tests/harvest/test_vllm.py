"""The vLLM harvester reads the ways in which its releases say their options.

The texts are cut out of the releases named; what is expected of them is what argparse makes of them there.
"""

from __future__ import annotations

import http.server
import io
import re
import threading
import zipfile
from collections.abc import Iterator
from typing import ClassVar

import pytest

from tools.harvest import remote_zip
from tools.harvest.pysource import Names, parse
from tools.harvest.vllm.flags import ENGINE, Flag, parse_flags

V0_8_2 = """
class EngineArgs:
    @staticmethod
    def add_cli_args(parser):
        parser.add_argument('--task', default=EngineArgs.task, choices=['auto', 'generate'], help='x')
        parser.add_argument('--skip-tokenizer-init', action='store_true', help='x')
        parser.add_argument('--pipeline-parallel-size', '-pp', type=int, default=EngineArgs.pipeline_parallel_size)
        parser.add_argument('--enable-prefix-caching', action=argparse.BooleanOptionalAction, default=None)
        parser.add_argument('--enable-chunked-prefill', action=StoreBoolean, nargs="?", const="True")
        parser.add_argument('--served-model-name', nargs="+", type=str, default=None)
        parser.add_argument('--model-loader-extra-config', type=nullable_str, default=None)
        parser.add_argument('--gpu-memory-utilization', type=float, default=0.9)
        parser.add_argument('--override-generation-config', type=json.loads, default=None)
"""
CONFIG = """
from typing import Literal
RunnerOption = Literal["auto", "generate", "pooling", "draft"]
Backend = Literal["mp", "ray"]

@config
class Base:
    seed: int = 0

@config
class ModelConfig(Base):
    runner: RunnerOption = "auto"
    hf_token: bool | str | None = None
    enforce_eager: bool = False
    served_model_name: str | list[str] | None = None
    max_model_len: int | None = Field(default=None, gt=0)
    hf_overrides: HfOverrides = Field(default_factory=dict)
    limits: dict[str, int] | None = None
    backend: Backend | str | None = None
"""
V0_33 = """
class EngineArgs:
    @staticmethod
    def add_cli_args(parser):
        model_kwargs = get_kwargs(ModelConfig)
        group = parser.add_argument_group(title="ModelConfig")
        group.add_argument("--runner", **model_kwargs["runner"])
        group.add_argument("--hf-token", **model_kwargs["hf_token"])
        group.add_argument("--enforce-eager", **model_kwargs["enforce_eager"])
        group.add_argument("--served-model-name", **model_kwargs["served_model_name"])
        group.add_argument("--max-model-len", **model_kwargs["max_model_len"])
        group.add_argument("--seed", **model_kwargs["seed"])
        group.add_argument("--limits", **model_kwargs["limits"])
        group.add_argument("--backend", **model_kwargs["backend"])
        group.add_argument("--enable-chunked-prefill", **{**model_kwargs["enforce_eager"], "default": None})
        model_kwargs["limits"]["type"] = str
        group.add_argument("model_tag", nargs="?")
"""
FRONT_END = """
@config
class BaseFrontendArgs:
    enable_log_outputs: bool = False
    allowed_origins: list[str] = field(default_factory=list)

@config
class FrontendArgs(BaseFrontendArgs):
    port: int = 8000

    def _customize(cls, frontend_kwargs):
        frontend_kwargs["allowed_origins"]["type"] = json.loads
        del frontend_kwargs["allowed_origins"]["nargs"]
"""


def flags(files: dict[str, str], inverses: bool = False) -> dict[str, Flag]:
    names = Names()
    for path, text in files.items():
        names.add(parse(path, text))
    return {flag.dest: flag for flag in parse_flags(files, names, inverses)}


def test_options_that_say_their_type_themselves() -> None:
    found = flags({ENGINE: V0_8_2})
    assert {dest: flag.type for dest, flag in found.items()} == {
        "task": "string",
        "skip_tokenizer_init": "flag",
        "pipeline_parallel_size": "int",
        "enable_prefix_caching": "bool",
        "enable_chunked_prefill": "optional",
        "served_model_name": "list",
        "model_loader_extra_config": "string",
        "gpu_memory_utilization": "float",
        "override_generation_config": "json",
    }
    assert found["pipeline_parallel_size"].names == ("--pipeline-parallel-size", "-pp")
    assert found["enable_prefix_caching"].no_names == ("--no-enable-prefix-caching",)
    assert found["task"].choices == ("auto", "generate")


def test_options_that_take_their_type_from_a_field() -> None:
    found = flags({ENGINE: V0_33, "vllm/config/model.py": CONFIG})
    assert {dest: flag.type for dest, flag in found.items()} == {
        "runner": "string",
        "hf_token": "optional",
        "enforce_eager": "bool",
        "served_model_name": "list",
        "max_model_len": "int",
        "seed": "int",
        "limits": "string",
        "backend": "string",
        "enable_chunked_prefill": "bool",
    }
    assert found["runner"].choices == ("auto", "generate", "pooling", "draft")
    assert found["backend"].choices == ()  # any string is taken too
    assert (found["runner"].default, found["seed"].default, found["max_model_len"].default) == ("auto", "0", None)


def test_a_switch_has_its_inverse_since_0_33_0() -> None:
    found = flags({ENGINE: V0_33, "vllm/config/model.py": CONFIG}, inverses=True)
    assert found["enable_chunked_prefill"].no_names == ("--no-enable-chunked-prefill", "--disable-chunked-prefill")
    assert found["enforce_eager"].no_names == ("--no-enforce-eager",)


def test_options_of_the_front_end_come_from_its_class() -> None:
    found = flags({"vllm/entrypoints/openai/cli_args.py": FRONT_END})
    assert {dest: (flag.names, flag.type) for dest, flag in found.items()} == {
        "enable_log_outputs": (("--enable-log-outputs",), "bool"),
        "allowed_origins": (("--allowed-origins",), "json"),
        "port": (("--port",), "int"),
    }


class _Ranges(http.server.BaseHTTPRequestHandler):
    content: ClassVar[bytes] = b""
    asked: ClassVar[list[tuple[int, int]]] = []
    partial: ClassVar[bool] = True

    def do_GET(self) -> None:
        said = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"] or "")
        assert said is not None
        first, last = int(said[1]), int(said[2])
        self.asked.append((first, last))
        part = self.content[first : last + 1] if self.partial else self.content
        self.send_response(206 if self.partial else 200)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("vllm/envs.py", b"A = 1\n")
        archive.writestr("vllm/_C.abi3.so", bytes(range(256)) * 8192)
        archive.writestr("vllm/version.py", b"B = 2\n", zipfile.ZIP_DEFLATED)
    _Ranges.content, _Ranges.asked, _Ranges.partial = written.getvalue(), [], True
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Ranges) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}/vllm.whl"
        running.shutdown()
        thread.join()


@pytest.mark.timeout(60)
def test_members_of_a_wheel_are_read_without_the_rest(server: str) -> None:
    size = len(_Ranges.content)
    found = remote_zip.members(server, size, lambda path: path.endswith(".py"))
    assert found == {"vllm/envs.py": b"A = 1\n", "vllm/version.py": b"B = 2\n"}
    assert sum(last - first + 1 for first, last in _Ranges.asked) < size / 2


@pytest.mark.timeout(60)
def test_a_server_that_sends_the_whole_file_is_refused(server: str) -> None:
    _Ranges.partial = False
    with pytest.raises(OSError, match="sends no parts"):
        remote_zip.members(server, len(_Ranges.content), lambda path: True)
