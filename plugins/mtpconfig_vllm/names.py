"""Methods that vLLM reads out of the name of a drafter, whatever the configuration says."""

from __future__ import annotations

from mtpconfig.version import PEP440, Version

# What stands in a drafter's name, and the method that it makes, the first that fits: SpeculativeConfig.__post_init__,
# "Automatically detect the method". Methods that are left as they are come first in each row.
_TABLE = tuple(
    (PEP440.parse(since), kept, marks)
    for since, kept, marks in (
        ("0.25.0", ("eagle", "eagle3", "dflash", "dspark"),
         (("eagle-", "eagle"), ("eagle3", "eagle3"), ("dflash", "dflash"), ("dspark", "dspark"))),
        ("0.20.0", ("eagle", "eagle3", "dflash"), (("eagle-", "eagle"), ("eagle3", "eagle3"), ("dflash", "dflash"))),
        ("0.10.2", ("eagle", "eagle3"), (("eagle-", "eagle"), ("eagle3", "eagle3"))),
        ("0.8.5", ("eagle", "eagle3"), (("eagle-", "eagle"), ("eagle3-", "eagle"))),
        ("0.5.0", (), (("eagle-", "eagle"),)),
    )
)  # fmt: skip
WITHOUT_DRAFTER = frozenset(("ngram", "ngram_gpu", "suffix", "extract_hidden_states", "custom_class"))
"""Methods that load no draft model, so that no name is looked at."""


def method_by_name(drafter: str, said: str | None, version: Version) -> str | None:
    """The method that a drafter's name makes of the one said; None where the name decides nothing."""
    if said in WITHOUT_DRAFTER:
        return None
    _, kept, marks = next(row for row in _TABLE if version >= row[0] or row is _TABLE[-1])
    if said in kept:
        return None
    name = drafter.lower()
    return next((method for mark, method in marks if mark in name), None)
