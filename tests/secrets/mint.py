"""Texts from the detectors' templates, so that no secret stands in this repository."""

import base64
import json
import random
import re
import string
import zlib
from collections.abc import Iterator

from mergegate.secrets.checksums import base62_crc32
from mergegate.secrets.prefilter import TOKENS

ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "base32": string.ascii_uppercase + "234567",
    "base36": string.ascii_lowercase + string.digits,
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "digits": "123456789",
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "letters": string.ascii_letters,
    "lower": string.ascii_lowercase,
    "upper": string.ascii_uppercase + string.digits,
}
_PART = re.compile(r"<(?P<name>[a-z]+\d*|[A-Z]+|.)(?::(?P<count>\d+))?>")


def minted(template: str, seed: object = 4711) -> str:
    """``template`` with its parts filled in, the same for the same seed."""
    return "".join(text for text, _ in pieces(template, seed))


def pieces(template: str, seed: object = 4711) -> Iterator[tuple[str, bool]]:
    """What :func:`minted` is made of, and whether it is drawn: the rest is public."""
    dice = random.Random(f"{seed} {template}")
    text, done = "", 0
    for part in _PART.finditer(template):
        yield template[done : part.start()], False
        text += template[done : part.start()]
        done = part.end()
        drawn = _part(part["name"], part["count"], text, dice)
        yield drawn, True
        text += drawn
    yield template[done:], False


def _part(name: str, count: str | None, before: str, dice: random.Random) -> str:
    if count:
        alphabet = ALPHABETS[name] if len(name) > 1 else name
        return "".join(dice.choices(alphabet, k=int(count)))
    match name:
        case "uuid":
            return "-".join(_part("hex", n, "", dice) for n in ("8", "4", "4", "4", "12"))
        case "crc62":
            return base62_crc32(before.partition("_")[2])
        case "crc32":
            return f"{zlib.crc32(before.removesuffix('_').encode()):08x}"
        case "snowflake":
            number = "4" + _part("digits", "17", "", dice)
            return base64.b64encode(number.encode()).decode().rstrip("=")
        case "jwt":
            parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": _part("alnum", "9", "", dice)}]
            texts = [base64.urlsafe_b64encode(json.dumps(one).encode()).decode() for one in parts]
            return ".".join([*(one.rstrip("=") for one in texts), _part("alnum", "43", "", dice)])
    raise ValueError(f"<{name}> is no part of a template")


def samples(seed: int) -> dict[str, str]:
    """Detector → a token that its issuer might have issued."""
    return {token.id: minted(token.shape.hit, seed) for token in reversed(TOKENS)}


SAMPLES = samples(4711)
