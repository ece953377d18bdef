"""The reference of a result in Markdown, made of the shapes themselves: it cannot be stale."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from mergegate.site.seo.wire.result import SeoResult, UnfinishedSeoResult

_SEO = """# The result of an SEO analysis

What `mergegate seo URL --format json` prints and `GET /api/seo-optimizer` answers when a scan is
done. Made from the code: change the shapes, not this page. Names are never renamed or removed
within a version; new ones may be added. A field that is not marked *optional* is always there.
"""

Schema = Mapping[str, Any]


def seo_page() -> str:
    """``docs/seo-result.md``."""
    return "\n".join([_SEO, *_shapes(SeoResult), *_shapes(UnfinishedSeoResult)])


def _shapes(shape: type[BaseModel]) -> Iterator[str]:
    """The shape, then all that it holds, in the order in which its fields name them."""
    schema = shape.model_json_schema(mode="serialization")
    parts: Schema = {shape.__name__: schema, **schema.get("$defs", {})}
    for name in _in_order(shape.__name__, parts):
        yield from _section(name, parts[name])


def _in_order(first: str, parts: Schema) -> list[str]:
    """Each once; a shape stands before those that it holds."""
    found = [first]
    for name in found:
        held = (one for field in parts[name]["properties"].values() for one in _named(field))
        found += [one for one in dict.fromkeys(held) if one not in found]
    return found


def _section(name: str, schema: Schema) -> Iterator[str]:
    required = set(schema.get("required", ()))
    yield f"## {_title(name)}\n\n{schema['description']}\n"
    yield "| Field | Type | Notes |\n|:--|:--|:--|"
    for field, about in schema["properties"].items():
        optional = "" if field in required else "*optional* "
        notes = " ".join(about.get("description", "").split())
        yield f"| `{field}` | {optional}{_type(about)} | {notes} |"
    yield ""


def _type(field: Schema) -> str:
    """``integer``, ``array of Heading``, ``string or null``; a closed choice by its words."""
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    if "$ref" in field:
        name = _title(_end(field["$ref"]))
        return f"[{name}](#{name.lower()})"
    if "enum" in field or "const" in field:
        words = field.get("enum", [field.get("const")])
        return ", ".join(f"`{one}`" if one else "empty" for one in words)
    if field["type"] == "array":
        return f"array of {_type(field['items'])}"
    return str(field["type"])


def _named(field: Any) -> Iterator[str]:
    """Every shape that a field's type names."""
    if isinstance(field, Mapping):
        yield from (_end(field["$ref"]) for key in field if key == "$ref")
        for value in field.values():
            yield from _named(value)
    elif isinstance(field, list):
        for one in field:
            yield from _named(one)


def _title(shape: str) -> str:
    return shape.removesuffix("Out")


def _end(reference: str) -> str:
    return reference.rpartition("/")[2]
