"""HCL as nodes: blocks as maps, and expressions as nodes whose tag says what is to be done.

An expression without a tag is what it says: text, a list, a map. Others are the constants below;
``children`` are what they are made of. Literal secrets are masked the moment a node is made.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import tree_sitter
import tree_sitter_hcl

from mergegate.repo.engines.documents.nodes import (
    STARS,
    is_literal_secret,
    is_secret_name,
    masked_pairs,
    masked_text,
)
from mergegate.repo.facts.documents import MASKED, Form, Node
from mergegate.repo.facts.resources import NULL, UNKNOWN
from mergegate.secrets.places import shown_name

BLOCK = "!block"
"""A block within another, to tell it from a map in a list."""
TEMPLATE = "!template"
"""Children: texts and expressions."""
OBJECT = "!object"
"""Children: keys and values by turns, where a key is an expression."""
NAME = "!name"
ATTRIBUTE = "!attribute"
"""Text: its name. Child: what has it."""
INDEX = "!index"
"""Children: what is indexed, and by what."""
SPLAT = "!splat"
"""Children: the list, and the expression over ``ITEM`` that is made of each item."""
ITEM = "*"
CALL = "!call"
"""Text: the function. Children: the arguments; the last may be a SPREAD."""
SPREAD = "!spread"
OPERATION = "!operation"
"""Text: the operator. Children: one operand or two."""
CONDITION = "!condition"
"""Children: the condition, and both outcomes."""
FOR_LIST, FOR_MAP = "!for-list", "!for-map"
"""Text: the names. Children: collection, key (of a map alone), value, and what filters."""

DEPTH_BUDGET = 60
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|([$%])\4\{", re.DOTALL)

_Cst = tree_sitter.Node


class Unreadable(ValueError):
    """The text is no HCL that can be read in full; says why."""


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_hcl.language()))


def body(content: bytes) -> Node:
    """A file's body: attributes by name, and of each kind of block the list of them.

    A block's labels stand in its text, blanks between them. Raises Unreadable.
    """
    root = _parser().parse(content).root_node
    if root.has_error:
        raise Unreadable(f"it is not valid HCL: line {_first_error(root)}")
    bodies = [one for one in root.named_children if one.type == "body"]
    return _Reader().body(bodies[0], 1, 0) if bodies else Node(1, Form.MAP)


def template(text: str, line: int) -> Node:
    """A string of Terraform's JSON as the expression that it stands for."""
    if "${" not in text and "%{" not in text:
        return Node(line, text=masked_text(text))
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    # Quotes inside an interpolation are the expression's own.
    quoted = re.sub(r"\$\{[^{}]*\}", lambda one: one[0].replace('\\"', '"'), quoted)
    root = _parser().parse(f'x = "{quoted}"\n'.encode()).root_node
    if root.has_error:
        return Node(line, tag=UNKNOWN)
    return _Reader(line - 1).body(root.named_children[0], line, 0)["x"]


def _first_error(root: _Cst) -> int:
    node = root
    while broken := [one for one in node.children if one.has_error or one.is_missing]:
        node = broken[0]
    return node.start_point.row + 1


_OF_KUBERNETES = frozenset({"data", "binary_data", "string_data"})
_PAYLOADS = {
    "aws_secretsmanager_secret_version": frozenset({"secret_string", "secret_binary"}),
    "aws_ssm_parameter": frozenset({"value", "insecure_value"}),
    "azurerm_key_vault_secret": frozenset({"value"}),
    "github_actions_secret": frozenset({"plaintext_value"}),
    "google_secret_manager_secret_version": frozenset({"secret_data"}),
    "kubernetes_secret": _OF_KUBERNETES,
    "kubernetes_secret_v1": _OF_KUBERNETES,
    "vault_generic_secret": frozenset({"data_json"}),
    "vault_kv_secret_v2": frozenset({"data_json"}),
}
"""What holds a payload, by the kind of the resource."""


