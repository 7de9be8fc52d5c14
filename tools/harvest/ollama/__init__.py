"""Harvest of Ollama's parameters, instructions, flags and variables, from a clone of its repository."""
