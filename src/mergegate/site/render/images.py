"""Pictures of a page as data URIs: JPEG alone, each and all of bounded size."""

import base64
import re
from collections.abc import Iterable

LARGEST = 700_000
"""Characters of one picture."""
MOST = 2_000_000
"""Characters of all pictures of a report."""
_JPEG = "data:image/jpeg;base64,"
# Every JPEG begins with the bytes FF D8 FF, which are "/9j/" and the like in base64.
_URI = re.compile(r"data:image/jpeg;base64,/9[jk][A-Za-z0-9+/]+={0,2}")


def jpeg(image: bytes) -> str:
    """A data URI; empty for what is no JPEG."""
    return safe(f"{_JPEG}{base64.b64encode(image).decode('ascii')}")


def safe(uri: str) -> str:
    """``uri`` when it is a JPEG of at most :data:`LARGEST` characters, else empty."""
    return uri if len(uri) <= LARGEST and _URI.fullmatch(uri) else ""


def within(uris: Iterable[str], most: int = MOST) -> tuple[str, ...]:
    """As many as have room, in order; the others are empty. One a uri."""
    kept, used = [], 0
    for uri in map(safe, uris):
        fits = used + len(uri) <= most
        kept.append(uri if fits else "")
        used += len(uri) if fits else 0
    return tuple(kept)
