"""Sockets on which several servers of nginx listen, told apart by their names alone."""

import re

from mergegate.repo.checks.infrastructure.dialects.web_servers import blocks, directives
from mergegate.repo.facts.documents import ABSENT, Node

_ANY_ADDRESS = re.compile(r"(?:\*:|0\.0\.0\.0:)?(\d+)")
_EVERY = r"*:\1"
_DEFAULT = frozenset({"default_server", "default"})
_DATAGRAMS = frozenset({"quic", "udp"})


def without_default(node: Node) -> Node:
    """The last server on a socket of which none is the default; absent where there is none."""
    servers: dict[str, list[Node]] = {}
    decided: set[str] = set()
    for name, block in blocks(node):
        if name != "server":
            continue
        listen = directives(block).get("listen", Node(block.line, text="80"))
        for one in listen.each:
            address, *options = one.text.split() or [""]
            kind = " ".join(sorted(_DATAGRAMS.intersection(options)))
            socket = f"{_ANY_ADDRESS.sub(_EVERY, address)} {kind}"
            servers.setdefault(socket, []).append(block)
            if not _DEFAULT.isdisjoint(options):
                decided.add(socket)
    for socket, every in servers.items():
        if socket not in decided and every[-1] is not every[0]:
            return Node(every[-1].line, text=socket)
    return ABSENT
