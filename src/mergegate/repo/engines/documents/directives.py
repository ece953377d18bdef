"""What web servers' settings are as nodes: a directive's arguments as one text, a block as a map.

A directive that stands several times in a block is a list. Secrets are taken out on the way.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from mergegate.repo.engines.documents.nodes import (
    DEPTH_BUDGET,
    NODE_BUDGET,
    STARS,
    Unreadable,
    is_literal_secret,
    is_secret_name,
    masked_text,
)
from mergegate.repo.facts.documents import MASKED, Form, Node
from mergegate.secrets.mask import announces

ARGUMENT = "argument"
"""The key under which a block has its arguments."""
_CREDENTIALS = frozenset({"authorization", "proxy-authorization", "cookie"})
_PASSES_ON = re.compile(r"\w+_pass|proxypass\w*")
"""Directives that name where a request goes."""
_BARE = re.compile(
    r"(?:basic|bearer|token|set|add|append|always)|(?:basic|bearer|token)\s+[$%]\{?\w+\}?",
    re.IGNORECASE,
)
"""Words beside a secret, and a login of which a variable holds the secret."""


@dataclass(slots=True)
class Block:
    """A block that is being read."""

    line: int
    name: str = ""
    argument: str = ""
    directives: dict[str, list[Node]] = field(default_factory=dict)

    def node(self) -> Node:
        """The block with all that was read of it."""
        pairs = {key: _joined(values) for key, values in self.directives.items()}
        if self.argument:
            pairs[ARGUMENT] = Node(self.line, text=masked_text(self.argument))
        keys, children = tuple(pairs), tuple(pairs.values())
        return Node(self.line, Form.MAP, keys=keys, children=children)


def _joined(values: Sequence[Node]) -> Node:
    if len(values) == 1:
        return values[0]
    return Node(values[0].line, Form.LIST, children=tuple(values))


class Reading:
    """The blocks that are open; what ends is put into what is around it."""

    def __init__(self) -> None:
        self._open = [Block(1)]
        self._used = 0

    @property
    def innermost(self) -> Block:
        """The block in which the next directive stands."""
        return self._open[-1]

    @property
    def depth(self) -> int:
        """How many blocks are open, the file itself aside."""
        return len(self._open) - 1

    def add(self, name: str, arguments: Sequence[str], line: int) -> None:
        """Read a directive. Raises Unreadable on a spent budget."""
        self._spend()
        node = Node(line, text=" ".join(_masked(name, arguments)))
        self.innermost.directives.setdefault(name, []).append(node)

    def begin(self, name: str, arguments: Sequence[str], line: int) -> None:
        """Open a block. Raises Unreadable on a spent budget."""
        self._spend()
        if self.depth >= DEPTH_BUDGET:
            raise Unreadable(f"it is nested more than {DEPTH_BUDGET} levels deep")
        self._open.append(Block(line, name, " ".join(arguments)))

    def end(self, line: int) -> None:
        """Close the innermost block. Raises Unreadable where none is open."""
        if not self.depth:
            raise Unreadable(f"line {line} ends a block that never began", is_syntax=True)
        closed = self._open.pop()
        self.innermost.directives.setdefault(closed.name, []).append(closed.node())

    def finished(self) -> Node:
        """The whole file. Raises Unreadable where a block is still open."""
        if self.depth:
            where = f"the block in line {self.innermost.line}"
            raise Unreadable(f"{where} does not end", is_syntax=True)
        return self.innermost.node()

    def _spend(self) -> None:
        self._used += 1
        if self._used > NODE_BUDGET:
            raise Unreadable(f"it has more than {NODE_BUDGET:,} directives")


def _masked(name: str, arguments: Sequence[str]) -> list[str]:
    """The arguments without what is secret by the directive's name or by a name before it."""
    shown: list[str] = []
    mark = "" if _PASSES_ON.fullmatch(name) else _mark(name)
    for one in arguments:
        secret = mark and not _BARE.fullmatch(one) and is_literal_secret(one)
        shown.append(mark if secret else masked_text(one))
        mark = mark or _mark(one)
    return shown


def _mark(name: str) -> str:
    """What stands for a secret of that name; empty where it names none."""
    if is_secret_name(name) or name.lower() in _CREDENTIALS:
        return MASKED
    return STARS if announces(name) else ""
