"""What the dialects of nginx and Apache have in common: blocks, and the headers they set."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mergegate.repo.checks.infrastructure.dialects.parts import mapping
from mergegate.repo.engines.documents.directives import ARGUMENT
from mergegate.repo.facts.documents import Form, Node

PLACEHOLDER = re.compile(
    r"\{\{.{0,500}?\}\}|<%.{0,500}?%>|\$\{[A-Z][A-Z0-9_]*\}|@[A-Z][\w.-]*@|%[A-Z_]{3,}%|__\w{1,60}__"
)
"""What a tool puts another text in place of before the server reads it."""
_HEADER = re.compile(
    r"(?:(?:always|onsuccess) )?(?:(?:set|add|append|merge|setifempty) )?([\w-]+):? (.*)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"always|env=.*|expr=.*")
"""What stands behind a header's value."""


def blocks(node: Node) -> Iterator[tuple[str, Node]]:
    """The blocks that stand directly in one, with their names."""
    for name, value in node.entries:
        for one in value.each:
            if one.form is Form.MAP:
                yield name, one


def directives(node: Node) -> Mapping[str, Node]:
    """What stands directly in a block, without the blocks in it; a mere name turns itself on."""
    found: dict[str, Node] = {}
    for name, value in node.entries:
        plain = tuple(
            one if one.text else replace(one, text="on")
            for one in value.each
            if one.form is not Form.MAP
        )
        if len(plain) == 1:
            found[name] = plain[0]
        elif plain:
            found[name] = Node(plain[0].line, Form.LIST, children=plain)
    return found


def headers(value: Node) -> Node:
    """What directives say of headers of the answer: value by name, both in small letters."""
    found: dict[str, Node] = {}
    for one in value.each:
        if match := _HEADER.fullmatch(one.text):
            words = match[2].lower().split(" ")
            if _CONDITION.fullmatch(words[-1]):
                words.pop()
            text = " ".join(words).strip().strip("'\"")
            found[match[1].lower()] = Node(one.line, text=text, tag=one.tag)
    return mapping(value.line, found)


def title(name: str, block: Node) -> str:
    """What a block is called in a message: its directive with the argument."""
    argument = block[ARGUMENT].text
    return f"{name} {argument}" if argument else name
