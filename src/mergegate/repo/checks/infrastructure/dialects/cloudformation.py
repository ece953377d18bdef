"""Resources of CloudFormation and SAM templates, as far as parameters with defaults decide them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from mergegate.repo.checks.infrastructure.dialects import template_macros, template_stages
from mergegate.repo.facts.documents import (
    ABSENT,
    DocumentFile,
    DocumentKind,
    Documents,
    Form,
    Node,
)
from mergegate.repo.facts.resources import (
    GAP,
    NULL,
    REFERENCE,
    UNKNOWN,
    Dialect,
    Resource,
    is_known,
)

_DEEPEST = 60
"""Values and conditions within one another."""
_LONGEST = 64 * 1024
"""Characters of a text that is put together."""
_PLACE = re.compile(r"\$\{(!?)([^}]*)\}")
_FUNCTION = "Fn::"
_SECRET_VALUE = re.compile(r"\{\{resolve:(?:secretsmanager|ssm-secure):")
_BOTH = (True, False)
OUTPUT = "AWS::Output"
"""The kind of what a stack gives out, which is no kind of AWS's own."""
PARAMETER = "AWS::Parameter"
"""The kind of what a template asks for."""


def resources(documents: Documents) -> Iterator[Resource]:
    """Every resource of every template, its properties evaluated."""
    for file, root in documents.of(DocumentKind.CLOUDFORMATION):
        yield from described(file, root)


def described(file: DocumentFile, root: Node) -> Iterator[Resource]:
    """Every resource of one template."""
    yield from _Template(root).resources(file)


