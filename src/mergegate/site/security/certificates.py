"""How a server speaks TLS: the certificates that it sends, its versions and its ciphers.

Read through the one way out, also where the certificate is not trusted: what is wrong with it is
the question. Nothing is sent beyond handshakes.
"""

import contextlib
import datetime as dt
import socket
import ssl
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, rsa

from mergegate.sandbox.web import asking, trusted
from mergegate.site.security.facts import Certificate, TlsFacts

_LONGEST = 300
_MOST_NAMES = 200


def certificate(der: bytes) -> Certificate | None:
    """What the certificate says; None when it cannot be read."""
    try:
        return _read(x509.load_der_x509_certificate(der))
    except Exception:  # a hostile certificate fails in many ways, all of them "unreadable"
        return None


def covers(names: Iterable[str], host: str) -> bool:
    """Whether a certificate for ``names`` is for ``host`` (RFC 9525, 6.3).

    An asterisk stands for the whole first label, and never for one of an address.
    """
    wanted = _plain(host)
    if _is_address(wanted):
        return any(_plain(name) == wanted for name in names)
    parent = wanted.partition(".")[2]
    return any(
        _plain(name) == wanted or (name.startswith("*.") and parent == _plain(name[2:]) != "")
        for name in names
    )


def days_left(certificate: Certificate, now: dt.datetime) -> int:
    """Whole days until it expires; negative afterwards."""
    return (dt.datetime.fromisoformat(certificate.not_after) - now).days


def _read(found: x509.Certificate) -> Certificate:
    return Certificate(
        subject=found.subject.rfc4514_string()[:_LONGEST],
        issuer=found.issuer.rfc4514_string()[:_LONGEST],
        not_before=_moment(found.not_valid_before_utc),
        not_after=_moment(found.not_valid_after_utc),
        names=_names(found),
        key=_key(found.public_key()),
        signature=_signature(found),
        serial=f"{found.serial_number:x}",
        sha256=found.fingerprint(hashes.SHA256()).hex(),
    )


