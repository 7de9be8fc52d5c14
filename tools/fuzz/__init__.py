"""Read mutated files with every carrier, and check what comes back.

    python -m tools.fuzz                                    # all carriers, 200,000 executions each
    python -m tools.fuzz "docker compose" --seconds 60 --seed 7

Each input is made from the texts in ``seeds/`` by a few mutations; the same seed makes the same inputs. A carrier must
not raise, must not take longer than a second of CPU time, and must say truly where each word was written. Of some
inputs a word is edited too, and the text is read again: what is not as intended is an "unproved edit". The linter drops
such an edit, as it proves each; it is reported because a fix is lost there.
"""
