"""What comes over the wire may be no HTTP, too much of it, or never end."""

import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from mergegate.host.api import protocol
from tests.host.api.conftest import Host
from tests.host.api.test_requests import raw

pytestmark = pytest.mark.parametrize("host", ["sqlite"], indirect=True)


@pytest.mark.parametrize(
    "text", ["garbage\r\n\r\n", "GET http://[ HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nA B: c\r\n\r\n"]
)
def test_nonsense_gets_the_one_shape_too(host: Host, text: str) -> None:
    answer = raw(host, text)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"application/problem+json" in answer and b'"INVALID_REQUEST"' in answer
    assert b"content-security-policy: default-src 'none'" in answer
    assert b"\r\nX-Request-Id: " in answer


def test_endless_headers_end(host: Host) -> None:
    answer = _patient(host, b"GET /healthz HTTP/1.1\r\nHost: h\r\nX: " + b"a" * (3 << 20))
    assert answer.startswith(b"HTTP/1.1 431 ") and b'"HEADERS_TOO_LARGE"' in answer


def _patient(host: Host, content: bytes) -> bytes:
    """Reads while it sends: whoever is cut off has to see the answer first."""
    port = urlsplit(host.url).port or 0
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.setblocking(False)
        sent, found = 0, b""
        while True:
            sent += _sent(line, content[sent : sent + 65_536])
            piece = _received(line)
            if piece == b"":
                return found
            found += piece or b""


def _sent(line: socket.socket, content: bytes) -> int:
    try:
        return line.send(content) if content else 0
    except (BlockingIOError, ConnectionError):
        return 0


def _received(line: socket.socket) -> bytes | None:
    try:
        return line.recv(65_536)
    except BlockingIOError:
        return None
    except ConnectionError:
        return b""


def test_two_requests_at_once_are_answered_one_after_the_other(host: Host) -> None:
    one = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"
    last = "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
    assert raw(host, one + last).count(b"HTTP/1.1 200 OK") == 2


def test_an_upgrade_is_not_taken_and_nothing_is_said_to_be_missing(host: Host) -> None:
    asked = "Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"
    assert raw(host, f"GET /healthz HTTP/1.1\r\nHost: h\r\n{asked}").startswith(b"HTTP/1.1 200 ")
    assert "pip install" not in host.log.read_text()
    assert "nsupported upgrade" not in host.log.read_text()


@pytest.mark.parametrize(
    ("version", "hosts", "status"),
    [
        ("1.1", "", 400),
        ("1.1", "Host: a\r\n", 200),
        ("1.1", "Host: a\r\nHost: a\r\n", 400),
        ("1.1", "Host: a\r\nHost: b\r\n", 400),
        ("1.0", "", 200),
        ("1.0", "Host: a\r\nHost: a\r\n", 400),
    ],
)
def test_a_request_names_its_host_once(host: Host, version: str, hosts: str, status: int) -> None:
    answer = raw(host, f"GET /healthz HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n")
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert (b'"INVALID_REQUEST"' in answer) == (status == 400)


