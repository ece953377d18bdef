"""Names of reports: opaque, unguessable, and in the order of their making (decisions)."""

import datetime as dt

RANDOM_BYTES = 16
_MILLISECOND = dt.timedelta(milliseconds=1)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def identifier(prefix: str, moment: dt.datetime, random: bytes) -> str:
    """``prefix``, the millisecond of ``moment`` (aware), then ``random``, in hexadecimal.

    Raises ValueError when ``random`` is shorter than :data:`RANDOM_BYTES`: it could be guessed.
    """
    if len(random) < RANDOM_BYTES:
        raise ValueError(f"an identifier takes {RANDOM_BYTES} random bytes")
    return f"{prefix}{(moment - _EPOCH) // _MILLISECOND:012x}{random.hex()}"
