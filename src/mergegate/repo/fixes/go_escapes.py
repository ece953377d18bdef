"""Values of a request in texts that Go programs join: escaped for what the text is read as."""

import re
from collections.abc import Iterator

from mergegate.repo.fixes.calls import imported
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.go_values import as_text, is_plain, is_string
from mergegate.repo.fixes.joined import Constant, Joined, Value, joined
from mergegate.repo.fixes.page import shows_text
from mergegate.repo.fixes.shell_words import words
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import (
    Node,
    arguments,
    called,
    certain,
    meant,
    need,
    origin,
    over,
)


def _wrapped(source: Source, value: Value, function: str) -> Splice:
    text = as_text(source, value)
    return over(value.node, f"{function}({text})")


@certain
def filter_values(source: Source, node: Node) -> Iterator[Splice]:
    """Values of an LDAP filter, each between ``=`` and ``)``, through ldap.EscapeFilter."""
    text = joined(source, origin(source, node, alone=False))
    yield from _each(source, text, "ldap.EscapeFilter", r"(?:=|=\*)$", r"\*?\)")


def _each(
    source: Source, text: Joined, function: str, before: str, behind: str
) -> Iterator[Splice]:
    wrapped = False
    for number, part in enumerate(text.parts):
        if not isinstance(part, Value) or called_already(source, part.node, function):
            continue
        if part.verb == "%d":
            continue
        if not re.search(before, text.before(number)) or not re.match(behind, text.behind(number)):
            raise UncertainError
        wrapped = True
        yield _wrapped(source, part, function)
    if not wrapped:
        raise UncertainError


def called_already(source: Source, node: Node, function: str) -> bool:
    """Whether the value has been through the function."""
    return node.type == "call_expression" and called(source, node) == function


@certain
def pattern_values(source: Source, node: Node) -> Iterator[Splice]:
    """Values of a regular expression through regexp.QuoteMeta."""
    made = origin(source, node, alone=True)
    if made.type == "binary_expression" or made != node:
        try:
            text = joined(source, made)
        except UncertainError:
            text = None
        if text is not None:
            yield from _each(source, text, "regexp.QuoteMeta", r"(?s).*(?<!\\)$", r"(?s).*")
            return
    if made == node and not (is_string(source, node) and is_plain(source, node)):
        raise UncertainError
    yield over(node, f"regexp.QuoteMeta({source.of(node)})")


@certain
def page_values(source: Source, node: Node) -> Iterator[Splice]:
    """The values of a page through html.EscapeString."""
    node = _written(source, node)
    text, value = _text_around(source, node)
    if text is None and node.type == "binary_expression":
        text = joined(source, node)
    if text is None:
        if not is_error(source, node) and not (is_string(source, node) and is_plain(source, node)):
            raise UncertainError
        yield over(node, f"html.EscapeString({source.of(node)})")
    else:
        for one in text.values if value is None else (value,):
            before = text.before(text.parts.index(one))
            if not shows_text(before) or not _is_plain_value(source, one):
                raise UncertainError
            yield _wrapped(source, one, "html.EscapeString")
    yield from imported(source, '"html"')


def _written(source: Source, node: Node) -> Node:
    """What a call writes, where all of the call was found; without its conversion to bytes."""
    if node.type == "expression_statement":
        node = node.named_children[0]
    if node.type == "call_expression" and re.fullmatch(
        r"\w+\.Write|io\.WriteString", called(source, node)
    ):
        node = arguments(source, node)[-1]
    if node.type == "type_conversion_expression":
        node = need(node.child_by_field_name("operand"))
    return node


def is_error(source: Source, node: Node) -> bool:
    """Whether ``node`` is the text of an error."""
    return node.type == "call_expression" and called(source, node).endswith(".Error")


def _is_plain_value(source: Source, value: Value) -> bool:
    return is_error(source, value.node) or is_plain(source, value.node)


