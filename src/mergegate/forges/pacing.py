"""Send requests no faster than a forge allows, and again when it asks for patience."""

import datetime as dt
import email.utils
import ssl
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import httpx

WRITES_PER_MINUTE = 60
MOST_WAIT_S = 120.0
"""What all waits for an unwilling forge may add up to: a job must not hang for an hour."""
IDEMPOTENT = "idempotent"
"""The request extension that says: sending it twice does no harm."""

SAFE_TWICE = frozenset({"GET", "HEAD", "PUT", "DELETE"})
READS = frozenset({"GET", "HEAD"})
TIRED = frozenset({500, 502, 503, 504})
FIRST_WAIT_S = 1.0
_LONGEST_WAIT_S = 30.0
_MINUTE_S = 60.0


@dataclass(frozen=True, slots=True)
class Clock:
    """Time, so that a test need not wait."""

    now: Callable[[], float] = time.monotonic
    """Seconds since some moment."""
    sleep: Callable[[float], None] = time.sleep
    today: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)
    """The date and time, UTC: a forge may name the moment from which it listens again."""


SYSTEM = Clock()
"""The clock of the machine."""


class Writes:
    """At most so many within any minute; these waits are progress, and no patience is spent."""

    def __init__(self, clock: Clock, per_minute: int = WRITES_PER_MINUTE) -> None:
        self._clock = clock
        self._moments: deque[float] = deque(maxlen=per_minute)

    def wait(self) -> None:
        """Wait for a place, and take it."""
        if len(self._moments) == self._moments.maxlen:
            early_s = self._moments[0] + _MINUTE_S - self._clock.now()
            if early_s > 0:
                self._clock.sleep(early_s)
        self._moments.append(self._clock.now())


class Paced(httpx.BaseTransport):
    """A transport that spreads writes and repeats what a tired forge refused.

    Repeated are: 429, whatever was sent; 500, 502, 503, 504 and broken connections, where sending
    twice does no harm. A proxy that forbids the way and a certificate that is not trusted say the
    same the next time. When the next wait would exceed what is left of ``most_wait_s``, the
    refusal itself is the answer.
    """

    def __init__(
        self,
        inner: httpx.BaseTransport,
        *,
        clock: Clock = SYSTEM,
        writes_per_minute: int = WRITES_PER_MINUTE,
        most_wait_s: float = MOST_WAIT_S,
    ) -> None:
        self._inner = inner
        self._clock = clock
        self._left_s = most_wait_s
        self._writes = Writes(clock, writes_per_minute)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The first answer that is not a plea for patience, or the last one there was time for."""
        attempt = 0
        while True:
            if request.method not in READS:
                self._writes.wait()
            response = self._sent(request, attempt)
            if response is not None:
                wait_s = self._pause(request, response, attempt)
                if wait_s is None or not self._afford(wait_s):
                    return response
                response.close()
            attempt += 1

    def close(self) -> None:
        """Close the transport that does the work."""
        self._inner.close()

    def _sent(self, request: httpx.Request, attempt: int) -> httpx.Response | None:
        """What came back; None when the connection broke and it is worth another try."""
        try:
            return self._inner.handle_request(request)
        except httpx.TransportError as error:
            # Nothing has been sent when the connection was refused.
            again = _harmless(request) or isinstance(error, httpx.ConnectError)
            if not again or _is_certain(error) or not self._afford(_backoff(attempt)):
                raise
            return None

    def _pause(
        self, request: httpx.Request, response: httpx.Response, attempt: int
    ) -> float | None:
        """How many seconds to wait before the request is sent again; None when it is not."""
        patience = response.status_code == httpx.codes.TOO_MANY_REQUESTS
        if not patience and not (response.status_code in TIRED and _harmless(request)):
            return None
        asked = retry_after(response.headers.get("Retry-After"), self._clock.today())
        return _backoff(attempt) if asked is None else asked

    def _afford(self, wait_s: float) -> bool:
        """Wait, unless the waits would then add up to too much."""
        if wait_s > self._left_s:
            return False
        self._left_s -= wait_s
        self._clock.sleep(wait_s)
        return True


def retry_after(value: str | None, now: dt.datetime) -> float | None:
    """Seconds to wait by a ``Retry-After`` header: a number or a date; None when it says neither.

    Source: RFC 9110, section 10.2.3.
    """
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return max(0.0, (moment - now).total_seconds())


_FORBIDDEN = "403 "
"""How the error of httpcore begins when a proxy answers so (1.0, ``HTTPProxy``)."""


def _is_certain(error: BaseException | None) -> bool:
    """Whether the next try would end alike."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        if isinstance(error, httpx.ProxyError) and str(error).startswith(_FORBIDDEN):
            return True
        error = error.__cause__ or error.__context__
    return False


def _harmless(request: httpx.Request) -> bool:
    return request.method in SAFE_TWICE or bool(request.extensions.get(IDEMPOTENT))


def _backoff(attempt: int) -> float:
    return float(min(FIRST_WAIT_S * 2.0**attempt, _LONGEST_WAIT_S))
