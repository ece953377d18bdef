"""The notation of HAProxy: sections that begin with their keyword, and a directive a line."""

import re
from collections.abc import Iterator

from mergegate.repo.engines.documents.directives import Reading
from mergegate.repo.facts.documents import MASKED, Node

_SECTIONS = frozenset(
    {"global", "defaults", "frontend", "backend", "listen", "userlist", "peers", "resolvers"}
    | {"mailers", "cache", "ring", "program", "http-errors", "crt-store", "fcgi-app", "log-forward"}
)
_WORD = re.compile(r"\"(?:\\.|[^\"\\])*\"|'[^']*'|(?:\\.|[^\s#\"'\\])+|#.*")
_BEFORE_SECRETS = frozenset({"auth", "password", "insecure-password"})


def read(text: str) -> Node:
    """The file as a block with one for each section. Raises Unreadable on a spent budget."""
    reading, number = Reading(), 1
    for number, line in enumerate(text.split("\n"), start=1):
        words = [one.strip("\"'") for one in _WORD.findall(line) if not one.startswith("#")]
        if words and words[0] in _SECTIONS:
            if reading.depth:
                reading.end(number)
            reading.begin(words[0], words[1:], number)
        elif words:
            reading.add(words[0], tuple(_without_secrets(words[1:])), number)
    if reading.depth:
        reading.end(number)
    return reading.finished()


def _without_secrets(words: list[str]) -> Iterator[str]:
    before = ""
    for one in words:
        is_secret = before in _BEFORE_SECRETS and "$" not in one
        yield MASKED if is_secret else one
        before = one
