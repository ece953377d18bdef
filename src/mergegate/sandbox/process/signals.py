"""Put off what would interrupt a step that must not be left half done."""

import contextlib
import signal
import threading
from collections.abc import Iterator

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals that end a command take effect when the block is over.

    Python lets them loose in the main thread alone; elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    former = {number: signal.getsignal(number) for number in _ENDING}
    heard = {number for number, handler in former.items() if callable(handler)}
    for number in heard:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, former[number])
        if came:
            signal.raise_signal(came[0])
