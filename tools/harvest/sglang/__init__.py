"""The history of SGLang's options."""
