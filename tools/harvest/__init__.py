"""Harvesters: they read engines' released sources and write option histories as TOML.

Run from a checkout, e.g. ``python -m tools.harvest llama.cpp``.  Nothing here is shipped in a wheel.
"""
