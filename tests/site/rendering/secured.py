"""A site over TLS on loopback, with a certificate that nobody vouches for."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.site.security.certificates.servers import issued, serving


class _Handler(BaseHTTPRequestHandler):
    pages: dict[str, str]

    def do_GET(self) -> None:
        there = self.pages.get(self.path)
        body = (there or "gone").encode()
        self.send_response(404 if there is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815 - http.server calls it so

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever does not trust the certificate hangs up."""


@contextlib.contextmanager
def secured(pages: dict[str, str], folder: Path, port: int = 0) -> Iterator[str]:
    """The origin of a site with these pages; on any port unless one is given."""
    server = _Server(("127.0.0.1", port), type("Handler", (_Handler,), {"pages": pages}))
    context = serving(issued("127.0.0.1"), folder)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
