"""What a name stands for within its function: the one place where it gets its value."""

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from mergegate.repo.fixes.built import Unsure
from mergegate.repo.fixes.syntax import Source, above

_Node = tree_sitter.Node
_IDENTIFIERS = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"}
)


def function_around(source: Source, node: _Node) -> _Node:
    """The nearest function, or the whole program."""
    return above(node, source.language.functions) or source.root


def uses(source: Source, name: str, within: _Node) -> Iterator[_Node]:
    """Where the name stands as a variable, whatever for."""
    for one in source.walk(within):
        if one.type in _IDENTIFIERS and source.of(one) == name and not _is_member(one):
            yield one


def value_of(source: Source, name: _Node) -> _Node:
    """The expression that a local variable gets, used nowhere but at ``name``.

    Raises ``Unsure`` where it may get another value, or anything else looks at it.
    """
    around = function_around(source, name)
    found = [one for one in uses(source, source.of(name), around) if one != name]
    if len(found) != 1:
        raise Unsure
    return assigned(found[0])


def only_use(source: Source, name: _Node) -> _Node:
    """The one place that uses a local variable which gets its value at ``name``."""
    around = function_around(source, name)
    found = [one for one in uses(source, source.of(name), around) if one != name]
    if len(found) != 1:
        raise Unsure
    return found[0]


def assigned(target: _Node) -> _Node:
    """What is assigned to ``target``, alone and without adding to it."""
    holder = target.parent
    if holder is None:
        raise Unsure
    if holder.type in {"assignment", "assignment_expression"}:
        left, value = holder.child_by_field_name("left"), holder.child_by_field_name("right")
    elif holder.type == "variable_declarator":
        left, value = holder.child_by_field_name("name"), holder.child_by_field_name("value")
    else:
        raise Unsure
    if left != target or value is None:
        raise Unsure
    return value


def statement_of(source: Source, node: _Node) -> _Node:
    """The statement of a block that ``node`` is in, the innermost, within the same function."""
    one = node
    while one.parent is not None and one.parent.type not in source.language.statements:
        if one.type in {*source.language.functions, "lambda"}:
            raise Unsure  # its body is an expression
        one = one.parent
    if one.parent is None:
        raise Unsure
    return one


def unchanged_between(source: Source, first: _Node, second: _Node, names: set[str]) -> bool:
    """Whether both stand in one block, the first before the second, and no name changes between."""
    begin, end = statement_of(source, first), statement_of(source, second)
    if begin.parent != end.parent or begin.start_byte >= end.start_byte:
        return False
    one = begin.next_named_sibling
    while one is not None and one != end:
        for inside in source.walk(one):
            if inside.type in {
                "assignment",
                "augmented_assignment",
                "assignment_expression",
                "augmented_assignment_expression",
                "update_expression",
                "delete_statement",
                "for_statement",
                "for_in_statement",
                "with_statement",
            } and names & {source.of(n) for n in source.walk(inside) if n.type in _IDENTIFIERS}:
                return False
        one = one.next_named_sibling
    return True


def names_of(said: Sequence[str]) -> Sequence[str]:
    """A name for each expression: its last word, numbered where one comes again."""
    names: dict[str, str] = {}
    for one in said:
        if one in names:
            continue
        words = re.findall(r"[A-Za-z_]\w*", one)
        name = words[-1].lower() if words else "value"
        while name in names.values():
            name += "_2"
        names[one] = name
    return [names[one] for one in said]


def _is_member(one: _Node) -> bool:
    parent = one.parent
    if parent is None:
        return False
    if parent.type == "attribute":
        return parent.child_by_field_name("attribute") == one
    return parent.type == "keyword_argument" and parent.child_by_field_name("name") == one
