"""Servers on loopback, over https too, and a client that reaches them through a way out."""

import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.visit import NONE, Credentials, Visit
from mergegate.sandbox.web import Client, client

NOW = datetime.datetime.now(datetime.UTC)
DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]


@dataclass(frozen=True)
class Say:
    """One answer."""

    status: int = 200
    body: bytes = b"hello"
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/plain; charset=utf-8"),)


def to(where: str, status: int = 302, *more: tuple[str, str]) -> Say:
    """A redirect."""
    return Say(status, b"", (("Location", where), *more))


@dataclass
class Site:
    """A server; what it does not know is 404."""

    routes: dict[str, Any] = field(default_factory=dict)
    """Path → Say, a function of the request, or one marked ``raw`` that takes the connection."""
    scheme: str = "http"
    port: int = 0
    asked: list[Asked] = field(default_factory=list)
    open: int = 0
    most_open: int = 0

    def at(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"


def raw(serve: Callable[[socket.socket], None]) -> Callable[[socket.socket], None]:
    """Mark ``serve`` as one that takes the connection."""
    serve.raw = True  # type: ignore[attr-defined]
    return serve


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 20
    site: Site
    lock = threading.Lock()

    def _answer(self) -> None:
        with self.lock:
            self.site.open += 1
            self.site.most_open = max(self.site.most_open, self.site.open)
        try:
            self._say()
        except OSError:
            self.close_connection = True
        finally:
            with self.lock:
                self.site.open -= 1

    def _say(self) -> None:
        asked = Asked(self.command, self.path, {k.lower(): v for k, v in self.headers.items()})
        self.site.asked.append(asked)
        found = self.site.routes.get(self.path, Say(404, b"no"))
        if getattr(found, "raw", False):
            self.close_connection = True
            found(self.connection)
            return
        say = found if isinstance(found, Say) else found(asked)
        self.send_response(say.status)
        for name, value in say.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(say.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(say.body)

    do_GET = do_HEAD = do_OPTIONS = _answer  # noqa: N815 - http.server calls them so

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients hang up."""


@contextlib.contextmanager
def site(routes: dict[str, Any], tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    """A server on 127.0.0.1."""
    there = Site(routes=routes, scheme="https" if tls else "http")
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": there}))
    if tls:
        server.socket = tls.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    there.port = server.server_port
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield there
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def web_of(
    *sites: Site,
    credentials: Credentials = NONE,
    names: tuple[str, ...] = (),
    **options: Any,
) -> Iterator[Client]:
    """A client whose visit is to the first of ``sites``; ``names`` lead to loopback too."""
    hosts = ("127.0.0.1", *names)
    policy = Policy(allowed=frozenset((host, one.port) for host in hosts for one in sites))

    def lookup(host: str) -> tuple[str, ...]:
        if host not in names:
            raise OSError(host)
        return ("127.0.0.1",)

    own = Visit(url=sites[0].at(), credentials=credentials)
    with egress(policy, lookup=lookup) as way, client(way.url, own, **options) as web:
        yield web
    assert way.faults == ()


@cache
def _authority() -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Throw-away CA")])
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - 30 * DAY)
        .not_valid_after(NOW + 30 * DAY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return key, built


def trust() -> ssl.SSLContext:
    """Whom the throw-away authority vouches for."""
    context = ssl.create_default_context()
    context.load_verify_locations(cadata=_pem(_authority()[1]))
    return context


def served_with(host: str = "127.0.0.1", days: int = 20) -> ssl.SSLContext:
    """A certificate for ``host`` that ends in ``days``; negative for the past."""
    issuer_key, issuer = _authority()
    key = ec.generate_private_key(ec.SECP256R1())
    built = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Site")]))
        .issuer_name(issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - 25 * DAY)
        .not_valid_after(NOW + days * DAY)
        .add_extension(x509.SubjectAlternativeName([_named(host)]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False,
        )
        .sign(issuer_key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "both.pem"
        file.write_bytes(secret + _pem(built).encode())
        context.load_cert_chain(file)
    return context


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


def _named(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
