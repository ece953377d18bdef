"""What the way out answers in a server's place (world/egress/conversation.py)."""

from collections.abc import Mapping

OPENING = "Not let through: "
"""How its text begins."""
STATUSES = frozenset({400, 403, 408, 502, 503, 504})
POLICY = 403
"""Of them: the scan may not go there."""
NO_ANSWER = frozenset({502, 504})
"""Of them: the scan may go there, and nobody is there."""
_HEADERS = {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
}
"""A site's own answers have a date besides."""


def looks_like_one(headers: Mapping[str, str]) -> bool:
    """By its headers, where there is no text to read."""
    given = {name.lower(): value for name, value in headers.items()}
    return "date" not in given and _HEADERS.items() <= given.items()
