"""The stand-in for Bitbucket over HTTP, and for the proxy of Pipelines.

The proxy signs what is sent to Code Insights, and passes nothing else.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from tests.forges.bitbucket.contents import ROUTES
from tests.forges.bitbucket.contract import Exchange
from tests.forges.bitbucket.routes import REPORT, Call
from tests.forges.bitbucket.stand_in import (
    AUTHORIZATIONS,
    READS,
    TOKEN,
    Bitbucket,
    Refused,
    Someone,
)

_PROXIED = frozenset({"api.bitbucket.org", "127.0.0.1"})


class Handler(BaseHTTPRequestHandler):
    """One request."""

    state: ClassVar[Bitbucket]

    def do_GET(self) -> None:
        self._answer()

    def do_PUT(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_DELETE(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        sent = self._sent(self.rfile.read(length)) if length else None
        self._happen()
        with self.state.lock:
            self.state.seen.append((self.path, self.headers.get("Authorization")))
            status, headers, content = self._tired() or self._done(sent)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _happen(self) -> None:
        line = f"{self.command} {urlsplit(self.path).path}"
        for one in [one for one in self.state.before if re.search(one[0], line)]:
            self.state.before.remove(one)
            one[1]()

    def _sent(self, content: bytes) -> Any:
        """A form is kept as it came, with its kind."""
        kind = self.headers.get("Content-Type") or ""
        return (kind, content) if kind.startswith("multipart/") else json.loads(content)

    def _tired(self) -> tuple[int, dict[str, str], bytes] | None:
        if not self.state.tired:
            return None
        status, headers = self.state.tired.popleft()
        return status, headers, b"Rate limit for this resource has been exceeded"

    def _done(self, sent: Any) -> tuple[int, dict[str, str], bytes]:
        split = urlsplit(self.path)
        path, query = split.path.removeprefix("/2.0"), parse_qs(split.query)
        try:
            who = self._who(path, split.hostname)
            status, answer = self._routed(path, who, Call(self.state, query, sent))
        except Refused as refusal:
            status = refusal.status
            answer = {"type": "error", "error": {"message": refusal.message}}
        if isinstance(answer, bytes):
            content, kept = answer, None
        else:
            content = b"" if answer is None else json.dumps(answer).encode()
            # As it was then: what stands there will change.
            kept = json.loads(content) if content else None
        # The document says nothing of the form that it describes in words.
        told = None if isinstance(sent, tuple) else sent
        exchange = Exchange(self.command, path, query, told, status, kept)
        self.state.exchanges.append(exchange)
        return status, {}, content

    def _routed(self, path: str, who: Someone, call: Call) -> tuple[int, Any]:
        for method, pattern, action in ROUTES:
            found = pattern.fullmatch(path)
            if found and method == self.command:
                return _success(method, path), action(call, who, found)
        raise Refused(404, "Resource not found")

    def _who(self, path: str, proxied_for: str | None) -> Someone:
        """The proxy speaks for the pipeline, to Code Insights alone."""
        given = self.headers.get("Authorization")
        if proxied_for is not None:
            if proxied_for not in _PROXIED or given or not re.match(REPORT, path):
                raise Refused(403, "not for the proxy")
            return TOKEN
        who = AUTHORIZATIONS.get(given or "")
        if given is None:
            raise Refused(404, "The requested repository does not exist or you have no access")
        if who is None:
            raise Refused(401, f"Token is invalid: {given}")
        if self.command not in READS and "write" not in who.scopes:
            raise Refused(403, "Your credentials lack one or more required privilege scopes.")
        return who


def _success(method: str, path: str) -> int:
    if method == "DELETE":
        return 204
    made = ("/comments", "/statuses/build", "/src", "/pullrequests")
    return 201 if method == "POST" and path.endswith(made) else 200


@contextmanager
def running() -> Iterator[Bitbucket]:
    """One on this machine, while the block lasts."""
    state = Bitbucket()
    handler = type("OneHandler", (Handler,), {"state": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}/2.0"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
