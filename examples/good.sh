#!/usr/bin/env bash
set -euo pipefail

# mtpconfig: target llama.cpp@b11549
exec llama-server \
  -m "$HOME/models/qwen3.6-27b-mtp.gguf" \
  --spec-type draft-mtp --spec-draft-n-max 3 \
  --temp 0.6 -c 32768 --port 8080
