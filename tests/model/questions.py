"""Questions and answers that the tests share."""

import json
from typing import Any

from mergegate.model.protocol import Question

FIX: dict[str, Any] = {
    "type": "object",
    "properties": {
        "old": {"type": "string", "maxLength": 40},
        "new": {"type": "string", "maxLength": 40},
        "why": {"enum": ["bug", "style"]},
    },
    "required": ["old", "new", "why"],
    "additionalProperties": False,
}
GOOD = {"old": "os.umask(0)", "new": "os.umask(0o077)", "why": "bug"}
SAID = json.dumps(GOOD)


def question(text: str = "os.umask(0)", most_tokens: int = 200) -> Question:
    """One of a fix."""
    return Question("fix", "Mend the line.", text, FIX, most_tokens)