class _Template:
    """One template: parameters, conditions and mappings decide what its properties are."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._is_cut = False
        """Whether a budget was spent."""
        self._made: Final = tuple(template_macros.described(root))
        self._described: Final = dict(self._made)
        self._names: Final = frozenset(self._described)
        self._conditions: dict[str, bool | None] = {}
        self._assumed: bool | None = None
        """What a comparison is taken to come to that the template does not decide."""

    def resources(self, file: DocumentFile) -> Iterator[Resource]:
        for name, node in self._made:
            yield self._resource(file, node["Type"].text, name, node, node["Properties"])
            if (stage := template_stages.deployed(node)).present:
                yield self._resource(file, template_stages.KIND, name, node, stage)
        for name, node in self._root["Outputs"].entries:
            yield self._resource(file, OUTPUT, name, node, self._given_out(node))
        settings = self._fed()
        for name, node in self._root["Parameters"].entries:
            if feeds := settings.get(name):
                told = {**dict(node.entries), "feeds": _listed(node.line, feeds)}
                keys, children = tuple(told), tuple(told.values())
                said = Node(node.line, Form.MAP, keys=keys, children=children)
                yield self._resource(file, PARAMETER, name, node, said)

    def _fed(self) -> dict[str, list[str]]:
        """The settings of resources that are what a parameter says, by its name."""
        fed: dict[str, list[str]] = defaultdict(list)
        for _, resource in self._made:
            for node in resource["Properties"].walk():
                for setting, value in node.entries:
                    name, argument = _called(value)
                    if name == "Ref" and argument.text in self._root["Parameters"].keys:
                        fed[argument.text].append(setting)
        return fed

    def _resource(
        self, file: DocumentFile, kind: str, name: str, node: Node, said: Node
    ) -> Resource:
        properties = self._properties(said, node.line)
        is_open = any(_called(one)[0] == "If" for one in said.walk())
        either = [self._properties(said, node.line, taken) for taken in _BOTH if is_open]
        return Resource(
            dialect=Dialect.CLOUDFORMATION,
            kind=kind,
            address=name,
            root=file.path,
            path=file.path,
            role=file.role,
            line=node.line,
            properties=properties,
            either=tuple(one for one in either if one != properties),
            is_cut=self._is_cut or name.startswith(template_macros.LOOP),
        )

    def _properties(self, said: Node, line: int, assumed: bool | None = None) -> Node:
        """The properties, as they are where comparisons come to what is assumed."""
        if assumed is not self._assumed:
            self._assumed = assumed
            self._conditions.clear()
        found = self.value(said, 0)
        return _at(found, line) if found.keys else Node(line, Form.MAP)

    def _given_out(self, node: Node) -> Node:
        """An output, with the ``secrets`` and access ``keys`` that its value refers to."""
        secrets, keys = [], []
        for one in node["Value"].walk():
            name, argument = _called(one)
            for referred in _referred(name, argument):
                if self._root["Parameters"][referred]["NoEcho"].is_true:
                    secrets.append(referred)
                kind = self._described.get(referred.partition(".")[0], ABSENT)["Type"].text
                if kind == "AWS::IAM::AccessKey" and referred.endswith(".SecretAccessKey"):
                    keys.append(referred)
            if _SECRET_VALUE.search(one.text):
                secrets.append(one.text)
        told = {"Value": node["Value"]} if node["Value"].present else {}
        line = node["Value"].line or node.line
        told["secrets"] = _listed(line, secrets)
        told["keys"] = _listed(line, keys)
        return Node(node.line, Form.MAP, keys=tuple(told), children=tuple(told.values()))

    def value(self, node: Node, depth: int) -> Node:
        """What a value says; what the template does not decide is unknown."""
        if depth > _DEEPEST:
            self._is_cut = True
            return _unknown(node)
        name, argument = _called(node)
        if name:
            called = _FUNCTIONS.get(name)
            return called(self, argument, depth + 1) if called else _unknown(node)
        if not node.children:
            return node
        values = [self.value(one, depth + 1) for one in node.children]
        if node.form is Form.LIST:
            kept = tuple(one for one in values if one.tag != NULL)
            return Node(node.line, Form.LIST, children=kept)
        pairs = [pair for pair in zip(node.keys, values, strict=True) if pair[1].tag != NULL]
        keys, children = tuple(key for key, _ in pairs), tuple(one for _, one in pairs)
        return Node(node.line, Form.MAP, keys=keys, children=children)

    def named(self, name: str, at: Node) -> Node:
        """What ``Ref`` answers of a name."""
        if name == "AWS::NoValue":
            return Node(at.line, tag=NULL)
        if name in self._names:
            return Node(at.line, text=name, tag=REFERENCE)
        parameter = self._root["Parameters"][name]
        default, kind = parameter["Default"], parameter["Type"].text
        if not default.present or kind.startswith("AWS::SSM") or default.form is not Form.SCALAR:
            return _unknown(at)
        if kind == "CommaDelimitedList" or kind.startswith("List<"):
            items = tuple(Node(at.line, text=one.strip()) for one in default.text.split(","))
            return Node(at.line, Form.LIST, children=items)
        return Node(at.line, text=default.text)

    def _ref(self, argument: Node, _: int) -> Node:
        return self.named(argument.text, argument)

    def _attribute(self, argument: Node, _: int) -> Node:
        first = argument.items[0] if argument.items else argument
        name = first.text.partition(".")[0]
        known = name in self._names
        return Node(argument.line, text=name, tag=REFERENCE) if known else _unknown(argument)

    def _sub(self, argument: Node, depth: int) -> Node:
        text, own = argument, ABSENT
        if len(argument.items) == 2:
            text, own = argument.items
        if not text.is_literal:
            return _unknown(argument)
        single = _PLACE.fullmatch(text.text)
        if single and not single[1] and not own.present:
            return self.named(single[2].partition(".")[0], argument)

        def put(match: re.Match[str]) -> str:
            if match[1]:
                return f"${{{match[2]}}}"
            given = own[match[2]]
            value = self.value(given, depth) if given.present else self.named(match[2], argument)
            return value.text if is_known(value) and value.form is Form.SCALAR else GAP

        filled = _PLACE.sub(put, text.text[:_LONGEST])
        self._is_cut |= max(len(text.text), len(filled)) > _LONGEST
        if GAP in filled or len(filled) > _LONGEST:
            return _unknown(argument, filled[:_LONGEST])
        return Node(argument.line, text=filled)

    def _if(self, argument: Node, depth: int) -> Node:
        if len(argument.items) != 3:
            return _unknown(argument)
        condition, yes, no = argument.items
        decided = self.condition(condition.text, depth)
        return _unknown(argument) if decided is None else self.value(yes if decided else no, depth)

    def _join(self, argument: Node, depth: int) -> Node:
        if len(argument.items) != 2:
            return _unknown(argument)
        parts = self.value(argument.items[1], depth).items
        if not all(is_known(one) and one.form is Form.SCALAR for one in parts):
            return _unknown(argument)
        joined = argument.items[0].text.join(one.text for one in parts)
        return Node(argument.line, text=joined) if len(joined) <= _LONGEST else _unknown(argument)

    def _in_map(self, argument: Node, depth: int) -> Node:
        keys = [self.value(one, depth) for one in argument.items[:3]]
        if len(keys) != 3 or not all(is_known(one) and one.text for one in keys):
            return _unknown(argument)
        found = self._root["Mappings"].at(*(one.text for one in keys))
        if not found.present or found.form is Form.MAP:
            return _unknown(argument)
        items = tuple(Node(argument.line, text=one.text) for one in found.items)
        return Node(argument.line, found.form, found.text, children=items)

    def _select(self, argument: Node, depth: int) -> Node:
        if len(argument.items) != 2:
            return _unknown(argument)
        at, over = (self.value(one, depth) for one in argument.items)
        if not at.text.isdecimal() or int(at.text[:4]) >= len(over.items):
            return _unknown(argument)
        return over.items[int(at.text[:4])]

    def _split(self, argument: Node, depth: int) -> Node:
        if len(argument.items) != 2:
            return _unknown(argument)
        sign, text = argument.items[0].text, self.value(argument.items[1], depth)
        if not sign or not is_known(text) or text.form is not Form.SCALAR:
            return _unknown(argument)
        return _listed(argument.line, text.text.split(sign))

    def _itself(self, argument: Node, depth: int) -> Node:
        """What encodes a value changes nothing of what it says."""
        return self.value(argument, depth)

    def condition(self, name: str, depth: int) -> bool | None:
        """Whether a named condition holds; None where that is not known."""
        if name not in self._conditions:
            self._conditions[name] = None  # what depends on itself is not known
            self._conditions[name] = self._holds(self._root["Conditions"][name], depth)
        return self._conditions[name]

    def _holds(self, node: Node, depth: int) -> bool | None:
        if depth > _DEEPEST or not node.present:
            return None
        name, argument = _called(node)
        if name == "Condition":
            return self.condition(argument.text, depth + 1)
        if name == "Equals" and len(argument.items) == 2:
            left, right = (self.value(one, depth + 1) for one in argument.items)
            known = is_known(left) and is_known(right) and not (left.children or right.children)
            return left.text == right.text if known else self._assumed
        told = [self._holds(one, depth + 1) for one in argument.items]
        if name == "Not" and len(told) == 1:
            return None if told[0] is None else not told[0]
        if name in {"And", "Or"} and told:
            deciding = name == "Or"
            return deciding if deciding in told else None if None in told else not deciding
        return None


_FUNCTIONS: Mapping[str, Callable[[_Template, Node, int], Node]] = {
    "Base64": _Template._itself,
    "FindInMap": _Template._in_map,
    "GetAtt": _Template._attribute,
    "If": _Template._if,
    "Join": _Template._join,
    "Ref": _Template._ref,
    "Select": _Template._select,
    "Split": _Template._split,
    "Sub": _Template._sub,
}


def _called(node: Node) -> tuple[str, Node]:
    """The function that a value calls, in its short or long form, and the argument."""
    if node.tag.startswith("!"):
        plain = Node(node.line, node.form, node.text, "", node.keys, node.children)
        return node.tag[1:], plain
    if node.form is Form.MAP and len(node.keys) == 1:
        key = node.keys[0]
        if key in {"Ref", "Condition"} and node.children[0].form is Form.SCALAR:
            return key, node.children[0]
        if key.startswith(_FUNCTION):
            return key.removeprefix(_FUNCTION), node.children[0]
    return "", node


def _referred(function: str, argument: Node) -> Iterator[str]:
    """The names that a function refers to; of an attribute with the attribute behind a dot."""
    if function == "Sub":
        text = argument.items[0] if argument.items else argument
        yield from (match[2] for match in _PLACE.finditer(text.text[:_LONGEST]) if not match[1])
    elif function in {"Ref", "GetAtt"}:
        yield ".".join(one.text for one in argument.each)


def _listed(line: int, texts: Sequence[str]) -> Node:
    items = tuple(Node(line, text=one) for one in texts)
    return Node(line, Form.LIST, children=items) if items else ABSENT


def _unknown(node: Node, text: str = GAP) -> Node:
    return Node(node.line, text=text, tag=UNKNOWN)


def _at(value: Node, line: int) -> Node:
    return Node(line, value.form, value.text, value.tag, value.keys, value.children)
