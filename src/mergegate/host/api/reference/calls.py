"""Each operation of the document as one call, with the command that makes it."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]
METHODS = ("get", "post", "delete")
_HOST = "https://HOST"
_KEY = '-H "X-API-Key: $MERGEGATE_API_KEY"'


@dataclass(frozen=True, slots=True)
class Call:
    """One method of one path."""

    method: str
    """In lower case, as OpenAPI has it."""
    path: str
    operation: Json
    curl: str
    """For a terminal; ``HOST`` stands for the host."""

    @property
    def name(self) -> str:
        """Unique in the document."""
        return str(self.operation["operationId"])

    @property
    def tag(self) -> str:
        """What it belongs to."""
        return str(self.operation["tags"][0])


def calls(document: Json) -> tuple[Call, ...]:
    """All of them, as the document orders them."""
    return tuple(
        Call(method, path, item[method], _curl(method, path, item[method]))
        for path, item in document["paths"].items()
        for method in item
        if method in METHODS
    )


def _curl(method: str, path: str, operation: Json) -> str:
    words = ["curl", *_options(method, operation)]
    asked = "&".join(f"{one['name']}=…" for one in _needed(operation))
    words.append(f'"{_HOST}{path}?{asked}"' if asked else f"{_HOST}{path}")
    return " ".join(words)


def _options(method: str, operation: Json) -> Iterator[str]:
    if method == "delete":
        yield "-X DELETE"
    if "security" in operation:
        yield _KEY
    body = operation.get("requestBody")
    if body is not None:
        yield '-H "Content-Type: application/json"'
        example = body["content"]["application/json"].get("example", {})
        yield f"-d {shlex.quote(json.dumps(example, ensure_ascii=False))}"


def _needed(operation: Json) -> Iterator[Json]:
    for one in operation.get("parameters", ()):
        if one["in"] == "query" and one.get("required"):
            yield one
