"""Pictures as data URIs: pixels alone, each and all of bounded size.

An SVG is a document that may hold anything; and a small file may unpack to a huge picture.
"""

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from mergegate.sandbox.fetched import Fetched

LARGEST = 700_000
"""Characters of one picture."""
MOST = 2_000_000
"""Characters of all pictures of a report."""
_MOST_PIXELS = 40_000_000
"""The most pixels of one picture: 160 MB in a browser."""
_MOST_SEGMENTS = 200
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers of a frame, which says how large the picture is (ITU-T T.81, B.1.1.3)."""
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Those without a length."""
_JPEG = "data:image/jpeg;base64,"
# Every JPEG begins with the bytes FF D8 FF, which are "/9j/" and the like in base64.
_URI = re.compile(r"data:image/jpeg;base64,/9[jk][A-Za-z0-9+/]+={0,2}")

Size = tuple[int, int]


def jpeg(image: bytes) -> str:
    """A data URI; empty for what is no JPEG."""
    return safe(f"{_JPEG}{base64.b64encode(image).decode('ascii')}")


def safe(uri: str) -> str:
    """``uri`` when it is a JPEG of at most :data:`LARGEST` characters, else empty."""
    return uri if len(uri) <= LARGEST and _URI.fullmatch(uri) else ""


def within(uris: Iterable[str], most: int = MOST) -> tuple[str, ...]:
    """``uris`` in order, each replaced by an empty text when it exceeds the room that is left."""
    kept, used = [], 0
    for uri in map(safe, uris):
        fits = used + len(uri) <= most
        kept.append(uri if fits else "")
        used += len(uri) if fits else 0
    return tuple(kept)


def embedded(fetched: Fetched | None) -> str:
    """What was fetched as a data URI; empty when it is no whole PNG, JPEG, GIF or WebP."""
    return raster(fetched.body) if fetched and fetched.ok and fetched.whole else ""


def raster(image: bytes) -> str:
    """A data URI of at most :data:`LARGEST` characters, or empty."""
    kind = next((kind for kind, measure in _KINDS.items() if _is_small(measure(image))), "")
    uri = f"data:image/{kind};base64,{base64.b64encode(image).decode('ascii')}"
    return uri if kind and len(uri) <= LARGEST else ""


def _is_small(size: Size | None) -> bool:
    return size is not None and 0 < size[0] * size[1] <= _MOST_PIXELS


def _png(image: bytes) -> Size | None:
    if not image.startswith(b"\x89PNG\r\n\x1a\n") or image[12:16] != b"IHDR":
        return None
    return _big(image[16:20]), _big(image[20:24])


def _gif(image: bytes) -> Size | None:
    if not image.startswith((b"GIF87a", b"GIF89a")):
        return None
    return _little(image[6:8]), _little(image[8:10])


def _webp(image: bytes) -> Size | None:
    if image[:4] != b"RIFF" or image[8:12] != b"WEBP":
        return None
    match image[12:16]:
        case b"VP8X":
            return _little(image[24:27]) + 1, _little(image[27:30]) + 1
        case b"VP8L":
            bits = _little(image[21:25])
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            return _little(image[26:28]) & 0x3FFF, _little(image[28:30]) & 0x3FFF
        case _:
            return None


def _jpeg(image: bytes) -> Size | None:
    if not image.startswith(b"\xff\xd8\xff"):
        return None
    frame = next((at for marker, at in _segments(image) if marker in _FRAMES), None)
    if frame is None:
        return None
    return _big(image[frame + 5 : frame + 7]), _big(image[frame + 3 : frame + 5])


def _segments(image: bytes) -> Iterator[tuple[int, int]]:
    """Marker and where its length stands, of the first segments."""
    at = 2
    for _ in range(_MOST_SEGMENTS):
        if image[at : at + 1] != b"\xff" or at + 4 > len(image):
            return
        marker = image[at + 1]
        yield marker, at + 2
        at += 2 if marker in _ALONE else 2 + _big(image[at + 2 : at + 4])


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")


_KINDS: Mapping[str, Callable[[bytes], Size | None]] = {
    "png": _png,
    "jpeg": _jpeg,
    "gif": _gif,
    "webp": _webp,
}
