"""Texts of a language of their own that take values as variables: HTML, templates, XPath."""

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.built import Built, Value, built
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.names import names_of, unchanged_between, value_of
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.values import brought, is_plain
from mergegate.repo.fixes.within import certain

_Node = tree_sitter.Node

_DATA = re.compile(r"(?:str\()?\w+(?:\.\w+(?:\(\))?|\[[^\[\]]+\])+\)?|(?:int|len|str)\([^()]*\)")
_MARKUP = re.compile(r"(?i)html|render|markup|svg|icon|widget|label_tag|as_p\b|table|static|media")
_IN_HANDLER = re.compile(r"(?i)\bon\w+\s*=\s*[\"']?[^\"'>]*\Z")
_LONGEST_TAG = 300


def _is_harder(before: str) -> bool:
    """Whether escaping is not enough: within a script, a style or an event handler."""
    low = before.lower()
    open_ones = any(low.rfind(f"<{one}") > low.rfind(f"</{one}") for one in ("script", "style"))
    return open_ones or _IN_HANDLER.search(before[-_LONGEST_TAG:]) is not None


@certain
def formatted(source: Source, node: _Node) -> Sequence[Splice]:
    """``mark_safe(f"<b>{x}</b>")`` as ``format_html("<b>{}</b>", x)``, and Markup likewise."""
    call = above(node, {"call"})
    return tuple(_formatted(source, call)) if call is not None else ()


def _formatted(source: Source, call: _Node) -> Iterator[Splice]:
    given = _arguments(call)
    if len(given) != 1:
        raise UncertainError
    text = built(source, given[0])
    if not text.values or text.escapes == "%" or not _braces_are_plain(text):
        raise UncertainError
    if not all(_is_data(source, text, one) for one in text.values):
        raise UncertainError
    values = ", ".join(one.said for one in text.values)
    yield from text.filled(lambda _: (0, "{}", 0))
    function = _field(call, "function")
    if re.search(r"(?:^|\.)Markup$", source.of(function)):
        yield Splice(call.end_byte, call.end_byte, f".format({values})")
        return
    yield Splice(given[0].end_byte, given[0].end_byte, f", {values}")
    if not re.search(r"(?:^|\.)format_html$", source.of(function)):
        yield Splice(function.start_byte, function.end_byte, "format_html")
        yield from brought(source, ["from django.utils.html import format_html"])


def _braces_are_plain(text: Built) -> bool:
    """Whether no brace of the text would be read as a place for a value."""
    said = "".join(one.said for one in text.parts if not isinstance(one, Value))
    return text.escapes == "{" or not re.search(r"[{}]", said)


def _is_data(source: Source, text: Built, one: Value) -> bool:
    is_data = _DATA.fullmatch(one.said) is not None and not _MARKUP.search(one.said)
    is_escaped = re.match(r"(?:\w+\.)*(?:conditional_)?escape\(", one.said) is not None
    is_value = is_data or is_escaped or is_plain(source, one.node)
    return is_value and not _is_harder(text.before(one))


@certain
def as_variables(source: Source, node: _Node) -> Sequence[Splice]:
    """``render_template_string("Hi " + x)`` as ``render_template_string("Hi {{ x }}", x=x)``."""
    return tuple(_as_variables(source, node))


def _as_variables(source: Source, node: _Node) -> Iterator[Splice]:
    call = above(node.parent, {"call"})
    if call is None or _arguments(call)[0] != node:
        raise UncertainError
    if not re.search(r"(?:^|\.)render_template_string$", source.of(_field(call, "function"))):
        raise UncertainError
    text = _text_of(source, node)
    if text.escapes or any(_is_inside(text, one) for one in text.values):
        raise UncertainError
    names = names_of([one.said for one in text.values])
    taken = {
        source.of(_field(one, "name")) for one in _arguments(call) if one.type == "keyword_argument"
    }
    if taken & set(names) or any(one.type.endswith("_splat") for one in _arguments(call)):
        raise UncertainError
    marks = {id(one): f"{{{{ {name} }}}}" for one, name in zip(text.values, names, strict=True)}
    yield from text.filled(lambda one: (0, marks[id(one)], 0))
    pairs = dict(zip(names, [one.said for one in text.values], strict=True))
    said = ", ".join(f"{name}={value}" for name, value in pairs.items())
    last = _arguments(call)[-1]
    yield Splice(last.end_byte, last.end_byte, f", {said}")


