"""Things that microdata (HTML, "microdata") and RDFa Lite 1.1 describe.

Both hang properties on elements within the element of their thing; they differ in the names of the
attributes, and microdata may point elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from selectolax.lexbor import LexborHTMLParser, LexborNode

from mergegate.site.document.address import Addresses
from mergegate.site.document.page import Kept
from mergegate.site.facts.document import Item

_ADDRESSED = {
    "a": "href",
    "area": "href",
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "source": "src",
    "track": "src",
    "video": "src",
}
"""Elements whose value is an address (HTML, "microdata", values)."""
_STATED = {"data": "value", "meter": "value", "time": "datetime"}
_NODES = 100_000
_LETTERS = 2_000_000


_DEEPEST = 20
"""Things within things."""


@dataclass(frozen=True, slots=True)
class _Syntax:
    """The attributes that carry it."""

    name: str
    scope: str
    """Makes an element a thing."""
    types: str
    property: str
    reference: str
    """Names further elements whose properties count; empty when there is no such attribute."""


_SYNTAXES = (
    _Syntax("microdata", "itemscope", "itemtype", "itemprop", "itemref"),
    _Syntax("rdfa", "typeof", "typeof", "property", ""),
)


class Items:
    """Reads the things of one document; elements may be read more than once, up to a budget."""

    def __init__(self, tree: LexborHTMLParser, addresses: Addresses, kept: Kept) -> None:
        self._tree = tree
        self._addresses = addresses
        self._kept = kept
        self._nodes = _NODES
        self._letters = _LETTERS
        self._by_id: dict[str, LexborNode] | None = None

    def all(self) -> tuple[Item, ...]:
        """The outermost ones, those of microdata first."""
        found: list[Item] = []
        for syntax in _SYNTAXES:
            for node in self._tree.css(f"[{syntax.scope}]:not([{syntax.property}])"):
                if len(found) >= self._kept.bounds.items:
                    self._kept.cut.add("items")
                    break
                found.append(self._item(node, syntax, ()))
        return tuple(found)

    def _item(self, node: LexborNode, syntax: _Syntax, around: tuple[int, ...]) -> Item:
        """``around`` are the elements of the things that it stands in: none holds itself."""
        inside = (*around, node.mem_id)
        properties: dict[str, list[str | Item]] = {}
        for inner, names in self._properties(node, syntax):
            value = self._value(inner, syntax, inside)
            for name in names if value is not None else ():
                properties.setdefault(name, []).append(value or "")
        return Item(
            types=tuple((node.attributes.get(syntax.types) or "").split()),
            properties=MappingProxyType({name: tuple(all_) for name, all_ in properties.items()}),
            syntax=syntax.name,
        )

    def _value(
        self, node: LexborNode, syntax: _Syntax, inside: tuple[int, ...]
    ) -> "str | Item | None":
        """None for what holds itself, or lies too deep."""
        if syntax.scope not in node.attributes:
            return self._said(node)
        if node.mem_id in inside or len(inside) > _DEEPEST:
            self._kept.cut.add("items")
            return None
        return self._item(node, syntax, inside)

    def _properties(
        self, node: LexborNode, syntax: _Syntax
    ) -> Iterator[tuple[LexborNode, list[str]]]:
        """The elements that carry a property of the thing at ``node``, and the names of those."""
        roots = [node.first_child]
        for name in (node.attributes.get(syntax.reference) or "").split():
            referred = self._referred(name)
            if referred is not None:
                yield from self._own(referred, syntax)
                roots.append(None if _has(referred, syntax.scope) else referred.first_child)
        for root in roots:
            yield from self._below(root, syntax)

    def _below(
        self, first: LexborNode | None, syntax: _Syntax
    ) -> Iterator[tuple[LexborNode, list[str]]]:
        """``first``, what follows it, and what is in those, other things left alone."""
        open_ones = [first] if first is not None else []
        while open_ones and self._nodes > 0:
            node = open_ones.pop()
            if node.next is not None:
                open_ones.append(node.next)
            if not node.is_element_node:
                continue
            self._nodes -= 1
            yield from self._own(node, syntax)
            inner = None if _has(node, syntax.scope) else node.first_child
            if inner is not None:
                open_ones.append(inner)
        if self._nodes <= 0:
            self._kept.cut.add("items")

    def _own(self, node: LexborNode, syntax: _Syntax) -> Iterator[tuple[LexborNode, list[str]]]:
        names = (node.attributes.get(syntax.property) or "").split()
        if names:
            yield node, names

    def _referred(self, name: str) -> LexborNode | None:
        if self._by_id is None:
            self._by_id = {one.id or "": one for one in reversed(self._tree.css("[id]"))}
        return self._by_id.get(name)

    def _said(self, node: LexborNode) -> str:
        """What an element says as a property: an address, a stated value, or its text."""
        tag, attributes = node.tag or "", node.attributes
        stated = attributes.get("content") or attributes.get(_STATED.get(tag, "")) or ""
        if stated or tag == "meta":
            return self._short(stated)
        if tag in _ADDRESSED:
            return self._addresses.absolute(attributes.get(_ADDRESSED[tag]) or "")
        return self._text(node)

    def _text(self, node: LexborNode) -> str:
        if self._letters <= 0:
            self._kept.cut.add("items")
            return ""
        text = node.text()
        self._letters -= len(text) + 1
        return self._short(text)

    def _short(self, text: str) -> str:
        return self._kept.short(text, self._kept.bounds.value, "items")


def _has(node: LexborNode, attribute: str) -> bool:
    return attribute in node.attributes
