"""Patience with a forge: bounded, fair, and never a doubled write."""

import datetime as dt
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from mergegate.forges.pacing import IDEMPOTENT, Clock, Paced, retry_after

NOW = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)
OK = httpx.codes.OK
Answer = Callable[[httpx.Request], httpx.Response]


@dataclass
class Forge:
    """Answers in turn, then always well; its time passes by waiting alone."""

    answers: list[Any]
    """Statuses, and what makes an error of a text."""
    headers: dict[str, str] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    now: float = 1000.0
    heard: list[float] = field(default_factory=list)

    def client(self, **more: int) -> httpx.Client:
        clock = Clock(now=lambda: self.now, sleep=self._sleep, today=lambda: NOW)
        inner = httpx.MockTransport(self._answer)
        return httpx.Client(transport=Paced(inner, clock=clock, **more))

    def send(self, method: str = "GET", *, harmless: bool = False) -> int:
        extensions = {IDEMPOTENT: True} if harmless else {}
        answer = self.client().request(method, "https://x.example.org/", extensions=extensions)
        return answer.status_code

    def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def _answer(self, _: httpx.Request) -> httpx.Response:
        self.heard.append(self.now)
        answer = self.answers.pop(0) if self.answers else OK
        if isinstance(answer, int):
            return httpx.Response(answer, headers=self.headers)
        raise answer("broken")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize("trouble", [429, 500, 502, 503, 504, httpx.ReadTimeout, httpx.ReadError])
def test_what_may_be_sent_twice_is_sent_again(method: str, trouble: int | type[Exception]) -> None:
    forge = Forge([trouble, trouble])
    assert forge.send(method) == OK
    assert forge.waits == [1.0, 2.0]


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_write_that_may_have_been_done_is_not_repeated(status: int) -> None:
    assert Forge([status]).send("POST") == status
    assert Forge([status]).send("POST", harmless=True) == OK


def test_a_write_whose_answer_was_lost_is_not_repeated() -> None:
    forge = Forge([httpx.ReadTimeout])
    with pytest.raises(httpx.ReadTimeout):
        forge.send("POST")
    assert len(forge.heard) == 1


@pytest.mark.parametrize("trouble", [429, httpx.ConnectError])
def test_a_write_that_was_not_taken_is_repeated(trouble: int | type[Exception]) -> None:
    assert Forge([trouble]).send("POST") == OK


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 501])
def test_a_clear_answer_is_not_asked_for_again(status: int) -> None:
    forge = Forge([status])
    assert forge.send() == status
    assert forge.waits == []


def test_the_forge_says_how_long_to_wait() -> None:
    forge = Forge([429], {"Retry-After": "17"})
    forge.send()
    assert forge.waits == [17.0]


def test_all_waits_together_are_bounded() -> None:
    forge = Forge([503] * 99)
    assert forge.send() == 503
    assert forge.waits == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]


def test_the_bound_holds_over_many_requests() -> None:
    forge = Forge([429, 200, 429, 200, 429], {"Retry-After": "50"})
    client = forge.client()
    codes = [client.get("https://x.example.org/").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    assert forge.waits == [50.0, 50.0]


def test_a_wait_beyond_the_bound_is_not_begun() -> None:
    forge = Forge([429], {"Retry-After": "3600"})
    assert forge.send() == 429
    assert forge.waits == []


def test_a_dead_connection_ends_in_its_error() -> None:
    forge = Forge([httpx.ConnectError] * 99)
    with pytest.raises(httpx.ConnectError):
        forge.send()
    assert sum(forge.waits) <= 120


def _forbidden(_: str) -> Exception:
    return httpx.ProxyError("403 Forbidden")


def _untrusted(_: str) -> Exception:
    error = httpx.ConnectError("TLS failed")
    error.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")
    return error


@pytest.mark.parametrize("trouble", [_forbidden, _untrusted])
def test_what_would_end_alike_is_not_tried_again(trouble: Callable[[str], Exception]) -> None:
    forge = Forge([trouble])
    with pytest.raises(httpx.TransportError):
        forge.send()
    assert (forge.waits, len(forge.heard)) == ([], 1)


def test_a_proxy_that_finds_nobody_is_asked_again() -> None:
    forge = Forge([lambda _: httpx.ProxyError("502 Bad Gateway")])
    assert forge.send() == OK
    assert forge.waits == [1.0]


def test_no_minute_sees_more_writes_than_allowed() -> None:
    forge = Forge([])
    client = forge.client(writes_per_minute=3)
    for _ in range(10):
        client.post("https://x.example.org/")
        forge.now += 1
    for moment in forge.heard:
        assert len([one for one in forge.heard if moment <= one < moment + 60]) <= 3


def test_reads_wait_for_nobody() -> None:
    forge = Forge([])
    client = forge.client(writes_per_minute=1)
    for _ in range(10):
        client.get("https://x.example.org/")
    assert forge.waits == []


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("0", 0.0),
        ("120", 120.0),
        ("9" * 5000, 999_999_999.0),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("soon", None),
        ("", None),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 12:00:30 -0000", 30.0),
        ("Sun, 01 Mar 2020 12:00:00 GMT", 0.0),
        ("Sun, 99 Mar 2026 12:00:30 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds
