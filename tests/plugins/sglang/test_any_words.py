"""Whatever stands among the words: a reading comes out, at every release, and says nothing of what is not there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.launch import Known, Launch, Opaque, Word
from mtpconfig.spec import MTPSpec
from mtpconfig.text import Fragment, Source

from .helping import sglang

RELEASES = sglang().options().versions
NAMES = [*sglang().options().spellings("flag"), "--model-path", "--config", "--tp", "--lora-paths", "--enable-metrics",
         "--speculative", "--speculative-num", "--speculative-draft", "--", "-", "-1", "--=", "--x", "=",
         "--speculative-", "--preferred-sampling-params"]  # fmt: skip
VALUES = ["EAGLE", "NEXTN", "ngram", "MTP", "", "0", "1", "3", "-5", "1_0", "9" * 400, "nan", "inf", "1e400",
          "True", "None", '{"temperature": 0.5}', '{"temperature": -1}', "[" * 3000,
          '{"temperature": true}', "a b"]  # fmt: skip
WORDS = st.sampled_from(NAMES) | st.sampled_from(VALUES)
GLUED = st.builds("{}={}".format, st.sampled_from(NAMES), st.sampled_from(VALUES))


@pytest.mark.timeout(60)
@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS | GLUED, max_size=8), st.sampled_from(RELEASES), st.integers(0, 7))
def test_a_reading_comes_out(texts: list[str], version: object, hidden: int) -> None:
    words = tuple(
        Word(Fragment.of(Source("w", text)), Opaque("$X") if place == hidden else Known(text))
        for place, text in enumerate(["sglang", "serve", *texts])
    )
    launch = Launch(words, words[0].fragment, engine="sglang", program="sglang serve", args_at=2)
    reading = sglang().read(launch, version)  # type: ignore[arg-type]
    assert isinstance(reading.spec, MTPSpec)
    if not any(text.startswith("--sp") for text in texts):
        assert reading.spec.state == "off"
    for check in sglang().checks().values():
        check(reading)
