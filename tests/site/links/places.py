"""Servers on loopback that answer links in every way, and names that lead to them."""

import contextlib
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.visit import NONE, Credentials, Visit
from mergegate.site.browser_test.facts import LinkAnswer
from mergegate.site.links.bounds import Bounds
from mergegate.site.links.check import check_links
from mergegate.site.links.follow import Clock
from tests.sandbox.egress.sites import nothing

QUICK = Bounds(head_s=0.3, answer_s=0.6, total_s=20, wait_s=30)
"""For servers that hang."""


@dataclass(frozen=True)
class Asked:
    """One request as the server got it."""

    method: str
    path: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Say:
    """One answer."""

    status: int = 200
    body: bytes | str = "<title>A page</title><h1>Something</h1>"
    headers: Sequence[tuple[str, str]] = (("Content-Type", "text/html; charset=utf-8"),)

    @property
    def data(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


@dataclass
class Place:
    """A server; what it does not know is 404."""

    port: int = 0
    routes: dict[str, Any] = field(default_factory=dict)
    """Path → Say, a function of the request, or one that does with the connection as it likes."""
    otherwise: Say = Say(404, "<title>No</title>")
    asked: list[Asked] = field(default_factory=list)
    probes: list[Asked] = field(default_factory=list)
    """Requests for addresses that nobody links to."""
    at_once: int = 0
    most_at_once: int = 0

    def at(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def count(self, path: str) -> int:
        return Counter(one.path for one in self.asked)[path]

    def methods(self, path: str) -> list[str]:
        return [one.method for one in self.asked if one.path == path]


def raw(serve: Callable[[socket.socket], None]) -> Callable[[socket.socket], None]:
    """Mark ``serve`` as one that takes the connection."""
    serve.raw = True  # type: ignore[attr-defined]
    return serve


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 20
    place: Place
    lock = threading.Lock()

    def _answer(self) -> None:
        with self.lock:
            self.place.at_once += 1
            self.place.most_at_once = max(self.place.most_at_once, self.place.at_once)
        try:
            self._say()
        finally:
            with self.lock:
                self.place.at_once -= 1

    def _say(self) -> None:
        asked = Asked(self.command, self.path, dict(self.headers))
        kept = self.place.probes if "no-such-page" in asked.path else self.place.asked
        kept.append(asked)
        found = self.place.routes.get(self.path, self.place.otherwise)
        if getattr(found, "raw", False):
            self.close_connection = True
            with contextlib.suppress(OSError):
                found(self.connection)
            return
        say = found if isinstance(found, Say) else found(asked)
        self.send_response(say.status)
        for name, value in say.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(say.data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(say.data)

    do_GET = do_HEAD = do_POST = _answer  # noqa: N815 - http.server calls them so

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients hang up on hostile servers."""


@contextlib.contextmanager
def place(**routes: Any) -> Iterator[Place]:
    """A server on 127.0.0.1."""
    there = Place(routes=dict(routes))
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"place": there}))
    there.port = server.server_port
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield there
    finally:
        server.shutdown()
        server.server_close()


class LeapingClock(Clock):
    """Waiting takes no time, and is written down."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return 1_800_000_000.0 + self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.time += seconds


def check(
    own: Place,
    links: Sequence[str],
    *others: Place,
    names: Sequence[str] = (),
    credentials: Credentials = NONE,
    **options: Any,
) -> dict[str, LinkAnswer]:
    """Answers by link; ``names`` lead to loopback, on every port of the places."""
    ports = [one.port for one in (own, *others)]
    hosts = ("127.0.0.1", *names)
    policy = Policy(allowed=frozenset((host, port) for host in hosts for port in ports))

    def lookup(host: str) -> tuple[str, ...]:
        return ("127.0.0.1",) if host in names else nothing(host)

    options.setdefault("clock", LeapingClock())
    visit = Visit(url=own.at(), credentials=credentials)
    with egress(policy, lookup=lookup) as way:
        answers = check_links(links, proxy=way.url, own=visit, **options).answers
    assert way.faults == ()
    assert [answer.url for answer in answers] == sorted(answer.url for answer in answers)
    return {answer.url: answer for answer in answers}
