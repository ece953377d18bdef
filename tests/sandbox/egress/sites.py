"""Sites to reach and secrets to keep, on loopback, and clients that say what they are told."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from mergegate.sandbox.egress.dialer import Lookup
from mergegate.sandbox.egress.policy import Caps, Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.egress.traffic import Contact

PATIENCE_S = 20.0
"""Only a proxy that hangs takes so long."""


@dataclass(frozen=True)
class Asked:
    """One request as a site got it."""

    line: str
    headers: dict[str, str]
    body: bytes
    connection: int
    """The other side's port: one per connection."""


@dataclass
class Site:
    """A plain HTTP/1.1 site; paths are answered as :class:`_Handler` says."""

    port: int = 0
    asked: list[Asked] = field(default_factory=list)
    pages: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """Path → content type and body."""
    moved: dict[str, str] = field(default_factory=dict)
    """Path → where it redirects."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    site: Site

    def _answer(self) -> None:
        body = self._body()
        self.site.asked.append(
            Asked(self.requestline, dict(self.headers), body, self.client_address[1])
        )
        path = self.path.partition("?")[0]
        if path in self.site.moved:
            self.send_response(302)
            self.send_header("Location", self.site.moved[path])
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif path == "/chunked":
            self._chunked()
        else:
            self._page(*self.site.pages.get(path, ("text/plain", body or b"hello")))

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _chunked(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in (b"one ", b"two ", b"three"):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def _page(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_HEAD = do_OPTIONS = _answer  # noqa: N815 - http.server calls them so

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser hangs up when it pleases."""


@contextlib.contextmanager
def site(tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    """A site on 127.0.0.1."""
    there = Site()
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": there}))
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    there.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield there
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Secret:
    """A port on 127.0.0.1 and ::1 that nobody may reach: each connection or datagram is a hit."""

    port: int
    hits: list[bytes] = field(default_factory=list)
    datagrams: list[bytes] = field(default_factory=list)
    _sockets: list[socket.socket] = field(default_factory=list)

    def listen(self) -> None:
        self._add(socket.AF_INET, "127.0.0.1")
        with contextlib.suppress(OSError):  # a machine without IPv6
            self._add(socket.AF_INET6, "::1")

    def _add(self, family: socket.AddressFamily, host: str) -> None:
        listener = socket.create_server((host, self.port), family=family)
        self.port = listener.getsockname()[1]
        datagrams = socket.socket(family, socket.SOCK_DGRAM)
        datagrams.bind((host, self.port))
        self._sockets += [listener, datagrams]
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        threading.Thread(target=self._hear, args=(datagrams,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):
                connection.settimeout(2)
                self.hits.append(b"")
                self.hits[-1] = connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")

    def _hear(self, datagrams: socket.socket) -> None:
        while True:
            try:
                self.datagrams.append(datagrams.recv(4096))
            except OSError:
                return

    def close(self) -> None:
        for one in self._sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextlib.contextmanager
def secret() -> Iterator[Secret]:
    there = Secret(0)
    there.listen()
    try:
        yield there
    finally:
        there.close()


@contextlib.contextmanager
def raw_site(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port on 127.0.0.1 whose every connection is left to ``serve``."""
    listener = socket.create_server(("127.0.0.1", 0))

    def one(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(PATIENCE_S)
            serve(connection)

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def head_of(connection: socket.socket) -> bytes:
    """Read up to the end of one head."""
    data = b""
    while b"\r\n\r\n" not in data and (more := connection.recv(65536)):
        data += more
    return data


def say(way: Egress, data: bytes, *, finish: bool = False) -> bytes:
    """What the proxy answers to exactly these bytes, up to where it hangs up."""
    with socket.create_connection(("127.0.0.1", way.port), PATIENCE_S) as connection:
        answer = b""
        with contextlib.suppress(ConnectionError):
            connection.sendall(data)
            if finish:
                connection.shutdown(socket.SHUT_WR)
            while more := connection.recv(65536):
                answer += more
        return answer


def get(host_and_port: str, path: str = "/") -> bytes:
    """A request in absolute form, the last of its connection."""
    where = f"http://{host_and_port}{path}".encode()
    return b"GET " + where + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def connect(host_and_port: str) -> bytes:
    return f"CONNECT {host_and_port} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def status(answer: bytes) -> int:
    """0 when the proxy hung up without an answer."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


@contextlib.contextmanager
def tunnel(way: Egress, port: int, host: str = "127.0.0.1") -> Iterator[socket.socket]:
    """A connection to host:port through ``CONNECT``."""
    with socket.create_connection(("127.0.0.1", way.port), PATIENCE_S) as connection:
        connection.sendall(connect(f"{host}:{port}"))
        assert head_of(connection).startswith(b"HTTP/1.1 200 ")
        yield connection


@contextlib.contextmanager
def way_to(*ports: int, caps: Caps = Caps(), lookup: Lookup | None = None) -> Iterator[Egress]:
    """A way out to these ports of 127.0.0.1 alone, which nothing unforeseen may befall."""
    policy = Policy(allowed=frozenset(("127.0.0.1", port) for port in ports))
    with egress(policy, caps, lookup or nothing) as way:
        yield way
    assert way.faults == ()


def nothing(host: str) -> tuple[str, ...]:
    """No name is known."""
    raise OSError(f"{host} is not known here")


def last(way: Egress) -> Contact:
    return way.contacted[-1]


def certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A server's side for 127.0.0.1, and what a client has to trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "preview.example.org")])
    now = datetime.now(UTC)
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(alternative, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain, private = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(built.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, private)
    return context, chain
