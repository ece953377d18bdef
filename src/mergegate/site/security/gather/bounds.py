"""Ask within a span of time: a site that answers drop by drop ends a step, not the scan."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Request

_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Sizes in bytes, times in seconds by the clock."""

    scripts: int = 60
    """Files of the page's own origin, fetched."""
    script_bytes: int = 5 * _MEBIBYTE
    """One script or source map."""
    all_bytes: int = 30 * _MEBIBYTE
    """All scripts together, and again all source maps together."""
    maps: int = 20
    """Source maps, fetched or in the script itself."""
    map_files: int = 400
    """Files that are searched, of all source maps together."""
    inline_scripts: int = 100
    """Inline scripts that a browser saw and the page as it was sent does not hold."""
    cookies: int = 100
    cookie_letters: int = 4096
    """Characters in one ``Set-Cookie`` header; browsers drop longer ones."""
    file_bytes: int = 1024
    """Read of a path that should not be public."""
    at_once: int = 2
    """Requests for such paths side by side."""
    security_txt_bytes: int = 32 * 1024
    """Read of security.txt, as RFC 9116, 2.2 advises."""
    links: int = 10
    """Addresses of the site's own that the page links, asked for what they answer."""
    error_bytes: int = _MEBIBYTE // 2
    """Read of what such an address answers."""
    step_s: float = 20.0
    """The limit for probing the server and its TLS together, and again for the scripts."""
    total_s: float = 80.0
    """The limit for everything; what is left of it is for searching the texts."""


_BATCH = 6
_UNASKED = "there is no time left to ask"


class Web(Protocol):
    """What fetches addresses: a client, or one with a deadline."""

    def many(
        self, requests: Sequence[Request], *, at_once: int | None = None
    ) -> tuple[Fetched, ...]:
        """What each answers, in their order."""


class DeadlineClient:
    """A client for a step: every request ends with the step, none begins after it.

    One alone takes no more than half of it.
    """

    def __init__(self, web: Web, seconds: float) -> None:
        self._web = web
        self._until = time.monotonic() + seconds
        self._longest = seconds / 2
        self.unasked = 0
        """Requests that there was no time for."""

    def many(
        self, requests: Sequence[Request], *, at_once: int | None = None
    ) -> tuple[Fetched, ...]:
        """What each answers, in their order; for what there is no time, that is its failure."""
        size = at_once or _BATCH
        batches = (requests[start : start + size] for start in range(0, len(requests), size))
        return tuple(one for batch in batches for one in self._batch(batch))

    def _batch(self, requests: Sequence[Request]) -> tuple[Fetched, ...]:
        left = self._until - time.monotonic()
        if left > 0:
            most = min(left, self._longest)
            return self._web.many([replace(one, timeout_s=most) for one in requests])
        self.unasked += len(requests)
        return tuple(Fetched(url=one.url, failure=_UNASKED) for one in requests)
