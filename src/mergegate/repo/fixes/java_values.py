"""What is known of a value in a Java program: its type, where it comes from, who handles what."""

import re
from collections.abc import Iterator

from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.syntax import Source
from mergegate.repo.fixes.within import (
    Node,
    ancestors,
    called,
    function,
    inside,
    origin,
    uses,
)

_STRINGS = re.compile(
    r"(?:.*\.)?(?:getParameter|getHeader|getQueryString|getRequestURI|getPathInfo|getServletPath"
    r"|getOriginalFilename|getSubmittedFileName|htmlEscape|forHtml|trim|strip|toString|toLowerCase|toUpperCase"
    r"|substring|replace|replaceAll|concat|getMessage)|String\.(?:valueOf|format|join)"
)
_READS = re.compile(
    r"(?:.*\.)?(?:getParameter|getHeader|getQueryString|getRequestURI|getPathInfo|getServletPath"
    r"|getOriginalFilename|getSubmittedFileName)"
)
_GETS = re.compile(r"\w+\.(?:get[A-Z]\w*|trim|strip)")
_DECLARES = frozenset(
    {
        "formal_parameter",
        "local_variable_declaration",
        "field_declaration",
        "resource",
        "enhanced_for_statement",
        "catch_formal_parameter",
    }
)


def type_of(source: Source, node: Node) -> str:
    """The type of a value, without its arguments; empty where the text does not show it."""
    if node.type == "parenthesized_expression":
        return type_of(source, node.named_children[0])
    if node.type in source.language.texts:
        return "String"
    if node.type == "method_invocation":
        name = called(source, node)
        return "String" if _STRINGS.fullmatch(name) else _returned(source, name)
    if node.type == "object_creation_expression":
        return _plain(called(source, node))
    return declared_type(source, node) if node.type == "identifier" else ""


def _returned(source: Source, name: str) -> str:
    """The type that the methods of this name in the file return."""
    types = {
        source.of(kind)
        for one in source.walk()
        if one.type == "method_declaration"
        and (own := one.child_by_field_name("name")) is not None
        and source.of(own) == name
        and (kind := one.child_by_field_name("type")) is not None
    }
    return _plain(types.pop()) if len(types) == 1 else ""


def _plain(kind: str) -> str:
    return re.sub(r"<.*>|\s+", "", kind).rpartition(".")[2]


def declared_type(source: Source, node: Node) -> str:
    """The type that a variable or field is declared with; empty where there are several."""
    name = source.of(node)
    try:
        types = _types(source, function(source, node), name)
    except UncertainError:
        types = set()
    types = types or _types(source, source.root, name)
    return types.pop() if len(types) == 1 else ""


def _types(source: Source, within: Node, name: str) -> set[str]:
    types = set()
    for one in uses(source, within, name):
        around = one.parent
        if around is not None and around.type == "variable_declarator":
            around = around.parent if around.child_by_field_name("name") == one else None
        if around is None or around.type not in _DECLARES:
            continue
        kind = around.child_by_field_name("type")
        own = around.child_by_field_name("name")
        if kind is not None and (own is None or own == one):
            types.add(_plain(source.of(kind)))
    return types


def is_plain(source: Source, node: Node) -> bool:
    """Whether ``node`` is the caller's own text, not something that was made of it."""
    if node.type == "method_invocation":
        name = called(source, node)
        return _READS.fullmatch(name) is not None or _GETS.fullmatch(name) is not None
    if node.type != "identifier":
        return False
    try:
        made = origin(source, node, alone=False)
    except UncertainError:
        return _is_sent(source, node)
    return made != node and is_plain(source, made)


def _is_sent(source: Source, node: Node) -> bool:
    """Whether a text is a parameter that the framework fills in from the request."""
    for one in uses(source, function(source, node), source.of(node)):
        around = one.parent
        if around is not None and around.type == "formal_parameter":
            said = source.of(around)
            return re.match(r"@\w+(?:\(.*\))?\s+(?:final\s+)?String\s", said) is not None
    return False


def handles(node: Node, *exceptions: str) -> bool:
    """Whether what stands at ``node`` may throw one of these: it is caught, or declared."""
    wanted = {*exceptions, "Exception", "Throwable"}
    for one in ancestors(node):
        if one.type == "lambda_expression":
            return False
        if one.type in {"try_statement", "try_with_resources_statement"}:
            body = one.child_by_field_name("body")
            resources = one.child_by_field_name("resources")
            tried = [part for part in (body, resources) if part and inside(node, part)]
            clauses = [each for each in one.named_children if each.type == "catch_clause"]
            caught = {
                _name(name)
                for clause in clauses
                for kind in _types_caught(clause)
                for name in kind.named_children
            }
            if tried and caught & wanted:
                return True
        if one.type in {"method_declaration", "constructor_declaration"}:
            thrown = next((each for each in one.children if each.type == "throws"), None)
            names = thrown.named_children if thrown else ()
            return bool({_name(name) for name in names} & wanted)
    return False


def _types_caught(clause: Node) -> Iterator[Node]:
    for parameter in clause.named_children:
        yield from (one for one in parameter.named_children if one.type == "catch_type")


def _name(node: Node) -> str:
    """A class's name without its package."""
    return (node.text or b"").decode().rpartition(".")[2]
