"""TLS servers on loopback that do nothing but shake hands, and the certificates they show."""

import contextlib
import datetime as dt
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

HOST = "shop.example.org"
NOW = dt.datetime.now(dt.UTC)


@dataclass(frozen=True)
class Shown:
    """A certificate with its key, and those above it."""

    certificate: x509.Certificate
    key: Any
    above: tuple[x509.Certificate, ...] = ()

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.DER)


def issued(
    *names: str,
    by: Shown | None = None,
    days: float = 90,
    since_days: float = 1,
    key: Any = None,
    ca: bool = False,
) -> Shown:
    """For ``names``, by itself without an issuer; valid from ``since_days`` ago for ``days``."""
    own = key or ec.generate_private_key(ec.SECP256R1())
    subject = _name(names[0])
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.certificate.subject if by else subject)
        .public_key(own.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - dt.timedelta(days=since_days))
        .not_valid_after(NOW + dt.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([_general(one) for one in names]), False)
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), True)
        .sign(by.key if by else own, hashes.SHA256())
    )
    above = (by.certificate, *by.above) if by and by.above else ()
    return Shown(built, own, above)


def rsa_key(bits: int) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, bits)


def serving(shown: Shown, folder: Path, chain: Sequence[Shown] = ()) -> ssl.SSLContext:
    """A server's side that sends ``shown`` and then ``chain``."""
    pem = serialization.Encoding.PEM
    certificates, private = folder / "chain.pem", folder / "key.pem"
    sent = (shown, *chain)
    certificates.write_bytes(b"".join(one.certificate.public_bytes(pem) for one in sent))
    private.write_bytes(
        shown.key.private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.load_cert_chain(certificates, private)
    return context


def trusting(*roots: Shown) -> ssl.SSLContext:
    """A client's side that knows these roots alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=b"".join(one.der for one in roots))
    return context


@contextlib.contextmanager
def handshakes(context: ssl.SSLContext) -> Iterator[int]:
    """The port of a server that hangs up after the handshake."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        shaking = threading.Thread(target=_shake, args=(listener, context), daemon=True)
        shaking.start()
        try:
            yield listener.getsockname()[1]
        finally:
            # Linux restarts a call by the number of its file, which another server may have then.
            listener.shutdown(socket.SHUT_RDWR)
            shaking.join()


def _shake(listener: socket.socket, context: ssl.SSLContext) -> None:
    with contextlib.suppress(OSError):  # shut down: the test is over
        while True:
            line, _ = listener.accept()
            line.settimeout(10)
            with (
                contextlib.suppress(OSError),
                context.wrap_socket(line, server_side=True) as secured,
            ):
                secured.recv(1)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
