"""Places of findings as an editor counts them."""

import pytest
from lsprotocol.types import Position, PositionEncodingKind, Range
from pygls.workspace import PositionCodec

from mergegate.core.finding import Place
from mergegate.editor.text import Bytes, Text, lower_by, position_at
from tests.editor.client import marked

UTF_8, UTF_16, UTF_32 = (
    PositionCodec(one)
    for one in (
        PositionEncodingKind.Utf8,
        PositionEncodingKind.Utf16,
        PositionEncodingKind.Utf32,
    )
)
SMILE = "a = '🙂é'; f(x)\n"
"""What is meant stands in columns 11 to 14, by characters."""


def ranged(content: bytes, place: Place, codec: PositionCodec = UTF_16) -> Range:
    return Text(Bytes("a.py", content), codec).range(place)


@pytest.mark.parametrize(("codec", "first"), [(UTF_8, 14), (UTF_16, 11), (UTF_32, 10)])
def test_columns_are_counted_in_the_units_of_the_editor(codec: PositionCodec, first: int) -> None:
    found = ranged(SMILE.encode(), Place("a.py", 1, 1, 11, 15), codec)
    assert found == Range(Position(0, first), Position(0, first + 4))


@pytest.mark.parametrize(
    ("content", "place", "wanted"),
    [
        (b"x\r\n  f(x)\r\n", Place("a", 2, 2, 3, 7), "f(x)"),
        (b"x\r\n  f(x)  \r\n", Place("a", 2, 2), "f(x)  "),
        (b"x\n  f(x,\n    y)\nz", Place("a", 2, 3, 3, 7), "f(x,\n    y)"),
        (b"x\n  f(x,\n    y)\nz", Place("a", 2, 3), "f(x,"),
        (b"x\n f(x)\n", Place("a", 2, 2, 9, 9), "f(x)"),
        (b"  x\ny\n", Place("a"), "x"),
        (b"x\ny", Place("a", 9, 9, 4, 7), "y"),
        (b"", Place("a", 1, 1, 1, 5), ""),
        (b"\xff f(x)\n", Place("a", 1, 1, 3, 7), "f(x)"),
    ],
)
def test_a_range_holds_what_is_meant(content: bytes, place: Place, wanted: str) -> None:
    assert marked(content.decode("latin-1"), ranged(content, place)) == wanted


@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_the_mark_before_the_text_is_no_column_of_an_editor(mark: str) -> None:
    place = Place("a.py", 1, 1, 1 + len(mark), 5 + len(mark))
    assert ranged(f"{mark}f(x)\n".encode(), place) == Range(Position(0, 0), Position(0, 4))


def test_lines_of_an_old_mac_are_lines_of_the_protocol() -> None:
    assert ranged(b"x\rf(x)\r", Place("a.py", 2, 2, 1, 5)) == Range(Position(1, 0), Position(1, 4))


def test_a_file_in_utf_16_is_counted_by_its_characters() -> None:
    found = ranged("é\nf(x)\n".encode("utf-16"), Place("a.py", 2, 2, 1, 5))
    assert found == Range(Position(1, 0), Position(1, 4))


def test_lines_are_taken_out_with_their_ends() -> None:
    text = Text(Bytes("a.py", b"x\ny\nz"), UTF_16)
    assert text.through(2, 2) == Range(Position(1, 0), Position(2, 0))
    assert text.through(3, 3) == Range(Position(2, 0), Position(2, 1))


@pytest.mark.parametrize(
    ("offset", "line", "character"),
    [(0, 0, 0), (2, 0, 4), (3, 0, 5), (5, 1, 0), (6, 2, 0), (7, 2, 1)],
)
def test_an_offset_has_its_line_and_column(offset: int, line: int, character: int) -> None:
    assert position_at("🙂🙂x\r\n\ny", offset, UTF_16) == Position(line, character)


@pytest.mark.parametrize(
    ("content", "text", "same"),
    [
        (b"\xef\xbb\xbfx\r\ny\r\n", "x\ny\n", True),
        (b"x\n", "x", True),
        (b"x\n", "y\n", False),
        (b"", "y\n", False),
        (b"\xff\n", "anything", None),
        (None, "anything", None),
    ],
)
def test_what_an_editor_shows_is_told_from_what_was_scanned(
    content: bytes | None, text: str, same: bool | None
) -> None:
    assert Bytes("a.py", content).is_shown_as(text) is same


@pytest.mark.parametrize(
    ("now", "lower"),
    [
        ("a\nb\nc\nd\n", [0, 0, 0, 0]),
        ("new\na\nb\nc\nd\n", [None, -1, -1, -1, -1]),
        ("a\nc\nd\n", [0, 1, 1]),
        ("a\nB\nc\nd\n", [0, None, 0, 0]),
        ("a\nb\nb\nc\nd\n", [0, 0, None, -1, -1]),
        ("", [None]),
    ],
)
def test_lines_around_an_edit_are_known_again(now: str, lower: list[int | None]) -> None:
    then = "a\r\nb\r\nc\r\nd\r\n"
    assert [lower_by(line, now, then) for line in range(len(lower))] == lower