class _Reader:
    """Turns the syntax tree into nodes."""

    def __init__(self, lines_above: int = 0) -> None:
        self._above = lines_above + 1

    def _line(self, cst: _Cst) -> int:
        return cst.start_point.row + self._above

    def body(
        self, cst: _Cst, line: int, depth: int, labels: Sequence[str] = (), tag: str = ""
    ) -> Node:
        """Attributes, and lists of blocks."""
        _guard(depth)
        pairs: list[tuple[str, Node]] = []
        blocks: dict[str, list[Node]] = {}
        for child in cst.named_children:
            if child.type == "attribute":
                name, value = child.named_children[0], child.named_children[-1]
                read = _at(self.expression(value, depth + 1), self._line(child))
                pairs.append((_text(name), read))
            elif child.type == "block":
                blocks.setdefault(_text(child.named_children[0]), []).append(
                    self._block(child, depth + 1)
                )
        pairs += [
            (kind, Node(each[0].line, Form.LIST, children=tuple(each)))
            for kind, each in blocks.items()
        ]
        if labels and is_secret_name(labels[-1]):
            pairs = [(name, _hidden(one) if name == "default" else one) for name, one in pairs]
        if payloads := _PAYLOADS.get(labels[0]) if labels else None:
            hide = _starred if payloads is _OF_KUBERNETES else _masked
            pairs = [(name, hide(one) if name in payloads else one) for name, one in pairs]
        return _map(line, pairs, " ".join(labels), tag)

    def _block(self, cst: _Cst, depth: int) -> Node:
        inside = next((one for one in cst.named_children if one.type == "body"), None)
        named = [one for one in cst.named_children[1:] if one.type in {"string_lit", "identifier"}]
        labels = [shown_name(_text(one).strip('"'), is_path=False) for one in named]
        line = self._line(cst)
        if inside is None:
            return Node(line, Form.MAP, " ".join(labels), BLOCK)
        return self.body(inside, line, depth, labels, BLOCK)

    def expression(self, cst: _Cst, depth: int) -> Node:
        """An expression of any form."""
        _guard(depth)
        parts = [one for one in cst.named_children if one.type != "comment"]
        if cst.type in _WRAPPERS and len(parts) == 1:
            return self.expression(parts[0], depth)
        if cst.type == "expression" or (cst.type in _WRAPPERS and parts):
            return self._traversal(parts, depth)
        if cst.type in _WORDS:
            return Node(self._line(cst), text=_text(cst), tag=_WORDS[cst.type])
        read = _READERS.get(cst.type)
        return read(self, cst, parts, depth + 1) if read else Node(self._line(cst), tag=UNKNOWN)

    def _traversal(self, parts: Sequence[_Cst], depth: int) -> Node:
        value = self.expression(parts[0], depth + 1)
        for number, one in enumerate(parts[1:], 1):
            if one.type == "splat":
                inner = one.named_children[0]
                steps = [*inner.named_children, *parts[number + 1 :]]
                item = self._steps(Node(value.line, text=ITEM, tag=NAME), steps, depth)
                return Node(value.line, Form.LIST, tag=SPLAT, children=(value, item))
            value = self._steps(value, [one], depth)
        return value

    def _steps(self, value: Node, steps: Sequence[_Cst], depth: int) -> Node:
        for one in steps:
            if one.type == "get_attr":
                name = _text(one.named_children[0])
                value = Node(value.line, Form.LIST, name, ATTRIBUTE, children=(value,))
            elif one.type == "index":
                inner = one.named_children[0]
                key = inner.named_children[0] if inner.named_children else inner
                by = (
                    self.expression(key, depth + 1)
                    if inner.type == "new_index"
                    else Node(value.line, text=_text(inner).lstrip("."))
                )
                value = Node(value.line, Form.LIST, tag=INDEX, children=(value, by))
            else:
                return Node(value.line, tag=UNKNOWN)
            depth += 1
            _guard(depth)
        return value

    def _template(self, cst: _Cst, _parts: Sequence[_Cst], depth: int) -> Node:
        read: list[Node] = []
        begin = cst.end_byte
        for one in cst.children:
            if one.type == "template_literal":
                continue  # the grammar leaves the blanks around it out
            if text := self._between(cst, begin, one.start_byte):
                read.append(Node(self._line(one), text=masked_text(text)))
            begin = one.end_byte
            if one.type == "template_interpolation":
                inner = [part for part in one.named_children if part.type == "expression"]
                read += [self.expression(part, depth) for part in inner]
            elif one.type == "template_directive":
                read.append(Node(self._line(one), tag=UNKNOWN))
        if all(not one.tag for one in read):
            text = masked_text("".join(one.text for one in read))
            return Node(self._line(cst), text=text)
        return Node(self._line(cst), Form.LIST, tag=TEMPLATE, children=tuple(read))

    @staticmethod
    def _between(cst: _Cst, begin: int, end: int) -> str:
        """The text of a template between two of its other parts."""
        whole = cst.text or b""
        text = whole[max(0, begin - cst.start_byte) : max(0, end - cst.start_byte)]
        read = text.decode("utf-8", "replace")
        return read.lstrip("\n") if cst.type == "heredoc_template" else _unescaped(read)

    def _list(self, cst: _Cst, parts: Sequence[_Cst], depth: int) -> Node:
        items = [self.expression(one, depth) for one in parts if one.type == "expression"]
        return Node(self._line(cst), Form.LIST, children=tuple(items))

    def _object(self, cst: _Cst, parts: Sequence[_Cst], depth: int) -> Node:
        pairs = []
        for one in parts:
            if one.type == "object_elem":
                key, value = (each for each in one.named_children if each.type == "expression")
                read = _at(self.expression(value, depth), self._line(one))
                pairs.append((self._key(key, depth), read))
        if all(not key.tag and key.form is Form.SCALAR for key, _ in pairs):
            return _map(self._line(cst), [(key.text, value) for key, value in pairs])
        flat = tuple(one for pair in pairs for one in pair)
        return Node(self._line(cst), Form.LIST, tag=OBJECT, children=flat)

    def _key(self, cst: _Cst, depth: int) -> Node:
        """A bare word is itself; a name in brackets is looked up."""
        key = self.expression(cst, depth)
        is_word = key.tag == NAME and not _text(cst).startswith("(")
        return Node(key.line, text=key.text) if is_word else key

    def _call(self, cst: _Cst, parts: Sequence[_Cst], depth: int) -> Node:
        given = [one for one in parts[1:] if one.type == "function_arguments"]
        arguments = [
            self.expression(one, depth)
            for each in given
            for one in each.named_children
            if one.type == "expression"
        ]
        if given and given[0].named_children[-1].type == "ellipsis":
            arguments[-1] = Node(
                arguments[-1].line, Form.LIST, tag=SPREAD, children=(arguments[-1],)
            )
        return Node(self._line(cst), Form.LIST, _text(parts[0]), CALL, children=tuple(arguments))

    def _operation(self, cst: _Cst, _parts: Sequence[_Cst], depth: int) -> Node:
        signs = [_text(one) for one in cst.children if not one.is_named]
        groups = list(_operands(cst))
        operands = tuple(
            self.expression(one[0], depth) if len(one) == 1 else self._traversal(one, depth)
            for one in groups
        )
        return Node(self._line(cst), Form.LIST, signs[0], OPERATION, children=operands)

    def _condition(self, cst: _Cst, parts: Sequence[_Cst], depth: int) -> Node:
        outcomes = tuple(self.expression(one, depth) for one in parts)
        return Node(self._line(cst), Form.LIST, tag=CONDITION, children=outcomes)

    def _for(self, cst: _Cst, parts: Sequence[_Cst], depth: int) -> Node:
        intro = next(one for one in parts if one.type == "for_intro")
        if any(one.type == "ellipsis" for one in parts):
            return Node(self._line(cst), tag=UNKNOWN)
        names = [_text(one) for one in intro.named_children if one.type == "identifier"]
        over = [one for one in intro.named_children if one.type == "expression"]
        made = [one for one in parts if one.type == "expression"]
        only = [
            each
            for one in parts
            if one.type == "for_cond"
            for each in one.named_children
            if each.type == "expression"
        ]
        children = tuple(self.expression(one, depth) for one in (*over, *made, *only))
        tag = FOR_LIST if cst.type == "for_tuple_expr" else FOR_MAP
        return Node(self._line(cst), Form.LIST, " ".join(names), tag, children=children)


