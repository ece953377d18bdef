"""What is made of replies: good ones in each form, and every bad mode of a provider."""

import contextlib
import json
import time
from collections.abc import Callable

import pytest

from mergegate.model.anthropic import ANTHROPIC
from mergegate.model.dialect import Dialect
from mergegate.model.openai import OPENAI
from mergegate.model.protocol import Answer, Fault, NoAnswer, Question
from mergegate.model.reply import Reply, fitting
from tests.model import stub
from tests.model.questions import FIX, GOOD, SAID, question
from tests.model.stub import Turn, chunks, completion, events, message, streamed, tool, whole

FENCED = f"```json\n{SAID}\n```"
Modes = dict[str, tuple[Dialect, Turn]]

GOOD_ONES: Modes = {
    "chunks": (OPENAI, streamed(chunks(SAID))),
    "one completion": (OPENAI, whole(completion(SAID))),
    "fenced": (OPENAI, whole(completion(FENCED))),
    "a stream that stays open": (OPENAI, streamed(chunks(SAID), open_s=30.0)),
    "events": (ANTHROPIC, streamed(events(SAID))),
    "one message": (ANTHROPIC, whole(message([tool(GOOD)]))),
    "prose before the tool": (ANTHROPIC, streamed(events(SAID, prose="Let me see."))),
    "text alone": (ANTHROPIC, whole(message([{"type": "text", "text": FENCED}], "end_turn"))),
    "events that stay open": (ANTHROPIC, streamed(events(SAID), open_s=30.0)),
}


@pytest.mark.parametrize(("dialect", "turn"), GOOD_ONES.values(), ids=GOOD_ONES)
def test_a_good_reply_is_the_answer(dialect: Dialect, turn: Turn) -> None:
    with stub.stub(turn) as held:
        answer = held.spoken(dialect, "k-1").ask(question(), 5)
    assert answer == Answer(GOOD, tokens_in=30, tokens_out=20, model="m-1")


def _error(status: int, kind: str = "", text: str = "") -> Turn:
    return whole({"type": "error", "error": {"type": kind, "message": text, "code": kind}}, status)


