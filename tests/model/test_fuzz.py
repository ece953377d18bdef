"""Whatever a provider sends, reading it ends in an answer that fits or in NoAnswer."""

import contextlib
import copy
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.model.dialect import Dialect
from mergegate.model.protocol import NoAnswer
from mergegate.model.reply import Reply
from tests.model.questions import FIX, GOOD, SAID, question
from tests.model.stub import chunks, completion, events, message, tool
from tests.model.test_contract import BOTH

_ODD: list[Any] = [None, True, 5, -1, 1e300, "x", SAID, [], [5], [[]], {}, {"type": "tool_use"}]
_GOOD: dict[str, Sequence[Any]] = {
    "completion": [completion(SAID)],
    "chunks": chunks(SAID, refusal="no"),
    "tool": [message([tool(GOOD)])],
    "text": [message([{"type": "text", "text": SAID}], "end_turn")],
    "events": events(SAID, prose="So."),
    "error": [{"type": "error", "error": {"type": "api_error", "message": "no"}}],
}


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, one in inside:
        yield (*way, key)
        yield from _places(one, (*way, key))


def _with(document: Any, way: tuple[Any, ...], odd: Any) -> Any:
    changed = copy.deepcopy(document)
    place = changed
    for step in way[:-1]:
        place = place[step]
    place[way[-1]] = odd
    return changed


def _written(documents: Sequence[Any]) -> bytes:
    if len(documents) == 1:
        return json.dumps(documents[0]).encode()
    return b"".join(b"data: %s\n\n" % json.dumps(one).encode() for one in documents)


def _read(dialect: Dialect, status: int, content: bytes) -> None:
    with contextlib.suppress(NoAnswer):
        answer = dialect.answer(Reply(status, content), question())
        jsonschema.validate(answer.value, FIX)
        assert answer.tokens_in >= 0 and answer.tokens_out >= 0


@BOTH
@pytest.mark.parametrize("documents", _GOOD.values(), ids=_GOOD)
def test_replies_that_are_nearly_right(dialect: Dialect, documents: Sequence[Any]) -> None:
    """Each part of each document is something else in turn; of long streams the first and last."""
    for at in {*range(6), *range(len(documents) - 4, len(documents))} & {*range(len(documents))}:
        for way in _places(documents[at]):
            for odd in _ODD:
                changed = [*documents[:at], _with(documents[at], way, odd), *documents[at + 1 :]]
                for status in (200, 400):
                    _read(dialect, status, _written(changed))


@BOTH
@settings(max_examples=100)
@given(content=st.binary(max_size=200), status=st.integers(100, 599))
def test_replies_of_any_bytes(dialect: Dialect, content: bytes, status: int) -> None:
    _read(dialect, status, content)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@BOTH
def test_lines_end_as_they_like(dialect: Dialect, end: str) -> None:
    said = chunks(SAID) if dialect.name == "openai" else events(SAID)
    content = "".join(f"data:{json.dumps(one)}{end}{end}" for one in said).encode()
    assert dialect.answer(Reply(200, content), question()).value == GOOD
