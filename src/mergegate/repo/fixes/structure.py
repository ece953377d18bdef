"""How a program is built: its statements, what its names are given to, what it calls and groups."""

from collections.abc import Iterator, Sequence

import tree_sitter

from mergegate.repo.fixes.syntax import Source

_BOUND = {"left", "name", "pattern", "declarator", "parameters", "value_name"}
_DECLARES = frozenset({"const_spec", "var_spec", "resource", "named_expression"})
_GROUPS = frozenset(
    {"tuple", "list", "set", "dictionary", "array", "object", "sequence_expression"}
    | {"expression_list", "subscript", "subscript_expression", "index_expression"}
    | {"slice_expression", "array_access", "list_comprehension", "generator_expression"}
)
_WITH_TARGET = (
    "assignment",
    "augmented_assignment",
    "assignment_expression",
    "augmented_assignment_expression",
    "assignment_statement",
)


def groups(source: Source) -> Iterator[tuple[str, int]]:
    """What holds several values, or a text, where no call takes it and no name is set to it.

    Brackets count anywhere: they change what an operator is about.
    """
    texts = source.language.texts
    for one in source.walk():
        if one.type == "parenthesized_expression":
            yield one.type, one.start_byte
        is_group = one.type in _GROUPS and (
            one.type != "expression_list" or one.named_child_count > 1
        )
        if is_group or one.type in texts:
            around = one.parent
            while around is not None and (around.type in _GROUPS or around.type in _WITHIN_GROUPS):
                around = around.parent
            if around is not None and not around.type.endswith(_TAKES):
                yield one.type, one.start_byte


_WITHIN_GROUPS = frozenset(
    {"binary_expression", "binary_operator", "pair", "literal_value"}
    | {"literal_element", "keyed_element"}
)
_TAKES = ("arguments", "argument_list", "declarator", "assignment", "declaration", "spec")


def skeleton(source: Source) -> Sequence[tuple[int, str, int]]:
    """Each statement with its depth, its kind, and where it begins."""
    kinds = source.language.statements
    found = []
    waiting = [(source.root, 0)]
    while waiting:
        one, depth = waiting.pop()
        is_held = one.parent is not None and one.parent.type in kinds and one.type not in kinds
        if is_held and one.type not in (*source.language.comments, *source.language.imports):
            found.append((depth, one.type, one.start_byte))
        below = depth + (one.type in kinds)
        waiting.extend(
            (child, below)
            for child in reversed(one.children)
            if child.is_named or child.type == ";"
        )
    return found


def statements(source: Source, start: int, end: int) -> Sequence[tree_sitter.Node]:
    """The statements around the bytes from the outermost; everything where there are none."""
    kinds = source.language.statements
    found: list[tree_sitter.Node] = []
    one: tree_sitter.Node | None = source.at(start, end)
    while one is not None:
        if one.parent is not None and one.parent.type in kinds and one.type not in kinds:
            found.insert(0, one)
        one = one.parent
    return found or [source.root]


def bound_names(source: Source) -> set[str]:
    """The names that a file gives to values: parameters, variables, fields."""
    return {source.of(one) for one in source.walk() if one.type == "identifier" and _is_bound(one)}


def _is_bound(one: tree_sitter.Node) -> bool:
    """Whether something is declared by this name, or it is on the left of an assignment."""
    below, around = one, one.parent
    while around is not None and around.type not in {"argument_list", "arguments", "block"}:
        field = _field(below, around)
        if "parameter" in around.type:
            return field != "type"
        declares = "declar" in around.type or around.type in _DECLARES
        if field == "left" or (declares and field in _BOUND):
            return True
        if "list" not in around.type and "pattern" not in around.type:
            return False
        below, around = around, around.parent
    return False


def _field(one: tree_sitter.Node, around: tree_sitter.Node) -> str | None:
    number = next(number for number, child in enumerate(around.children) if child == one)
    return around.field_name_for_child(number)


def called_names(source: Source) -> set[str]:
    """What is called by a plain name."""
    called = (
        one.child_by_field_name(source.language.calls[one.type][0])
        for one in source.walk()
        if source.language.calls and one.type in source.language.calls
    )
    return {source.of(one) for one in called if one is not None}


def targets(source: Source) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node]]:
    """What is set, each with the whole assignment."""
    for one in source.walk():
        if one.type in _WITH_TARGET and (target := one.child_by_field_name("left")):
            yield target, one
