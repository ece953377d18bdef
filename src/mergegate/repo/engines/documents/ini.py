"""The notation of INI files as Ansible reads its settings: sections of `name = value` lines."""

import re

from mergegate.repo.engines.documents.directives import Reading
from mergegate.repo.facts.documents import Node

_SECTION = re.compile(r"\[([^\]]+)\]")
_PAIR = re.compile(r"([\w.-]+)\s*[=:]\s*(.*)")
_COMMENT = re.compile(r"\s[;#].*")


def read(text: str) -> Node:
    """The file as a block with one for each section. Raises Unreadable on a spent budget."""
    reading = Reading()
    for number, line in enumerate(text.replace("\r", "\n").split("\n"), start=1):
        stripped = line.strip()
        if match := _SECTION.match(stripped):
            if reading.depth:
                reading.end(number)
            reading.begin(match[1].strip().lower(), (), number)
        elif match := _PAIR.match(stripped):
            reading.add(match[1].lower(), (_COMMENT.sub("", match[2]).strip(),), number)
    if reading.depth:
        reading.end(number)
    return reading.finished()