def _moment(moment: dt.datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _names(found: x509.Certificate) -> tuple[str, ...]:
    try:
        held = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    addresses = map(str, held.get_values_for_type(x509.IPAddress))
    names = (*held.get_values_for_type(x509.DNSName), *addresses)
    return tuple(name[:_LONGEST] for name in names[:_MOST_NAMES])


def _key(key: object) -> str:
    match key:
        case rsa.RSAPublicKey():
            return f"RSA {key.key_size}"
        case ec.EllipticCurvePublicKey():
            return f"EC {key.curve.name}"
        case dsa.DSAPublicKey():
            return f"DSA {key.key_size}"
        case ed25519.Ed25519PublicKey():
            return "Ed25519"
        case ed448.Ed448PublicKey():
            return "Ed448"
    return ""


def _signature(found: x509.Certificate) -> str:
    """The digest that is signed; Ed25519 and Ed448 have none of their own."""
    digest = found.signature_hash_algorithm
    return digest.name if digest else ""


def _plain(name: str) -> str:
    return name.lower().rstrip(".").strip("[]")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


VERSIONS = {
    "TLSv1": ssl.TLSVersion.TLSv1,
    "TLSv1.1": ssl.TLSVersion.TLSv1_1,
    "TLSv1.2": ssl.TLSVersion.TLSv1_2,
    "TLSv1.3": ssl.TLSVersion.TLSv1_3,
}
WEAK = (
    "kRSA:!aNULL:!eNULL:!RC4:!3DES",
    "3DES:!aNULL:!eNULL",
    "RC4:!aNULL:!eNULL",
    "aNULL:!eNULL",
    "eNULL",
)
"""Offers in OpenSSL's words (openssl-ciphers(1)): without forward secrecy, with broken algorithms,
without a certificate, without encryption. What this OpenSSL was built without cannot be offered."""
_EVERYTHING = "ALL:@SECLEVEL=0"
_ALPN = ["h2", "http/1.1"]


def modern() -> ssl.SSLContext:
    """A TLS context that offers what today's browsers do, but accepts any certificate."""
    context = asking(names=False, chain=False)
    context.set_alpn_protocols(_ALPN)
    return context


@cache
def speaks(name: str) -> bool:
    """Whether this machine can offer the version at all: many builds leave the old ones out."""
    context = only_version(name)
    hello = ssl.MemoryBIO()
    trial = context.wrap_bio(ssl.MemoryBIO(), hello, server_hostname="example.org")
    with contextlib.suppress(ssl.SSLError):
        trial.do_handshake()
    return hello.pending > 0


def only_version(name: str) -> ssl.SSLContext:
    """One version, and every cipher of it."""
    context = asking(names=False, chain=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # old versions are what we ask about
        context.minimum_version = VERSIONS[name]
        context.maximum_version = VERSIONS[name]
    context.set_ciphers(_EVERYTHING)
    return context


def only_ciphers(words: str) -> ssl.SSLContext | None:
    """Up to TLS 1.2 with these ciphers alone; None where this OpenSSL knows none of them."""
    context = asking(names=False, chain=False)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.set_ciphers(f"{words}:@SECLEVEL=0")
    except ssl.SSLError:
        return None
    return context


TIMEOUT_S = 6.0
"""The limit of a tunnel, and again of a whole handshake; a well-behaved server takes less."""
_MOST_HEAD = 4096
_OPEN = b"200"


class NoTunnel(Exception):
    """The way out does not lead there, or no one answers; says why in our own words."""


@contextlib.contextmanager
def _tunnel(host: str, port: int, proxy: str, timeout_s: float) -> Iterator[socket.socket]:
    way = urlsplit(proxy)
    authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    with socket.create_connection((way.hostname, way.port or 80), timeout_s) as line:
        line.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode("ascii"))
        status = _head(line).split(b" ", 2)[1:2]
        if status != [_OPEN]:
            refused = status == [b"403"]
            raise NoTunnel("a scan may not go there" if refused else "the host cannot be reached")
        yield line


def _head(line: socket.socket) -> bytes:
    """The head of the proxy's answer; a server speaks only after us, so nothing follows it."""
    head = b""
    while b"\r\n\r\n" not in head and len(head) < _MOST_HEAD:
        piece = line.recv(_MOST_HEAD)
        if not piece:
            break
        head += piece
    return head


_AT_ONCE = 2
_MOST_CERTIFICATES = 10
_DER = 2
"""``_ssl.ENCODING_DER``, which the public module does not show."""
_REASONS = {
    9: "it is not valid yet",
    10: "it has expired",
    18: "it vouches for itself",
    19: "the chain ends in a certificate that vouches for itself and that nobody here knows",
    20: "its issuer is not known here, or the server leaves out a certificate of the chain",
    21: "the server sends no more than its own certificate, whose issuer is not known here",
}
"""OpenSSL's codes (x509_vfy.h)."""


@dataclass(frozen=True, slots=True)
class _Server:
    host: str
    port: int
    proxy: str
    until: float
    """The deadline by the monotonic clock, in seconds."""

    @contextlib.contextmanager
    def handshake(self, context: ssl.SSLContext) -> Iterator[ssl.SSLSocket]:
        """The connection after its handshake; raises NoTunnel, ssl.SSLError or OSError."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        # IP addresses are no server names (RFC 6066, 3), Python leaves them out itself.
        with (
            _tunnel(self.host, self.port, self.proxy, min(left, TIMEOUT_S)) as line,
            context.wrap_socket(line, server_hostname=self.host) as secured,
        ):
            yield secured

    def negotiated(self, context: ssl.SSLContext) -> str | None:
        """The cipher that came about; empty when none did, None without an answer in time."""
        try:
            with self.handshake(context) as line:
                cipher = line.cipher()
                return cipher[0] if cipher else ""
        except TimeoutError:
            return None
        except (NoTunnel, OSError, ValueError):
            return ""


def tls_facts(
    host: str,
    port: int,
    proxy: str,
    now: dt.datetime,
    trust: Callable[[], ssl.SSLContext] = trusted,
    *,
    seconds: float = 30.0,
) -> TlsFacts:
    """What the server at ``host`` speaks; ``failure`` says why nothing came about.

    ``host`` is a name in ASCII or an address without brackets; ``now`` is in UTC. What is not
    answered within ``seconds`` by the clock is not found out.
    """
    server = _Server(host, port, proxy, time.monotonic() + seconds)
    try:
        negotiated = _negotiated(server, now)
    except (NoTunnel, OSError, ValueError) as error:
        return TlsFacts(host=host, port=port, failure=_failure(error), name_matches=False)
    vouched, objection = _trust(server, trust)
    return replace(_probed(server, negotiated), trusted=vouched, trust_error=objection)


def _negotiated(server: _Server, now: dt.datetime) -> TlsFacts:
    """What comes of a handshake as browsers make it."""
    with server.handshake(modern()) as line:
        cipher, chain = line.cipher(), _chain(line)
        own = chain[0] if chain else None
        return TlsFacts(
            host=server.host,
            port=server.port,
            protocol=line.version() or "",
            cipher=cipher[0] if cipher else "",
            alpn=line.selected_alpn_protocol() or "",
            chain=chain,
            name_matches=own is None or covers(own.names, server.host),
            days_left=days_left(own, now) if own else None,
        )


def _chain(line: ssl.SSLSocket) -> tuple[Certificate, ...]:
    """The chain as sent; only the server's own certificate where Python cannot show the chain."""
    sent = _sent(line) or [line.getpeercert(binary_form=True) or b""]
    read = (certificate(der) for der in sent[:_MOST_CERTIFICATES])
    return tuple(one for one in read if one)


def _sent(line: ssl.SSLSocket) -> list[bytes]:
    """Public from Python 3.13 on; before it stands on the object beneath."""
    public = getattr(line, "get_unverified_chain", None)
    if public:
        return list(public() or ())
    beneath = getattr(getattr(line, "_sslobj", None), "get_unverified_chain", None)
    return [one.public_bytes(_DER) for one in (beneath() if beneath else None) or ()]


def _trust(server: _Server, trust: Callable[[], ssl.SSLContext]) -> tuple[bool | None, str]:
    """Whether the chain is vouched for, its names aside; None when that was not found out."""
    context = trust()
    try:
        with server.handshake(_nameless(context)):
            return True, ""
    except ssl.SSLCertVerificationError as error:
        return False, _REASONS.get(error.verify_code, "nobody known here vouches for it")
    except (NoTunnel, OSError, ValueError):
        return None, ""


def _nameless(context: ssl.SSLContext) -> ssl.SSLContext:
    """A context with the same roots that does not look at names; the given one is shared."""
    copy = asking(names=False, chain=True)
    roots = context.get_ca_certs(binary_form=True)
    if roots:
        copy.load_verify_locations(cadata=b"".join(roots))
    copy.load_default_certs()
    return copy


def _probed(server: _Server, known: TlsFacts) -> TlsFacts:
    """``known`` with the protocol versions that the server accepts, and its weak ciphers."""
    versions = [name for name in VERSIONS if speaks(name)]
    weak = [context for words in WEAK if (context := only_ciphers(words))]
    contexts = [*map(only_version, versions), *weak]
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        ciphers = list(pool.map(server.negotiated, contexts))
    told = dict(zip(versions, ciphers, strict=False)) | {known.protocol: known.cipher}
    return replace(
        known,
        accepts=tuple(name for name in VERSIONS if told.get(name)),
        untested=tuple(name for name in VERSIONS if told.get(name) is None),
        weak_ciphers=tuple(dict.fromkeys(filter(None, ciphers[len(versions) :]))),
    )


def _failure(error: Exception) -> str:
    match error:
        case NoTunnel():
            return str(error)
        case ssl.SSLError():
            return "no secure connection comes about"
        case TimeoutError():
            return "it does not answer in time"
    return "the connection breaks off"


__all__ = ["tls_facts"]
