#!/usr/bin/env bash
# A launch copied from a tutorial, on a build that is newer than the tutorial.
exec /opt/llama-b11434/llama-server \
  -m "${MODEL:-/models/qwen3.6-27b-mtp.gguf}" -ngl 99 -c 16384 \
  --spec-type draft-mtp \
  --draft-max 5 --draft-min 1 \
  --port 8080