_SSE = {"Content-Type": "text/event-stream"}
_BROKEN = {"type": "error", "error": {"type": "overloaded_error", "message": "later"}}
BAD: dict[str, tuple[Dialect, Turn, Fault]] = {
    "401": (OPENAI, _error(401, "invalid_api_key"), Fault.DENIED),
    "403": (ANTHROPIC, _error(403, "permission_error"), Fault.DENIED),
    "404": (OPENAI, _error(404, "model_not_found"), Fault.UNKNOWN),
    "400": (OPENAI, _error(400, "invalid_request_error"), Fault.INVALID),
    "prompt too long": (OPENAI, _error(400, "exceed_context_size_error"), Fault.TOO_LONG),
    "prompt is too long": (
        ANTHROPIC,
        _error(400, "invalid_request_error", "prompt is too long: 9 tokens > 8"),
        Fault.TOO_LONG,
    ),
    "402": (ANTHROPIC, _error(402, "billing_error"), Fault.OVERLOADED),
    "429": (OPENAI, _error(429, "rate_limit_exceeded"), Fault.OVERLOADED),
    "500": (OPENAI, _error(500), Fault.OVERLOADED),
    "529": (ANTHROPIC, _error(529, "overloaded_error"), Fault.OVERLOADED),
    "302": (OPENAI, Turn(b"", 302, {"Location": "http://127.0.0.1:9/"}), Fault.UNREACHABLE),
    "307": (OPENAI, Turn(b"", 307, {"Location": "/v1/elsewhere"}), Fault.UNREACHABLE),
    "a page": (OPENAI, Turn(b"<!doctype html><p>Sign in", 200), Fault.TRUNCATED),
    "nothing": (OPENAI, Turn(b""), Fault.TRUNCATED),
    "garbage": (OPENAI, Turn(b'data: {"choices": [\n\n', 200, _SSE), Fault.MALFORMED),
    "a list": (OPENAI, Turn(b"data: []\n\n", 200, _SSE), Fault.MALFORMED),
    "not UTF-8": (OPENAI, Turn(b'{"choices":"\xff"}'), Fault.MALFORMED),
    "deep": (OPENAI, Turn(b'{"a":' * 100_000), Fault.MALFORMED),
    "odd shapes": (OPENAI, whole({"choices": {"0": 1}, "usage": [3]}), Fault.TRUNCATED),
    "prose": (OPENAI, streamed(chunks("Sure! Here is the fix.")), Fault.MALFORMED),
    "prose around": (OPENAI, streamed(chunks(f"Sure! {SAID}")), Fault.MALFORMED),
    "an extra key": (OPENAI, streamed(chunks(json.dumps({**GOOD, "run": "rm"}))), Fault.MALFORMED),
    "a key twice": (OPENAI, streamed(chunks(SAID[:-1] + ', "why": "bug"}')), Fault.MALFORMED),
    "too long a text": (
        OPENAI,
        streamed(chunks(json.dumps({**GOOD, "new": "x" * 41}))),
        Fault.MALFORMED,
    ),
    "length": (OPENAI, streamed(chunks(SAID[:20], "length")), Fault.TRUNCATED),
    "cut": (OPENAI, streamed(chunks(SAID, None)), Fault.TRUNCATED),
    "a tool we have not": (OPENAI, streamed(chunks("", "tool_calls")), Fault.MALFORMED),
    "refusal": (OPENAI, streamed(chunks("", refusal="I will not.")), Fault.DECLINED),
    "filter": (OPENAI, streamed(chunks("", "content_filter")), Fault.DECLINED),
    "broken off": (OPENAI, streamed([*chunks(SAID, None)[:2], {"error": {}}]), Fault.OVERLOADED),
    "overloaded in a stream": (
        ANTHROPIC,
        streamed([*events(SAID)[:3], _BROKEN]),
        Fault.OVERLOADED,
    ),
    "max_tokens": (ANTHROPIC, streamed(events(SAID[:20], "max_tokens")), Fault.TRUNCATED),
    "events cut": (ANTHROPIC, streamed(events(SAID, None)), Fault.TRUNCATED),
    "window": (
        ANTHROPIC,
        streamed(events(SAID[:20], "model_context_window_exceeded")),
        Fault.TOO_LONG,
    ),
    "refused": (ANTHROPIC, streamed(events("", "refusal")), Fault.DECLINED),
    "another tool": (ANTHROPIC, streamed(events(SAID, name="shell")), Fault.MALFORMED),
    "two tools": (ANTHROPIC, whole(message([tool(GOOD), tool(GOOD)])), Fault.MALFORMED),
    "a pause": (ANTHROPIC, streamed(events(SAID, "pause_turn")), Fault.MALFORMED),
    "reset": (OPENAI, Turn(reset=True), Fault.UNREACHABLE),
    "packed": (OPENAI, Turn(b"x", 200, {"Content-Encoding": "gzip"}), Fault.UNREACHABLE),
    "huge": (OPENAI, Turn(b"data: {}\n\n" * 300_000, 200, _SSE), Fault.TOO_LARGE),
    "drip": (OPENAI, streamed(chunks(SAID), drip_s=0.1), Fault.TOO_SLOW),
    "endless": (OPENAI, Turn(b": wait\n\n", 200, _SSE, open_s=30.0), Fault.TOO_SLOW),
    "silent": (OPENAI, Turn(b"", wait_s=30.0), Fault.TOO_SLOW),
}


@pytest.mark.parametrize(("dialect", "turn", "fault"), BAD.values(), ids=BAD)
def test_a_bad_reply_is_no_answer(dialect: Dialect, turn: Turn, fault: Fault) -> None:
    with stub.stub(turn) as held, pytest.raises(NoAnswer) as caught:
        held.spoken(dialect, "k-1").ask(question(), 1)
    assert caught.value.fault is fault
    assert held.posts == 1  # nothing is done twice, and no redirect followed


def test_what_a_provider_says_is_not_repeated() -> None:
    hostile = _error(400, "Ignore <b>all</b>", "Visit https://evil.example.org")
    with stub.stub(hostile) as held, pytest.raises(NoAnswer) as caught:
        held.spoken(OPENAI).ask(question(), 5)
    assert str(caught.value) == "the model's provider does not take such a request (HTTP 400)"


def test_a_cut_answer_tells_what_it_cost() -> None:
    with (
        stub.stub(streamed(chunks(SAID[:20], "length"))) as held,
        pytest.raises(NoAnswer) as caught,
    ):
        held.spoken(OPENAI).ask(question(), 5)
    assert (caught.value.tokens_in, caught.value.tokens_out) == (30, 20)


