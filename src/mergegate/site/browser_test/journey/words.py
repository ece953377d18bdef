"""Text of a page, made safe to keep: well-formed, without control characters, and short."""

import re

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
MOST = 500
"""Characters of a message."""
MOST_URL = 2000
_ROOM = 8


def clean(text: object, most: int = MOST) -> str:
    """One line of at most ``most`` characters; empty for what is no text."""
    if not isinstance(text, str):
        return ""
    plain = text[: most * _ROOM].encode("utf-8", "replace").decode("utf-8")
    flat = " ".join(_CONTROLS.sub(" ", plain).split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def address(text: object) -> str:
    """A URL as it is, cut when it is longer than any server takes."""
    if not isinstance(text, str):
        return ""
    plain = text[:MOST_URL].encode("utf-8", "replace").decode("utf-8")
    return _CONTROLS.sub("", plain)