def _text_around(source: Source, node: Node) -> tuple[Joined | None, Value | None]:
    """The joined text or format that ``node`` is a value of."""
    around: Node | None = node.parent
    while around is not None and around.type in {"binary_expression", "argument_list"}:
        if around.type == "binary_expression" and (
            around.parent is None or around.parent.type != "binary_expression"
        ):
            text = joined(source, around)
            return text, next((one for one in text.values if one.node == node), None)
        if around.type == "argument_list":
            call = need(around.parent)
            if re.fullmatch(r"fmt\.Fprintf", called(source, call)):
                return _format(source, call, node)
            return None, None
        around = around.parent
    return None, None


def _format(source: Source, call: Node, node: Node) -> tuple[Joined | None, Value | None]:
    _, form, *given = arguments(source, call)
    if form == node:
        return None, None
    if form.type not in source.language.texts or node not in given:
        raise UncertainError
    text = source.of(form)[1:-1]
    verbs = list(_VERBS.finditer(text))
    shown = [one for one in verbs if one[0] != "%%"]
    if len(shown) != len(given):
        raise UncertainError
    verb = shown[given.index(node)]
    value = Value(form.start_byte, form.end_byte, node, verb[0])
    before = Constant(form.start_byte, form.start_byte, text[: verb.start()])
    return Joined(source, call, (before, value), '"', form), value


_VERBS = re.compile(r"%%|%[-+# 0]*\d*(?:\.\d+)?[a-zA-Z]")


@certain
def log_values(source: Source, node: Node) -> Iterator[Splice]:
    """A value in a log quoted, so that a line break in it is shown and not written."""
    call = meant(source, node, r"log\.Print(?:f|ln)?")
    given = arguments(source, call)
    value = need(
        next((one for one in given if one.start_byte <= node.start_byte < one.end_byte), None)
    )
    if called(source, call) != "log.Printf":
        if not is_string(source, node) or value != node:
            raise UncertainError
        yield over(node, f"strconv.Quote({source.of(node)})")
        yield from imported(source, '"strconv"')
        return
    form = given[0]
    if form.type not in source.language.texts or value == form:
        raise UncertainError
    text = source.of(form)
    shown = [one for one in _VERBS.finditer(text) if one[0] != "%%"]
    if len(shown) != len(given) - 1 or "%*" in text:
        raise UncertainError
    verb = shown[given.index(value) - 1]
    plain = verb[0] == "%s" or (verb[0] == "%v" and is_string(source, value))
    around = text[verb.start() - 1 : verb.start()], text[verb.end() : verb.end() + 1]
    if not plain or (any(one in {"'", '"', "`"} for one in around[:1]) and form.type[0] != "i"):
        raise UncertainError
    start = form.start_byte + len(text[: verb.start()].encode())
    quoted = [r"\"", "'"]
    for quote in quoted:
        if text[: verb.start()].endswith(quote) and text[verb.end() :].startswith(quote):
            yield Splice(start - len(quote), start + 2 + len(quote), "%q")
            return
    yield Splice(start, start + 2, "%q")


@certain
def template_values(source: Source, node: Node) -> Iterator[Splice]:
    """A value that was declared to be safe: the template escapes it, or it is escaped as text."""
    call = meant(source, node, r"template\.(?:HTML|JS|URL|CSS|HTMLAttr|JSStr)")
    (value,) = arguments(source, call)
    if is_plain(source, value) and is_string(source, value) and _is_any(source, call):
        yield over(call, source.of(value))
        return
    if called(source, call) != "template.HTML":
        raise UncertainError
    if is_plain(source, value) and is_string(source, value):
        yield over(value, f"template.HTMLEscapeString({source.of(value)})")
        return
    text = joined(source, value)
    for number, part in enumerate(text.parts):
        if isinstance(part, Value):
            if not shows_text(text.before(number)) or not is_plain(source, part.node):
                raise UncertainError
            yield _wrapped(source, part, "template.HTMLEscapeString")


