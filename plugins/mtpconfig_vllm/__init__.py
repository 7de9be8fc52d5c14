"""vLLM: what it needs beyond the core."""
