"""What comes over the wire may be no HTTP, too much of it, or never end."""

import socket
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from uvicorn.server import ServerState

from mergegate.api import protocol
from tests.api.conftest import Host
from tests.api.test_requests import raw

pytestmark = pytest.mark.parametrize("host", ["sqlite"], indirect=True)


@pytest.mark.parametrize(
    "text", ["garbage\r\n\r\n", "GET http://[ HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nA B: c\r\n\r\n"]
)
def test_nonsense_gets_the_one_shape_too(host: Host, text: str) -> None:
    answer = raw(host, text)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"application/problem+json" in answer and b'"INVALID_REQUEST"' in answer


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


def test_an_upgrade_is_not_taken(host: Host) -> None:
    asked = "Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"
    assert raw(host, f"GET /healthz HTTP/1.1\r\nHost: h\r\n{asked}").startswith(b"HTTP/1.1 200 ")


class _Transport:
    """Notes what is written."""

    def __init__(self) -> None:
        self.written = b""
        self.closed = False

    def write(self, content: bytes) -> None:
        self.written += content

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, _: str) -> Any:
        return None


def test_headers_that_never_come_are_not_waited_for(host: Host) -> None:
    made, told = _protocol(), _Transport()
    made.connection_made(told)
    made.data_received(b"GET / HTTP/1.1\r\nHost:")
    assert made.loop.delay == protocol.SLOWEST_HEAD_S
    made.loop.due()
    assert told.written.startswith(b"HTTP/1.1 408 ") and told.closed


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


def _protocol() -> Any:
    config = uvicorn.Config(lambda: None, http=protocol.BoundedProtocol, ws="none", log_config=None)
    config.load()
    loop: Any = _Loop()
    return protocol.BoundedProtocol(config, ServerState(), {}, loop)
