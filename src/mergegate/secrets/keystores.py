"""Binary files that are a secret as a whole: key stores and DER private keys."""

import hashlib
import re
import struct
from collections.abc import Iterator

from mergegate.core.severity import Confidence
from mergegate.secrets.found import SecretMatch

_JKS = b"\xfe\xed\xfe\xed"
_STORES = {
    _JKS: "java-keystore",
    b"\xce\xce\xce\xce": "java-keystore",
    b"\x03\xd9\xa2\x9a": "keepass-database",
}
_CERTIFICATE = 2
"""The tag of an entry that holds no private key."""
_DER_KEY = re.compile(rb"\x30(?:\x81.|\x82..)\x02\x01\x00(?:\x30.\x06|\x02[\x81\x82])", re.DOTALL)
"""The beginning of a PKCS #8 or PKCS #1 private key in DER."""


def keystore(data: bytes, suffix: str) -> SecretMatch | None:
    """The file as one secret; None if it is no key file, or a Java trust store."""
    kind = _STORES.get(data[:4])
    if kind is None and suffix in {".p12", ".pfx"} and data[:1] == b"\x30":
        kind = "pkcs12-keystore"
    if kind is None and _DER_KEY.match(data):
        kind = "private-key"
    if kind is None or _is_trust_store(data):
        return None
    return SecretMatch(
        detector=kind,
        line=0,
        start_column=0,
        end_column=0,
        masked="",
        identity=hashlib.sha256(data).hexdigest()[:32],
        confidence=Confidence.MEDIUM,
    )


def _is_trust_store(data: bytes) -> bool:
    """Whether every entry of a JKS file is a certificate; False for a truncated file."""
    try:
        magic, version, count = struct.unpack_from(">4sII", data)
        return (magic, version, count) == (_JKS, 2, sum(1 for _ in _certificates(data)))
    except struct.error:
        return False


def _certificates(data: bytes) -> Iterator[int]:
    """The offset of each entry up to the first that is no certificate."""
    at = 12
    while at < len(data) - 20 and struct.unpack_from(">I", data, at) == (_CERTIFICATE,):
        yield at
        at += 4
        at += 2 + struct.unpack_from(">H", data, at)[0] + 8  # its name, and when it came
        at += 2 + struct.unpack_from(">H", data, at)[0]  # the kind of certificate
        at += 4 + struct.unpack_from(">I", data, at)[0]
    if at != len(data) - 20:  # the SHA-1 of it all ends the file
        raise struct.error
