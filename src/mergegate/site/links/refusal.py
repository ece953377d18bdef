"""Understand what the way out itself says: ``world/egress`` answers in the place of a site."""

from mergegate.site.links.answer import Failure, Lack, Reply

_OPENING = b"Not let through: "
"""How the way out begins what it says. A site that says the same calls but itself unreachable."""
_STATUSES = frozenset({400, 403, 408, 502, 503, 504, 505})
_REASONS = {
    "the host's name could not be resolved": Failure(
        Lack.NO_NAME, "there is no host with this name"
    ),
    "the host does not take connections": Failure(
        Lack.NO_CONNECTION, "the host does not take connections"
    ),
    "the response is larger than a scan may receive": Failure(
        Lack.TOO_LARGE, "it answers with more than is read"
    ),
}
_LACKS = {400: Lack.FORBIDDEN, 403: Lack.FORBIDDEN, 503: Lack.BUSY, 504: Lack.SLOW, 408: Lack.SLOW}


def refusal(reply: Reply) -> Failure | None:
    """The way out's own words, when it is they that came."""
    if reply.status in _STATUSES and reply.body.startswith(_OPENING):
        return refused(reply.status, reply.body)
    return None


def refused(status: int, body: bytes) -> Failure:
    """What the way out means by ``body``."""
    words = body.removeprefix(_OPENING).decode("ascii", "replace")[:200]
    reason = words.strip().removesuffix(".")
    return _REASONS.get(reason) or Failure(_LACKS.get(status, Lack.BROKEN), _plain(reason))


def _plain(reason: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in reason)
