"""Read certificates: whom they are for, until when, and how strong they are."""

import datetime as dt
from collections.abc import Iterable
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, rsa

from mergegate.site.security.facts import Certificate

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
