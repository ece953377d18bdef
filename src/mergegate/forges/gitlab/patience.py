"""Send to one GitLab alone, no faster than it allows, and again when it asks for patience."""

from collections import deque
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3 import BaseHTTPResponse
from urllib3.util import Retry

from mergegate.core.errors import ForgeError
from mergegate.forges.pacing import MOST_WAIT_S, WRITES_PER_MINUTE, Clock, retry_after

_READS = frozenset({"GET", "HEAD"})
_SAFE_TWICE = frozenset({"GET", "HEAD", "PUT", "DELETE"})
_TIRED = frozenset({500, 502, 503, 504})
# 429: too many requests; 409: another change to the same thing is under way. Nothing was done.
_NOT_NOW = frozenset({409, 429})
_MINUTE_S = 60.0
_FIRST_WAIT_S = 1.0
# 1 + 2 + … + 32 seconds: longer than the minute within which GitLab counts notes.
_MOST_TRIES = 6


class Patience:
    """How long all waits together may take, and where the waiting is done."""

    def __init__(self, clock: Clock, most_wait_s: float = MOST_WAIT_S) -> None:
        self.clock = clock
        self._left_s = most_wait_s

    def wait(self, seconds: float) -> None:
        """Wait, or raise ForgeError when it would take longer than is left."""
        if seconds > self._left_s:
            raise ForgeError(
                f"GitLab asks to be left alone for {seconds:.0f} s, which is longer than a job "
                "should hang",
                remedy="Run the job again later, or raise GitLab's limit for this user.",
            )
        self._left_s -= seconds
        self.clock.sleep(seconds)


class Retrying(Retry):
    """urllib3's rules of repetition, with a limit to all waits of a run together.

    Repeated are: 429 and 409, whatever was sent; 500, 502, 503, 504 and broken connections where
    sending twice does no harm; connections that never came about.
    """

    def __init__(self, *, patience: Patience, **options: Any) -> None:
        super().__init__(**options)
        self._patience = patience

    @classmethod
    def within(cls, patience: Patience) -> "Retrying":
        """The rules for a run that may wait no longer than ``patience``."""
        return cls(
            patience=patience,
            total=_MOST_TRIES,
            connect=2,
            read=1,
            other=0,
            redirect=0,
            allowed_methods=_SAFE_TWICE,
            status_forcelist=_TIRED,
            backoff_factor=_FIRST_WAIT_S,
        )

    def new(self, **changes: Any) -> "Retrying":
        """The rules after one more try."""
        return super().new(**{"patience": self._patience} | changes)

    def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:
        """Whether to send it again; a ``Retry-After`` alone is no reason."""
        del has_retry_after
        tired = status_code in _TIRED and method.upper() in _SAFE_TWICE
        return status_code in _NOT_NOW or tired

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:
        """As long as GitLab asks; without a word of it a little longer each time."""
        asked = self._asked(response) if response is not None else None
        self._patience.wait(max(self.get_backoff_time(), _FIRST_WAIT_S) if asked is None else asked)

    def _asked(self, response: BaseHTTPResponse) -> float | None:
        """``Retry-After``, else ``RateLimit-Reset``, the Unix time at which the count starts anew.

        Source: https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/ (read
        for 18).
        """
        now = self._patience.clock.today()
        seconds = retry_after(response.headers.get("Retry-After"), now)
        reset = response.headers.get("RateLimit-Reset", "")
        if seconds is None and reset.isascii() and reset.isdigit():
            return max(_FIRST_WAIT_S, int(reset[:12]) - now.timestamp())
        return seconds


class Pacing(HTTPAdapter):
    """Spread writes: at most so many within any minute."""

    def __init__(self, patience: Patience) -> None:
        super().__init__(max_retries=Retrying.within(patience))
        self._clock = patience.clock
        self._writes: deque[float] = deque(maxlen=WRITES_PER_MINUTE)

    def send(
        self, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        """Wait for a place and send."""
        if request.method not in _READS:
            self._wait_for_a_place()
        return super().send(request, *args, **options)

    def _wait_for_a_place(self) -> None:
        """These waits are progress, and not counted against the patience."""
        if len(self._writes) == self._writes.maxlen:
            early_s = self._writes[0] + _MINUTE_S - self._clock.now()
            if early_s > 0:
                self._clock.sleep(early_s)
        self._writes.append(self._clock.now())


class Session(requests.Session):
    """Requests below one address alone, so that the token goes nowhere else."""

    def __init__(self, root: str, patience: Patience) -> None:
        super().__init__()
        self.adapters.clear()
        self.mount(f"{root}/", Pacing(patience))

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None: a redirect is an answer, not an order."""
