"""Which public key a private key or a certificate has, and whom the certificate speaks for.

A certificate for this machine alone (``localhost``) or for a name that is reserved for tests opens
nothing anywhere else, and neither does its private key.
"""

import base64
import binascii
import hashlib
import ipaddress
import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes

_PEM = re.compile(
    r"-----BEGIN (?P<kind>(?:X509 |TRUSTED )?CERTIFICATE|(?:[A-Z]{2,5} )?PRIVATE KEY)-----"
    r"(?P<body>[A-Za-z0-9+/=\s\\]{80,20000})-----END (?P=kind)-----"
)
_BREAK = re.compile(r"\\[nrt]|\s|\\")
_RESERVED = re.compile(
    r"(?:.*\.)?(?:localhost|test|example|invalid|example\.(?:com|net|org)|localhost\.localdomain)\.?",
    re.IGNORECASE,
)
"""RFC 2606 and RFC 6761: nobody else's machine is ever called so."""
_MOST_CERTIFICATES = 100


def public_of_key(pem: str) -> str:
    """SHA-256 of the public part of a private key; empty where it has none that can be read."""
    match = _PEM.search(pem)
    if not match or not match["kind"].endswith("KEY"):
        return ""
    # Few files hold a key: the others need not wait for it.
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415

    body = _der(match["body"])
    try:
        key = serialization.load_der_private_key(body, None, unsafe_skip_rsa_key_validation=True)
        return _digest(key.public_key())
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return ""


def local_keys(text: str) -> tuple[str, ...]:
    """The public parts, as of :func:`public_of_key`, of the certificates for this machine alone."""
    found = (one for one in _PEM.finditer(text) if one["kind"].endswith("CERTIFICATE"))
    told = {_local(_der(one["body"])) for one in islice(found, _MOST_CERTIFICATES)}
    return tuple(sorted(told - {""}))


def _local(der: bytes) -> str:
    from cryptography import x509  # noqa: PLC0415
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415

    try:
        certificate = x509.load_der_x509_certificate(der)
        names = list(_names(certificate))
        return _digest(certificate.public_key()) if names and all(map(_is_local, names)) else ""
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return ""


def _names(certificate: "x509.Certificate") -> Iterator[str]:
    """Whom it speaks for; a name that is neither of a host nor an address is empty."""
    from cryptography import x509  # noqa: PLC0415

    try:
        others = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        for one in certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME):
            yield str(one.value)
        return
    for other in others:
        yield str(other.value) if isinstance(other, x509.DNSName | x509.IPAddress) else ""


def _is_local(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return _RESERVED.fullmatch(name) is not None


def _digest(key: "PublicKeyTypes") -> str:
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        Encoding,
        PublicFormat,
    )

    return hashlib.sha256(
        key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    ).hexdigest()


def _der(body: str) -> bytes:
    try:
        return base64.b64decode(_BREAK.sub("", body), validate=True)
    except binascii.Error:
        return b""
