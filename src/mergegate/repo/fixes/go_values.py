"""What is known of a value in a Go program: whether it is a string, and where it comes from."""

import re

from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.joined import Value
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import Node, called, function, need, origin, uses

_STRINGS = re.compile(
    r"""(?x).*\.(?:FormValue|PostFormValue|PathValue|Param|DefaultQuery|PostForm|DefaultPostForm
    |GetHeader|UserAgent|Referer|Error|String|FormFile\.Filename)
    |.*(?:Query\(\)|Header|Header\(\)|PostForm|Form)\.Get
    |(?:c|ctx|context)\.(?:Query|Params|FormValue|QueryParam|Cookies)
    |fmt\.Sprint(?:f|ln)?|os\.Getenv|strings\.(?:Trim\w*|To\w+|Replace\w*|Join|Repeat)
    |(?:filepath|path)\.(?:Join|Clean|Base|Dir|Ext)|strconv\.(?:Itoa|Quote|Format\w+)
    |(?:hex|base64\.\w+)\.EncodeToString|url\.(?:Query|Path)(?:Une|E)scape"""
)
_FIELDS = re.compile(
    r".*\.URL\.(?:Path|RawPath|RawQuery|Host)|(?:r|req|request)\.(?:Host|RequestURI)"
)
_MAPS = re.compile(r"mux\.Vars\(.*\)")
_PLAIN = frozenset({"identifier", "selector_expression", "index_expression", "call_expression"})


def is_string(source: Source, node: Node) -> bool:
    """Whether the text shows that ``node`` is a string."""
    if node.type == "parenthesized_expression":
        return is_string(source, node.named_children[0])
    if node.type == "binary_expression":
        return any(is_string(source, one) for one in node.named_children)
    if node.type == "identifier":
        return _is_string_variable(source, node)
    return node.type in source.language.texts or _gives_string(source, node)


def _gives_string(source: Source, node: Node) -> bool:
    said = ""
    pattern = _STRINGS
    if node.type == "call_expression":
        said = called(source, node)
    elif node.type == "selector_expression":
        said, pattern = source.of(node), _FIELDS
    elif node.type == "index_expression":
        said, pattern = source.of(need(node.child_by_field_name("operand"))), _MAPS
    return pattern.fullmatch(said) is not None


def _is_string_variable(source: Source, node: Node) -> bool:
    if declared_type(source, node) == "string":
        return True
    try:
        made = origin(source, node, alone=False)
    except UncertainError:
        return False
    return made != node and is_string(source, made)


def declared_type(source: Source, node: Node) -> str:
    """The type that the function says of a variable; empty where it says none, or several."""
    if above(node, source.language.functions) is None:
        return ""
    types = set()
    for one in uses(source, function(source, node), source.of(node)):
        around = one.parent
        kinds = {"parameter_declaration", "var_spec"}
        kind = around.child_by_field_name("type") if around and around.type in kinds else None
        if kind is not None and around and one in around.children_by_field_name("name"):
            types.add(source.of(kind))
    return types.pop() if len(types) == 1 else ""


def as_text(source: Source, value: Value) -> str:
    """The value as a string: as it is, or as ``fmt`` writes what may be none."""
    text = source.of(value.node)
    if not value.verb or is_string(source, value.node):
        return text
    if value.verb not in {"%s", "%v"}:
        raise UncertainError
    return f"fmt.Sprint({text})"


def is_plain(source: Source, node: Node) -> bool:
    """Whether ``node`` is the caller's own text, not a page or a filter made of it."""
    if node.type not in _PLAIN:
        return False
    if node.type == "call_expression":
        return is_string(source, node) and "fmt." not in called(source, node)
    if node.type != "identifier":
        return True
    try:
        made = origin(source, node, alone=False)
    except UncertainError:
        return declared_type(source, node) == "string"
    return is_plain(source, made)


def parameter(source: Source, node: Node, kind: str) -> str:
    """The name of the only parameter of a type around ``node``; raises UncertainError without."""
    around = above(node, source.language.functions)
    while around is not None:
        listed = around.child_by_field_name("parameters")
        names = [
            source.of(name)
            for one in (listed.named_children if listed else ())
            if (said := one.child_by_field_name("type")) is not None and source.of(said) == kind
            for name in one.children_by_field_name("name")
        ]
        if len(names) == 1 and names[0] != "_":
            return names[0]
        around = above(around.parent, source.language.functions)
    raise UncertainError
