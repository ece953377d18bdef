"""Line breaks that a visitor writes into a path, and where nginx puts them into a header."""

import re
from collections.abc import Iterator, Mapping

from mergegate.repo.facts.documents import Node

_LONGEST = 2_000
"""Signs of a pattern that is looked into; people write far shorter ones."""
_HEADERS = ("add_header", "more_set_headers", "add_trailer", "proxy_set_header", "return")
_REDIRECT = re.compile(r"(?:30[12378] )?(?:https?:|/|\$)\S*")
"""What a return says that becomes a header; a text of another status is the body."""
_VARIABLE = re.compile(r"\$\{?(\w+)\}?")
_PART = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?P?<(?P<name>\w+)>|(?P<mark>\?))?|\)|[^\\[()]+"
)
_TAKES = re.compile(r"\\(?:[sWDnRv]|x0[aA])")
"""An escape that a line break fits, or that keeps it out of a class of all others."""


def header_with_break(own: Mapping[str, Node]) -> Node | None:
    """The first header that has a part of the path which may hold a line break."""
    path = own["argument"].text if "argument" in own else ""
    if not path.startswith("~") or len(path) > _LONGEST:
        return None
    free = {name for name, what in _groups(path) if _takes_break(what)}
    for key in _HEADERS if free else ():
        for one in own[key].each if key in own else ():
            if key == "return" and not _REDIRECT.fullmatch(one.text):
                continue
            if not free.isdisjoint(_VARIABLE.findall(one.text)):
                return one
    return None


def _groups(pattern: str) -> Iterator[tuple[str, str]]:
    """Each group that is captured, by its number and its name, with what it fits."""
    begun: list[tuple[tuple[str, ...], int]] = []
    number = 0
    for match in _PART.finditer(pattern):
        if match[0][0] == "(":
            names: tuple[str, ...] = ()
            if not match["mark"]:
                number += 1
                names = (str(number), match["name"]) if match["name"] else (str(number),)
            begun.append((names, match.end()))
        elif match[0] == ")" and begun:
            names, start = begun.pop()
            yield from ((name, pattern[start : match.start()]) for name in names)


def _takes_break(pattern: str) -> bool:
    """Whether a line break fits a part of the pattern; a point does not take one."""
    return any(
        (_TAKES.search(part[0]) is None) if part[0][:2] == "[^" else bool(_TAKES.search(part[0]))
        for part in _PART.finditer(pattern)
    )
