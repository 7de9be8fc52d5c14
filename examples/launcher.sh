#!/usr/bin/env bash
# One launcher for two machines: words gathered in an array, a branch, and a container whose tag names the build.
set -euo pipefail

image=ghcr.io/ggml-org/llama.cpp:server-cuda-b11434
models=${MODELS:-/srv/models}

args=(
  -m /models/qwen3.6-35b-a3b-mtp.gguf
  -ngl 99            # all layers on the GPU
  --spec-type draft-mtp
)

case "$(hostname)" in
  box-*) args+=(-c 8192 --spec-draft-n-max 2) ;;
  *)     args+=(-c 65536 --draft-max 4) ;;
esac

docker run --rm --gpus all -v "$models:/models:ro" -p 8080:8080 "$image" \
  "${args[@]}" --host 0.0.0.0
