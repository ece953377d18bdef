"""Statements that check, tell or prepare what another one then does."""

import re
from collections.abc import Callable, Iterator

import tree_sitter

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.names import function_around, statement_of
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.values import brought
from mergegate.repo.fixes.within import certain

_Node = tree_sitter.Node
_Make = Callable[[Source, _Node], Iterator[Splice]]


_COMPOUND = frozenset(
    {"if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement"}
    | {"labeled_statement", "switch_statement", "try_statement", "with_statement"}
)


def before(source: Source, node: _Node, line: str) -> Splice:
    """``line`` in front of the statement around ``node``, which begins a line."""
    statement = statement_of(source, node)
    condition = statement.child_by_field_name("condition")
    is_inside = condition is not None and condition.end_byte >= node.end_byte
    if statement.type in _COMPOUND and not is_inside:
        raise UncertainError  # what is a part of it has no block of its own
    start = source.bytes.rfind(b"\n", 0, statement.start_byte) + 1
    indent = source.bytes[start : statement.start_byte]
    if indent.strip():
        raise UncertainError
    return Splice(statement.start_byte, statement.start_byte, f"{line}\n{indent.decode()}")


@certain
def raised(source: Source, node: _Node) -> Iterator[Splice]:
    """``assert allowed`` as a condition that ``python -O`` keeps."""
    statement = above(node, {"assert_statement"})
    if statement is None:
        raise UncertainError
    condition, *told = statement.named_children
    if condition.type not in {"identifier", "attribute", "call", "subscript"}:
        raise UncertainError
    start = source.bytes.rfind(b"\n", 0, statement.start_byte) + 1
    indent = source.bytes[start : statement.start_byte].decode()
    if indent.strip():
        raise UncertainError
    is_django = "django" in imports.modules(source)
    error = "PermissionDenied" if is_django else "PermissionError"
    if is_django:
        yield from brought(source, ["from django.core.exceptions import PermissionDenied"])
    said = f"({source.of(told[0])})" if told else ""
    step = "\t" if indent.startswith("\t") else "    "
    line = f"if not {source.of(condition)}:\n{indent}{step}raise {error}{said}"
    yield Splice(statement.start_byte, statement.end_byte, line)


_TRACE = re.compile(r"traceback\.format_exc\(\)|format_exc\(\)")


@certain
def logged(source: Source, node: _Node) -> Iterator[Splice]:
    """The stack trace goes to the log, and a general message to the caller."""
    traces = [
        one for one in source.walk(node) if one.type == "call" and _TRACE.fullmatch(source.of(one))
    ]
    if not traces or above(node, {"except_clause"}) is None:
        raise UncertainError
    for one in traces:
        holder = one.parent
        if holder is not None and holder.type == "interpolation":
            yield Splice(holder.start_byte, holder.end_byte, "internal error")
        else:
            yield Splice(one.start_byte, one.end_byte, '"internal error"')
    own = re.search(r"(?m)^(\w*log(?:ger)?) = logging\.getLogger\(|^(app) = Flask\(", source.text)
    if own is None:
        yield before(source, node, 'logging.exception("request failed")')
        yield from brought(source, ["import logging"])
    else:
        name = own[1] or f"{own[2]}.logger"
        yield before(source, node, f'{name}.exception("request failed")')


@certain
def logged_in_javascript(source: Source, node: _Node) -> Iterator[Splice]:
    """The stack trace goes to the console, and a general message to the caller."""
    traces = [
        one
        for one in source.walk(node)
        if one.type == "member_expression" and re.fullmatch(r"\w+\.stack", source.of(one))
    ]
    if len(traces) != 1:
        raise UncertainError
    trace = traces[0]
    holder = trace.parent
    if holder is not None and holder.type == "pair":
        after, first = holder.next_sibling, holder.prev_sibling
        if first is not None and first.type == ",":
            yield Splice(first.start_byte, holder.end_byte, "")
        elif after is not None and after.type == "," and after.next_named_sibling is not None:
            yield Splice(holder.start_byte, after.next_named_sibling.start_byte, "")
        else:
            yield Splice(trace.start_byte, trace.end_byte, "'Internal Server Error'")
    elif holder is not None and holder.type == "arguments":
        yield Splice(trace.start_byte, trace.end_byte, "'Internal Server Error'")
    else:
        raise UncertainError
    error = source.of(trace).removesuffix(".stack")
    logs = rf"(?:console|log|logger)\.(?:error|log|warn)\([^)]{{0,200}}\b{error}\b"
    if re.search(logs, source.of(function_around(source, node))):
        return
    statement = above(node, {"expression_statement", "return_statement"})
    branch = statement.parent if statement is not None else None
    if (
        statement is not None
        and branch is not None
        and branch.type in {"if_statement", "else_clause"}
    ):
        yield Splice(statement.start_byte, statement.start_byte, f"{{ console.error({error}); ")
        yield Splice(statement.end_byte, statement.end_byte, " }")
    else:
        yield before(source, node, f"console.error({error});")


