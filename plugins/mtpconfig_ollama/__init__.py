"""Ollama for mtpconfig: Modelfiles, the command line, requests, and the llama.cpp that it starts.

Registered through the entry-point group `mtpconfig`.
"""
