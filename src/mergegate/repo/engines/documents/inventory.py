"""Inventories of Ansible in the notation of INI files: groups, hosts and variables of both."""

import re
import shlex

from mergegate.repo.engines.documents.directives import Reading
from mergegate.repo.engines.documents.nodes import is_literal_secret, is_secret_name
from mergegate.repo.facts.documents import MASKED, Node

_SECTION = re.compile(r"\[([^\]\n]+)\]")
_PAIR = re.compile(r"([A-Za-z_][\w.-]*)\s*=\s*(.*)")
_COMMENT = re.compile(r"\s[#;].*")
_UNGROUPED = "ungrouped"
_VARIABLES = ":vars"
_LINE = 8 * 1024
"""Characters of a line that is read."""


def read(text: str) -> Node:
    """A block a group, a block in it a host; variables of a group stand in its block ``:vars``.

    Raises Unreadable on a spent budget.
    """
    reading = Reading()
    lines = text.replace("\r", "\n").split("\n")
    reading.begin(_UNGROUPED, (), 1)
    section = _UNGROUPED
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if not stripped or stripped[0] in "#;" or len(stripped) > _LINE:
            continue
        if match := _SECTION.match(stripped):
            reading.end(number)
            section = match[1].strip()
            reading.begin(section, (), number)
        elif section.endswith(_VARIABLES):
            if match := _PAIR.match(stripped):
                value = _COMMENT.sub("", match[2]).strip()
                _add(reading, match[1], _unquoted(value), number)
        else:
            _host(reading, stripped, number)
    reading.end(len(lines))
    return reading.finished()


def _host(reading: Reading, line: str, number: int) -> None:
    try:
        name, *variables = shlex.split(line, comments=True)
    except ValueError:  # no inventory that Ansible reads
        return
    reading.begin(name, (), number)
    for one in variables:
        if match := _PAIR.fullmatch(one):
            _add(reading, match[1], match[2], number)
    reading.end(number)


def _add(reading: Reading, name: str, value: str, number: int) -> None:
    """Read a variable; what ends in ``_pass`` is a password here, and no directive of nginx."""
    is_secret = is_secret_name(name) and is_literal_secret(value)
    reading.add(name, (MASKED if is_secret else value,), number)


def _unquoted(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if is_quoted else value
