"""A folder as a web server of a well-kept site sends it: types, compression, caching, headers.

It speaks plain HTTP on loopback, where the site tools judge neither TLS nor HSTS.
"""

import gzip
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

HOST = "127.0.0.1"
HEADERS = {
    "Content-Security-Policy": "base-uri 'self'; object-src 'none'; frame-ancestors 'self'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
}
"""What does not depend on the site; a policy for its scripts would."""
COMPRESSED = ("text/", "application/javascript", "application/json", "image/svg+xml")
YEAR = 365 * 24 * 60 * 60
MISSING = (
    b"<!doctype html><html lang=en><head><title>Not found</title></head>"
    b"<body><h1>Not found</h1></body></html>"
)


class Handler(BaseHTTPRequestHandler):
    """Answers with files of ``folder``, and follows no link out of ``tree``."""

    protocol_version = "HTTP/1.1"
    server_version = "static"
    sys_version = ""

    def __init__(self, tree: Path, folder: Path, *rest: object) -> None:
        self.tree = tree.resolve()
        self.folder = folder
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.answer()

    def do_HEAD(self) -> None:
        self.answer()

    def answer(self) -> None:
        """The file, a redirect to a folder's own address, or that there is none."""
        asked = unquote(urlsplit(self.path).path)
        path = (self.folder / asked.lstrip("/")).resolve()
        if not path.is_relative_to(self.tree):
            self.send(HTTPStatus.NOT_FOUND, MISSING, "text/html")
        elif path.is_dir() and not asked.endswith("/"):
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", f"{urlsplit(self.path).path}/")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif (file := path / "index.html" if path.is_dir() else path).is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            self.send(HTTPStatus.OK, file.read_bytes(), kind)
        else:
            self.send(HTTPStatus.NOT_FOUND, MISSING, "text/html")

    def send(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        """One answer, compressed where that helps and is asked for."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if kind.startswith(COMPRESSED) and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Vary", "Accept-Encoding")
        age = "no-cache" if kind == "text/html" else f"max-age={YEAR}"
        self.send_header("Cache-Control", age)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""


class Server(ThreadingHTTPServer):
    """One thread a connection."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Browsers hang up when they know enough."""


@contextmanager
def served(tree: Path, folder: Path) -> Iterator[str]:
    """The address of ``folder``, which lies in ``tree``."""
    server = Server((HOST, 0), partial(Handler, tree, folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://{HOST}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
