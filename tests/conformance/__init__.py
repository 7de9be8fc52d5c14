"""Our verdicts against those of the engines themselves, as recorded in tests/data/conformance."""
