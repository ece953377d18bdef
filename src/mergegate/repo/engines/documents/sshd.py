"""The notation of OpenSSH's server: a keyword a line, those behind `Match` for some logins alone.

Keywords count alike, large or small, and stand in small letters; of several of one name the first
counts.
"""

import re

from mergegate.repo.engines.documents.directives import Reading
from mergegate.repo.facts.documents import Node

_LINE = re.compile(r"(?P<name>\w+)(?:[ \t]+|[ \t]*=[ \t]*)(?P<rest>[^#]*)")
_MATCH = "match"


def read(text: str) -> Node:
    """The file as a block with one for each Match. Raises Unreadable on a spent budget."""
    reading, known = Reading(), set[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        match = _LINE.match(line.strip())
        if match is None:
            continue
        name, words = match["name"].lower(), match["rest"].replace('"', "").split()
        if name == _MATCH:
            if reading.depth:
                reading.end(number)
            reading.begin(name, words, number)
            known = set()
        elif name not in known:
            reading.add(name, words, number)
            known.add(name)
    if reading.depth:
        reading.end(number)
    return reading.finished()
