"""Ask a site for what belongs to a page, as long as there is time."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Client, Request

_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Sizes in bytes, times in seconds."""

    total_s: float = 60.0
    """The whole gathering; what is not reached by then is noted."""
    answer_s: float = 15.0
    """One address, redirects and body included."""
    robots_bytes: int = 1 * _MEBIBYTE
    """Fetched of robots.txt, to see by how much it is too long; read is what RFC 9309 asks for."""
    sitemap_bytes: int = 12 * _MEBIBYTE
    """Fetched of one sitemap, packed or not; the format allows 50 MiB."""
    sitemap_unpacked_bytes: int = 50 * _MEBIBYTE
    """Read of one, unpacked: what sitemaps.org allows."""
    sitemaps: int = 5
    """Sitemaps that are fetched of those that robots.txt names."""
    children: int = 20
    """Sitemaps of one index."""
    crawlers: int = 10
    """Names under which the page is asked for; 0 asks under none."""
    crawlers_at_once: int = 2
    crawler_bytes: int = 1 * _MEBIBYTE
    """Read of an answer to a crawler's name."""
    alternates: int = 8
    """Pages that hreflang names."""
    page_bytes: int = 2 * _MEBIBYTE
    """Read of another page, such as the canonical one."""
    image_bytes: int = 512 * 1024
    icon_bytes: int = 128 * 1024
    llms_bytes: int = 256 * 1024
    variants: int = 5
    article_bytes: int = 2 * _MEBIBYTE
    """HTML that extraction libraries get to read."""
    article_s: float = 20.0


_SIDE_BY_SIDE = 6
"""Requests, as browsers do."""
_WORTH_ASKING_S = 0.2


class Asking:
    """Asks until the time is over, and remembers what it came too late for."""

    def __init__(
        self, web: Client, bounds: Bounds, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._web = web
        self._answer_s = bounds.answer_s
        self._clock = clock
        self._until = clock() + bounds.total_s
        self._missed: dict[str, None] = {}

    def get(self, url: str, what: str, most_bytes: int) -> Fetched | None:
        """What ``url`` answers; None when there is no time left to ask for ``what``."""
        return self.many([Request(url, most_bytes=most_bytes)], what)[0]

    def many(
        self, requests: Sequence[Request], what: str, at_once: int = _SIDE_BY_SIDE
    ) -> tuple[Fetched | None, ...]:
        """What each answers, in their order; ``what`` names all of them in a sentence."""
        left = self.left_s()
        if requests and left < _WORTH_ASKING_S:
            self.miss(what)
            return (None,) * len(requests)
        waves = math.ceil(len(requests) / at_once)
        limit = min(self._answer_s, left / max(waves, 1))
        timed = [replace(request, timeout_s=limit) for request in requests]
        return self._web.many(timed, at_once=at_once)

    def miss(self, what: str) -> None:
        """Remember that ``what`` was not looked at."""
        self._missed[what] = None

    def left_s(self) -> float:
        """Seconds until the time is over."""
        return max(self._until - self._clock(), 0.0)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not looked at, each a sentence."""
        return tuple(f"There was no time left for {what}." for what in self._missed)
