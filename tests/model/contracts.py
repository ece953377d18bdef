"""JSON Schemas of both APIs out of the types that the vendors' own SDKs are generated with."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import anthropic.types as messages
import jsonschema
import openai.types.chat as completions
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from pydantic import TypeAdapter

_TYPES: dict[str, Any] = {
    "openai request": CompletionCreateParamsStreaming,
    "openai reply": completions.ChatCompletion,
    "openai chunk": completions.ChatCompletionChunk,
    "anthropic request": MessageCreateParamsStreaming,
    "anthropic reply": messages.Message,
    "anthropic event": messages.RawMessageStreamEvent,
    "anthropic error": messages.ErrorResponse,
}


@cache
def _schema(kind: str) -> dict[str, Any]:
    return TypeAdapter(_TYPES[kind]).json_schema()


def breaches(kind: str, document: Any) -> list[str]:
    """How ``document`` breaks the contract; keys that it does not know, too, at the top."""
    schema = _schema(kind)
    found = [
        one.message[:200] for one in jsonschema.Draft202012Validator(schema).iter_errors(document)
    ]
    return [*found, *_unknown(schema, document)]


def _unknown(schema: dict[str, Any], document: Any) -> Iterator[str]:
    """A vendor refuses what it does not know, and the schemas let it pass."""
    if "properties" in schema:
        yield from (f"unknown: {one}" for one in document if one not in schema["properties"])
