"""Values of a request that are cleaned where they become part of something else.

Only what is read from a request, or a name that got nothing else, is a plain value: what a program
has put together already may hold markup or folders on purpose, and is left alone.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.built import Text, Value, built
from mergegate.repo.fixes.calls import imported
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.names import assigned, uses
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import certain

_Node = tree_sitter.Node


@dataclass(frozen=True, slots=True)
class Plain:
    """A value as it came."""

    node: _Node
    joined: bool
    """By ``+``, so that it is a text."""

    def of(self, source: Source) -> str:
        """The expression as it is written."""
        return source.of(self.node)


How = Callable[[Source, Plain], str]
"""What stands in place of a value."""
_Holds = Callable[[Iterable[bool]], bool]

_READ_PYTHON = re.compile(
    r"(?:await\s+)?(?:(?:flask|self|cls|bottle|cherrypy)\.)?_?request\.(?:args|form|values|json|GET"
    r"|POST|COOKIES|META|FILES|cookies|headers|query|query_params|query_string|data|files|match_info"
    r"|path|full_path|url|params|rel_url|get_json|path_params)\b"
    r"|self\.(?:get_(?:query_|body_)?argument\(|headers\b|kwargs\[|path\b)"
    r"|event\[|event\.get\("
)
_READ_JAVASCRIPT = re.compile(
    r"(?:await\s+)?(?:req|request|ctx|context|event|c\.req|this\.req)(?:\.request)?\??\."
    r"(?:query|body|params|param\(|headers|cookies|files|file\b|pathParameters|queryStringParameters"
    r"|originalUrl|url|path|get\(|header\(|json\(|nextUrl)"
    r"|(?:\w+\.)?searchParams\.get\(|new URLSearchParams\("
    r"|(?:\w+\.)*\w*[fF]ile\.original(?:name|Filename)\b"
)
_CLEANED = re.compile(
    r"(?:\w+\.)*\w*(?:escape|quote|encode|basename|secure_filename|safe)\w*\(", re.IGNORECASE
)
_NUMBER = re.compile(r"(?:int|len|float|Number|parseInt)\(|\d+\Z")
_OWN = re.compile(
    r"(?i)html|markup|rows?\Z|body|content|page|snippet|items|table|list|folder|dir\Z|root"
)
_PARAMETERS = frozenset(
    {"identifier", "typed_parameter", "required_parameter", "default_parameter"}
    | {"typed_default_parameter", "optional_parameter"}
)


def is_plain(source: Source, node: _Node, holds: _Holds = all) -> bool:
    """Whether a value is one of the request, as it came.

    ``holds`` says of all that a name is given, or of any, that it must be read from there.
    """
    said = source.of(node)
    if re.search(r"[<>]", said):
        return False
    read = _READ_PYTHON if source.language.name == "python" else _READ_JAVASCRIPT
    if read.match(said) and node.type not in {"binary_operator", "binary_expression"}:
        return True
    if node.type in {"subscript", "member_expression", "subscript_expression"}:
        holder = node.child_by_field_name("value") or node.child_by_field_name("object")
        return holder is not None and holder.type == "identifier" and is_plain(source, holder)
    return node.type == "identifier" and _is_plain_name(source, node, read, holds)


def _is_plain_name(source: Source, node: _Node, read: re.Pattern[str], holds: _Holds) -> bool:
    """Whether what a name gets, in the nearest function that gives it something, is plain."""
    said = source.of(node)
    function = _around(source, node)
    while function is not None:
        given = [one for one in uses(source, said, function) if _gets(one)]
        if given:
            return holds(_is_read(source, one, read) for one in given) and not _OWN.search(said)
        function = _around(source, function.parent) if function.parent is not None else None
    return False


def _around(source: Source, node: _Node) -> _Node | None:
    return above(node, source.language.functions)


def _gets(one: _Node) -> bool:
    """Whether a name gets a value there."""
    holder = one.parent
    if holder is None:
        return False
    if holder.type in _PARAMETERS | {"parameters", "formal_parameters", "object_pattern"}:
        return True
    if holder.type == "arrow_function":
        return holder.child_by_field_name("parameter") == one
    first = holder.child_by_field_name("left") or holder.child_by_field_name("name")
    kinds = {"assignment", "augmented_assignment", "assignment_expression", "variable_declarator"}
    others = {
        "pattern_list",
        "for_statement",
        "as_pattern_target",
        "for_in_clause",
        "named_expression",
    }
    return (holder.type in kinds and first == one) or holder.type in others


def _is_read(source: Source, one: _Node, read: re.Pattern[str]) -> bool:
    holder = one.parent
    if holder is None:
        return False
    if holder.type in _PARAMETERS | {"parameters"} and source.language.name == "python":
        return _is_view(source, one)
    if holder.type == "object_pattern":
        declarator = holder.parent
        value = declarator.child_by_field_name("value") if declarator is not None else None
        return value is not None and read.match(source.of(value)) is not None
    try:
        value = assigned(one)
    except UncertainError:
        return False
    return read.match(source.of(value)) is not None and "<" not in source.of(value)


def _is_view(source: Source, one: _Node) -> bool:
    """Whether a parameter is one of a function that answers a route, of one part of its path."""
    function = _around(source, one)
    holder = function.parent if function is not None else None
    if function is None:
        return False
    name = source.of(one)
    if holder is not None and holder.type == "decorated_definition":
        said = source.of(holder)
        return bool(re.match(r"@\S+\.(?:route|get|post|put|delete|patch)\(", said)) and (
            f"path:{name}>" not in said and f"{{{name}:path}}" not in said
        )
    parameters = function.child_by_field_name("parameters")
    first = parameters.named_children[0] if parameters and parameters.named_children else None
    return first is not None and source.of(first) == "request" and name != "request"


def plain_values(source: Source, node: _Node, holds: _Holds = all) -> Sequence[Plain]:
    """The values within what was found; raises UncertainError where one is not plain."""
    node = _put_together(source, node)
    try:
        text = built(source, node)
    except UncertainError:
        return _others(source, node)
    found = [
        Plain(one.node, one.joined)
        for one in text.values
        if not _CLEANED.match(one.said) and not _NUMBER.match(one.said)
    ]
    if not found or not all(is_plain(source, one.node, holds) for one in found):
        raise UncertainError
    return found


_JOINS = re.compile(r"(?:os\.)?path\.(?:join|resolve)\(|join\(")


def _put_together(source: Source, node: _Node) -> _Node:
    """What a name stands for, where that is a text with values."""
    if node.type != "identifier":
        return node
    function = _around(source, node)
    if function is None:
        return node
    given = [one for one in uses(source, source.of(node), function) if _gets(one)]
    if len(given) != 1:
        return node
    try:
        value = assigned(given[0])
        if _JOINS.match(source.of(value)):
            return value
        parts = built(source, value).parts
    except UncertainError:
        return node
    has_values = any(isinstance(one, Value) for one in parts)
    return value if has_values and any(isinstance(one, Text) for one in parts) else node


def _others(source: Source, node: _Node) -> Sequence[Plain]:
    """Parts of a path, or the value itself."""
    if node.type in {"call", "call_expression"} and _JOINS.match(source.of(node)):
        given = node.child_by_field_name("arguments")
        parts = given.named_children[1:] if given is not None else []
    elif node.type == "parenthesized_expression":
        return _others(source, node.named_children[0])
    elif node.type == "binary_operator" and source.of(node.children[1]) == "/":
        parts = [node.named_children[-1]]
    else:
        parts = [node]
    found = [Plain(one, joined=False) for one in parts if is_plain(source, one)]
    if not found:
        raise UncertainError
    return found


def cleaned(
    source: Source, node: _Node, how: How, lines: Sequence[str] = (), holds: _Holds = all
) -> Iterator[Splice]:
    """Every plain value as ``how`` says, with the imports that needs; raises UncertainError."""
    for one in plain_values(source, node, holds):
        yield Splice(one.node.start_byte, one.node.end_byte, how(source, one))
    yield from brought(source, lines)


def brought(source: Source, lines: Sequence[str]) -> Iterator[Splice]:
    """The imports; raises UncertainError where a name means something else."""
    for line in lines:
        if imports.clashes(source, line):
            raise UncertainError
        yield from imported(source, line)


@certain
def escaped_for_html(source: Source, node: _Node) -> Iterable[Splice]:
    """``<`` and quotes of the values mean themselves on the page."""
    if source.language.name != "python":
        return _escaped_in_javascript(source, node)
    if "django" in imports.modules(source):
        return cleaned(source, node, _call("escape"), ["from django.utils.html import escape"])
    if "tornado" in imports.modules(source):
        name = imports.called(source, "tornado.escape", "xhtml_escape")
        lines = [] if name else ["from tornado.escape import xhtml_escape"]
        return cleaned(source, node, _call(name or "xhtml_escape"), lines)
    return cleaned(source, node, _of_html, ["import html"])


def _call(name: str) -> How:
    return lambda source, one: f"{name}({one.of(source)})"


def _of_html(source: Source, one: Plain) -> str:
    said = one.of(source)
    is_text = one.joined or re.search(r"\[[^\[\]]+\]\Z", said)
    return f"html.escape({said})" if is_text else f"html.escape(str({said}))"


_ESCAPERS = (("escape-html", ""), ("he", "encode"), ("lodash", "escape"), ("validator", "escape"))


def _escaped_in_javascript(source: Source, node: _Node) -> Iterable[Splice]:
    for module, name in _ESCAPERS:
        known = imports.called(source, module, name)
        if known:
            return cleaned(source, node, _call(known.rstrip(".")))
    if "express" not in imports.modules(source):
        return ()
    return cleaned(
        source,
        node,
        lambda _, one: f"escapeHtml(String({one.of(source)}))",
        ["import escapeHtml from 'escape-html';"],
    )


@certain
def escaped_for_ldap(source: Source, node: _Node) -> Iterable[Splice]:
    """Parentheses and stars of the values mean themselves in a filter."""
    for module in ("ldap.filter", "ldap3.utils.conv"):
        if known := imports.called(source, module, "escape_filter_chars"):
            return cleaned(source, node, _call(known))
    modules = imports.modules(source)
    if "ldap3" in modules and "ldap" not in modules:
        return cleaned(
            source,
            node,
            _call("escape_filter_chars"),
            ["from ldap3.utils.conv import escape_filter_chars"],
        )
    if "ldap" in modules and "ldap3" not in modules:
        return cleaned(
            source,
            node,
            _call("escape_filter_chars"),
            ["from ldap.filter import escape_filter_chars"],
        )
    return ()


@certain
def escaped_for_regex(source: Source, node: _Node) -> Iterable[Splice]:
    """Every sign of the values means itself in a regular expression."""
    if _is_pattern(source, node):
        return ()  # it is one on purpose
    if source.language.name != "python":
        return cleaned(source, node, _javascript_regex)
    return cleaned(source, node, _call("re.escape"), ["import re"])


def _is_pattern(source: Source, node: _Node) -> bool:
    """Whether what stands alone there is called a pattern, or was sent as one."""
    said = source.of(node)
    if node.type == "identifier":
        function = _around(source, node) or source.root
        given = [one.parent for one in uses(source, said, function) if _gets(one)]
        said = " ".join([said, *(source.of(one) for one in given if one is not None)])
    elif node.type in {"binary_operator", "binary_expression", "template_string", "string"}:
        return False
    return re.search(r"(?i)regex|pattern|expression", said) is not None


def _javascript_regex(source: Source, one: Plain) -> str:
    return rf"String({one.of(source)} ?? '').replace(/[\\^$.*+?()[\]{{|}}]/g, '\\$&')"


@certain
def one_line(source: Source, node: _Node) -> Iterable[Splice]:
    """Line breaks of the values become blanks."""
    call = above(node, {"call"})
    if call is not None and re.search(r"%r|!r", source.of(call)):
        return ()  # it writes them so already
    return cleaned(source, node, _one_line, holds=any)


def _one_line(source: Source, one: Plain) -> str:
    if source.language.name == "python":
        return f"repr({one.of(source)})"
    return rf"String({one.of(source)}).replace(/[\r\n]+/g, ' ')"


@certain
def one_header(source: Source, node: _Node) -> Iterable[Splice]:
    """No line of a value begins another header."""
    return cleaned(
        source,
        node,
        lambda source, one: rf'str({one.of(source)}).replace("\r", "").replace("\n", "")',
    )


_ONE_NAME = re.compile(
    r"(?i)(?:name|title|id|slug|page|file|theme|lang|locale|language|template|report|log|key|doc"
    r"|document|topic|version|type|format)\Z"
)
"""What may be called by one name, and is no path with folders."""


def _only_names(how: How) -> How:
    def named(source: Source, one: Plain) -> str:
        words = re.findall(r"[A-Za-z]\w*", one.of(source))
        is_parameter = ".params." in one.of(source) or _is_one_part(source, one.node)
        if not is_parameter and not (words and _ONE_NAME.search(words[-1])):
            raise UncertainError
        return how(source, one)

    return named


def _is_one_part(source: Source, node: _Node) -> bool:
    """Whether a name is a parameter of a route."""
    function = _around(source, node) if node.type == "identifier" else None
    given = (
        [one for one in uses(source, source.of(node), function) if _gets(one)] if function else []
    )
    return bool(given) and all(
        one.parent is not None and one.parent.type in _PARAMETERS | {"parameters"} for one in given
    )


@certain
def last_part(source: Source, node: _Node) -> Iterable[Splice]:
    """The name of the file alone, in place of a path that was sent."""
    if source.language.name == "python":
        return _file_name(source, node)
    known = imports.called(source, "path", "basename")
    lines = [] if known else ["import { basename } from 'path';"]
    return cleaned(source, node, _only_names(_call(known or "basename")), lines)


@certain
def uploaded_name(source: Source, node: _Node) -> Iterable[Splice]:
    """What follows the last folder in a file's name as a browser sent it."""
    known = imports.called(source, "path", "basename")
    lines = [] if known else ["import { basename } from 'path';"]
    return cleaned(source, node, _call(known or "basename"), lines)


