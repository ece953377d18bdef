"""What to ask for."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Times in seconds, sizes in bytes."""

    body_bytes: int = 5 * _MEBIBYTE
    """Read of one body, unpacked as well as on the wire, unless the request says otherwise."""
    answer_s: float = 20.0
    """For one address by the clock, redirects and bodies included, unless the request says so."""
    hops: int = 10
    """Redirects of one address."""
    headers: int = 256
    """Kept of one answer."""
    header_letters: int = 16_384
    """Kept of one header's value."""
    address_letters: int = 8_192
    cookies: int = 50
    """Kept of one answer for the rest of the way."""
    at_once: int = 16
    """Addresses side by side."""
    per_host: int = 6
    """The same of one origin, as browsers do."""
    requests: int = 2_000
    """In all, each hop counted."""
    total_s: float = 600.0
    """From the moment the client was opened: nothing is begun later."""


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
