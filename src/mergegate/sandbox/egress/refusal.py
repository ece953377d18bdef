"""How the proxy says no to one request: a status, and a reason that repeats nothing it was sent."""

from enum import StrEnum


class Verdict(StrEnum):
    """How a contact ended."""

    PASSED = "passed"
    """It was let through, and is over or still going on."""
    REFUSED = "refused"
    """The policy forbids it; nothing was dialled."""
    FAILED = "failed"
    """It was allowed, and the other side did not answer or broke the protocol."""
    CUT = "cut"
    """It was let through, and a cap on bytes or time ended it."""


class Refused(Exception):
    """A request that gets an answer of ours; never leaves this room."""

    def __init__(self, status: int, reason: str, verdict: Verdict = Verdict.REFUSED) -> None:
        super().__init__(reason)
        self.status = status
        """What the client is told: 400 unreadable, 403 forbidden, 502 broken, 504 too slow."""
        self.reason = reason
        """One clause of our own words, without a full stop."""
        self.verdict = verdict


def unreadable(reason: str) -> Refused:
    """The request cannot be understood in exactly one way."""
    return Refused(400, reason)


def forbidden(reason: str) -> Refused:
    """The policy forbids it."""
    return Refused(403, reason)


def broken(reason: str) -> Refused:
    """The other side did not answer as it should."""
    return Refused(502, reason, Verdict.FAILED)


def too_slow(reason: str) -> Refused:
    """The other side did not answer in time."""
    return Refused(504, reason, Verdict.FAILED)


def cut(reason: str) -> Refused:
    """A cap ended it."""
    return Refused(502, reason, Verdict.CUT)
