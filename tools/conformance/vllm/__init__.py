"""Record what the real vLLM does with launches, and check that it still does.

    python -m tools.conformance.vllm record         # verdicts on all cases: minutes
    python -m tools.conformance.vllm check          # the same, compared with what is recorded
    python -m tools.conformance.vllm environment    # install vLLM where that has not been done, and print its Python

Everything runs in an environment of vLLM's own (several gigabytes), never in the project's.
"""