def _file_name(source: Source, node: _Node) -> Iterable[Splice]:
    known = imports.called(source, "werkzeug.utils", "secure_filename")
    if source.of(node).endswith(".filename") and "flask" in imports.modules(source):
        lines = [] if known else ["from werkzeug.utils import secure_filename"]
        end = Splice(node.end_byte, node.end_byte, ")")
        start = Splice(node.start_byte, node.start_byte, f"{known or 'secure_filename'}(")
        return (start, end, *brought(source, lines))
    return cleaned(source, node, _only_names(_call("os.path.basename")), ["import os"])


@certain
def compared(source: Source, node: _Node) -> Sequence[Splice]:
    """``{ name: value }`` of a query of MongoDB compares the value, whatever it is."""
    if "nedb" in source.text or node.type not in {"object", "dictionary"}:
        return ()
    return [splice for one in node.named_children for splice in _compared(source, one)]


def _compared(source: Source, one: _Node) -> Iterator[Splice]:
    if one.type == "shorthand_property_identifier":
        name = source.of(one)
        given = [each for each in uses(source, name, source.root) if _gets(each)]
        if given and all(_is_read(source, each, _READ_JAVASCRIPT) for each in given):
            yield Splice(one.start_byte, one.end_byte, f"{name}: {{ $eq: {name} }}")
        return
    value = one.child_by_field_name("value")
    if value is None:
        return
    said = source.of(value)
    is_made = value.type == "call_expression" and _READ_JAVASCRIPT.search(said) is not None
    is_query = re.search(r"(?i)regex|query|filter|where", said.split("(", maxsplit=1)[0])
    if (is_made and not is_query) or is_plain(source, value):
        is_python = source.language.name == "python"
        new = f'{{"$eq": {said}}}' if is_python else f"{{ $eq: {said} }}"
        yield Splice(value.start_byte, value.end_byte, new)
