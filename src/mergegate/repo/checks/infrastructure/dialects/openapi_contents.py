"""Bodies, forms and headers of an OpenAPI description."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mergegate.repo.checks.infrastructure.dialects.openapi_structure import (
    Description,
    Mistake,
    Part,
)
from mergegate.repo.facts.documents import Node

_FORMS = ("multipart/", "application/x-www-form-urlencoded")
_WITH_BODY = frozenset({"post", "put", "patch"})


def mistakes(description: Description) -> Iterator[Mistake]:
    """What of bodies and headers contradicts itself or has no effect."""
    for part in description.of("Response"):
        for name, one in part.node["headers"].entries:
            if name.lower() == "content-type":
                yield Mistake("ignored", "header Content-Type of an answer", one.line, part.way)
    if description.version == "2":
        for part in description.of("Operation"):
            yield from _of_operation(description, part)
    else:
        yield from _of_media(description)


def _of_media(description: Description) -> Iterator[Mistake]:
    for part in description.of("MediaType"):
        yield from _encoding(description, part)
    for part in description.of("Header", "MediaType"):
        if not any(part.node[one].present for one in ("schema", "content", "itemSchema")):
            yield Mistake("missing", f"{part.kind} without schema", part.node.line, part.way)


def _of_operation(description: Description, part: Part) -> Iterator[Mistake]:
    """What version 2 asks of bodies and forms."""
    every = [description.resolved(one) for one in part.node["parameters"].items]
    places = Counter(one["in"].text for one in every)
    line = part.node["parameters"].line
    if places["body"] > 1:
        yield Mistake("twice", "several bodies", line, part.way)
    if places["body"] and places["formData"]:
        yield Mistake("contradiction", "body beside a form", line, part.way)
    consumes = [one.text for one in _of_all(description, part, "consumes")]
    for one in every:
        for reason in _of_parameter(one, consumes):
            yield Mistake("contradiction", reason, one.line, part.way)
    if part.name in _WITH_BODY and not consumes:
        reason = "operation that says not what it consumes"
        yield Mistake("answers", reason, part.node.line, part.way)
    if part.name == "get" and not _of_all(description, part, "produces"):
        reason = "operation that says not what it produces"
        yield Mistake("answers", reason, part.node.line, part.way)


def _of_parameter(one: Node, consumes: Sequence[str]) -> Iterator[str]:
    place = one["in"].text
    if one["type"].text == "file":
        if place != "formData":
            yield "file outside a form"
        elif not any(text.startswith(_FORMS) for text in consumes):
            yield "file without a form that is consumed"
    if place == "body" and one["type"].present:
        yield "body with a type beside its schema"
    if place not in {"body", ""} and one["schema"].present:
        yield "schema beyond a body"
    if one["collectionFormat"].text == "multi" and place not in {"query", "formData"}:
        yield "collectionFormat multi beyond a query or form"


def _of_all(description: Description, part: Part, key: str) -> Sequence[Node]:
    own = part.node[key]
    return (own if own.present else description.root[key]).items


def _encoding(description: Description, part: Part) -> Iterator[Mistake]:
    encoding = part.node["encoding"]
    if not encoding.present:
        return
    if not part.name.startswith(_FORMS):
        yield Mistake("ignored", "encoding of a body that is no form", encoding.line, part.way)
    described = description.resolved(part.node["schema"])["properties"]
    for name, one in encoding.entries:
        way = (*part.way, "encoding", name)
        if described.present and name not in described.keys:
            yield Mistake("broken", "encoding of a property that there is not", one.line, way)
        if any(key.lower() == "content-type" for key in one["headers"].keys):
            yield Mistake("ignored", "header Content-Type of an encoding", one.line, way)
        for key in ("style", "explode", "allowReserved"):
            if one[key].present and part.name.startswith(_FORMS[0]):
                yield Mistake("ignored", f"{key} in a form of several parts", one.line, way)
