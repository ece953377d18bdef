"""The API as OpenAPI 3.1, made from its operations and the shapes of bodies and answers."""

import json
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import Response

from mergegate import __version__
from mergegate.core.plans import Scope
from mergegate.host.api import problems
from mergegate.host.api.problems import Code
from mergegate.host.api.responses import AUDIT_HEADERS, Problem, nested
from mergegate.host.api.scan_requests import Body

Json = dict[str, Any]
Mode = Literal["validation", "serialization"]
Handler = Callable[[Request], Coroutine[Any, Any, Response]]
_KEY = "ApiKey"
_ABOUT = """Every request but those of operators carries the header `X-API-Key`.

* Every answer carries `X-API-Version: 1` and `X-Request-Id`; within a version fields are added,
  never renamed or removed.
* Every error is `application/problem+json` (RFC 9457) with a stable `code`.
* Asynchronous tools answer an identifier at once; their result is polled. Synchronous tools answer
  when they are over, and go on if their caller leaves.
* Answers with 429 and 503 say in `Retry-After` after how many seconds to ask again.
"""
_EXAMPLES: Mapping[str, Any] = json.loads(
    Path(__file__).with_name("examples.json").read_text("utf-8")
)
"""The name of an operation → its body; with a status → that answer."""
_AUDIT = {**_EXAMPLES["audit200"], "toolVersion": __version__}
_AUDITS = {"flat": _AUDIT, "nested": json.loads(nested(json.dumps(_AUDIT).encode()))}
_POLLED = "getRepositoryResult200"
_SHAPES: Mapping[str, Mapping[str, Any]] = {
    **dict.fromkeys(("audit200", "getAudit200"), _AUDITS),
    _POLLED: _EXAMPLES[_POLLED],
}
"""The same for answers of several shapes: a word for each, the usual one first."""
_RETRIED, _ABANDONED = frozenset({429, 503}), frozenset({503, 504})
_ABOUT_AUDITS = frozenset({200, 422, 429, 500, 504})
_SCHEMAS = "#/components/schemas/"
_OWNERS: Mapping[str, str] = {
    "mergegate.repo": "",
    "mergegate.site.audit": "Audit",
    "mergegate.site.audit.wire.budget": "Budget",
    "mergegate.site.browser_test": "BrowserTest",
    "mergegate.site.deployment": "Outcome",
    "mergegate.site.security": "Security",
    "mergegate.site.seo": "Seo",
}
"""Where a model lives whose name others have too → what its public name begins with.

Clients are generated from these names: they stay when a model moves.
"""
_TAKEN, _SENT = "Out-Input", "-Output"
"""What Pydantic appends to the name of a model that is both taken and sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    handler: Handler
    name: str
    """Unique in the API."""
    summary: str
    about: str = ""
    """Markdown."""
    tag: str
    scope: Scope | None = None
    """What the key must hold; None: no key is needed."""
    body: type[Body] | None = None
    parameters: tuple[Json, ...] = ()
    """As OpenAPI describes them."""
    answers: Mapping[int, tuple[type[BaseModel], ...]] = field(default_factory=dict)
    """Status → what may stand in the body."""
    media_type: str = "application/json"
    codes: tuple[Code, ...] = ()


class Components:
    """The schema of every model that an operation names, each under a readable name.

    Raises ValueError when two models have the same readable name.
    """

    def __init__(self, models: Iterable[tuple[type[BaseModel], Mode]]) -> None:
        found, defined = models_json_schema(list(models), ref_template=f"{_SCHEMAS}{{model}}")
        names = {one: readable(one) for one in defined["$defs"]}
        if len(set(names.values())) < len(names):
            raise ValueError("two shapes of the reference share a name")
        self._references = {one: _renamed(schema, names) for one, schema in found.items()}
        self.schemas: Json = {
            names[one]: _renamed({**defined["$defs"][one], "title": names[one]}, names)
            for one in sorted(names, key=names.__getitem__)
        }

    def of(self, model: type[BaseModel], mode: Mode) -> Json:
        """A reference to the schema of ``model``."""
        return dict(self._references[model, mode])


def readable(name: str) -> str:
    """Pydantic's name of a schema → ours: ``SeoDeductionOut``, ``BudgetIn``.

    Where two models share a name, Pydantic puts the whole path of the module before it.
    """
    *modules, own = name.split("__")
    own = own.replace(_TAKEN, "In").removesuffix(_SENT)
    paths = (".".join(modules[:length]) for length in range(len(modules), 0, -1))
    return next((_OWNERS[path] for path in paths if path in _OWNERS), "") + own


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    """``node`` with each reference under the new name."""
    if isinstance(node, dict):
        return {key: _renamed(value, names) for key, value in node.items()}
    if isinstance(node, list):
        return [_renamed(one, names) for one in node]
    if isinstance(node, str) and node.startswith(_SCHEMAS):
        return _SCHEMAS + names[node.removeprefix(_SCHEMAS)]
    return node


def document(operations: Sequence[Operation]) -> Json:
    """The whole document, JSON-ready."""
    named = dict.fromkeys(chain.from_iterable(map(_modes, operations)))
    shapes = Components([*named, (Problem, "serialization")])
    paths: dict[str, Json] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(
            operation, shapes
        )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Mergegate", "version": __version__, "description": _ABOUT},
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in dict.fromkeys(one.tag for one in operations)],
        "paths": paths,
        "components": {
            "securitySchemes": {_KEY: {"type": "apiKey", "in": "header", "name": "X-API-Key"}},
            "schemas": shapes.schemas,
        },
    }


def _modes(operation: Operation) -> Iterator[tuple[type[BaseModel], Mode]]:
    if operation.body:
        yield operation.body, "validation"
    for models in operation.answers.values():
        yield from ((model, "serialization") for model in models)


def _operation(operation: Operation, shapes: Components) -> Json:
    found: Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.tag],
        "responses": {
            **{str(status): _answer(operation, status, shapes) for status in operation.answers},
            **_errors(operation, shapes),
        },
    }
    if operation.about or operation.scope:
        found["description"] = _about(operation)
    if operation.scope:
        found["security"] = [{_KEY: []}]
    if operation.parameters:
        found["parameters"] = list(operation.parameters)
    if operation.body:
        content = _content([shapes.of(operation.body, "validation")], operation.name)
        found["requestBody"] = {"required": True, "content": {"application/json": content}}
    return found


def _about(operation: Operation) -> str:
    scope = f"The key needs the scope `{operation.scope}`." if operation.scope else ""
    return "\n\n".join(filter(None, (operation.about, scope)))


def _answer(operation: Operation, status: int, shapes: Components) -> Json:
    models = operation.answers[status]
    schemas = [shapes.of(model, "serialization") for model in models] or [{"type": "string"}]
    return {
        "description": "It runs." if status == 202 else "The answer.",
        "headers": _headers(operation, status),
        "content": {operation.media_type: _content(schemas, f"{operation.name}{status}")},
    }


def _content(schemas: Sequence[Json], name: str) -> Json:
    content: Json = {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}}
    if name in _SHAPES:
        content["examples"] = {word: {"value": one} for word, one in _SHAPES[name].items()}
    elif name in _EXAMPLES:
        content["example"] = _EXAMPLES[name]
    return content


def _errors(operation: Operation, shapes: Components) -> Json:
    by_status: dict[int, list[Code]] = {}
    for code in operation.codes:
        by_status.setdefault(code.status, []).append(code)
    return {
        str(status): _error(status, codes, operation, shapes)
        for status, codes in sorted(by_status.items())
    }


def _error(status: int, codes: Sequence[Code], operation: Operation, shapes: Components) -> Json:
    told = {code.value: {"value": _example(code, operation)} for code in codes}
    return {
        "description": "; ".join(f"`{code}`: {code.phrase}" for code in codes) + ".",
        "headers": _headers(operation, status),
        "content": {
            problems.MEDIA_TYPE: {"schema": shapes.of(Problem, "serialization"), "examples": told}
        },
    }


def _example(code: Code, operation: Operation) -> Json:
    return {
        "type": f"{problems.REFERENCE}#{code}",
        "title": code.phrase,
        "status": code.status,
        "detail": f"{code.phrase}.",
        "instance": operation.path,
        "code": code.value,
    }


def _headers(operation: Operation, status: int) -> Json:
    found = {
        "X-API-Version": _header("1 within this version.", {"type": "string", "const": "1"}),
        "X-Request-Id": _header("As it was sent where it is well-formed.", {"type": "string"}),
    }
    if status in _RETRIED:
        seconds: Mapping[str, Any] = {"type": "integer", "minimum": 1}
        found["Retry-After"] = _header("Seconds.", seconds)
    if status in _ABANDONED and Code.SCAN_TIMEOUT in operation.codes:
        place = _header("Where the result of a scan that goes on will be.", {"type": "string"})
        found["Location"] = {**place, "required": False}
    if Code.SCAN_COOLDOWN in operation.codes and status in _ABOUT_AUDITS:
        for name, about in AUDIT_HEADERS.items():
            count = _header(about, {"type": "integer", "minimum": 0})
            found[name] = {**count, "required": False}
    if status == 401:
        found["WWW-Authenticate"] = _header("`ApiKey`.", {"type": "string"})
    return found


def _header(about: str, schema: Mapping[str, Any]) -> Json:
    return {"description": about, "required": True, "schema": dict(schema)}
