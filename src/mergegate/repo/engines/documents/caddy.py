"""The notation of Caddy: a directive a line, and blocks in braces that end the line they begin on.

A block at the top is a site with its addresses, `options` where it has none, or a `snippet`.
"""

import re
from collections.abc import Sequence

from mergegate.repo.engines.documents.directives import Reading
from mergegate.repo.engines.documents.nodes import Unreadable
from mergegate.repo.facts.documents import MASKED, Node

_WORD = re.compile(r"\"(?:\\.|[^\"\\])*\"|`[^`]*`|[^\s\"`]+")
_LOGINS = frozenset({"basic_auth", "basicauth"})


def read(text: str) -> Node:
    """The file as a block. Raises Unreadable on a syntax error or a spent budget."""
    reading, names = Reading(), list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        words = _words(line)
        if words == ["}"]:
            reading.end(number)
            del names[-1:]
        elif words[-1:] == ["{"]:
            name, arguments = _begun(words[:-1], reading.depth)
            reading.begin(name, arguments, number)
            names.append(name)
        elif words and names[-1:] and names[-1] in _LOGINS:
            reading.add(words[0], (MASKED,), number)  # a name with the hash of its password
        elif words:
            reading.add(words[0], words[1:], number)
    if reading.depth:
        raise Unreadable("a block does not end", is_syntax=True)
    return reading.finished()


def _begun(words: Sequence[str], depth: int) -> tuple[str, Sequence[str]]:
    """What a block is called, and its arguments."""
    if depth:
        return (words[0] if words else "block"), words[1:]
    if not words:
        return "options", ()
    return ("snippet" if words[0].startswith("(") else "site"), words


def _words(line: str) -> list[str]:
    words: list[str] = []
    for one in _WORD.findall(line):
        if one.startswith("#"):
            break
        words.append(one.strip('"`'))
    return words
