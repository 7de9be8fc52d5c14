"""Tests against a real llama.cpp: its own argument parser and its own HTTP server, on a constructed tiny model."""
