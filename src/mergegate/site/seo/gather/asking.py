"""Ask a site for what belongs to a page, as long as there is time."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Client, Request
from mergegate.site.seo.gather.bounds import Bounds

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
