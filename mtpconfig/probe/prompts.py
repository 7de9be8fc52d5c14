"""What is asked of a server: plain text to be continued, of two kinds, so that each way to draft has its chance.

Prose is where a head or a draft model has to be good. The records repeat themselves, as code and JSON do: n-gram
methods find something to copy there. Both lead to long answers with any kind of model, chat-tuned or not.
"""

from __future__ import annotations

_PROSE = (
    "The lighthouse stood at the end of the pier, and every evening the keeper climbed its stairs to light the lamp. "
    "One autumn night, when the fog was so thick that the water could not be seen,"
)
_RECORDS = (
    '[{"id": 1, "name": "north gate", "status": "open", "checked": true},\n'
    ' {"id": 2, "name": "south gate", "status": "open", "checked": true},\n'
    ' {"id": 3, "name": "east gate", "status": "open", "checked": true},\n'
)

PROMPTS = (_PROSE, _RECORDS)
"""Asked in turn."""
