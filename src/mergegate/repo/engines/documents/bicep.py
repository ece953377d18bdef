"""A Bicep file as the template that it stands for, in the lines of the file."""

import re
from dataclasses import replace

from mergegate.repo.engines.documents.bicep_syntax import Reader
from mergegate.repo.engines.documents.nodes import Unreadable, masked_pairs
from mergegate.repo.facts.documents import ABSENT, Form, Node
from mergegate.repo.facts.templates import SPREAD

_NESTED = re.compile(r"(?:@[^\n]*\n\s*)*resource\s+\w+\s+'")
_STRING = re.compile(r"\$*'''.*?'''(?!')|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_OPENING, _CLOSING = "([{", ")]}"
_GOES_ON = re.compile(r"\s*\|")
_TALLEST = 200
_DEPLOYMENT = "Microsoft.Resources/deployments"
_WITHOUT_RESOURCES = frozenset({
    "assert", "extends", "extension", "func", "import", "metadata", "provider",
    "targetScope", "test", "type", "using",
})  # fmt: skip


def template(text: str) -> Node:
    """The template: parameters, variables, resources and outputs by name. Raises Unreadable."""
    read = File(text.replace("\r\n", "\n")).template()
    if _height(read) > _TALLEST:
        raise Unreadable(f"it is nested more than {_TALLEST} levels deep")
    return read


def _height(node: Node) -> int:
    """How many levels there are; a chain of operators is as tall as it is long."""
    height, level = 0, [node]
    while level:
        height, level = height + 1, [below for one in level for below in one.children]
    return height


class File(Reader):
    """Reads declarations, one after the other."""

    _is_secure = False
    """Whether what comes next is decorated as a secret."""
    _used = ABSENT
    """The path of the template that a file of parameters is for."""

    def template(self) -> Node:
        """What the file declares."""
        found: dict[str, list[tuple[str, Node]]] = {
            "parameters": [], "variables": [], "resources": [], "outputs": [],
        }  # fmt: skip
        while self._has_more():
            line = self.line
            word = self.name()
            if word == "param":
                found["parameters"].append(self._parameter(line))
            elif word == "var":
                found["variables"].append(self._variable())
            elif word == "output":
                found["outputs"].append(self._output(line))
            elif word in {"resource", "module"}:
                found["resources"].append(self._resource(word, line, 0))
            elif word == "using" and self.sees("'"):
                self._used = self.string(0)
            elif word in _WITHOUT_RESOURCES:
                self._over(word)
            else:
                raise self.broken()
        pairs = [(key, _named(1, masked_pairs(each))) for key, each in found.items()]
        return _named(1, pairs + ([("using", self._used)] if self._used.present else []))

    def _has_more(self) -> bool:
        self.skip(lines=True)
        self._is_secure = False
        while self.takes("@"):
            self._is_secure |= self.expression().text == "secure"
            self.skip(lines=True)
        return self.at < len(self.text)

    def _parameter(self, line: int) -> tuple[str, Node]:
        name = self.name()
        type = self._until_value()
        pairs = [("type", self._type(line, type))]
        if type.endswith("?"):
            pairs.append(("nullable", Node(line, text="true")))
        if self.takes("="):
            self.skip(lines=True)
            pairs.append(("defaultValue", self.expression()))
        return name, _named(line, masked_pairs(pairs))

    def _type(self, line: int, type: str) -> Node:
        """The type as JSON says it: there it tells whether the value is a secret."""
        plain = type.removesuffix("?")
        return Node(line, text=f"secure{plain}" if self._is_secure else plain)

    def _output(self, line: int) -> tuple[str, Node]:
        name = self.name()
        type = self._type(line, self._until_value())
        self.take("=")
        self.skip(lines=True)
        return name, _named(line, [("type", type), ("value", self.expression())])

    def _variable(self) -> tuple[str, Node]:
        name = self.name()
        self._until_value()
        self.take("=")
        self.skip(lines=True)
        return name, self.expression()

    def _until_value(self) -> str:
        """Go over a type, whose text is returned, to the value or the end of the line."""
        start, open = self.at, 0
        while self.at < len(self.text):
            sign = self.text[self.at]
            if not open and sign in "=\n":
                break
            if string := _STRING.match(self.text, self.at):
                self.at = string.end()
                continue
            open += (sign in _OPENING) - (sign in _CLOSING)
            self.at += 1
        return self.text[start : self.at].partition("//")[0].strip()

    def _over(self, word: str) -> None:
        """Go over a declaration that makes nothing."""
        self._until_value()
        if word in {"func", "assert"} and self.takes("="):
            self.takes(">")
            self.skip(lines=True)
            self.expression()
            return
        while self.takes("=") or _GOES_ON.match(self.text, self.at):
            self.skip(lines=True)
            self.takes("|")
            self._until_value()

    def _resource(self, word: str, line: int, depth: int) -> tuple[str, Node]:
        symbol = self.name()
        type = self.string(depth)
        existing = word == "resource" and self.match(re.compile(r"existing\b")) is not None
        self.take("=")
        self.skip(lines=True)
        body = self._body(depth, line)
        says = [("type", type)] + ([("existing", Node(line, text="true"))] if existing else [])

        def whole(node: Node) -> Node:
            made = _deployed(node, type) if word == "module" else _with(node, says)
            return replace(made, line=line)

        if not body.tag:
            return symbol, whole(body)
        collection, made = body.children
        return symbol, replace(body, children=(collection, whole(made)))

    def _body(self, depth: int, line: int) -> Node:
        self.skip()
        if self.sees("["):
            return self.loop(lambda below: self._body(below, line), depth)
        if self.match(re.compile(r"if\b")):
            self.take("(")
            condition = self._enclosed_until(")", depth)
            self.skip(lines=True)
            return _with(self.object(depth), [("condition", condition)])
        return self.object(depth)

    def entry(self, depth: int) -> tuple[str, Node]:
        """A key with its value; a resource within another is its only child so far."""
        self.skip()
        if not _NESTED.match(self.text, self.at):
            return super().entry(depth)
        self._has_more()
        line = self.line
        self.take("resource")
        symbol, node = self._resource("resource", line, depth)
        return "resources", _named(line, [(symbol, node)])

    def object(self, depth: int) -> Node:
        """A map; all resources within it stand under one key."""
        made = super().object(depth)
        below = [one for key, one in made.entries if key == "resources" and one.form is Form.MAP]
        if len(below) < 2:
            return made
        all = [pair for one in below for pair in one.entries]
        kept = [(key, one) for key, one in made.entries if one not in below]
        return _named(made.line, [*kept, ("resources", _named(below[0].line, all))])


def _named(line: int, pairs: list[tuple[str, Node]]) -> Node:
    keys, children = tuple(key for key, _ in pairs), tuple(one for _, one in pairs)
    return Node(line, Form.MAP, keys=keys, children=children)


def _with(node: Node, more: list[tuple[str, Node]]) -> Node:
    return _named(node.line, [*node.entries, *more])


def _deployed(node: Node, source: Node) -> Node:
    """A module as the deployment that it is; one of a registry is not in the tree."""
    line = node.line
    given = [
        (key, one if one.tag == SPREAD else _named(one.line, [("value", one)]))
        for key, one in node["params"].entries
    ]
    properties = [("parameters", _named(line, given))]
    if not source.tag and ":" not in source.text:
        link = _named(line, [("relativePath", source)])
        properties.append(("templateLink", link))
    pairs = [("type", Node(line, text=_DEPLOYMENT)), ("properties", _named(line, properties))]
    condition = node["condition"]
    return _named(line, pairs + ([("condition", condition)] if condition.present else []))
