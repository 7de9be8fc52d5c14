"""What is fuzzed: each carrier with a file name, texts to start from, and the marks of its format."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mtpconfig.carrier import Carrier
from mtpconfig.hooks import carriers

_HERE = Path(__file__).parent
_BETWEEN = "\n=====\n"


@dataclass(frozen=True)
class Target:
    """A carrier by its name. `slug` names its seeds and tokens; its inputs are called `file`."""

    name: str
    slug: str
    file: str
    on_yaml: bool = False

    @cached_property
    def carrier(self) -> Carrier:
        """The installed carrier."""
        return next(carrier for carrier in carriers() if carrier.name == self.name)

    @cached_property
    def seeds(self) -> list[str]:
        """Texts to start from: each with LF and with CRLF, the first with a byte order mark too."""
        written = (_HERE / "seeds" / f"{self.slug}.txt").read_text("utf-8").rstrip("\n").split(_BETWEEN)
        texts = [f"{text}\n" for text in written]
        return [*texts, *(text.replace("\n", "\r\n") for text in texts), "\ufeff" + texts[0]]

    @cached_property
    def tokens(self) -> tuple[list[str], list[str]]:
        """What mutations put in: the marks of this format, and marks that mean something in many."""
        known = tomllib.loads((_HERE / "tokens.toml").read_text("utf-8"))
        own: list[str] = known.get(self.slug, [])
        return [*own, *(known["on-yaml"] if self.on_yaml else ())], known["all"]


TARGETS = (
    Target("shell script", "shell", "run.sh"),
    Target("docker compose", "compose", "compose.yaml", on_yaml=True),
    Target("kubernetes manifest", "kubernetes", "pod.yaml", on_yaml=True),
    Target("ci / test yaml", "ci", "ci.yml", on_yaml=True),
    Target("ansible playbook", "ansible", "play.yml", on_yaml=True),
    Target("yaml", "yaml", "some.yaml", on_yaml=True),
    Target("markdown with fenced code", "markdown", "README.md"),
    Target("dockerfile", "dockerfile", "Dockerfile"),
    Target("systemd unit", "systemd", "srv.service"),
    Target("python", "python", "start.py"),
    Target("dotenv file", "dotenv", ".env"),
    Target("llama-server preset INI", "preset-ini", "presets.ini"),
    Target("modelfile", "modelfile", "Modelfile"),
    Target("llama-swap config", "llama-swap", "llama-swap.yaml", on_yaml=True),
    Target("vllm --config yaml", "vllm-config", "vllm.yaml", on_yaml=True),
    Target("ray serve", "ray-serve", "serve.yaml", on_yaml=True),
    Target("sglang --config yaml", "sglang-config", "sglang.yaml", on_yaml=True),
)