def _is_inside(text: Built, one: Value) -> bool:
    """Whether a value stands within an expression, or where escaping is not enough."""
    before = text.before(one)
    opened = max(before.rfind("{{"), before.rfind("{%"))
    closed = max(before.rfind("}}"), before.rfind("%}"))
    return opened > closed or _is_harder(before)


def _text_of(source: Source, node: _Node) -> Built:
    """The text that stands at ``node``, or was put together just before."""
    if node.type != "identifier":
        text = built(source, node)
    else:
        value = value_of(source, node)
        text = built(source, value)
        names = {source.of(one) for part in text.values for one in source.walk(part.node)}
        if not unchanged_between(source, value, node, names):
            raise UncertainError
    if not text.values:
        raise UncertainError
    return text


@certain
def xpath_variables(source: Source, node: _Node) -> Sequence[Splice]:
    """``'{x}'`` within an XPath expression as the variable ``$x``."""
    return tuple(_xpath(source, node))


def _xpath(source: Source, node: _Node) -> Iterator[Splice]:
    call = above(node.parent, {"call", "call_expression"})
    if call is None or _arguments(call)[0] != node:
        raise UncertainError
    text = _text_of(source, node)
    if text.escapes or "$" in "".join(one.said for one in text.parts if not isinstance(one, Value)):
        raise UncertainError
    names = dict(zip(map(id, text.values), names_of([o.said for o in text.values]), strict=True))

    def fill(one: Value) -> tuple[int, str, int]:
        opening = re.search(r"\\?(['\"])\Z", text.left(one))
        closing = re.match(r"\\?(['\"])", text.right(one))
        compares = re.search(r"[=,(]\s*['\"]\Z", text.before(one))
        if opening is None or closing is None or opening[1] != closing[1] or not compares:
            raise UncertainError
        return len(opening[0]), f"${names[id(one)]}", len(closing[0])

    yield from text.filled(fill)
    pairs = {names[id(one)]: one.said for one in text.values}
    if source.language.name == "python":
        yield from _of_lxml(source, call, pairs)
    else:
        yield from _of_xpath(source, call, pairs)


def _of_lxml(source: Source, call: _Node, pairs: dict[str, str]) -> Iterator[Splice]:
    if not re.search(r"\.xpath$", source.of(_field(call, "function"))):
        raise UncertainError
    first = _arguments(call)[0]
    said = ", ".join(f"{name}={value}" for name, value in pairs.items())
    yield Splice(first.end_byte, first.end_byte, f", {said}")


def _of_xpath(source: Source, call: _Node, pairs: dict[str, str]) -> Iterator[Splice]:
    """The package of this name has variables where an expression is parsed first."""
    function, given = _field(call, "function"), _arguments(call)
    said = re.fullmatch(r"(\w+)\.(select1?)", source.of(function))
    known = imports.origins(source).get(said[1]) if said else None
    if said is None or known != ("xpath", "") or len(given) != 2:
        raise UncertainError
    variables = ", ".join(f"{name}: {value}" for name, value in pairs.items())
    node = source.of(given[1])
    yield Splice(function.start_byte, function.end_byte, f"{said[1]}.parse")
    options = f"node: {node}, variables: {{ {variables} }}"
    yield Splice(given[0].end_byte, call.end_byte, f").{said[2]}({{ {options} }})")


def _arguments(call: _Node) -> Sequence[_Node]:
    given = [one for one in _field(call, "arguments").named_children if one.type != "comment"]
    if not given:
        raise UncertainError
    return given


def _field(node: _Node, name: str) -> _Node:
    found = node.child_by_field_name(name)
    if found is None:
        raise UncertainError
    return found
