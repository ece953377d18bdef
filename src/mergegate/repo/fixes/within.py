"""What recipes of ours ask of a syntax tree: the call, the statement, where a name comes from."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, wraps

import tree_sitter

from mergegate.repo.fixes.edits import Splice, UncertainError, spliced
from mergegate.repo.fixes.recipe import Found, Steps
from mergegate.repo.fixes.syntax import LANGUAGES, Source, above, language_of

Node = tree_sitter.Node


def opened(found: Found) -> tuple[Source, Node] | None:
    """The program and what was found in it; None where it cannot be read."""
    language = language_of(found.language, found.suffix)
    if language is None:
        return None
    source = _read(found.text, language.name)
    if source.root.has_error:
        return None
    return source, source.at(*source.range_of(found.place))


@lru_cache(maxsize=2)
def _read(text: str, language: str) -> Source:
    """The last texts: findings of one file come one after another."""
    return Source(text, LANGUAGES[language])


Certain = Callable[[Source, Node], Iterable[Splice]]
"""Takes the text and the node that was found; raises UncertainError where it is not certain."""


def certain(steps: Certain) -> Steps:
    """``steps`` for recipes: they answer nothing where they are not certain."""

    @wraps(steps)
    def taken(found: Found) -> Sequence[Splice]:
        here = opened(found)
        if here is None:
            return ()
        try:
            return tuple(steps(*here))
        except (UncertainError, ValueError, LookupError):
            return ()  # the last two: other parts stand there than were expected, more or fewer

    return taken


def over(node: Node, text: str) -> Splice:
    """``text`` in place of ``node``."""
    return Splice(node.start_byte, node.end_byte, text)


def need(node: Node | None) -> Node:
    """``node``; raises UncertainError where there is none."""
    if node is None:
        raise UncertainError
    return node


def called(source: Source, call: Node) -> str:
    """What a call calls, without blanks: ``a.b`` for a method of ``a``, ``T`` for a new ``T``."""
    on = call.child_by_field_name("object")
    name = next(
        (
            part
            for field in ("function", "name", "type", "constructor")
            if (part := call.child_by_field_name(field)) is not None
        ),
        None,
    )
    text = f"{source.of(on)}.{source.of(need(name))}" if on else source.of(need(name))
    return re.sub(r"\s+", "", text)


def arguments(source: Source, call: Node) -> list[Node]:
    """The arguments of a call."""
    listed = need(call.child_by_field_name("arguments"))
    return [one for one in listed.named_children if one.type not in source.language.comments]


def meant(source: Source, node: Node, pattern: str) -> Node:
    """The innermost call of ``pattern`` around ``node``, or the only one in it."""
    kinds = source.language.calls or {}
    around: Node | None = above(node, kinds)
    while around is not None:
        if re.fullmatch(pattern, called(source, around)):
            return around
        around = above(around.parent, kinds)
    inside = [
        one
        for one in source.walk(node)
        if one.type in kinds and re.fullmatch(pattern, called(source, one))
    ]
    if len(inside) != 1:
        raise UncertainError
    return inside[0]


def function(source: Source, node: Node) -> Node:
    """The outermost function around ``node``: its names are known there."""
    found = above(node, source.language.functions)
    while found is not None and (outer := above(found.parent, source.language.functions)):
        found = outer
    return need(found)


def uses(source: Source, within: Node, name: str) -> list[Node]:
    """Where ``name`` stands in ``within`` as a variable, its declaration included."""
    return [
        one
        for one in source.walk(within)
        if one.type == "identifier" and source.of(one) == name and not is_member(one)
    ]


def is_member(one: Node) -> bool:
    """Whether a name of Java is that of a method or a field of what stands before it."""
    around = one.parent
    if around is None:
        return False
    if around.type == "method_invocation":
        return around.child_by_field_name("name") == one
    return around.type == "field_access" and around.child_by_field_name("field") == one


_WRITES = frozenset({"assignment_statement", "assignment_expression", "update_expression"})
_SHOWS = re.compile(r"(?i)(?:\w+\.)*\w*(?:log|logger|fmt\.print\w*|system\.(?:out|err)\.\w+).*")


def origin(source: Source, node: Node, *, alone: bool) -> Node:
    """What the variable at ``node`` was made with, or ``node`` where it is none.

    Raises UncertainError where it is given another value later, and, if it must be ``alone``, where
    anything but a log sees it too.
    """
    if node.type != "identifier":
        return node
    places = uses(source, function(source, node), source.of(node))
    made = [value for one in places if (value := _made_with(one)) is not None]
    others = [one for one in places if _made_with(one) is None and one != node]
    if len(made) != 1 or any(_is_written(one) for one in others):
        raise UncertainError
    if alone and not all(_is_shown(source, one) for one in others):
        raise UncertainError
    return made[0]


def _made_with(name: Node) -> Node | None:
    """The value in the declaration of a name; None where it does not stand in its own."""
    around = name.parent
    if around is None:
        return None
    value = None
    if around.type in {"variable_declarator", "resource", "var_spec", "const_spec"}:
        value = around.child_by_field_name("value")
        own = around.child_by_field_name("name") == name
    else:
        declared = around.parent if around.type == "expression_list" else None
        own = (
            declared is not None
            and declared.type == "short_var_declaration"
            and declared.child_by_field_name("left") == around
            and around.named_child_count == 1
        )
        value = declared.child_by_field_name("right") if declared and own else None
    if value is not None and value.type == "expression_list":
        value = value.named_children[0] if value.named_child_count == 1 else None
    return value if own else None


def _is_written(name: Node) -> bool:
    around = above(name, _WRITES)
    if around is None:
        return False
    left = around.child_by_field_name("left")
    return left is None or inside(name, left)


def _is_shown(source: Source, name: Node) -> bool:
    kinds = source.language.calls or {}
    around = above(name, kinds)
    return around is not None and _SHOWS.fullmatch(called(source, around)) is not None


_REPEATED = frozenset(
    {
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
        "lambda_expression",
        "func_literal",
        "resource_specification",
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
        "switch_expression",
        "ternary_expression",
        "defer_statement",
        "go_statement",
    }
)
"""What carries out what stands in it never, later or more than once."""


def statement(source: Source, node: Node, passed: str = "") -> Node:
    """The statement around ``node`` that lies in a block, and carries it out once, first of all.

    ``passed`` is a kind of node that does no harm on the way.
    """
    while node.parent is not None and node.parent.type not in source.language.statements:
        if (node.type in _REPEATED and node.type != passed) or (
            node.type == "if_statement" and node.parent.type == "if_statement"
        ):
            raise UncertainError
        node = node.parent
    if node.parent is None or node.type in _REPEATED:
        raise UncertainError
    return node


def indent(source: Source, node: Node) -> str:
    """The blanks before ``node``, which must be the first on its line."""
    line = source.bytes.rfind(b"\n", 0, node.start_byte) + 1
    before = source.bytes[line : node.start_byte].decode()
    if before.strip():
        raise UncertainError
    return before


def before(source: Source, node: Node, *lines: str) -> Splice:
    """Lines before a statement, as far in as it."""
    margin = indent(source, node)
    text = "".join(f"{line}\n{margin}" for line in lines)
    return Splice(node.start_byte, node.start_byte, text)


def after(source: Source, node: Node, *lines: str) -> Splice:
    """Lines after a statement, as far in as it."""
    margin = indent(source, node)
    text = "".join(f"\n{margin}{line}" for line in lines)
    return Splice(node.end_byte, node.end_byte, text)


def fresh(source: Source, call: Node, kind: str, *names: str) -> str:
    """The first of the names that nothing in the function has.

    With a number for the second call of its ``kind`` there, a regular expression: two fixes of one
    function agree.
    """
    within = function(source, call)
    text = source.of(within)
    alike = [
        one
        for one in source.walk(within)
        if one.type == call.type
        and one.start_byte < call.start_byte
        and re.fullmatch(kind, called(source, one))
    ]
    number = str(len(alike) + 1) if alike else ""
    for name in (f"{one}{number}" for one in names):
        if not re.search(rf"\b{re.escape(name)}\b", text):
            return name
    raise UncertainError


def text_after(source: Source, node: Node, splices: Iterable[Splice]) -> str:
    """What stands at ``node`` when the splices within it are done."""
    moved = [
        Splice(one.start - node.start_byte, one.end - node.start_byte, one.text) for one in splices
    ]
    made = spliced(source.bytes[node.start_byte : node.end_byte], moved)
    if made is None:
        raise UncertainError
    return made.decode()


def inside(node: Node, outer: Node) -> bool:
    """Whether ``node`` lies in ``outer``."""
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def ancestors(node: Node) -> Iterator[Node]:
    """``node`` and all above it."""
    one: Node | None = node
    while one is not None:
        yield one
        one = one.parent
