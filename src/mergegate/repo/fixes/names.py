"""What a name stands for within its function: the one place where it gets its value."""

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from mergegate.repo.fixes.edits import UncertainError
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


_TELLS = re.compile(r"print|console\.\w+|(?:\w+\.)*log(?:ger|ging)?\.\w+")


def _is_told(source: Source, name: _Node) -> bool:
    """Whether a name is only printed or logged there."""
    arguments = name.parent
    call = arguments.parent if arguments is not None else None
    if arguments is None or call is None or arguments.type not in {"argument_list", "arguments"}:
        return False
    function = call.child_by_field_name("function")
    return function is not None and _TELLS.fullmatch(source.of(function)) is not None


def value_of(source: Source, name: _Node) -> _Node:
    """The expression that a local variable gets, used nowhere but at ``name``, and told.

    Raises UncertainError where it may get another value, or anything else looks at it.
    """
    around = function_around(source, name)
    found = [
        one
        for one in uses(source, source.of(name), around)
        if one != name and not _is_told(source, one)
    ]
    if len(found) != 1:
        raise UncertainError
    return assigned(found[0])


def only_use(source: Source, name: _Node) -> _Node:
    """The one place that uses a local variable which gets its value at ``name``."""
    around = function_around(source, name)
    found = [
        one
        for one in uses(source, source.of(name), around)
        if one != name and not _is_told(source, one)
    ]
    if len(found) != 1:
        raise UncertainError
    return found[0]


def assigned(target: _Node) -> _Node:
    """What is assigned to ``target``, alone and without adding to it."""
    holder = target.parent
    if holder is None:
        raise UncertainError
    if holder.type in {"assignment", "assignment_expression"}:
        left, value = holder.child_by_field_name("left"), holder.child_by_field_name("right")
    elif holder.type == "variable_declarator":
        left, value = holder.child_by_field_name("name"), holder.child_by_field_name("value")
    else:
        raise UncertainError
    if left != target or value is None:
        raise UncertainError
    return value


def statement_of(source: Source, node: _Node) -> _Node:
    """The statement of a block that ``node`` is in, the innermost, within the same function."""
    one = node
    while one.parent is not None and one.parent.type not in source.language.statements:
        if one.type in {*source.language.functions, "lambda"}:
            raise UncertainError  # its body is an expression
        one = one.parent
    if one.parent is None:
        raise UncertainError
    return one


_CHANGES = frozenset(
    {"assignment", "augmented_assignment", "assignment_expression", "update_expression"}
    | {"augmented_assignment_expression", "delete_statement", "for_statement", "for_in_statement"}
    | {"with_statement", "named_expression"}
)


def unchanged_between(source: Source, first: _Node, second: _Node, names: set[str]) -> bool:
    """Whether no name changes from the first to the second, which stands behind it.

    The second may be in a block within that of the first, which may run several times.
    """
    begin, end = statement_of(source, first), second
    while end.parent is not None and end.parent != begin.parent:
        if end.type in source.language.functions:
            return False  # it may run later
        end = end.parent
    if end.parent is None or begin.start_byte >= end.start_byte:
        return False
    one = begin.next_named_sibling
    while one is not None and one.start_byte <= end.start_byte:
        if any(_changes(source, inside, names) for inside in source.walk(one)):
            return False
        one = one.next_named_sibling
    return True


def _changes(source: Source, node: _Node, names: set[str]) -> bool:
    if node.type not in _CHANGES:
        return False
    target = node.child_by_field_name("left") or node.child_by_field_name("name") or node
    return any(source.of(one) in names for one in source.walk(target) if one.type in _IDENTIFIERS)


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
