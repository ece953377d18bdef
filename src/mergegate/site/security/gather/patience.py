"""Ask within a span of time: a site that answers drop by drop ends a step, not the scan."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Request

_BATCH = 6
_UNASKED = "there is no time left to ask"


class Web(Protocol):
    """Whom addresses are asked of: a client, or one with little time."""

    def many(
        self, requests: Sequence[Request], *, at_once: int | None = None
    ) -> tuple[Fetched, ...]:
        """What each answers, in their order."""


class Patience:
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
