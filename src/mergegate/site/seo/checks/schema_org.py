"""What a page describes by schema.org, in whatever syntax, and what Google asks of each type."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from mergegate.core.data_table import read_table
from mergegate.core.severity import Severity
from mergegate.site.facts.document import Document, Item
from mergegate.site.seo.facts import DATA

_PREFIXES = (
    *(
        f"{scheme}://{host}/"
        for scheme in ("https", "http")
        for host in ("schema.org", "www.schema.org")
    ),
    "schema:",
)
_DEEPEST = 12
_MOST = 300
"""Things and values of one list; what is beyond it is not judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """One thing of schema.org."""

    types: tuple[str, ...] = ()
    """Type names without the vocabulary: ``Product``."""
    properties: Mapping[str, tuple["str | Thing", ...]] = field(default_factory=dict)
    """Texts and numbers alike as text."""
    syntax: str = "JSON-LD"
    selector: str = ""

    @property
    def is_reference(self) -> bool:
        """Whether it only points to a thing that is described elsewhere."""
        return set(self.properties) == {"@id"}

    def values(self, name: str) -> tuple["str | Thing", ...]:
        """The values of a property, in their order."""
        return self.properties.get(name, ())

    def has(self, path: str) -> bool:
        """Whether the property has a value; ``item.name`` is that of the things it leads to.

        What is described elsewhere has all.
        """
        first, _, rest = path.partition(".")
        for one in self.properties.get(first, ()):
            if isinstance(one, str):
                if one.strip() and not rest:
                    return True
            elif one.is_reference or (one.has(rest) if rest else one.types or one.properties):
                return True
        return False

    def things(self, name: str) -> tuple["Thing", ...]:
        """The things among a property's values, those described elsewhere left out."""
        found = (one for one in self.properties.get(name, ()) if isinstance(one, Thing))
        return tuple(one for one in found if not one.is_reference)

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts among a property's values."""
        return tuple(one for one in self.properties.get(name, ()) if isinstance(one, str))


def described(document: Document) -> tuple[Thing, ...]:
    """The outermost things, in the order of the document: JSON-LD first.

    Those with the same ``@id`` are one thing, which several scripts may describe.
    """
    found: dict[object, Thing] = {}
    for one in islice((*_of_scripts(document), *_of_items(document.items)), _MOST):
        name = next(iter(one.texts("@id")), None) or len(found)
        found[name] = _joined(found[name], one) if name in found else one
    return tuple(one for one in found.values() if not one.is_reference)


def _joined(one: Thing, other: Thing) -> Thing:
    return replace(
        one,
        types=tuple(dict.fromkeys(one.types + other.types)),
        properties={**other.properties, **one.properties},
    )


def inside(thing: Thing, depth: int = 0) -> Iterator[Thing]:
    """The thing and all that it holds."""
    yield thing
    if depth < _DEEPEST:
        for values in thing.properties.values():
            for one in values:
                if isinstance(one, Thing):
                    yield from inside(one, depth + 1)


def nodes(data: object) -> Iterator[Mapping[str, object]]:
    """The outermost objects of a block of JSON-LD, those of its graph among them."""
    for one in islice(data if isinstance(data, list) else [data], _MOST):
        if not isinstance(one, dict):
            continue
        graph = one.get("@graph")
        if graph is None or "@type" in one:
            yield one
        if isinstance(graph, list | dict):
            yield from islice((node for node in _list(graph) if isinstance(node, dict)), _MOST)


def is_of_schema_org(context: object) -> bool:
    """Whether a JSON-LD context names schema.org, among others perhaps."""
    if isinstance(context, str):
        return "schema.org" in context.lower()
    if isinstance(context, dict):
        return any(is_of_schema_org(one) for one in islice(context.values(), _MOST))
    return isinstance(context, list) and any(map(is_of_schema_org, context[:_MOST]))


def short(name: str) -> str:
    """A type or property without its vocabulary; of another vocabulary as it is written."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


def _of_scripts(document: Document) -> Iterator[Thing]:
    for script in document.json_ld:
        for block in script.data if isinstance(script.data, list) else [script.data]:
            # Without a context the block is reported, and read as what was probably meant.
            if isinstance(block, dict) and is_of_schema_org(block.get("@context") or "schema.org"):
                yield from (_thing(node, script.selector) for node in nodes(block))


def _thing(node: Mapping[str, object], selector: str, depth: int = 0) -> Thing:
    types = tuple(short(one) for one in _list(node.get("@type")) if isinstance(one, str))
    return Thing(
        types=types,
        selector=selector,
        properties={
            short(name): tuple(_values(value, selector, depth))
            for name, value in islice(node.items(), _MOST)
            if name == "@id" or not name.startswith("@")
        },
    )


def _values(value: object, selector: str, depth: int) -> Iterator[str | Thing]:
    for held in islice(_list(value), _MOST):
        one = held.get("@value", held) if isinstance(held, dict) else held
        if isinstance(one, str | int | float):
            yield str(one)
        elif isinstance(one, dict) and depth < _DEEPEST:
            yield _thing(one, selector, depth + 1)


def _list(value: object) -> Iterable[object]:
    if value is None:
        return ()
    return value if isinstance(value, list) else (value,)


def _of_items(items: tuple[Item, ...], depth: int = 0) -> Iterator[Thing]:
    for item in items:
        types = tuple(short(one) for one in item.types)
        # An address that is left is one of another vocabulary.
        if not any(":" in one for one in types):
            yield _of_item(item, types, depth)


def _of_item(item: Item, types: tuple[str, ...], depth: int) -> Thing:
    properties: dict[str, tuple[str | Thing, ...]] = {}
    for name, values in item.properties.items():
        texts = tuple(one for one in values if isinstance(one, str))
        held = tuple(one for one in values if isinstance(one, Item))
        things = tuple(_of_items(held, depth + 1)) if depth < _DEEPEST else ()
        properties[short(name)] = texts + things
    return Thing(types=types, properties=properties, syntax=item.syntax)


AnyOf = tuple[str, ...]
"""Names of properties, of which one is enough; ``item.name`` is a property of the thing held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a type needs."""

    id: str
    """The type."""
    required: tuple[AnyOf, ...] = ()
    recommended: tuple[AnyOf, ...] = ()
    within: tuple[str, ...] = ()
    """Properties whose things are judged too, by :data:`PARTS`."""
    alone: tuple[AnyOf, ...] = ()
    """What it needs besides where it stands by itself, not within another thing."""
    severity: Severity = Severity.MEDIUM
    """The severity of a required property that is missing."""
    kinds: str = ""
    """Types that it holds for as well."""
    source: str


DEMANDS = read_table(DATA / "schema_types.toml", Demand)
"""Demands on things that stand by themselves, by type."""
PARTS = read_table(DATA / "schema_parts.toml", Demand)
"""Demands on things that belong to others, by type."""
FAMILY: Mapping[str, str] = {
    **{name: name for name in (*DEMANDS, *PARTS)},
    **{
        kind: family
        for table in (DEMANDS, PARTS)
        for family, demand in table.items()
        for kind in demand.kinds.split()
    },
}
"""The demands by type; a type that is not here is not judged."""
EXAMPLES = read_table(DATA / "schema_examples.toml", str)
"""How a property may be written in JSON-LD."""
