"""The API as OpenAPI 3.1, made from the routes and the shapes: it cannot be stale."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from pydantic import BaseModel

from mergegate import __version__
from mergegate.host.api import examples, problems
from mergegate.host.api.components import Components, Json, Mode
from mergegate.host.api.described import Described, Parameter
from mergegate.host.api.problems import Code
from mergegate.host.api.shapes import Problem

_KEY = "ApiKey"
_ABOUT = """Every request but those of operators carries the header `X-API-Key`.

* Every answer carries `X-API-Version: 1` and `X-Request-Id`; within a version fields are added,
  never renamed or removed.
* Every error is `application/problem+json` (RFC 9457) with a stable `code`.
* Asynchronous tools answer an identifier at once; their result is polled. Synchronous tools answer
  when they are over, and go on if their caller leaves.
* Answers with 429 and 503 say in `Retry-After` after how many seconds to ask again.
"""
_RETRIED, _ABANDONED = frozenset({429, 503}), frozenset({503, 504})


def document(routes: Sequence[Described]) -> Json:
    """The whole document, JSON-ready."""
    named = dict.fromkeys(chain.from_iterable(map(_modes, routes)))
    shapes = Components([*named, (Problem, "serialization")])
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, shapes)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Mergegate", "version": __version__, "description": _ABOUT},
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in dict.fromkeys(route.tag for route in routes)],
        "paths": paths,
        "components": {
            "securitySchemes": {_KEY: {"type": "apiKey", "in": "header", "name": "X-API-Key"}},
            "schemas": shapes.schemas,
        },
    }


def _modes(route: Described) -> Iterator[tuple[type[BaseModel], Mode]]:
    if route.body:
        yield route.body, "validation"
    for models in route.answers.values():
        yield from ((model, "serialization") for model in models)


def _operation(route: Described, shapes: Components) -> Json:
    found: Json = {
        "operationId": route.name,
        "summary": route.summary,
        "tags": [route.tag],
        "responses": {
            **{str(status): _answer(route, status, shapes) for status in route.answers},
            **_errors(route, shapes),
        },
    }
    if route.about or route.scope:
        found["description"] = _about(route)
    if route.scope:
        found["security"] = [{_KEY: []}]
    if route.parameters:
        found["parameters"] = [_parameter(one) for one in route.parameters]
    if route.body:
        content = _content([shapes.of(route.body, "validation")], route.name)
        found["requestBody"] = {"required": True, "content": {"application/json": content}}
    return found


def _about(route: Described) -> str:
    scope = f"The key needs the scope `{route.scope}`." if route.scope else ""
    return "\n\n".join(filter(None, (route.about, scope)))


def _parameter(one: Parameter) -> Json:
    return {
        "name": one.name,
        "in": one.place,
        "required": one.required,
        "description": one.about,
        "schema": dict(one.schema),
    }


def _answer(route: Described, status: int, shapes: Components) -> Json:
    models = route.answers[status]
    schemas = [shapes.of(model, "serialization") for model in models] or [{"type": "string"}]
    return {
        "description": "It runs." if status == 202 else "The answer.",
        "headers": _headers(route, status),
        "content": {route.media_type: _content(schemas, f"{route.name}{status}")},
    }


def _content(schemas: Sequence[Json], name: str) -> Json:
    content: Json = {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}}
    if name in examples.BY_NAME:
        content["example"] = examples.BY_NAME[name]
    elif name in examples.SEVERAL:
        several = examples.SEVERAL[name]
        content["examples"] = {word: {"value": value} for word, value in several.items()}
    return content


def _errors(route: Described, shapes: Components) -> Json:
    by_status: dict[int, list[Code]] = {}
    for code in route.codes:
        by_status.setdefault(code.status, []).append(code)
    return {
        str(status): _error(status, codes, route, shapes)
        for status, codes in sorted(by_status.items())
    }


def _error(status: int, codes: Sequence[Code], route: Described, shapes: Components) -> Json:
    told = {code.value: {"value": _example(code, route)} for code in codes}
    return {
        "description": "; ".join(f"`{code}`: {code.phrase}" for code in codes) + ".",
        "headers": _headers(route, status),
        "content": {
            problems.MEDIA_TYPE: {"schema": shapes.of(Problem, "serialization"), "examples": told}
        },
    }


def _example(code: Code, route: Described) -> Json:
    return {
        "type": f"{problems.REFERENCE}#{code}",
        "title": code.phrase,
        "status": code.status,
        "detail": f"{code.phrase}.",
        "instance": route.path,
        "code": code.value,
    }


def _headers(route: Described, status: int) -> Json:
    found = {
        "X-API-Version": _header("1 within this version.", {"type": "string", "const": "1"}),
        "X-Request-Id": _header("As it was sent where it is well-formed.", {"type": "string"}),
    }
    if status in _RETRIED:
        seconds: Mapping[str, Any] = {"type": "integer", "minimum": 1}
        found["Retry-After"] = _header("Seconds.", seconds)
    if status in _ABANDONED and Code.SCAN_TIMEOUT in route.codes:
        place = _header("Where the result of a scan that goes on will be.", {"type": "string"})
        found["Location"] = {**place, "required": False}
    if status == 401:
        found["WWW-Authenticate"] = _header("`ApiKey`.", {"type": "string"})
    return found


def _header(about: str, schema: Mapping[str, Any]) -> Json:
    return {"description": about, "required": True, "schema": dict(schema)}