def test_what_follows_a_body_is_no_header(host: Host, client: httpx.Client) -> None:
    head = f"POST /api/audit HTTP/1.1\r\nHost: h\r\nX-API-Key: {client.headers['X-API-Key']}\r\n"
    rest = (
        "Content-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    body = "2\r\n{}\r\n0\r\nX-API-Key: another\r\n\r\n"
    assert raw(host, f"{head}{rest}{body}").startswith(b"HTTP/1.1 400 ")


def test_what_came_whole_is_answered_before_what_did_not(host: Host) -> None:
    whole = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"
    answer = raw(host, f"{whole}{whole}garbage\r\n\r\n")
    assert [one[:3] for one in answer.split(b"HTTP/1.1 ")[1:]] == [b"200", b"200", b"400"]


class _Transport:
    """Notes what is written, and keeps what is ``unread``."""

    def __init__(self) -> None:
        self.written = b""
        self.ended = False
        self.aborted = False
        self.unread = 0

    def abort(self) -> None:
        self.aborted = True

    def get_write_buffer_size(self) -> int:
        return self.unread

    def write(self, content: bytes) -> None:
        self.written += content

    def write_eof(self) -> None:
        self.ended = True

    def close(self) -> None:
        """Nothing is asked of it afterwards."""

    def is_closing(self) -> bool:
        return False

    def get_extra_info(self, _: str) -> Any:
        return None


def test_headers_that_never_come_are_not_waited_for(host: Host) -> None:
    made, told = _protocol(), _Transport()
    made.connection_made(told)
    made.data_received(b"GET / HTTP/1.1\r\nHost:")
    assert made.loop.delay == protocol.SLOWEST_HEAD_S
    made.loop.due()
    assert told.written.startswith(b"HTTP/1.1 408 ") and told.ended


def test_patience_ends_with_the_headers(host: Host) -> None:
    made = _protocol()
    made.connection_made(_Transport())
    made.data_received(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    assert made.loop.timer.cancelled


def test_the_next_headers_are_not_waited_for_either(host: Host) -> None:
    made = _protocol()
    made.connection_made(_Transport())
    made.data_received(b"GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HT")
    assert not made.loop.timer.cancelled


def test_one_connection_too_many_is_told_so_when_it_asks(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "MOST_CONNECTIONS", 0)
    made, told = _protocol(), _Transport()
    made.connection_made(told)
    assert not told.written
    made.data_received(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    made.data_received(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    assert told.written.count(b"HTTP/1.1 503 ") == 1 and told.ended


def test_few_large_heads_are_held_at_a_time(host: Host) -> None:
    state = ServerState()
    made = [_protocol(state) for _ in range(protocol.MOST_LARGE + 1)]
    told = [_Transport() for _ in made]
    for one, transport in zip(made, told, strict=True):
        one.connection_made(transport)
        one.data_received(b"GET / HTTP/1.1\r\nX: " + b"a" * protocol.USUAL_HEAD)
    assert [one.ended for one in told] == [False] * protocol.MOST_LARGE + [True]
    assert told[-1].written.startswith(b"HTTP/1.1 503 ") and b"Retry-After: 1" in told[-1].written
    made[0].data_received(b"\r\n\r\n")
    _answer(made[0])
    assert not made[0]._is_large


@pytest.mark.parametrize(
    "rest",
    [b"GET / HTTP/1.1\r\nHost: h\r\n\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx"],
)
def test_bytes_after_an_answer_are_no_way_to_stay_for_ever(host: Host, rest: bytes) -> None:
    """They end the server's own patience between two requests."""
    made, told = _protocol(), _Transport()
    made.connection_made(told)
    made.data_received(rest[:-1])
    _answer(made)
    made.data_received(rest[-1:])
    assert not made.loop.timer.cancelled
    made.loop.due()
    assert told.ended


def _answer(made: Any) -> None:
    made.cycle.response_complete = True
    made.on_response_complete()


@pytest.mark.parametrize(("read", "ends"), [(0, True), (protocol.LEAST_READ, False)])
def test_whoever_does_not_read_an_answer_is_left(host: Host, read: int, ends: bool) -> None:
    made, told = _protocol(), _Transport()
    made.connection_made(told)
    made.data_received(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    told.unread = 1 << 20
    _answer(made)
    assert made.loop.delay == protocol.READING_S
    told.unread -= read
    made.loop.due()
    assert told.aborted is ends


class _Timer:
    cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class _Loop:
    """Runs nothing, and lets time pass when it is told."""

    def call_later(self, delay: float, due: Any) -> _Timer:
        self.delay, self.due, self.timer = delay, due, _Timer()
        return self.timer

    def create_task(self, work: Any) -> Any:
        work.close()
        return _Task()


class _Task:
    def add_done_callback(self, _: Any) -> None:
        """It is never done."""


def _protocol(state: ServerState | None = None) -> Any:
    config = uvicorn.Config(lambda: None, http=protocol.BoundedProtocol, ws="none", log_config=None)
    config.load()
    loop: Any = _Loop()
    return protocol.BoundedProtocol(config, state or ServerState(), {}, loop)