def _is_any(source: Source, call: Node) -> bool:
    """Whether what is there may be of any type: a value of a map that holds any."""
    literal = above(call, {"composite_literal"})
    element = call.parent
    kind = literal.child_by_field_name("type") if literal else None
    if element is None or element.type != "literal_element" or kind is None:
        return False
    said = re.sub(r"\s+", "", source.of(kind))
    return (
        re.fullmatch(r"map\[string\](?:any|interface\{\})|gin\.H|echo\.Map|fiber\.Map", said)
        is not None
    )


@certain
def file_path(source: Source, node: Node) -> Iterator[Splice]:
    """A name of somebody else's below its folder: cleaned from the root, it climbs no further."""
    made = origin(source, node, alone=False)
    if made.type == "call_expression" and called(source, made) in {"filepath.Join", "path.Join"}:
        package = called(source, made).split(".")[0]
        folder, *names = arguments(source, made)
        names = [one for one in names if not _is_fixed(source, one, package)]
        if (
            source.of(folder) == '""'
            or not names
            or any(one.type == "variadic_argument" for one in names)
        ):
            raise UncertainError
        for one in names:
            yield over(one, f'{package}.Clean("/"+{_operand(source, one)})')
        return
    text = joined(source, made)
    yield over(made, _below(source, text))
    yield from imported(source, '"path/filepath"')


def _is_fixed(source: Source, node: Node, package: str) -> bool:
    if node.type in source.language.texts or re.fullmatch(r"[A-Z][A-Z0-9_]*", source.of(node)):
        return True
    return node.type == "call_expression" and called(source, node) in {
        f"{package}.Clean",
        f"{package}.Base",
    }


def _operand(source: Source, node: Node) -> str:
    text = source.of(node)
    return re.sub(r"\s*\+\s*", "+", text) if node.type == "binary_expression" else text


def _below(source: Source, text: Joined) -> str:
    """``folder + "/" + name + ".txt"`` with a name that stays below the folder."""
    *folder, name = text.parts[: text.parts.index(text.values[-1]) + 1]
    rest = text.parts[len(folder) + 1 :]
    if not isinstance(name, Value) or not folder or not isinstance(folder[-1], Constant):
        raise UncertainError
    quote = text.quote
    *bases, last = folder
    if not isinstance(last, Constant) or not last.text.endswith("/") or len(bases) > 1:
        raise UncertainError
    if bases and (last.text != "/" or not isinstance(bases[0], Value)):
        raise UncertainError
    base = (
        as_text(source, bases[0])
        if bases and isinstance(bases[0], Value)
        else f"{quote}{last.text.rstrip('/') or '/'}{quote}"
    )
    said = f'"/"+{as_text(source, name)}'
    for one in rest:
        if not isinstance(one, Constant) or "/" in one.text:
            raise UncertainError
        said += f"+{quote}{one.text}{quote}"
    return f"filepath.Join({base}, filepath.Clean({said}))"


@certain
def command_words(source: Source, node: Node) -> Iterator[Splice]:
    """The words of a command as a list, so that no shell reads them."""
    call = meant(source, node, r"exec\.Command(?:Context)?")
    given = arguments(source, call)
    if called(source, call).endswith("Context"):
        given = given[1:]
    if len(given) != 3:
        raise UncertainError
    shell, option, line = given
    if not re.fullmatch(r'"(?:/usr)?(?:/bin/)?(?:ba|da|z|k|a)?sh"', source.of(shell)):
        raise UncertainError
    if source.of(option) != '"-c"':
        raise UncertainError
    made = origin(source, line, alone=True)
    if made != line:
        raise UncertainError  # its variable would be left without a use
    listed = words(joined(source, made), lambda one: as_text(source, one))
    yield Splice(shell.start_byte, line.end_byte, ", ".join(listed))
