"""Makes a folder of small shell scripts as a repository holds them: 1 in 100 starts a server, a few others mention one.

python -m benchmarks.trees FOLDER [N]
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

SEED = 11434
PER_FOLDER = 50
LAUNCHES = 0.01
MENTIONS = 0.005

_CHORES = (
    'log() { printf "%s %s\\n" "$(date -u +%FT%TZ)" "$*" >&2; }',
    'cd "$(dirname "$0")/.." || exit 1',
    'if [ -z "${TOKEN:-}" ]; then echo "TOKEN is not set" >&2; exit 2; fi',
    'for host in web-1 web-2 db-1; do\n  ssh "$host" "systemctl is-active nginx" || log "$host is down"\ndone',
    'tar -czf "backup-$(date +%F).tar.gz" --exclude=.git src docs',
    "curl -fsSL https://example.org/health | jq -r .status",
    'docker build --pull -t "registry.example.org/app:${TAG:-dev}" .',
    'case "$1" in\n  start) systemctl start app ;;\n  stop) systemctl stop app ;;\n  *) exit 2 ;;\nesac',
    "cat > config.ini <<EOT\n[server]\nport = 8000\nworkers = $(nproc)\nEOT",
    "find . -name '*.pyc' -newer stamp -print0 | xargs -0 rm -f",
    'while read -r name size; do\n  [ "$size" -gt 1000 ] && echo "$name"\ndone < <(du -a | sort -n)',
    "export PATH=$HOME/.local/bin:$PATH LANG=C.UTF-8",
    "python3 -m pytest -q tests && python3 -m build --wheel",
    'rsync -a --delete --exclude "*.tmp" out/ "backup@example.org:/srv/$USER/"',
    'args=(--verbose --retries 3)\n[ -n "${DEBUG:-}" ] && args+=(--debug)\n./deploy "${args[@]}" "$@"',
    "# rotated weekly by cron, see docs/operations.md",
)
_LAUNCHES = (
    "exec llama-server -m /models/q.gguf \\\n  --spec-type draft-mtp --spec-draft-n-max 3 \\\n  --port 8080",
    "# llama.cpp build 11434\nllama-server -m q.gguf -ngl 99 --spec-type draft-mtp --draft-max 5 &",
    "docker run --gpus all -p 8080:8080 ghcr.io/ggml-org/llama.cpp:server-cuda-b11434 \\\n  -m /models/q.gguf -c 8192",
    'args=(-m "$MODEL" -c 16384)\nargs+=(--spec-type draft-simple -md "$DRAFT")\nllama-server "${args[@]}"',
)
_MENTION = "# talks to the llama server of the neighbours"


def script(random_: random.Random) -> str:
    """One script of about 20 to 60 lines."""
    parts = ["#!/usr/bin/env bash", "set -euo pipefail", *random_.choices(_CHORES, k=random_.randint(10, 25))]
    kind = random_.random()
    if kind < LAUNCHES:
        parts.insert(random_.randint(2, len(parts)), random_.choice(_LAUNCHES))
    elif kind < LAUNCHES + MENTIONS:
        parts.insert(random_.randint(2, len(parts)), _MENTION)
    return "\n".join(parts) + "\n"


def make(folder: Path, count: int) -> int:
    """Write `count` scripts below a folder, the same ones every time; returns their size in bytes."""
    random_ = random.Random(SEED)
    size = 0
    for number in range(count):
        path = folder / f"part-{number // PER_FOLDER:03}" / f"script-{number:05}.sh"
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_text(script(random_), "utf-8")
    return size


if __name__ == "__main__":
    print(make(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2000), "bytes")
