"""JSON of another machine: whatever is larger than it looks is refused before anything reads it."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.core.strict_json import LARGEST_BYTES, MOST_ELEMENTS, foreign_json

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text()
    | st.floats(-1e15, 1e15),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)  # fmt: skip


@given(PLAIN)
def test_what_a_scan_may_write_is_read_as_it_stands(document: object) -> None:
    assert foreign_json(json.dumps(document).encode()) == document


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a": 1, "a": 2}',
        b"NaN",
        b"[-Infinity]",
        b"[1e999]",
        b"[-1e999]",
        b'{"a": [9007199254740992]}',
        b"1" + b"0" * 400,
        b"1" * 5_000,
        b" " * (LARGEST_BYTES + 1),
        json.dumps([0] * (MOST_ELEMENTS + 1)).encode(),
        json.dumps({"a": {str(n): 0 for n in range(MOST_ELEMENTS + 1)}}).encode(),
    ],
    ids=lambda content: repr(content[:12]) + str(len(content)),
)
def test_what_no_scan_writes_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"^(?:it|a) "):
        foreign_json(content)


def test_a_small_text_that_is_a_large_thing_takes_no_memory() -> None:
    content = b"[" + b"[{}]," * 6_000_000 + b"0]"
    tracemalloc.start()
    with pytest.raises(ValueError, match="more than 5,000,000 values"):
        foreign_json(content)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 20
