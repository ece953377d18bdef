"""GitLab's own description of its API as a judge of requests, and of the stand-in's answers."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

_FOLDER = Path(__file__).parent.parent / "contracts" / "gitlab"
_FILES = ("openapi_v3.excerpt.yaml", "users_and_issues.yaml", "branches_and_commits.yaml")
MOST_PER_PAGE = 100
# Declared as a string; GitLab answers with a number, as its documentation shows.
_ODD = frozenset({"access_level"})


@dataclass(frozen=True)
class Operation:
    """What may be asked with one method at one address."""

    method: str
    template: str
    said: Mapping[str, Any]
    schemas: Mapping[str, Any]

    def match(self, method: str, path: str) -> dict[str, str] | None:
        """The path's parameters, still quoted; None when this is another operation."""
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.template)
        found = re.fullmatch(pattern, path)
        return found.groupdict() if found and method == self.method else None


@cache
def operations() -> tuple[Operation, ...]:
    """All that may be asked."""
    specs = [yaml.safe_load((_FOLDER / name).read_text()) for name in _FILES]
    return tuple(
        Operation(method.upper(), template, said, spec["components"]["schemas"])
        for spec in specs
        for template, methods in spec["paths"].items()
        for method, said in methods.items()
    )


def operation(method: str, path: str) -> tuple[Operation, dict[str, str]] | None:
    """The operation at ``path`` (quoted, from ``/api/v4``), with the parameters in it."""
    for one in operations():
        values = one.match(method, path)
        if values is not None:
            return one, values
    return None


def complaints(method: str, path: str, query: Mapping[str, list[str]], body: Any) -> Iterator[str]:
    """What the description has against a request; nothing undeclared passes."""
    found = operation(method, path)
    if found is None:
        yield f"{method} {path} is not described"
        return
    one, values = found
    yield from _about_parameters(one, values, query)
    yield from _about_body(one, body)


def _about_parameters(
    one: Operation, values: Mapping[str, str], query: Mapping[str, list[str]]
) -> Iterator[str]:
    declared = {(said["in"], said["name"]): said for said in one.said.get("parameters", ())}
    given = {("path", name): [value] for name, value in values.items()}
    given |= {("query", name): list(all) for name, all in query.items()}
    for place, all in given.items():
        if place not in declared:
            yield f"{place} is not declared"
        elif len(all) != 1 or not _fits(all[0], declared[place]["schema"]):
            yield f"{place} may not be {all}"
    for place, said in declared.items():
        if said["required"] and place not in given:
            yield f"{place} is missing"
    if int(query.get("per_page", ["20"])[0]) > MOST_PER_PAGE:
        yield "a page holds 100 at most"


def _fits(value: str, schema: Mapping[str, Any]) -> bool:
    if "oneOf" in schema:
        return any(_fits(value, one) for one in schema["oneOf"])
    if "enum" in schema and value not in schema["enum"]:
        return False
    patterns = {"integer": r"-?\d+", "boolean": "true|false"}
    return re.fullmatch(patterns.get(schema["type"], ".+"), value, re.DOTALL) is not None


def _about_body(one: Operation, body: Any) -> Iterator[str]:
    declared = one.said.get("requestBody")
    if declared is None:
        # python-gitlab sends an empty object with every reading request.
        if body:
            yield "no body is declared"
        return
    schema = _strict(declared["content"]["application/json"]["schema"], one.schemas)
    yield from _judged(schema, body)


def answer_complaints(one: Operation, status: int, answer: Any) -> Iterator[str]:
    """What the description has against an answer.

    The source declares lists of notes as one object and no field as nullable; both are forgiven.
    """
    said = one.said["responses"].get(str(status))
    if said is None or "content" not in said:
        return
    schema = said["content"]["application/json"]["schema"]
    for each in answer if isinstance(answer, list) else [answer]:
        yield from _judged(_lenient(schema.get("items", schema), one.schemas), each)


def _judged(schema: Mapping[str, Any], value: Any) -> Iterator[str]:
    for error in Draft202012Validator(schema).iter_errors(value):
        yield f"{'/'.join(map(str, error.path))}: {error.message[:200]}"


def _strict(schema: Any, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON schema, closed to undeclared properties."""
    if "$ref" in schema:
        return _strict(schemas[schema["$ref"].rsplit("/", 1)[1]], schemas)
    made = {name: value for name, value in schema.items() if name not in {"nullable", "properties"}}
    if "properties" in schema:
        made["additionalProperties"] = False
        made["properties"] = {
            name: _strict(value, schemas) for name, value in schema["properties"].items()
        }
    return {"anyOf": [made, {"type": "null"}]} if schema.get("nullable") else made


def _lenient(schema: Any, schemas: Mapping[str, Any], depth: int = 4) -> dict[str, Any]:
    """As JSON schema, closed to undeclared properties; anything may be null, or a list of it."""
    if depth == 0:
        return {}
    if "$ref" in schema:
        return _lenient(schemas[schema["$ref"].rsplit("/", 1)[1]], schemas, depth)
    made = {name: value for name, value in schema.items() if name in {"type", "enum"}}
    if "items" in schema:
        made["items"] = _lenient(schema["items"], schemas, depth - 1)
    if "properties" in schema:
        made["additionalProperties"] = False
        made["properties"] = {
            name: {} if name in _ODD else _lenient(value, schemas, depth - 1)
            for name, value in schema["properties"].items()
        }
    return {"anyOf": [made, {"type": "array", "items": made}, {"type": "null"}]}


def parsed(content: bytes) -> Any:
    """A request's body."""
    return json.loads(content) if content else None
