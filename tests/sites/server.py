"""One server for each site, each on a port of its own; the pages are in ``pages``."""

import contextlib
import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.process.node import node
from tests.sites import pages
from tests.sites.certificate import Certificate, self_signed
from tests.sites.pages import MOVED, VENDORS, Page, Pages

_LOOPBACK = "127.0.0.1"
SECRET = ("x-preview", "open-sesame")
"""The header, or the cookie, that opens the site ``protected``."""


@dataclass(frozen=True)
class Seen:
    """A request as it came in."""

    site: str
    host: str
    path: str
    headers: Mapping[str, str]
    """Names in small letters."""


@dataclass
class Sites:
    """The running sites."""

    addresses: Mapping[str, str]
    policy: Policy
    chromium_flags: tuple[str, ...]
    """So that it trusts the one with TLS; of ``extra``."""
    seen: list[Seen] = field(default_factory=list)

    def url(self, name: str) -> str:
        """Where the site begins."""
        return self.addresses[name]

    def lookup(self, _: str) -> Sequence[str]:
        """All names lead here."""
        return (_LOOPBACK,)

    def requests(self, site: str) -> list[Seen]:
        """To one site, first first."""
        return [one for one in self.seen if one.site == site]


@contextlib.contextmanager
def serve() -> Iterator[Sites]:
    """Start them all; they stop on leaving, whatever they are in the midst of."""
    certificate = self_signed()
    with contextlib.ExitStack() as held:
        house = House(held)
        ports = house.open()
        ports["http2"] = held.enter_context(_http2(certificate))
        addresses = {
            name: f"{'https' if name == 'http2' else 'http'}://{_LOOPBACK}:{port}/"
            for name, port in ports.items()
        }
        named = [(host, ports["vendor-scripts"]) for host, _ in VENDORS]
        own = [(_LOOPBACK, port) for port in ports.values()]
        yield Sites(
            addresses,
            Policy(allowed=frozenset([*own, *named, (MOVED, ports["arrived"])])),
            (f"--ignore-certificate-errors-spki-list={certificate.spki}",),
            house.seen,
        )


class House:
    """Servers that stop together."""

    def __init__(self, held: contextlib.ExitStack) -> None:
        self._held = held
        self.seen: list[Seen] = []
        self.stopping = threading.Event()
        held.callback(self.stopping.set)

    def open(self) -> dict[str, int]:
        """Each site's port; those that others refer to come first."""
        ports = {"vendor-scripts": self._serve("vendor-scripts", pages.vendor_scripts())}
        ports["arrived"] = self._serve("arrived", pages.arrived())
        ports["vendors"] = self._serve("vendors", pages.vendors(ports["vendor-scripts"]))
        ports["redirecting"] = self._serve("redirecting", pages.redirecting(ports["arrived"]))
        ports["protected"] = self._serve(
            "protected", pages.protected(ports["arrived"]), _knows_the_secret
        )
        return ports | {one.__name__: self._serve(one.__name__, one()) for one in _ALONE}

    def _serve(
        self, site: str, known: Pages, admits: Callable[[Mapping[str, str]], bool] = lambda _: True
    ) -> int:
        handler = type(
            "Handler",
            (_Handler,),
            {
                "site": site,
                "pages": known,
                "house": self,
                "admits": staticmethod(admits),
            },
        )
        server = _Server((_LOOPBACK, 0), handler)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        self._held.callback(server.server_close)
        self._held.callback(server.shutdown)
        return server.server_port


_ALONE = (
    *(
        pages.fast,
        pages.slow,
        pages.app,
        pages.shifting,
        pages.circling,
        pages.forbidden,
        pages.failing,
    ),
    *(pages.empty, pages.download, pages.huge, pages.endless, pages.restless, pages.hung),
)


def _knows_the_secret(headers: Mapping[str, str]) -> bool:
    name, value = SECRET
    return headers.get(name) == value or f"{name}={value}" in headers.get("cookie", "")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser hangs up when it pleases."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: str
    pages: Pages
    house: House
    admits: Callable[[Mapping[str, str]], bool]

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.house.seen.append(Seen(self.site, headers.get("host", ""), self.path, headers))
        page = self.pages.get(self.path.split("?")[0], Page(b"", "text/plain", 404))
        if not self.admits(headers):
            page = Page(b"Who are you?", "text/plain", 401)
        time.sleep(page.delay_s)
        self._answer(page)

    def _answer(self, page: Page) -> None:
        self.send_response(page.status)
        self.send_header("Content-Type", page.type)
        for name, value in page.headers.items():
            self.send_header(name, value)
        if isinstance(page.body, bytes):
            self.send_header("Content-Length", str(len(page.body)))
            self.end_headers()
            self.wfile.write(page.body)
        else:
            self._stream(page.body())

    def _stream(self, pieces: Iterator[bytes]) -> None:
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            if self.house.stopping.is_set():
                return
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))

    def log_message(self, format: str, *args: object) -> None:
        """Tests are quiet."""


@contextlib.contextmanager
def _http2(certificate: Certificate) -> Iterator[int]:
    known = {
        path: [page.status, page.type, bytes(page.body).decode()]
        for path, page in pages.over_http2().items()
        if isinstance(page.body, bytes)
    }
    given = {"cert": certificate.chain, "key": certificate.key, "pages": known}
    process = subprocess.Popen(
        [node(), Path(__file__).with_name("http2.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps(given) + "\n")
            process.stdin.flush()
            yield int(process.stdout.readline())
        finally:
            process.kill()
