"""What a token's own digits prove: checksums and structure of the formats that have them."""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Mapping

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def base62_crc32(body: str) -> str:
    """Six base-62 digits over ``body``, as GitHub and npm end their tokens."""
    number, digits = zlib.crc32(body.encode("latin-1", "replace")), ""
    while number:
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits.rjust(6, "0")


def has_base62_crc32(token: str) -> bool:
    """Whether the last six characters are the checksum of those after the prefix."""
    body = token.partition("_")[2]
    return base62_crc32(body[:-6]) == body[-6:]


def has_hex_crc32(token: str) -> bool:
    """Whether the eight hexadecimal digits at the end are the checksum of all before (Grafana)."""
    body, _, check = token.rpartition("_")
    return f"{zlib.crc32(body.encode('latin-1', 'replace')):08x}" == check


def decoded(text: str) -> bytes:
    """The bytes of Base64 in either alphabet, padded or not; empty when it is none."""
    padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
    try:
        return base64.b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        return b""


def is_pypi_macaroon(token: str) -> bool:
    """Whether a PyPI token opens as a version 2 macaroon."""
    return decoded(token.removeprefix("pypi-")[:40])[:2] == b"\x02\x01"


def is_discord_bot(token: str) -> bool:
    """Whether the first part is a snowflake: 17 to 20 decimal digits."""
    number = decoded(token.partition(".")[0])
    return number.isdigit() and 17 <= len(number) <= 20


def is_aws_key_id(token: str) -> bool:
    """Whether it is base 32 after the prefix: no 0, 1, 8 or 9."""
    return re.fullmatch(r"[A-Z2-7]{16}", token[4:]) is not None


def is_telegram_bot(token: str) -> bool:
    """Whether the part after the bot's number begins as Telegram's do."""
    return ":AA" in token


def is_twilio_key(token: str) -> bool:
    """Whether it is hexadecimal after the prefix."""
    return re.fullmatch(r"SK[0-9a-f]{32}", token) is not None


def is_jwt(token: str) -> bool:
    """Whether header and payload are JSON, and the header names an algorithm that signs."""
    header, payload, signature = (decoded(part) for part in token.split("."))
    try:
        told = json.loads(header)
        json.loads(payload)
    except (ValueError, RecursionError):
        return False
    signs = isinstance(told, dict) and str(told.get("alg", "none")).lower() != "none"
    return signs and bool(signature)


def user_and_password(text: str) -> str:
    """The password in Base64 of ``user:password``; empty when it is none."""
    plain = decoded(text)
    name, colon, password = plain.partition(b":")
    printable = all(32 <= byte < 127 for byte in plain)
    return password.decode("ascii") if name and colon and printable else ""


PROOFS: Mapping[str, Callable[[str], bool]] = {
    proof.__name__: proof
    for proof in (
        has_base62_crc32,
        has_hex_crc32,
        is_aws_key_id,
        is_discord_bot,
        is_jwt,
        is_pypi_macaroon,
        is_telegram_bot,
        is_twilio_key,
    )
}
"""What a shape may ask of a value, by the name that its entry gives."""
