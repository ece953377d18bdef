"""Bodies under a ``Content-Encoding``, in pieces of any size."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.sandbox.web.decode import Unpacking

TEXT = b"some text that repeats, some text that repeats"


def _raw(data: bytes) -> bytes:
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    return pack.compress(data) + pack.flush()


def unpacked(data: bytes, coding: str, most: int = 1000, piece: int = 7) -> tuple[bytes, bool]:
    unpacking = Unpacking(coding, most)
    for start in range(0, len(data), piece):
        unpacking.take(data[start : start + piece])
    return unpacking.body, unpacking.complete


@pytest.mark.parametrize(
    ("data", "coding"),
    [
        (TEXT, ""),
        (TEXT, "identity"),
        (gzip.compress(TEXT, mtime=0), "gzip"),
        (gzip.compress(TEXT, mtime=0), " X-GZIP "),
        (zlib.compress(TEXT), "deflate"),
        (_raw(TEXT), "deflate"),
        (b"", "gzip"),
    ],
    ids=["none", "identity", "gzip", "odd gzip", "deflate", "raw deflate", "empty"],
)
def test_each_coding_is_unpacked(data: bytes, coding: str) -> None:
    assert unpacked(data, coding) == (TEXT if data else b"", True)


@pytest.mark.parametrize(
    ("data", "coding"),
    [(TEXT, "br"), (TEXT, "gzip"), (gzip.compress(TEXT, mtime=0), "gzip, gzip"), (TEXT, "zstd")],
    ids=["unknown", "not packed", "twice", "unknown too"],
)
def test_what_cannot_be_unpacked_is_empty_and_not_whole(data: bytes, coding: str) -> None:
    assert unpacked(data, coding) == (b"", False)


def test_what_breaks_off_is_kept_and_not_whole() -> None:
    body, whole = unpacked(gzip.compress(TEXT * 50)[:-12], "gzip", most=10_000)
    assert body.startswith(TEXT * 20)
    assert not whole


@given(st.binary(max_size=3000), st.integers(0, 2000), st.integers(1, 500))
def test_never_more_than_is_wanted(data: bytes, most: int, piece: int) -> None:
    for packed, coding in ((data, ""), (gzip.compress(data), "gzip"), (_raw(data), "deflate")):
        body, whole = unpacked(packed, coding, most, piece)
        assert body == data[: len(body)]
        assert len(body) <= most
        assert not whole or body == data


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "br", "", "x"]))
def test_any_bytes_are_taken(data: bytes, coding: str) -> None:
    assert len(unpacked(data, coding)[0]) <= 1000
