"""How much asking is enough, and what a browser says of an address when asking was not enough."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

_KIBIBYTE = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What one check of links may take; times in seconds, sizes in bytes."""

    links: int = 5_000
    """Addresses, their fragments left out."""
    requests: int = 20_000
    """The most requests in all: with redirects, second tries and probes."""
    at_once: int = 64
    per_host: int = 8
    """Requests at once to one origin, to begin with."""
    widest: int = 32
    """Requests at once to an origin that answers well again and again."""
    attempts: int = 3
    """Tries of an address that fails in a way that may pass."""
    patience: int = 5
    """Tries of an address that answers 429 or 503 and says when to come back."""
    hops: int = 10
    """Redirects of one address."""
    head_s: float = 4.0
    """The wait for the answer to a HEAD, which some servers never give."""
    answer_s: float = 10.0
    """The wait for one answer, its body included."""
    wait_s: float = 15.0
    """The longest ``Retry-After`` that is waited for."""
    total_s: float = 120.0
    """The time of everything before the browser."""
    page_bytes: int = 1024 * _KIBIBYTE
    """Read of one page, unpacked."""
    probes: int = 8
    """Made-up addresses asked of the site itself."""
    reopened: int = 20
    """Addresses opened in the browser."""
    address_letters: int = 8_192


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopened:
    """What a browser got for an address; all text is hostile."""

    status: int | None
    """None when there was no answer."""
    final_url: str
    title: str = ""
    anchors: frozenset[str] = frozenset()
    """Ids and names that a fragment can point at."""
    whole: bool = True
    """Whether these are all that the page has."""
    error: str = ""
    """The browser's own word for a failure, such as ``net::ERR_TOO_MANY_REDIRECTS``."""
    heading: str = ""
    """The first main heading."""


Reopen: TypeAlias = Callable[[Sequence[str]], Mapping[str, Reopened]]
"""Opens addresses in a browser; what it has no time for is left out of its answer."""
