#!/bin/sh
# Starts, answers, and never speculates: nothing in the log says so.
# llama.cpp build 11434

export LLAMA_ARG_DRAFT_P_MIN=0.75

llama-server -m /models/llama-3.3-70b-q4.gguf \
  -md /models/llama-3.2-1b-q8.gguf \
  --host 0.0.0.0 --port 8080
