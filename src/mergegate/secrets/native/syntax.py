"""The literals that reach a flow of native programs, in Go, Python and JSON, by the syntax tree."""

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import tree_sitter
import tree_sitter_go
import tree_sitter_python

from mergegate.secrets.native import Flow

_Node = tree_sitter.Node
_VERSION = re.compile(r"/v\d+$")


def literals_for(data: bytes, suffix: str, flows: Iterable[Flow]) -> Sequence[tuple[int, int]]:
    """Start and end of each literal that reaches one of ``flows`` and is used for nothing else.

    None in a text with mistakes: there a name may stand that the tree does not show.
    """
    code = (
        _Go(data, tree_sitter_go.language())
        if suffix == ".go"
        else _Python(data, tree_sitter_python.language())
    )
    if code.root.has_error:
        return ()
    handed = [node for flow in flows for node in code.handed(flow)]
    return [
        (node.start_byte, node.end_byte) for node in code.resolved(handed) if code.is_literal(node)
    ]


class _Code(ABC):
    """A text's syntax tree; what differs from language to language is below."""

    literals: frozenset[str]

    def __init__(self, data: bytes, grammar: object) -> None:
        self.root = tree_sitter.Parser(tree_sitter.Language(grammar)).parse(data).root_node
        self._by_kind: dict[str, list[_Node]] = defaultdict(list)
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            self._by_kind[node.type].append(node)
            waiting.extend(node.named_children)
        self._named: dict[str, set[int]] = defaultdict(set)
        for node in self._by_kind["identifier"]:
            self._named[_text(node)].add(node.start_byte)
        self._given: dict[str, list[tuple[_Node, _Node]]] = defaultdict(list)
        for name, value in self.definitions():
            self._given[_text(name)].append((name, value))

    def of(self, *kinds: str) -> Iterator[_Node]:
        """All nodes of these kinds."""
        for kind in kinds:
            yield from self._by_kind[kind]

    def is_literal(self, node: _Node) -> bool:
        """Whether it is a text into which nothing is filled."""
        return node.type in self.literals and not any(
            one.type == "interpolation" for one in node.named_children
        )

    def handed(self, flow: Flow) -> list[_Node]:
        """What the flow is given as the secret: literals and names."""
        nodes = self.resolved(list(self.settings(flow)))
        if flow.only:
            nodes = [one for one in nodes if [*map(_key, self.entries(one))] == [flow.only]]
        *above, last = flow.path
        for key in above:
            nodes = self.resolved([value for one in nodes for value in self._entry(one, key)])
        nodes = [one for one in nodes if self._is_beside(one, flow)]
        return [value for one in nodes for value in self._entry(one, last)]

    def _entry(self, node: _Node, wanted: str) -> list[_Node]:
        """The value of a key that stands there once."""
        found = [one for one in self.entries(node) if _key(one) == wanted]
        for key, _ in found:
            self._named[wanted].discard(key.start_byte)  # a field of that name is another thing
        return [value for _, value in found] if len(found) == 1 else []

    def _is_beside(self, node: _Node, flow: Flow) -> bool:
        return all(
            any(re.fullmatch(pattern, _text(value)) for value in self._entry(node, key))
            for key, pattern in flow.beside.items()
        )

    def resolved(self, handed: Sequence[_Node]) -> list[_Node]:
        """For a name what it is given, if that is one value and only ``handed`` uses it."""
        used = {one.start_byte for one in handed}
        names = dict.fromkeys(_text(one) for one in handed if one.type == "identifier")
        return [
            *(one for one in handed if one.type != "identifier"),
            *(value for name in names for value in self._value(name, used)),
        ]

    def _value(self, name: str, used: set[int]) -> Iterator[_Node]:
        if len(self._given[name]) == 1:
            given, value = self._given[name][0]
            if self._named[name] - {given.start_byte} <= used:
                yield value

    @abstractmethod
    def settings(self, flow: Flow) -> Iterator[_Node]:
        """What holds the keys: a literal of the flow's type, or the argument of its function."""

    @abstractmethod
    def entries(self, node: _Node) -> Iterator[tuple[_Node, _Node]]:
        """Keys and values of ``node``; what has no key stands for itself."""

    @abstractmethod
    def definitions(self) -> Iterator[tuple[_Node, _Node]]:
        """Each name that is given a value on the spot, with the value."""


