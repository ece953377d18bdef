"""What one reader takes for one thing and the next for another is refused."""

from typing import Any

import pytest

from mergegate.core.strict_json import strict_json


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b'{"a": {"b": 1}, "b": 2}', {"a": {"b": 1}, "b": 2}), ('"ü"'.encode(), "ü"), (b"1e3", 1e3)],
)
def test_json_is_read(content: bytes, expected: Any) -> None:
    assert strict_json(content) == expected


@pytest.mark.parametrize(
    "content",
    [
        b'{"a": 1, "a": 1}',
        b'[{"b": {"a": 1, "a": 2}}]',
        b"NaN",
        b'{"a": -Infinity}',
        b"[" * 100_000,
        b"\xff",
        b"",
        b"{} {}",
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError):
        strict_json(content)
