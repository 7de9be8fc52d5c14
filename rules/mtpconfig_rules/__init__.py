"""What mtpconfig knows about engines, models and hardware, as data: TOML files, no code."""
