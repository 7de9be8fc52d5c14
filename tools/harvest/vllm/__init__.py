"""vLLM: which names its releases know, read from the Python files in its wheels."""
