#!/bin/sh
# LMDeploy 0.16.0
lmdeploy serve api_server Qwen/Qwen3.5-9B --tp 2 --server-port 24545 \
  --speculative-algorithm dflash --speculative-draft-model org/Qwen3.5-9B-DFlash --speculative-num-draft-tokens 7