_WRAPPERS = frozenset(
    {"expression", "literal_value", "collection_value", "template_expr", "operation", "for_expr"}
)
_WORDS = {
    "numeric_lit": "", "bool_lit": "", "null_lit": NULL, "variable_expr": NAME, "identifier": NAME,
}  # fmt: skip
"""Expressions of one word, with their tags."""
_READERS: dict[str, Callable[[_Reader, _Cst, Sequence[_Cst], int], Node]] = {
    "string_lit": _Reader._template,
    "quoted_template": _Reader._template,
    "heredoc_template": _Reader._template,
    "tuple": _Reader._list,
    "object": _Reader._object,
    "function_call": _Reader._call,
    "unary_operation": _Reader._operation,
    "binary_operation": _Reader._operation,
    "conditional": _Reader._condition,
    "for_tuple_expr": _Reader._for,
    "for_object_expr": _Reader._for,
}


def _operands(cst: _Cst) -> Iterator[list[_Cst]]:
    """The parts on each side of the operator; a traversal is several of them."""
    group: list[_Cst] = []
    for one in cst.children:
        if one.is_named and one.type != "comment":
            group.append(one)
        elif group:
            yield group
            group = []
    if group:
        yield group


def _guard(depth: int) -> None:
    if depth > DEPTH_BUDGET:
        raise Unreadable(f"it is nested more than {DEPTH_BUDGET} levels deep")


def _text(cst: _Cst) -> str:
    return (cst.text or b"").decode("utf-8", "replace")


def _at(value: Node, line: int) -> Node:
    """A collection stands where its name stands."""
    if value.line == line:
        return value
    return Node(line, value.form, value.text, value.tag, value.keys, value.children)


def _hidden(value: Node) -> Node:
    if value.form is Form.SCALAR and not value.tag and is_literal_secret(value.text):
        return Node(value.line, text=MASKED)
    return value


def _masked(value: Node) -> Node:
    """A payload that is told where it is written out as one text."""
    return _starred(value) if value.children else _hidden(value)


def _starred(value: Node) -> Node:
    """A payload that is secret by what holds it, whatever its keys are called."""
    if value.children:
        return replace(value, children=tuple(map(_starred, value.children)))
    is_shown = value.text != MASKED and _hidden(value) is not value
    return replace(value, text=STARS) if is_shown else value


def _map(line: int, pairs: list[tuple[str, Node]], text: str = "", tag: str = "") -> Node:
    pairs = masked_pairs(pairs)
    keys, values = tuple(key for key, _ in pairs), tuple(value for _, value in pairs)
    return Node(line, Form.MAP, text, tag, keys, values)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_unescape, text) if "\\" in text or "{" in text else text


def _unescape(match: re.Match[str]) -> str:
    if match[4]:
        return f"{match[4]}{{"
    code = match[1] or match[2]
    if code:
        return chr(int(code, 16)) if int(code, 16) < 0x110000 else ""
    return _ESCAPES.get(match[3], match[3])
