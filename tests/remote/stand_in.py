"""A host of the tests' own on loopback: answers as the specification says, or as badly as told."""

import json
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from mergegate.host.api.scan_requests import AuditBody, Body, PageBody, RepositoryScanBody, SeoBody

KEY = "mg_" + "k" * 43
BODIES: Mapping[str, type[Body]] = {
    "/api/repo/scan": RepositoryScanBody,
    "/api/seo-optimizer": SeoBody,
    "/api/audit": AuditBody,
    "/api/browser-test": PageBody,
    "/api/security-scan": PageBody,
}
PREFIXES = {
    "/api/repo/scan": "rs_",
    "/api/seo-optimizer": "seo_",
    "/api/audit": "aud_",
    "/api/browser-test": "bt_",
    "/api/security-scan": "sec_",
}
POLLED = {"/api/repo/scan": "/api/repo/result", "/api/seo-optimizer": "/api/seo-optimizer"}


@dataclass(frozen=True)
class Heard:
    """A request, as it came."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Say:
    """An answer; without a status the connection is dropped, with ``after_s`` it is slow."""

    status: int | None = None
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    after_s: float = 0.0


def problem(status: int, code: str, detail: str = "", **headers: str) -> Say:
    """The one shape of every error."""
    document = {"type": "about:blank", "status": status, "code": code, "detail": detail}
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    media = {"Content-Type": "application/problem+json"}
    return Say(status, json.dumps(document).encode(), media | names)


DROP = Say()


class StandIn:
    """Scans are kept when the server stops, as a host keeps them."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.results: dict[str, bytes] = {}
        """By the path that a scan is submitted at."""
        self.sent: list[bytes] = []
        """The results that were asked for."""
        self.can_cancel = False
        """Hosts of before could not."""
        self.done = threading.Event()
        """Until it is set, a synchronous scan holds the line."""
        self.done.set()
        self.polls = 1
        """How often an asynchronous scan says that it is running."""
        self.faults: deque[Say] = deque()
        """What the next requests are answered instead."""
        self.heard: list[Heard] = []
        self.scans: dict[str, tuple[str, str]] = {}
        """Path and body by identifier."""
        self._by_key: dict[str, str] = {}
        self._asked: dict[str, int] = {}
        self._open: list[socket.socket] = []
        self._server: ThreadingHTTPServer | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]

    @property
    def url(self) -> str:
        return f"http{'s' if self._tls else ''}://127.0.0.1:{self.port}"

    def start(self) -> None:
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host._handle(self)

            do_POST = do_DELETE = do_GET  # noqa: N815 - the library looks for it

            def setup(self) -> None:
                super().setup()
                host._open.append(self.connection)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True

            def handle_error(self, *_: object) -> None:
                pass  # the client has gone

        self._server = Server(("127.0.0.1", self.port), Handler)
        if self._tls:
            listening = self._server.socket
            self._server.socket = self._tls.wrap_socket(listening, server_side=True)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self.done.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        while self._open:
            _drop(self._open.pop())

    @contextmanager
    def running(self) -> Iterator["StandIn"]:
        self.start()
        try:
            yield self
        finally:
            self.stop()

    def posts(self) -> list[Heard]:
        return [one for one in self.heard if one.method == "POST"]

    def _handle(self, request: BaseHTTPRequestHandler) -> None:
        heard = _heard(request)
        self.heard.append(heard)
        said = self.faults.popleft() if self.faults else self._answer(heard)
        time.sleep(said.after_s)
        if said.status is None:
            request.close_connection = True
            _drop(request.connection)
            return
        request.send_response(said.status)
        for name, value in {"Content-Type": "application/json", **said.headers}.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(said.content)))
        request.end_headers()
        request.wfile.write(said.content)

    def _answer(self, heard: Heard) -> Say:
        if heard.headers.get("x-api-key") != KEY:
            return problem(401, "UNAUTHORIZED", WWW_Authenticate="ApiKey")
        if heard.method == "POST":
            return self._submitted(heard)
        if heard.method == "DELETE":
            return self._called_off(heard)
        return self._result(heard)

    def _submitted(self, heard: Heard) -> Say:
        shape = BODIES.get(heard.path)
        if shape is None:
            return problem(404, "NOT_FOUND")
        assert heard.headers["content-type"] == "application/json"
        shape.model_validate(heard.body)
        scan_id = self._scan(heard)
        if heard.path in POLLED:
            return Say(200, json.dumps({"scanId": scan_id}).encode())
        self.done.wait()
        self.sent.append(self.results[heard.path])
        return Say(200, self.sent[-1])

    def _called_off(self, heard: Heard) -> Say:
        named = heard.query.get("id", "")
        scan_id = self._by_key.get(named, named)
        if not self.can_cancel:
            return problem(405, "METHOD_NOT_ALLOWED")
        if self.scans.get(scan_id, ("", ""))[0] != heard.path:
            return problem(404, "SCAN_NOT_FOUND")
        ended = {"id": scan_id, "status": "failed", "error": {"code": "CANCELLED", "detail": ""}}
        return Say(200, json.dumps(ended).encode())

    def _scan(self, heard: Heard) -> str:
        """One for each Idempotency-Key, however often it is said."""
        key, body = heard.headers["idempotency-key"], json.dumps(heard.body, sort_keys=True)
        fresh = f"{PREFIXES[heard.path]}{len(self.scans):026}"
        found = self._by_key.setdefault(key, fresh)
        assert self.scans.setdefault(found, (heard.path, body)) == (heard.path, body)
        return found

    def _result(self, heard: Heard) -> Say:
        scan_id = heard.query.get("id", "")
        if scan_id not in self.scans:
            return problem(404, "SCAN_NOT_FOUND")
        path, _ = self.scans[scan_id]
        assert POLLED.get(path, path) == heard.path
        self._asked[scan_id] = self._asked.get(scan_id, 0) + 1
        if self._asked[scan_id] > self.polls:
            self.sent.append(_named(self.results[path], scan_id))
            return Say(200, self.sent[-1])
        running = {"id": scan_id, "status": "running"}
        return Say(200 if path in POLLED else 202, json.dumps(running).encode())


def _named(result: bytes, scan_id: str) -> bytes:
    """As a host stores it: under the scan's own name, where it bears one."""
    try:
        document = json.loads(result)
    except ValueError:
        return result
    own = document.get("id") if isinstance(document, dict) else None
    return result.replace(own.encode(), scan_id.encode(), 1) if own else result


def _drop(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _heard(request: BaseHTTPRequestHandler) -> Heard:
    parts = urlsplit(request.path)
    content = request.rfile.read(int(request.headers.get("Content-Length", 0)))
    return Heard(
        request.command,
        parts.path,
        {name: values[0] for name, values in parse_qs(parts.query).items()},
        {name.lower(): value for name, value in request.headers.items()},
        json.loads(content) if content else None,
    )
