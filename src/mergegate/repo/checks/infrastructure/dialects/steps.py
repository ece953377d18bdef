"""What the dialects of CI services share: scripts by line, and values that are decided later."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mergegate.repo.checks.infrastructure.dialects.parts import mapping
from mergegate.repo.facts.documents import ABSENT, Form, Node
from mergegate.repo.facts.resources import UNKNOWN

LONGEST_LINE = 4_000
"""Characters of a line that are looked at."""
_TRACED = re.compile(r"(?:^|[;&]\s*)set\s+(?:[-+]\w+\s+){0,4}([-+])(?:\w*x\w*|o\s+xtrace)\b")
"""Turns on or off that the shell logs each command with its values."""
_STARTS_TRACED = re.compile(r"\S*sh\s+(?:-\S+\s+){0,4}-\w*x")
_CONTINUED = re.compile(r"(?<!\\)(?:\\\\)*(\\)$|(?<=\s)([`^])$")


def extended(node: Node, line: int = 0, **values: Node | str) -> Node:
    """A map with more in it, which goes before what stands there."""
    more = mapping(node.line or line, values)
    kept = [(key, value) for key, value in node.entries if key not in more.keys]
    keys = (*more.keys, *(key for key, _ in kept))
    children = (*more.children, *(value for _, value in kept))
    return Node(node.line or line, Form.MAP, keys=keys, children=children)


def decided(node: Node, elsewhere: re.Pattern[str]) -> Node:
    """The value, with every text unknown in which something stands that is filled in later."""
    if node.form is Form.SCALAR:
        return replace(node, tag=UNKNOWN) if elsewhere.search(node.text) else node
    return replace(node, children=tuple(decided(one, elsewhere) for one in node.children))


def filled(node: Node, variable: re.Pattern[str], values: Mapping[str, Node]) -> Node:
    """The text with what the file itself says of the variables in it."""

    def value(match: re.Match[str]) -> str:
        given = values.get(next(filter(None, match.groups()), ""), ABSENT)
        said = given["value"] if given["value"].present else given
        return said.text if said.form is Form.SCALAR and said.present else match[0]

    return replace(node, text=variable.sub(value, node.text)) if node.text else node


def variables(holder: Node) -> Iterator[tuple[str, Node]]:
    """Names and values of a map, or of a list of maps or of texts with an equals sign."""
    for name, value in holder.entries:
        yield name, value
    for one in holder.items:
        if one["name"].present:
            yield one["name"].text, one["value"]
        elif one.form is Form.MAP:
            yield from one.entries
        elif "=" in one.text:
            name, _, text = one.text.partition("=")
            yield name, replace(one, text=text)


def script(texts: Iterable[Node], shell: str = "", more: Node = ABSENT) -> Node:
    """A script as a map: its ``shell``, and its ``lines``, each a map with its ``text``.

    A line is ``traced`` where the shell logs it with its values filled in.
    """
    written = list(texts)
    lines = [one for text in written for one in _lines(text)]
    first = lines[0].line if lines else more.line
    began = next((one.text.removeprefix("#!") for one in written if one.text[:2] == "#!"), shell)
    read = tuple(_traced(lines, more["shell"].text or began))
    listed = Node(first, Form.LIST, children=read)
    return extended(more, first, shell=shell or "sh", lines=listed)


def _traced(lines: Iterable[Node], shell: str) -> Iterator[Node]:
    is_on = _STARTS_TRACED.match(shell) is not None
    for one in lines:
        yield mapping(one.line, {"text": one, "traced": str(is_on).lower()})
        for found in _TRACED.finditer(one.text):
            is_on = found[1] == "-"


def _lines(text: Node) -> Iterator[Node]:
    """The commands of a text, those that go on in the next line as one; no comments."""
    begun: list[str] = []
    begin = 0
    for number, line in enumerate(text.text.splitlines()):
        begin = begin if begun else number
        part = f"{' ' * bool(begun)}{line.strip()}"
        going_on = _CONTINUED.search(part)
        if going_on:
            begun.append(part[: going_on.start(going_on.lastindex or 0)].strip())
            continue
        whole = " ".join([*begun, part.strip()])
        begun = []
        if whole and not whole.startswith("#"):
            yield _at(text, begin, whole)
    if any(begun):
        yield _at(text, begin, " ".join(begun))


def _at(text: Node, number: int, line: str) -> Node:
    place = text.text_line + number if text.text_line else text.line
    return Node(place, text=line[:LONGEST_LINE])
