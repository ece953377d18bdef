"""How bad a finding of a site is (specification: severity of the browser test)."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a rendered page; all of it is hostile text."""

    selector: str
    """A CSS selector that finds it again; empty when none is known."""
    snippet: str = ""
    """Its opening tag, shortened."""
    label: str = ""
    """What a person would call it: its text or name."""


_LENGTH = 16


def stable_id(*parts: str) -> str:
    """16 hex digits of ``parts``, which hold nothing that changes with host, figures or order."""
    return sha256("\0".join(parts).encode()).hexdigest()[:_LENGTH]


RANDOM_BYTES = 16
_MILLISECOND = dt.timedelta(milliseconds=1)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def identifier(prefix: str, moment: dt.datetime, random: bytes) -> str:
    """``prefix``, the millisecond of ``moment`` (aware), then ``random``, in hexadecimal.

    Raises ValueError when ``random`` is shorter than :data:`RANDOM_BYTES`: it could be guessed.
    """
    if len(random) < RANDOM_BYTES:
        raise ValueError(f"an identifier takes {RANDOM_BYTES} random bytes")
    return f"{prefix}{(moment - _EPOCH) // _MILLISECOND:012x}{random.hex()}"


class Level(StrEnum):
    """An error is to be put right, a warning to be looked at; info hinders nobody as it is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    """Told by audits alone: the specification gives the browser test the other two, which makes a
    suggestion of it."""
