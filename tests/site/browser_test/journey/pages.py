"""A site on loopback whose every answer a test writes itself."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Answer:
    """What one path answers."""

    body: str = ""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


@dataclass
class Site:
    """Path → HTML, or more than that; a path that is not there is 404."""

    port: int = 0
    pages: dict[str, str | Answer | Callable[[str], Answer]] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    """Method, path with query, headers with small names."""
    wait_s: float = 0.0

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def foreign(self, path: str = "/") -> str:
        """The same under a name of which Chromium thinks that it is another site's."""
        return f"http://localhost:{self.port}{path}"

    def paths(self, method: str = "GET") -> list[str]:
        return [path for how, path, _ in self.asked if how == method]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    site: Site

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        given = {name.lower(): value for name, value in self.headers.items()}
        self.site.asked.append((self.command, self.path, given))
        if self.site.wait_s:
            threading.Event().wait(self.site.wait_s)
        found = self.site.pages.get(self.path.partition("?")[0], Answer("gone", 404))
        found = found(self.path) if callable(found) else found
        self._say(Answer(found) if isinstance(found, str) else found)

    def _say(self, answer: Answer) -> None:
        body = answer.body.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815 - http.server calls them so

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


@contextlib.contextmanager
def pages() -> Iterator[Site]:
    there = Site()
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": there}))
    there.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield there
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def moved(to: str, status: int = 302) -> Answer:
    return Answer("", status, headers=(("Location", to),))


def html(body: str, title: str = "A page") -> str:
    return f"<!doctype html><html lang=en><title>{title}</title><main><h1>{title}</h1>{body}</main>"
