"""The real vLLM on the processor, with constructed models: opt in with ``make live-vllm``."""
