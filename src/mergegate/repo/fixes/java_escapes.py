"""Values of a request in texts that Java programs join, and in the paths that they open."""

import re
from collections.abc import Iterator

from mergegate.repo.fixes.calls import imported
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.java_values import is_plain, type_of
from mergegate.repo.fixes.joined import Constant, Joined, Value, joined
from mergegate.repo.fixes.page import shows_text
from mergegate.repo.fixes.shell_words import words
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import (
    Node,
    arguments,
    before,
    called,
    certain,
    function,
    inside,
    meant,
    need,
    origin,
    over,
    statement,
    uses,
)

_BREAKS = r'.replaceAll("[\\r\\n]", "")'


@certain
def header_value(source: Source, node: Node) -> Iterator[Splice]:
    """A header's value without line breaks; one that is null stays it."""
    if node.type == "binary_expression":
        joined(source, node)
        yield over(node, f"({source.of(node)}){_BREAKS}")
    elif node.type == "identifier" and type_of(source, node) == "String":
        name = source.of(node)
        yield over(node, f"{name} == null ? null : {name}{_BREAKS}")
    else:
        raise UncertainError


@certain
def log_value(source: Source, node: Node) -> Iterator[Splice]:
    """A value in a log without the line breaks that would begin an entry."""
    if node.type not in {"identifier", "method_invocation", "field_access"}:
        raise UncertainError
    yield over(node, rf'String.valueOf({source.of(node)}).replaceAll("[\\r\\n]", "_")')


@certain
def pattern_values(source: Source, node: Node) -> Iterator[Splice]:
    """The caller's part of an expression through Pattern.quote."""
    if node.type == "binary_expression":
        values = [one.node for one in joined(source, node).values]
    else:
        values = [node]
    values = [one for one in values if not _is_quoted(source, one)]
    if not values or not all(is_plain(source, one) for one in values):
        raise UncertainError
    for one in values:
        yield over(one, f"Pattern.quote({source.of(one)})")
    yield from imported(source, "import java.util.regex.Pattern;")


def _is_quoted(source: Source, node: Node) -> bool:
    return node.type == "method_invocation" and called(source, node) == "Pattern.quote"


@certain
def filter_arguments(source: Source, node: Node) -> Iterator[Splice]:
    """The values of an LDAP filter as arguments of the search, which escapes them."""
    call = meant(source, node, r".*\.search")
    given = arguments(source, call)
    if len(given) != 3 or not inside(node, given[1]):
        raise UncertainError
    kind = type_of(source, need(call.child_by_field_name("object")))
    if not re.fullmatch(r"(?:Initial)?(?:Dir|Ldap)Context", kind):
        raise UncertainError
    text = joined(source, origin(source, given[1], alone=True))
    values: list[str] = []
    for number, part in enumerate(text.parts):
        if not isinstance(part, Value):
            if "{" in part.text:
                raise UncertainError
            continue
        before, behind = text.before(number), text.behind(number)
        if not re.search(r"=\*?$", before) or not re.match(r"\*?\)", behind):
            raise UncertainError
        yield _put(text, number, f"{{{len(values)}}}")
        values.append(source.of(part.node))
    yield from text.flat()
    listed = f", new Object[] {{{', '.join(values)}}}"
    yield Splice(given[1].end_byte, given[1].end_byte, listed)


def _put(text: Joined, number: int, placeholder: str) -> Splice:
    """``placeholder`` in place of a value between two constants."""
    part = text.parts[number]
    if text.format is not None:
        return Splice(part.start, part.end, placeholder)
    if not 0 < number < len(text.parts) - 1:
        raise UncertainError
    return Splice(text.parts[number - 1].end, text.parts[number + 1].start, placeholder)


@certain
def xpath_variables(source: Source, node: Node) -> Iterator[Splice]:
    """The values of an expression as its variables."""
    call = meant(source, node, r".*\.(?:evaluate|compile|evaluateExpression)")
    said = arguments(source, call)[0]
    on = need(call.child_by_field_name("object"))
    if not inside(node, said) or on.type != "identifier" or type_of(source, on) != "XPath":
        raise UncertainError
    within = function(source, node)
    if not _is_own(source, on, within) or "setXPathVariableResolver" in source.of(within):
        raise UncertainError
    text = joined(source, origin(source, said, alone=True))
    if len(text.values) != 1 or text.format is not None:
        raise UncertainError
    (value,) = text.values
    number = text.parts.index(value)
    previous, following = text.parts[number - 1], text.parts[number + 1 : number + 2]
    quote = "'" if previous.end and text.before(number).endswith("'") else '\\"'
    behind = following[0] if following else None
    name = source.of(value.node)
    if (
        not isinstance(behind, Constant)
        or not re.search(rf"=\s*{re.escape(quote)}$", text.before(number))
        or not behind.text.startswith(quote)
        or value.node.type != "identifier"
        or not _is_final(source, value.node, within)
        or "$" in text.before(len(text.parts))
    ):
        raise UncertainError
    size = len(quote)
    yield Splice(previous.end - size, behind.start + size, f"${name}")
    resolver = f'variable -> variable.getLocalPart().equals("{name}") ? {name} : null'
    if re.search(r"\bvariable\b", source.of(within)):
        raise UncertainError
    told = f"{source.of(on)}.setXPathVariableResolver({resolver});"
    yield before(source, statement(source, call), told)


