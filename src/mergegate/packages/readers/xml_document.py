"""Hostile XML as plain elements, within limits: no entity is declared, resolved or fetched."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from mergegate.packages.readers.documents import MAX_DEPTH, Unreadable

MAX_XML_CHARACTERS = 16 * 1024 * 1024
MAX_ELEMENTS = 1_000_000


@dataclass(slots=True)
class Element:
    """An element by its name without a namespace."""

    name: str
    line: int
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What stands directly in it, without the space around."""
        return "".join(self.parts).strip()

    def all(self, *path: str) -> Iterator["Element"]:
        """The elements at ``path`` below it, in order."""
        for child in self.children:
            if child.name == path[0]:
                yield from child.all(*path[1:]) if len(path) > 1 else (child,)

    def first(self, *path: str) -> str:
        """The text of the first element at ``path``; empty where there is none."""
        return next((one.text for one in self.all(*path)), "")

    def walk(self, name: str) -> Iterator["Element"]:
        """Every element called ``name`` below it, in order."""
        pending = list(reversed(self.children))
        while pending:
            here = pending.pop()
            if here.name == name:
                yield here
            pending += reversed(here.children)


def xml_document(text: str) -> Element:
    """The root element of ``text``; raises Unreadable."""
    if len(text) > MAX_XML_CHARACTERS:
        raise Unreadable(f"it is longer than {MAX_XML_CHARACTERS} characters")
    try:
        return _Parsing().parsed(text)
    except expat.ExpatError as error:
        raise Unreadable(f"it is not valid XML (line {error.lineno})") from error


class _Parsing:
    """Builds elements from expat's events with a stack of its own: no recursion."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate("utf-8", " ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._data
        self._parser.StartDoctypeDeclHandler = _refuse
        self._stack = [Element("", 0, {})]
        self._number = 0

    def parsed(self, text: str) -> Element:
        # What was decoded is no longer in the encoding that its first line may name.
        self._parser.Parse(text.encode("utf-8", "replace"), True)
        return self._stack[0].children[0]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._number += 1
        if self._number > MAX_ELEMENTS or len(self._stack) > MAX_DEPTH:
            raise Unreadable(f"it has over {MAX_ELEMENTS} elements, or over {MAX_DEPTH} levels")
        here = Element(name.rpartition(" ")[2], self._parser.CurrentLineNumber, attributes)
        self._stack[-1].children.append(here)
        self._stack.append(here)

    def _end(self, _name: str) -> None:
        self._stack.pop()

    def _data(self, text: str) -> None:
        self._stack[-1].parts.append(text)


def _refuse(*_declared: object) -> None:
    raise Unreadable("it declares a document type, which is not followed")
