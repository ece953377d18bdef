"""What to ask for."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Method: TypeAlias = Literal["GET", "HEAD", "OPTIONS"]
"""Those that change nothing (RFC 9110, 9.2.1)."""


@dataclass(frozen=True, slots=True)
class Request:
    """One address, and how to ask for it."""

    url: str
    method: Method = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    """Sent on every hop, in the place of what would be sent under the same name."""
    agent: str | None = None
    """The User-Agent; None for the client's."""
    most_bytes: int | None = None
    """Read of the body; None for the client's bound."""
    follow: bool = True
    """Whether redirects are followed."""
    timeout_s: float | None = None
    """For all of it by the clock; None for the client's bound."""
