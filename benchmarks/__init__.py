"""What starting and linting cost here: `python -m benchmarks.run`. No test depends on it."""
