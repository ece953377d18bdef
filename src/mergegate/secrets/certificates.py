"""Which public key a private key or a certificate has, and whom the certificate speaks for.

A certificate for this machine alone (``localhost``) or for a name that is reserved for tests opens
nothing anywhere else, and neither does its private key. Of DER, what these two need is read.
"""

import base64
import binascii
import hashlib
import ipaddress
import re
from collections.abc import Iterator
from itertools import islice, pairwise

_PEM = re.compile(
    r"-----BEGIN (?P<kind>(?:X509 |TRUSTED )?CERTIFICATE|(?:[A-Z]{2,5} )?PRIVATE KEY)-----"
    r"(?P<body>[A-Za-z0-9+/=\s\\]{80,20000})-----END (?P=kind)-----"
)
_BREAK = re.compile(r"\\[nrt]|\s|\\")
_INTEGER, _BITS, _OCTETS, _OID, _SEQUENCE = 0x02, 0x03, 0x04, 0x06, 0x30
_NAMES, _EXTENSIONS, _DNS, _IP = bytes.fromhex("551d11"), 0xA3, 0x82, 0x87
_COMMON_NAME = bytes.fromhex("550403")
_MODULUS_BYTES = 64
"""An RSA modulus has at least as many; no other number before it in either form does."""
_POINT_BYTES = {66, 98, 134}
"""A point of P-256, P-384 or P-521: a byte that says so, none compressed."""
_RESERVED = re.compile(
    r"(?:.*\.)?(?:localhost|test|example|invalid|example\.(?:com|net|org)|localhost\.localdomain)\.?",
    re.IGNORECASE,
)
"""RFC 2606 and RFC 6761: nobody else's machine is ever called so."""
_MOST_CERTIFICATES = 100
_DEEPEST = 8

Element = tuple[int, bytes]
"""Tag and content."""


def public_of_key(pem: str) -> str:
    """SHA-256 of the public part of an RSA or EC key; empty where it has none that can be read."""
    match = _PEM.search(pem)
    return _public(_der(match["body"])) if match and match["kind"].endswith("KEY") else ""


def local_keys(text: str) -> tuple[str, ...]:
    """The public parts, as of :func:`public_of_key`, of the certificates for this machine alone."""
    found = (one for one in _PEM.finditer(text) if one["kind"].endswith("CERTIFICATE"))
    told = {_local(_der(one["body"])) for one in islice(found, _MOST_CERTIFICATES)}
    return tuple(sorted(told - {""}))


def _local(der: bytes) -> str:
    try:
        certificate = dict(_elements(der))[_SEQUENCE]
        body = next(_elements(certificate))[1]
        fields = [one for one in _elements(body) if one[0] != 0xA0]
        subject, key = fields[4][1], fields[5][1]
        extensions = b"".join(content for tag, content in fields[6:] if tag == _EXTENSIONS)
    except (KeyError, IndexError, StopIteration):
        return ""
    names = _alternative_names(extensions) or list(_common_names(subject))
    return _public(key) if names and all(map(_is_local, names)) else ""


def _is_local(name: str | bytes) -> bool:
    if isinstance(name, str) and not re.fullmatch(r"[\d.]+|[\da-fA-F:]*:[\da-fA-F:]*", name):
        return _RESERVED.fullmatch(name) is not None
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _alternative_names(extensions: bytes) -> list[str | bytes]:
    """The DNS names and addresses; names of other kinds are empty, which is never local."""
    flat = _flat(extensions)
    if (_OID, _NAMES) not in flat:
        return []
    octets = next((content for tag, content in flat if tag == _OCTETS), b"")
    return [
        value.decode("latin-1") if kind == _DNS else value if kind == _IP else ""
        for kind, value in _elements(dict(_elements(octets)).get(_SEQUENCE, b""))
    ]


def _common_names(subject: bytes) -> Iterator[str]:
    for one, after in pairwise(_flat(subject)):
        if one == (_OID, _COMMON_NAME):
            yield after[1].decode("latin-1")


def _public(der: bytes) -> str:
    for tag, content in _flat(der):
        if tag == _INTEGER and len(content) >= _MODULUS_BYTES:
            return hashlib.sha256(content.lstrip(b"\0")).hexdigest()
        if tag == _BITS and len(content) in _POINT_BYTES and content[:2] == b"\0\4":
            return hashlib.sha256(content[1:]).hexdigest()
    return ""


def _flat(data: bytes, depth: int = 0) -> Iterator[Element]:
    """Every element, and what each holds, in order; also what is packed into octets and bits."""
    for tag, content in _elements(data):
        yield tag, content
        inner = content[1:] if tag == _BITS else content
        if depth < _DEEPEST and (tag & 0x20 or tag in {_OCTETS, _BITS}):
            yield from _flat(inner, depth + 1)


def _elements(data: bytes) -> Iterator[Element]:
    """The elements one behind the other; those up to the first that is none."""
    at = 0
    while at + 2 <= len(data):
        tag, length, at = data[at], data[at + 1], at + 2
        if length > 0x80:
            size = length & 0x7F
            length, at = int.from_bytes(data[at : at + size], "big"), at + size
        if length == 0x80 or at + length > len(data):
            return
        yield tag, data[at : at + length]
        at += length


def _der(body: str) -> bytes:
    try:
        return base64.b64decode(_BREAK.sub("", body), validate=True)
    except binascii.Error:
        return b""
