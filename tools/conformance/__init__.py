"""Record what real llama.cpp builds do with command lines, and check that they still do.

    python -m tools.conformance record            # all builds, parser verdicts and live effects
    python -m tools.conformance check --build b11549 --only verdicts

Cases and records live in ``tests/data/conformance/llama.cpp``. Each build is the wheel of ``xllamacpp`` that embeds it,
installed into a throw-away environment under the user's cache folder (or ``$MTPCONFIG_CONFORMANCE_CACHE``).
"""