@certain
def known_hosts(source: Source, node: _Node) -> Iterator[Splice]:
    """Only hosts whose key is known are talked to."""
    call = above(node, {"call"})
    said = source.of(call) if call is not None else ""
    client = re.match(r"([\w.]+)\.set_missing_host_key_policy\(", said)
    if call is None or client is None:
        raise UncertainError
    policies = [
        one
        for one in source.walk(call)
        if one.type == "identifier" and source.of(one) in {"AutoAddPolicy", "WarningPolicy"}
    ]
    if len(policies) != 1:
        raise UncertainError
    policy = policies[0]
    yield Splice(policy.start_byte, policy.end_byte, "RejectPolicy")
    if policy.parent is None or policy.parent.type != "attribute":
        yield from brought(source, ["from paramiko import RejectPolicy"])
    around = source.of(function_around(source, node))
    if not re.search(r"\.load_(?:system_)?host_keys\(", around):
        yield before(source, node, f"{client[1]}.load_system_host_keys()")


@certain
def unnamed(source: Source, node: _Node) -> Iterator[Splice]:
    """``app.disable('x-powered-by')`` behind ``const app = express()``."""
    declaration = above(node, {"lexical_declaration", "variable_declaration"})
    said = re.fullmatch(r"(?:const|let|var) (\w+)(?:: [\w.]+)? = express\(\);?", source.of(node))
    if declaration is None or said is None:
        declared = source.of(declaration) if declaration is not None else ""
        said = re.fullmatch(r"(?:const|let|var) (\w+)(?:: [\w.]+)? = express\(\);?", declared)
    if declaration is None or said is None:
        raise UncertainError
    if declaration.parent is not None and declaration.parent.type == "export_statement":
        declaration = declaration.parent
    start = source.bytes.rfind(b"\n", 0, declaration.start_byte) + 1
    indent = source.bytes[start : declaration.start_byte].decode()
    newline = source.bytes.find(b"\n", declaration.end_byte)
    end = len(source.bytes) if newline < 0 else newline
    if indent.strip() or source.bytes[declaration.end_byte : end].strip(b"; \r"):
        raise UncertainError
    ends = ";" if source.bytes[declaration.start_byte : end].rstrip().endswith(b";") else ""
    quote = '"' if source.text.count('"') > source.text.count("'") else "'"
    line = f"\n{indent}{said[1]}.disable({quote}x-powered-by{quote}){ends}"
    yield Splice(end, end, line)


@certain
def own_keys(source: Source, node: _Node) -> Iterator[Splice]:
    """A merge leaves out the keys that lead to every object's prototype."""
    function = above(node.parent, {"function_declaration", "function_expression"})
    if function is None:
        raise UncertainError
    loops = [one for one in source.walk(function) if one.type == "for_in_statement"]
    if len(loops) != 1:
        raise UncertainError
    loop = loops[0]
    left, body = loop.child_by_field_name("left"), loop.child_by_field_name("body")
    operator = loop.child_by_field_name("operator")
    if left is None or body is None or body.type != "statement_block" or not body.named_children:
        raise UncertainError
    if operator is None or source.of(operator) != "in" or left.type != "identifier":
        raise UncertainError
    first = body.named_children[0]
    start = source.bytes.rfind(b"\n", 0, first.start_byte) + 1
    indent = source.bytes[start : first.start_byte].decode()
    if indent.strip():
        raise UncertainError
    key = source.of(left)
    quote = '"' if source.text.count('"') > source.text.count("'") else "'"
    unsafe = " || ".join(
        f"{key} === {quote}{one}{quote}" for one in ("__proto__", "constructor", "prototype")
    )
    yield Splice(first.start_byte, first.start_byte, f"if ({unsafe}) continue;\n{indent}")


@certain
def for_the_web(source: Source, node: _Node) -> Iterator[Splice]:
    """Only addresses of the web and of mail are handed to other programs."""
    call = above(node.parent, {"call_expression"})
    statement = call.parent if call is not None else None
    if call is None or statement is None or statement.type != "expression_statement":
        raise UncertainError
    if node.type not in {"identifier", "member_expression"}:
        raise UncertainError
    if not re.search(r"\.openExternal\(", source.of(call)):
        raise UncertainError
    test = f"if (/^(?:https?|mailto):/i.test({source.of(node)})) "
    yield Splice(statement.start_byte, statement.start_byte, test)
