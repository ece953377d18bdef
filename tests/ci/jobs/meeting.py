"""Two runs that come to the same point at the same time, however fast each of them is."""

from collections.abc import Callable
from threading import Barrier, BrokenBarrierError

_PATIENCE_S = 120.0


def meeting() -> Callable[[], None]:
    """Two come together once; a later one passes."""
    barrier = Barrier(2, timeout=_PATIENCE_S)

    def meet() -> None:
        try:
            if not barrier.broken:
                barrier.wait()
                barrier.abort()
        except BrokenBarrierError:
            pass

    return meet
