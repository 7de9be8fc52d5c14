"""The history of llama.cpp's command-line options."""
