"""Recipes for Terraform: attributes and blocks change in the block that was found."""

from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.recipe import Found
from mergegate.repo.fixes.syntax import Source, above, language_of, source_of

_Node = tree_sitter.Node
_LITERALS = frozenset({"literal_value", "string_lit", "bool_lit", "numeric_lit"})
_LABELS = frozenset({"string_lit", "identifier"})
_STEP = "  "
"""What ``terraform fmt`` indents by."""


def steps(found: Found) -> Sequence[Splice]:
    """What the recipe changes; nothing where what was found is not as it expects."""
    try:
        return tuple(Block.around(found).splices(found))
    except UncertainError:
        return ()


class Block:
    """A block of a configuration: its attributes and the blocks in it."""

    def __init__(self, source: Source, node: _Node, found: tuple[int, int]) -> None:
        self.source = source
        self.node = node
        self.found = found
        """The bytes of what was found."""
        body = next((one for one in node.named_children if one.type == "body"), None)
        self.children: Sequence[_Node] = body.named_children if body else ()
        self.opening = next(one for one in node.children if one.type == "block_start")
        self.closing = node.children[-1]

    @classmethod
    def around(cls, found: Found) -> "Block":
        """The innermost block around what was found. Raises UncertainError where there is none."""
        language = language_of(found.language, found.suffix)
        if language is None:
            raise UncertainError
        source = source_of(found.text, language)
        start, end = source.range_of(found.place)
        node = above(source.at(start, end), {"block"})
        if source.root.has_error or node is None:
            raise UncertainError
        return cls(source, node, (start, end))

    @property
    def kind(self) -> str:
        """What the block is: ``resource``, ``ingress``."""
        return self.source.of(self.node.children[0])

    @property
    def labels(self) -> tuple[str, ...]:
        """The type and the name of a resource, quoted or not."""
        named = (one for one in self.node.named_children[1:] if one.type in _LABELS)
        return tuple(self.source.of(one).strip('"') for one in named)

    @property
    def blocks(self) -> Sequence["Block"]:
        """The blocks that stand in it, from the top."""
        below = (one for one in self.children if one.type == "block")
        return [Block(self.source, one, self.found) for one in below]

    @property
    def parent(self) -> "Block | None":
        """The block that this one stands in; None for the outermost."""
        node = above(self.node.parent, {"block"})
        return None if node is None else Block(self.source, node, self.found)

    @property
    def resource(self) -> "Block":
        """The outermost block around this one."""
        block = self
        while (around := block.parent) is not None:
            block = around
        return block

    def attribute(self, name: str) -> _Node | None:
        """The attribute of this name."""
        for one in self.children:
            if one.type == "attribute" and self.source.of(one.children[0]) == name:
                return one
        return None

    def value(self, name: str) -> _Node | None:
        """What the attribute of this name is set to."""
        attribute = self.attribute(name)
        return attribute.named_children[-1] if attribute is not None else None

    def text(self, name: str) -> str:
        """The attribute's value as written, without quotes; empty where there is none."""
        value = self.value(name)
        return self.source.of(value).strip('"') if value is not None else ""

    def is_literal(self, name: str) -> bool:
        """Whether the attribute of this name says what it is set to, and no expression does."""
        value = self.value(name)
        return value is not None and self.says(value)

    def items(self, name: str) -> list[_Node]:
        """The items of the attribute's list."""
        value = self.value(name)
        lists = [one for one in self.source.walk(value) if one.type == "tuple"] if value else []
        return [one for one in lists[0].named_children if one.type == "expression"] if lists else []

    def splices(self, found: Found) -> Iterator[Splice]:
        """What the recipe says of this block."""
        recipe = found.recipe
        for name in recipe.drop:
            yield from self.without(name)
        if recipe.set:
            yield from self.put(recipe.set)
        if recipe.replace:
            yield from self._replaced(recipe.replace)
        if recipe.remove:
            block = self
            while block.kind != recipe.remove:
                if (around := block.parent) is None:
                    raise UncertainError
                block = around
            yield self.cut(block.node)

    def _replaced(self, names: Mapping[str, str]) -> Iterator[Splice]:
        """Names and values within what was found, outermost first."""
        start, end = self.found
        waiting, unknown = [above(self.source.at(start, end), {"attribute"}) or self.node], True
        while waiting:
            one = waiting.pop()
            inside = start <= one.end_byte and one.start_byte <= end
            new = names.get(self.source.of(one)) if inside and one.is_named else None
            if new is None:
                waiting.extend(one.named_children)
            else:
                unknown = False
                yield Splice(one.start_byte, one.end_byte, new)
        if unknown:
            raise UncertainError

    def without(self, name: str) -> Iterator[Splice]:
        """Without the attribute of this name, if there is one."""
        attribute = self.attribute(name)
        if attribute is not None:
            yield self.cut(attribute)

    def cut(self, node: _Node) -> Splice:
        """Without ``node``, and without its lines where nothing else stands on them."""
        text = self.source.bytes
        start, newline = text.rfind(b"\n", 0, node.start_byte) + 1, text.find(b"\n", node.end_byte)
        if newline < 0 or (text[start : node.start_byte] + text[node.end_byte : newline]).strip():
            return Splice(node.start_byte, node.end_byte, "")
        return Splice(start, newline + 1, "")

    def put(self, wanted: Mapping[str, str]) -> Iterator[Splice]:
        """Attributes, changed or put in; a dotted name leads through blocks.

        An attribute that an expression decides is left alone, for it may be right.
        """
        missing: dict[str, str] = {}
        nested: dict[str, dict[str, str]] = {}
        for name, new in wanted.items():
            first, _, rest = name.partition(".")
            if rest:
                nested.setdefault(first, {})[rest] = new
            elif (value := self.value(name)) is None:
                missing[name] = new
            elif self.says(value) and self.source.of(value) != new:
                yield Splice(value.start_byte, value.end_byte, new)
        if missing:
            yield from self._new(missing)
        for kind, below in nested.items():
            here = [one for one in self.blocks if one.kind == kind]
            if len(here) > 1 or self.value(kind) is not None or self._has_dynamic(kind):
                raise UncertainError
            yield from here[0].put(below) if here else self._new_block(kind, below)

    def _has_dynamic(self, kind: str) -> bool:
        return any(one.kind == "dynamic" and one.labels == (kind,) for one in self.blocks)

    def says(self, value: _Node) -> bool:
        """Whether a value says what it is, and no expression does."""
        if "${" in self.source.of(value):
            return False
        return value.type in _LITERALS or (
            value.type == "expression"
            and value.named_child_count == 1
            and self.says(value.named_children[0])
        )

    @property
    def _indent(self) -> str:
        """What stands before the block on its line."""
        text = self.source.bytes
        line = text[text.rfind(b"\n", 0, self.node.start_byte) + 1 : self.node.start_byte]
        return line.decode() if not line.strip() else ""

    def _new(self, missing: Mapping[str, str]) -> Iterator[Splice]:
        """The attributes behind those that stand before the first block, aligned as these are."""
        group = self._first_group()
        if group is None:
            yield self._first_line(missing)
            return
        text, last = self.source.bytes, group[-1]
        lines = [one for one in group if one.start_point.row == one.end_point.row]
        indent = text[text.rfind(b"\n", 0, last.start_byte) + 1 : last.start_byte].decode()
        if indent.strip():
            raise UncertainError  # several attributes on one line
        run = self._adjoining(lines, last)
        width = max(len(name) for name in (*missing, *(_name(self.source, one) for one in run)))
        for one in run:
            name, equals = one.children[0], one.children[1]
            blanks = " " * (width - len(self.source.of(name)) + 1)
            if text[name.end_byte : equals.start_byte].decode() != blanks:
                yield Splice(name.end_byte, equals.start_byte, blanks)
        new = "".join(f"{indent}{name:<{width}} = {value}\n" for name, value in missing.items())
        below = text.find(b"\n", last.end_byte) + 1
        yield Splice(below, below, new)

    def _first_group(self) -> list[_Node] | None:
        """The attributes that the block begins with, up to one of several lines, or a block."""
        group: list[_Node] = []
        for one in self.children:
            is_long = one.end_point.row > one.start_point.row
            if group and (one.type == "block" or is_long):
                break
            if one.type == "attribute":
                group.append(one)
        last = group[-1] if group else None
        if last is None or last.end_point.row == self.closing.start_point.row:
            return None
        return group

    def _adjoining(self, lines: Sequence[_Node], last: _Node) -> list[_Node]:
        """The attributes on the lines right above the new ones: they share a column."""
        run: list[_Node] = []
        row = last.end_point.row
        for one in reversed(lines):
            if one.end_point.row != row:
                break
            run.append(one)
            row -= 1
        return run

    def _first_line(self, missing: Mapping[str, str]) -> Splice:
        """The attributes of a block that has none."""
        width = max(map(len, missing))
        indent = self._indent + _STEP
        new = "".join(f"\n{indent}{name:<{width}} = {value}" for name, value in missing.items())
        if self.children and self.children[0].start_point.row > self.opening.start_point.row:
            return Splice(self.opening.end_byte, self.opening.end_byte, f"{new}\n")
        if self.children:
            raise UncertainError  # a block in one line
        return Splice(self.opening.end_byte, self.closing.start_byte, f"{new}\n{self._indent}")

    def _new_block(self, kind: str, below: Mapping[str, str]) -> Iterator[Splice]:
        """A block at the end of this one."""
        if any("." in name for name in below) or not self.children:
            raise UncertainError
        last = self.children[-1]
        if last.end_point.row == self.closing.start_point.row:
            raise UncertainError  # a block in one line
        indent = self._indent + _STEP
        width = max(map(len, below))
        lines = "".join(
            f"\n{indent}{_STEP}{name:<{width}} = {value}" for name, value in below.items()
        )
        at = self.source.bytes.find(b"\n", last.end_byte) + 1
        yield Splice(at, at, f"\n{indent}{kind} {{{lines}\n{indent}}}\n")


def _name(source: Source, attribute: _Node) -> str:
    return source.of(attribute.children[0])
