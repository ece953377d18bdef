"""Paths and operations of an OpenAPI description: their parameters and answers."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from mergegate.repo.checks.infrastructure.dialects.openapi_structure import (
    EXTENSION,
    Description,
    Mistake,
    Part,
)
from mergegate.repo.facts.documents import Form, Node

_METHODS = frozenset({"get", "put", "post", "delete", "patch", "head", "options", "trace", "query"})
_TEMPLATE = re.compile(r"\{([^{}]*)\}")
_SAID_ELSEWHERE = frozenset({"accept", "content-type", "authorization"})
"""Headers that a description says by its media types and logins."""
_SUCCESS = frozenset("123")
_WITHOUT_BODY = frozenset({"204", "304"})
_FAILURES = {"request": ("400", "422"), "overload": ("429",), "error": ("500", "503")}
"""How a client is told that it was wrong, is too fast, or that the server failed."""
_EMPTY_ALLOWED = frozenset({"query", "formData"})
_STYLES = {
    "path": {"matrix", "label", "simple"},
    "query": {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
    "header": {"simple"},
    "cookie": {"form", "cookie"},
}


def mistakes(description: Description) -> Iterator[Mistake]:
    """What of paths, parameters and answers contradicts itself or is left out."""
    yield from _paths(description)
    yield from _twice(description)
    for part in description.of("Operation"):
        yield from _answers(description, part)
    for part in description.of("Parameter"):
        yield from _parameter(part)


def _paths(description: Description) -> Iterator[Mistake]:
    paths = description.root["paths"]
    is_alone = (
        not description.root["components"].present and not description.root["webhooks"].present
    )
    if paths.form is Form.MAP and not paths.keys and is_alone:
        yield Mistake("missing", "no path", paths.line, ("paths",))
    seen: dict[str, str] = {}
    for path, item in paths.entries:
        if path.startswith(EXTENSION):
            continue
        way = ("paths", path)
        names = _TEMPLATE.findall(path)
        if "" in names:
            yield Mistake("path", "part in braces without a name", item.line, way)
        shape = _TEMPLATE.sub("{}", path)
        if shape in seen:
            yield Mistake("twice", "paths that differ in a name alone", item.line, way)
        seen[shape] = path
        methods = _METHODS.intersection(item.keys)
        if not methods and not item["$ref"].present and not item["additionalOperations"].present:
            yield Mistake("missing", "path without an operation", item.line, way)
        for method in sorted(methods):
            yield from _path_parameters(description, names, item, (*way, method))


def _path_parameters(
    description: Description, names: Sequence[str], item: Node, way: tuple[str, ...]
) -> Iterator[Mistake]:
    operation = item[way[-1]]
    every = [
        description.resolved(one)
        for one in (*item["parameters"].items, *operation["parameters"].items)
    ]
    if any(not one["name"].present for one in every):
        return  # described in another file
    told = {one["name"].text: one for one in every if one["in"].text == "path"}
    for name, one in told.items():
        if name not in names:
            yield Mistake("path", "parameter that its path has not", one.line, (*way, name))
    for name in names:
        if name and name not in told:
            yield Mistake(
                "path", "part of a path without a parameter", operation.line, (*way, name)
            )


def _parameter(part: Part) -> Iterator[Mistake]:
    node, place = part.node, part.node["in"].text
    if place == "path" and not node["required"].is_true:
        yield Mistake("path", "parameter of a path that may be left out", node.line, part.way)
    if place == "header" and node["name"].text.lower() in _SAID_ELSEWHERE:
        reason = f"parameter for the header {node['name'].text.title()}"
        yield Mistake("ignored", reason, node.line, part.way)
    empty = node["allowEmptyValue"]
    style = node["style"].text
    if empty.present and place not in _EMPTY_ALLOWED:
        yield Mistake("ignored", "allowEmptyValue beyond a query", empty.line, part.way)
    elif empty.is_true and style not in {"", "form"}:
        yield Mistake("ignored", f"allowEmptyValue with style {style}", empty.line, part.way)
    if node["allowReserved"].present and place != "query":
        yield Mistake("ignored", "allowReserved beyond a query", node.line, part.way)
    if style and place in _STYLES and style not in _STYLES[place]:
        yield Mistake("contradiction", f"style {style} in a {place}", node.line, part.way)
    yield from _typed(part)


def _typed(part: Part) -> Iterator[Mistake]:
    """How a parameter says of what type it is."""
    node = part.node
    held = [key for key in ("schema", "content", "type") if node[key].present]
    if not held:
        yield Mistake("missing", "Parameter without schema", node.line, part.way)
    if {"schema", "content"} <= set(held):
        yield Mistake("contradiction", "parameter with schema and content", node.line, part.way)
    if len(node["content"].keys) > 1:
        yield Mistake("contradiction", "parameter of several contents", node.line, part.way)


def _twice(description: Description) -> Iterator[Mistake]:
    seen: set[str] = set()
    for part in description.of("Operation"):
        named = part.node["operationId"]
        if named.present and named.text in seen:
            yield Mistake("twice", "operationId of several operations", named.line, part.way)
        seen.add(named.text)
    for part in description.of("Operation", "PathItem"):
        every = [description.resolved(one) for one in part.node["parameters"].items]
        counted = Counter(_key(one) for one in every if one["name"].present)
        for (name, _), number in counted.items():
            if number > 1:
                line = part.node["parameters"].line
                yield Mistake("twice", "parameter of one name and place", line, (*part.way, name))


def _key(parameter: Node) -> tuple[str, str]:
    name, place = parameter["name"].text, parameter["in"].text
    return (name.lower() if place == "header" else name), place


def _answers(description: Description, part: Part) -> Iterator[Mistake]:
    responses = part.node["responses"]
    method = part.name.lower()
    known = {key.upper(): one for key, one in responses.entries if not key.startswith(EXTENSION)}
    if responses.form is Form.MAP and not known:
        yield Mistake("missing", "operation without an answer", responses.line, part.way)
    if not known or "callbacks" in part.way:
        return
    if not any(key[:1] in _SUCCESS for key in known):
        reason = f"{method} without an answer of success"
        yield Mistake("answers", reason, responses.line, part.way)
    if "DEFAULT" not in known:
        yield Mistake("answers", "no answer for all other cases", responses.line, part.way)
        for case, statuses in _FAILURES.items():
            if not known.keys() & {*statuses, f"{statuses[0][0]}XX"} and method != "head":
                reason = f"no answer for {_CASES[case]}"
                yield Mistake("answers", reason, responses.line, part.way)
    for status, one in known.items():
        yield from _content(description, (*part.way, status), description.resolved(one))


_CASES = {
    "request": "a wrong request (400)",
    "overload": "too many requests (429)",
    "error": "an error of the server (500)",
}


def _content(description: Description, way: tuple[str, ...], answer: Node) -> Iterator[Mistake]:
    held = answer["schema" if description.version == "2" else "content"]
    *_, method, status = way
    if status in _WITHOUT_BODY or method == "head":
        if held.present:
            yield Mistake("contradiction", "content of an answer that has none", held.line, way)
    elif status.startswith("2") and not held.present and answer["description"].present:
        yield Mistake("answers", "answer of success without content", answer.line, way)