def test_time_is_that_of_the_whole_exchange() -> None:
    started = time.monotonic()
    with stub.stub(streamed(chunks(SAID), drip_s=0.05)) as held, pytest.raises(NoAnswer):
        held.spoken(OPENAI).ask(question(), 1)
    assert time.monotonic() - started < 20


def test_usage_is_believed_within_reason() -> None:
    absurd = {**completion(SAID), "usage": {"prompt_tokens": -5, "completion_tokens": 10**30}}
    with stub.stub(whole(absurd)) as held:
        answer = held.spoken(OPENAI).ask(question(), 5)
    assert (answer.tokens_in, answer.tokens_out) == (0, 10_000_000)


KEYS = {
    "openai": (OPENAI, b"Authorization: Bearer k-1"),
    "anthropic": (ANTHROPIC, b"x-api-key: k-1"),
}


@pytest.mark.parametrize(("dialect", "header"), KEYS.values(), ids=KEYS)
def test_the_key_stands_in_one_header_alone(dialect: Dialect, header: bytes) -> None:
    turn = whole(completion(SAID)) if dialect is OPENAI else whole(message([tool(GOOD)]))
    with stub.stub(turn) as held:
        held.spoken(dialect, "k-1").ask(question(), 5)
    (sent,) = held.received
    assert sent.count(b"k-1") == 1 and header in sent


def test_what_is_prepared_is_what_is_sent() -> None:
    with stub.stub(streamed(chunks(SAID))) as held:
        model = held.spoken(OPENAI)
        model.ask(question(), 5)
        assert held.received[0].endswith(model.prepared(question()))


READY = {"lists": 200, "lists none": 404}


@pytest.mark.parametrize("status", READY.values(), ids=READY)
def test_who_answers_is_ready(status: int) -> None:
    with stub.stub(Turn(status=status)) as held:
        held.spoken(OPENAI).ready()
    assert held.posts == 0


def test_a_bad_key_is_known_before_anything_is_asked() -> None:
    with stub.stub(Turn(status=401)) as held, pytest.raises(NoAnswer) as caught:
        held.spoken(ANTHROPIC, "bad").ready()
    assert caught.value.fault is Fault.DENIED


def test_nobody_there_is_unreachable() -> None:
    with stub.stub(Turn()) as held:
        model = held.spoken(OPENAI)
    with pytest.raises(NoAnswer) as caught:
        model.ready()
    assert caught.value.fault is Fault.UNREACHABLE


ENDLESS: dict[str, dict[str, object]] = {
    "a text": {"a": {"type": "string"}},
    "a list": {"a": {"type": "array", "items": {"type": "integer"}}},
    "a text in a list": {"a": {"type": "array", "maxItems": 3, "items": {"type": "string"}}},
    "an object": {"a": {"type": "object", "properties": {}}},
    "a choice": {"a": {"anyOf": [{"type": "null"}, {"type": "string"}]}},
    "anything": {"a": {}},
}


@pytest.mark.parametrize("properties", ENDLESS.values(), ids=ENDLESS)
def test_a_schema_without_bounds_is_refused(properties: dict[str, object]) -> None:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    with pytest.raises(ValueError, match="has no bound"):
        Question("fix", "", "", schema, 10)


HOSTILE = {"a number": "7", "deep": "[" * 50_000, "empty": "", "two": f"{SAID}{SAID}"}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        fitting(text, FIX)


@pytest.mark.parametrize(
    "text", [r'{"a": "\ud800"}', r'{"a": [{"b": "x\udfffy"}]}', '{"\\ud800": 1}']
)
def test_half_a_character_is_no_text(text: str) -> None:
    with pytest.raises(ValueError, match="not JSON"):
        fitting(text, {})
    assert fitting(r'{"a": "\ud83d\ude00"}', {}) == {"a": "\U0001f600"}


def test_a_number_beyond_all_numbers_is_none() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "number"}}}
    with pytest.raises(ValueError, match="not JSON"):
        fitting('{"n": 1e999}', schema)


_READ: list[Callable[[Reply, Question], Answer]] = [OPENAI.answer, ANTHROPIC.answer]


@pytest.mark.parametrize("read", _READ)
def test_a_reply_cut_anywhere_is_no_answer_or_the_whole_one(
    read: Callable[[Reply, Question], Answer],
) -> None:
    body = streamed(chunks(SAID) if read is OPENAI.answer else events(SAID)).body
    for end in range(0, len(body) - 60, 7):
        with contextlib.suppress(NoAnswer):
            assert read(Reply(200, body[:end]), question()).value == GOOD
