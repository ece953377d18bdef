"""Ask one origin as fast as it likes to be asked, and no longer when it does not answer at all."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from mergegate.site.links.answer import Failure, Lack, Reply
from mergegate.site.links.clock import Clock

_FIRST_GAP_S = 0.05
_NARROWEST_GAP_S = 0.005
_WIDEST_GAP_S = 1.6
_SILENCES = 6
"""Time-outs in a row after which the rest is not waited for."""
_OF_THE_HOST = frozenset({Lack.NO_NAME, Lack.NO_CONNECTION, Lack.BAD_CERTIFICATE})
"""What is as true of the next address of this origin."""


class Lane:
    """The turns of one origin: more side by side while it answers well, fewer once it complains."""

    def __init__(self, width: int, widest: int, clock: Clock) -> None:
        self._turns = asyncio.Semaphore(width)
        self._width = width
        self._widest = widest
        self._surplus = 0
        """Turns to take back as they end."""
        self._clock = clock
        self._gap_s = 0.0
        self._not_before = 0.0
        self._held_until = 0.0
        self._silences = 0
        self.heads = True
        """Whether its answers to HEAD were worth having."""
        self.given_up: Failure | None = None
        """What to believe of every further address."""

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until one may ask."""
        await self._turns.acquire()
        try:
            while (wait := self._not_before - self._clock.now()) > 0:
                await self._clock.sleep(wait)
            self._not_before = max(self._not_before, self._clock.now() + self._gap_s)
            yield
        finally:
            self._end_turn()

    def hold(self, seconds: float) -> None:
        """The origin complains: nobody asks for ``seconds``, and then fewer, and more slowly."""
        now = self._clock.now()
        if now >= self._held_until:  # others that were under way then are told the same
            self._gap_s = min(max(self._gap_s * 2, _FIRST_GAP_S), _WIDEST_GAP_S)
            self._surplus += self._width // 2
            self._width -= self._width // 2
        self._held_until = max(self._held_until, now + seconds)
        self._not_before = max(self._not_before, self._held_until)

    def heard(self, answer: Reply | Failure) -> None:
        """One request is over."""
        silent = isinstance(answer, Failure) and answer.lack is Lack.SLOW
        self._silences = self._silences + 1 if silent else 0
        if isinstance(answer, Failure):
            self.given_up = answer if self._silences >= _SILENCES else self.given_up
        elif answer.status < 400:
            self._quicken()

    def failed(self, failure: Failure) -> None:
        """All tries for one address ended in ``failure``."""
        if failure.lack in _OF_THE_HOST:
            self.given_up = failure

    def _quicken(self) -> None:
        self._gap_s = self._gap_s / 2 if self._gap_s > _NARROWEST_GAP_S else 0.0
        if self._width < self._widest:
            self._width += 1
            self._turns.release()

    def _end_turn(self) -> None:
        if self._surplus:
            self._surplus -= 1
        else:
            self._turns.release()