def _is_own(source: Source, name: Node, within: Node) -> bool:
    """Whether a variable belongs to the function alone."""
    return any(
        need(one.parent).type == "variable_declarator"
        and need(one.parent).child_by_field_name("name") == one
        for one in uses(source, within, source.of(name))
    )


def _is_final(source: Source, name: Node, within: Node) -> bool:
    """Whether a variable is given a value once, so that a lambda may use it."""
    places = uses(source, within, source.of(name))
    return not any(
        need(one.parent).type in {"assignment_expression", "update_expression"}
        and need(one.parent).named_children[0] == one
        for one in places
    )


_ENCODERS = (
    (r"import org\.owasp\.encoder\.", "Encode.forHtml", "import org.owasp.encoder.Encode;"),
    (
        r"import org\.springframework\.web\.",
        "HtmlUtils.htmlEscape",
        "import org.springframework.web.util.HtmlUtils;",
    ),
    (
        r"import org\.apache\.commons\.text\.",
        "StringEscapeUtils.escapeHtml4",
        "import org.apache.commons.text.StringEscapeUtils;",
    ),
)
"""What a file imports, the encoder that its project therefore has, and how that is imported."""


@certain
def page_values(source: Source, node: Node) -> Iterator[Splice]:
    """The caller's values in a page through an encoder that the project has."""
    encoder = next((one for one in _ENCODERS if re.search(one[0], source.text)), None)
    if encoder is None:
        raise UncertainError
    _, function_name, line = encoder
    text = _text_around(source, node)
    if text is None:
        if not is_plain(source, node) or type_of(source, node) != "String":
            raise UncertainError
        yield over(node, f"{function_name}({source.of(node)})")
    else:
        wanted = [one for one in text.values if inside(one.node, node) or inside(node, one.node)]
        for one in wanted or text.values:
            before_it = text.before(text.parts.index(one))
            if not shows_text(before_it) or not is_plain(source, one.node):
                raise UncertainError
            yield over(one.node, f"{function_name}({_as_text(source, one.node)})")
    yield from imported(source, line)


def _as_text(source: Source, node: Node) -> str:
    text = source.of(node)
    return text if type_of(source, node) == "String" else f"String.valueOf({text})"


def _text_around(source: Source, node: Node) -> Joined | None:
    """The joined text or format that ``node`` is, or is a value of."""
    top = node
    while top.parent is not None and top.parent.type in {
        "binary_expression",
        "parenthesized_expression",
    }:
        top = top.parent
    if top.type == "binary_expression":
        return joined(source, top)
    around = above(node, {"method_invocation"})
    if around is None or not re.fullmatch(r"(?s).*\.(?:printf|format)", called(source, around)):
        return None
    form, *given = arguments(source, around)
    if node not in given or form.type not in source.language.texts:
        return None
    shown = list(re.finditer(r"%(?!%)[^a-zA-Z]*[a-zA-Z]", source.of(form)))
    if len(shown) != len(given) or source.of(form).startswith('"""'):
        raise UncertainError
    content = source.of(form)[1:-1][: shown[given.index(node)].start() - 1]
    value = Value(form.start_byte, form.end_byte, node)
    return Joined(source, around, (Constant(0, 0, content), value), '"', form)


@certain
def command_words(source: Source, node: Node) -> Iterator[Splice]:
    """The words of a command as a list, so that nothing splits or reads them."""
    call = meant(source, node, r"(?:.*\.exec|ProcessBuilder)")
    given = arguments(source, call)
    if called(source, call) == "ProcessBuilder":
        line = _of_shell(source, given)
        listed = words(joined(source, line), lambda one: _as_text(source, one.node))
        yield Splice(given[0].start_byte, line.end_byte, ", ".join(listed))
        return
    if len(given) != 1 or not re.fullmatch(r"Runtime\.getRuntime\(\)\.exec", called(source, call)):
        raise UncertainError
    line = given[0]
    if line.type == "array_creation_expression":
        body = need(line.child_by_field_name("value"))
        line = _of_shell(source, list(body.named_children))
    elif re.search(r"'|\\\"", source.of(line)):
        raise UncertainError  # without a shell the quotes reach the program
    listed = words(joined(source, line), lambda one: _as_text(source, one.node))
    yield over(call, f"new ProcessBuilder({', '.join(listed)}).start()")


def _of_shell(source: Source, given: list[Node]) -> Node:
    """The line that a shell is given."""
    if len(given) != 3:
        raise UncertainError
    shell, option, line = given
    if not re.fullmatch(r'"(?:/usr)?(?:/bin/)?(?:ba|da|z|k|a)?sh"', source.of(shell)):
        raise UncertainError
    if source.of(option) != '"-c"':
        raise UncertainError
    return line