class _Go(_Code):
    literals = frozenset({"interpreted_string_literal", "raw_string_literal"})

    def settings(self, flow: Flow) -> Iterator[_Node]:
        if flow.path[-1] in {_text(node) for node in self.of("field_identifier")}:
            return  # read from the settings again, for whatever else
        names = {name for name, path in self._imports() if _VERSION.sub("", path) == flow.library}
        for node in self.of("composite_literal"):
            kind = node.child_by_field_name("type")
            if kind and any(_text(kind) == f"{name}.{flow.name}" for name in names):
                yield node

    def _imports(self) -> Iterator[tuple[str, str]]:
        for node in self.of("import_spec"):
            path = _field(node, "path").strip('"`')
            yield _field(node, "name") or _VERSION.sub("", path).rpartition("/")[2], path

    def entries(self, node: _Node) -> Iterator[tuple[_Node, _Node]]:
        body = node.child_by_field_name("body") if node.type == "composite_literal" else None
        for one in body.named_children if body else ():
            key, value = one.child_by_field_name("key"), one.child_by_field_name("value")
            if key and value:
                yield _bare(key), _bare(value)

    def definitions(self) -> Iterator[tuple[_Node, _Node]]:
        for node in self.of("const_spec", "var_spec"):
            names = node.children_by_field_name("name")
            yield from _pair(names, node.child_by_field_name("value"))
        for node in self.of("short_var_declaration"):
            left = node.child_by_field_name("left")
            yield from _pair(left.named_children if left else (), node.child_by_field_name("right"))


def _pair(names: Sequence[_Node], values: _Node | None) -> Iterator[tuple[_Node, _Node]]:
    if len(names) == 1 and values and values.named_child_count == 1:
        yield names[0], _bare(values.named_children[0])


def _bare(node: _Node) -> _Node:
    """Without what Go wraps around an entry, an address's sign among it."""
    while node.type in {"literal_element", "unary_expression"} and node.named_child_count == 1:
        node = node.named_children[0]
    return node


class _Python(_Code):
    """JSON is read so too: an object is a dictionary."""

    literals = frozenset({"string"})

    def settings(self, flow: Flow) -> Iterator[_Node]:
        if not flow.name:
            for node in self.root.named_children if self.root.named_child_count == 1 else ():
                yield from node.named_children
            return
        imported = dict(self._imports())
        for node in self.of("call"):
            first, dot, rest = _field(node, "function").partition(".")
            called = f"{imported.get(first, '')}{dot}{rest}"
            given = node.child_by_field_name("arguments")
            if called == f"{flow.library}.{flow.name}" and given:
                yield from _argument(given, flow.argument)

    def _imports(self) -> Iterator[tuple[str, str]]:
        """Each imported name, and what it stands for from the library's own name on."""
        for node in self.of("import_statement", "import_from_statement"):
            module = _field(node, "module_name")
            for one in node.children_by_field_name("name"):
                name = _field(one, "name") or _text(one)
                alias = _field(one, "alias")
                whole = f"{module}.{name}" if module else name
                first = name.partition(".")[0]
                yield alias or first, whole if alias or module else first

    def entries(self, node: _Node) -> Iterator[tuple[_Node, _Node]]:
        for one in node.named_children if node.type == "dictionary" else ():
            key, value = one.child_by_field_name("key"), one.child_by_field_name("value")
            if key and value and self.is_literal(key):
                yield key, value
            elif one.type != "comment":
                yield one, one

    def definitions(self) -> Iterator[tuple[_Node, _Node]]:
        for node in self.of("assignment"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left and right and left.type == "identifier":
                yield left, right


def _argument(given: _Node, name: str) -> Iterator[_Node]:
    """The argument of that name, else the first."""
    for one in given.named_children:
        if one.type == "keyword_argument":
            value = one.child_by_field_name("value")
            if value and _field(one, "name") == name:
                yield value
        elif one == given.named_children[0]:
            yield one


def _key(entry: tuple[_Node, _Node]) -> str:
    return _text(entry[0]).strip("\"'")


def _field(node: _Node, name: str) -> str:
    found = node.child_by_field_name(name)
    return _text(found) if found else ""


def _text(node: _Node) -> str:
    return (node.text or b"").decode("latin-1")
