"""Messages: the API of Anthropic."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from mergegate.model.dialect import Dialect, Vendor
from mergegate.model.protocol import Answer, Fault, Question
from mergegate.model.refusal import interrupted, refuse
from mergegate.model.reply import Reply, Said, compact, documents, letters, listed, number, part

_VERSION = "2023-06-01"
_TOOL = "answer"
_ENDS = frozenset({"tool_use", "end_turn", "stop_sequence"})
_ASKED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def request(question: Question, model: str, vendor: Vendor) -> bytes:
    """The body of one question: the answer is what our one tool, which runs nothing, is given.

    There is no temperature: the vendor takes none any more (its SDK, version 2.14).
    """
    tool = {
        "name": _TOOL,
        "description": "Takes the answer.",
        "input_schema": question.schema,
    }
    return compact(
        {
            "model": model,
            "system": question.system,
            "messages": [{"role": "user", "content": question.text}],
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": _TOOL, "disable_parallel_tool_use": True},
            vendor.limit: question.most_tokens,
            "stream": True,
        }
    )


@dataclass(slots=True)
class _Heard:
    """Prose and what tools are given are kept apart: some models think aloud before they answer."""

    said: Said = field(default_factory=Said)
    tools: list[str] = field(default_factory=list)
    given: str = ""
    """What the tools are given, as JSON."""


def answer(reply: Reply, question: Question) -> Answer:
    """What ``reply`` says, streamed or not, to the tool or as plain text; raises NoAnswer."""
    refuse(reply)
    heard = _Heard()
    for one in documents(reply.content):
        if one.get("type") == "error":
            raise interrupted(part(one, "error", "type"))
        _take(heard, one)
    said = heard.said
    if said.end == "refusal":
        raise said.no_answer(Fault.DECLINED, "the model declined to answer")
    if said.end == "model_context_window_exceeded":
        raise said.no_answer(Fault.TOO_LONG, "question and answer are too long for the model")
    if said.end in {"max_tokens", ""}:
        raise said.no_answer(Fault.TRUNCATED, "the model's answer is cut off")
    if said.end not in _ENDS or heard.tools not in ([], [_TOOL]):
        raise said.no_answer(Fault.MALFORMED, "the model did something else than answer")
    if heard.tools:
        said.text = heard.given
    return said.answer(question)


def _take(heard: _Heard, one: Mapping[str, object]) -> None:
    """One event, or the whole reply."""
    match one.get("type"):
        case "message":
            _count(heard.said, one)
            for block in listed(part(one, "content")):
                _begin(heard, block)
                if part(block, "type") == "tool_use":
                    heard.given += json.dumps(part(block, "input"))
        case "message_start":
            _count(heard.said, part(one, "message"))
        case "content_block_start":
            _begin(heard, part(one, "content_block"))
        case "content_block_delta":
            heard.said.text += letters(part(one, "delta", "text"))
            heard.given += letters(part(one, "delta", "partial_json"))
        case "message_delta":
            _count(heard.said, one)
            heard.said.end = letters(part(one, "delta", "stop_reason")) or heard.said.end


def _begin(heard: _Heard, block: object) -> None:
    heard.said.text += letters(part(block, "text"))
    if part(block, "type") == "tool_use":
        heard.tools.append(letters(part(block, "name")))


def _count(said: Said, one: object) -> None:
    """Model, end and usage; what a cache took of the question counts as asked."""
    said.model = letters(part(one, "model")) or said.model
    said.end = letters(part(one, "stop_reason")) or said.end
    asked = sum(number(part(one, "usage", name)) for name in _ASKED)
    said.tokens_in = asked or said.tokens_in
    said.tokens_out = number(part(one, "usage", "output_tokens")) or said.tokens_out


def _headers(key: str) -> Mapping[str, str]:
    return {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}


ANTHROPIC = Dialect(
    name="anthropic",
    path="/messages",
    models="/models",
    usual_base="https://api.anthropic.com/v1",
    headers=_headers,
    request=request,
    answer=answer,
    last=b"event: message_stop",
)
