"""Identifiers as callers send them: what no database would take as text is asked for all the same.

So that what is nonsense is answered as what is unknown is, and takes as long.
"""

import re

_SHAPE = re.compile(r"[A-Za-z0-9_-]{1,200}")


def askable(id: str) -> str:
    """``id``, or one that nothing has."""
    return id if _SHAPE.fullmatch(id) else ""
