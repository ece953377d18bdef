"""JSON of others, read so that no two readers can believe different things of it."""

import json
from typing import Any


def strict_json(content: bytes) -> Any:
    """The document in ``content``, which is UTF-8; raises ValueError, for endless nesting too.

    Refused are a key that stands twice in one object, NaN and Infinity: RFC 8259 leaves the first
    to the reader and does not know the others.
    """
    try:
        text = content.decode("utf-8")
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
