"""JSON of others, read so that no two readers can believe different things of it.

That of another machine is bounded before and after it is read, for a small text can be a large
thing: what passes holds no number, list or depth that a scan does not write, so that no later code
has to think of them.
"""

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


LARGEST_BYTES = 64 << 20
MOST_ELEMENTS = 100_000
"""Elements of one list or object: far beyond what a scan writes."""
_MOST_VALUES = 5_000_000
"""Each takes some fifty bytes of memory, and three of the text."""
_LARGEST = 2**53 - 1
"""Beyond it two readers of JSON may read two numbers; ``1e999`` is read as infinity."""


def foreign_json(content: bytes) -> object:
    """The document in ``content``; raises ValueError that says in our own words what is wrong."""
    if len(content) > LARGEST_BYTES:
        raise ValueError(f"it is larger than {LARGEST_BYTES >> 20} MiB")
    # Text may hold these letters too; a result has one in some forty.
    if sum(map(content.count, (b",", b"[", b"{"))) > _MOST_VALUES:
        raise ValueError(f"it holds more than {_MOST_VALUES:,} values")
    try:
        document = strict_json(content)
    except ValueError as error:
        raise ValueError("it is not valid JSON") from error
    _check(document)
    return document


def _check(document: object) -> None:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict | list):
            if len(value) > MOST_ELEMENTS:
                raise ValueError(f"a list in it holds more than {MOST_ELEMENTS:,} elements")
            waiting.extend(value.values() if isinstance(value, dict) else value)
        elif isinstance(value, int | float) and not -_LARGEST <= value <= _LARGEST:
            raise ValueError("a number in it is larger than a scan writes")
