"""Hear that a client has hung up, also while nobody reads from it."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator


class Doorbell(asyncio.StreamReaderProtocol):
    """A stream's protocol that ends a task when the other side is gone.

    Browsers drop requests all the time. Without this each would go on until the site is done.
    """

    _rung: Callable[[], object] | None = None

    @contextlib.contextmanager
    def ends_this_task(self) -> Iterator[None]:
        """While inside, a client that hangs up cancels the current task."""
        task = asyncio.current_task()
        self._rung = task.cancel if task else None
        try:
            yield
        finally:
            self._rung = None

    def eof_received(self) -> bool | None:
        """The client sends no more."""
        self._ring()
        return super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._ring()
        super().connection_lost(exc)

    def _ring(self) -> None:
        rung, self._rung = self._rung, None
        if rung:
            rung()
