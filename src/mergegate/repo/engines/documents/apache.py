"""The notation of Apache's HTTP server: a directive a line, sections as in markup.

No other file is read: what `Include` names is judged where it stands. Names count alike, large
or small, and stand in small letters. What a section only makes conditional belongs to the block
around it.
"""

import re
from collections.abc import Iterator

from mergegate.repo.engines.documents.directives import Reading
from mergegate.repo.engines.documents.nodes import Unreadable
from mergegate.repo.facts.documents import Node

_BEGIN = re.compile(r"<\s*([A-Za-z]\w*)\s*(.*?)\s*>?$", re.DOTALL)
_END = re.compile(r"</\s*([A-Za-z]\w*)\s*>?$")
_ARGUMENT = re.compile(r"\"((?:\\.|[^\"\\])*)\"|'((?:\\.|[^'\\])*)'|(\S+)", re.DOTALL)
_ONLY_IF = frozenset({"ifmodule", "ifdefine", "ifversion", "ifdirective", "iffile", "ifsection"})


def read(text: str) -> Node:
    """The file as a block. Raises Unreadable on a syntax error or a spent budget."""
    reading, sections = Reading(), list[str]()
    for number, line in _lines(text):
        if match := _END.match(line):
            name = match[1].lower()
            if not sections or sections.pop() != name:
                raise Unreadable(f"line {number} ends a section that never began", is_syntax=True)
            if name not in _ONLY_IF:
                reading.end(number)
        elif match := _BEGIN.match(line):
            name = match[1].lower()
            sections.append(name)
            if name not in _ONLY_IF:
                reading.begin(name, _arguments(match[2]), number)
        else:
            name, *rest = line.split(maxsplit=1)
            reading.add(name.lower(), _arguments(rest[0] if rest else ""), number)
    if sections:
        raise Unreadable(f"the section {sections[-1]} does not end", is_syntax=True)
    return reading.finished()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with something in them, those put together that a backslash at their end joins."""
    parts, begun = list[str](), 0
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        begun = begun if parts else number
        if line.endswith("\\") and number < len(lines):
            parts.append(line[:-1])
            continue
        whole = "".join((*parts, line.removesuffix("\\"))).strip()
        parts = []
        if whole and not whole.startswith("#"):
            yield begun, whole


def _arguments(text: str) -> list[str]:
    return [
        next(one for one in match.groups() if one is not None) for match in _ARGUMENT.finditer(text)
    ]
