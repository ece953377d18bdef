"""Variables of a service, put where they are used, as its production stage has them."""

import re
from dataclasses import dataclass

from mergegate.repo.checks.infrastructure.dialects.parts import LONGEST
from mergegate.repo.facts.documents import ABSENT, MASKED, Form, Node

_INNERMOST = re.compile(
    r"\$\{(?P<source>self|param|opt|sls):(?P<name>[\w.-]{1,200})"
    r"(?:\s*,\s*(?P<else>'[^'{}]*'|\"[^\"{}]*\"))?\s*\}"
)
_PRODUCTION = ("prod", "production", "live")
_ROUNDS = 6
"""How deep variables that lead to others are followed."""


def put_in(root: Node) -> Node:
    """The service with every variable replaced whose value it says itself."""
    return _Service(root, _stage(root)).node(root, _ROUNDS)


def _stage(root: Node) -> str:
    """The stage that is judged: production where one is named, else the service's own."""
    known = (*root["params"].keys, *root.at("custom", "stages").keys)
    own = root.at("provider", "stage").text
    if own and "${" not in own:
        return own
    return next((one for one in _PRODUCTION if one in known), "")


@dataclass(frozen=True, slots=True)
class _Service:
    root: Node
    stage: str

    def node(self, node: Node, rounds: int) -> Node:
        if node.form is not Form.SCALAR:
            children = tuple(self.node(one, rounds) for one in node.children)
            return Node(node.line, node.form, node.text, node.tag, node.keys, children)
        if not rounds or node.tag or "${" not in node.text or len(node.text) > LONGEST:
            return node
        whole = _INNERMOST.fullmatch(node.text.strip())
        found = self._value(whole) if whole else ABSENT
        if found.present and found.form is not Form.SCALAR:
            return self._at(found, node.line)
        text = _INNERMOST.sub(self._text, node.text)
        if text == node.text:
            return node
        return self.node(Node(node.line, text=text), rounds - 1)

    def _at(self, found: Node, line: int) -> Node:
        """What stands elsewhere, as it is; its own variables are not known."""
        children = tuple(self._at(one, line) for one in found.children)
        return Node(line, found.form, found.text, found.tag, found.keys, children)

    def _text(self, match: re.Match[str]) -> str:
        found = self._value(match)
        is_plain = found.present and found.form is Form.SCALAR and not found.tag
        return found.text if is_plain and found.text != MASKED else match[0]

    def _value(self, match: re.Match[str]) -> Node:
        source, name = match["source"], match["name"]
        way = name.split(".")
        if source == "self":
            found = self.root.at(*way)
        elif source == "param":
            params = self.root["params"]
            found = params.at(self.stage, name) if self.stage else ABSENT
            found = found if found.present else params.at("default", name)
        elif name == "stage":
            found = Node(1, text=self.stage) if self.stage else ABSENT
        else:
            found = ABSENT
        other = match["else"]
        if found.present or other is None:
            return found
        return Node(1, text=other.strip("'\""))
