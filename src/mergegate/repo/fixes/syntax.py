"""Texts as syntax trees: whether they parse, and what fixes look for in them."""

import ast
import configparser
import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

import tree_sitter
import yaml

from mergegate.core.data_table import read_table
from mergegate.core.finding import Place
from mergegate.packages.readers.documents import Unreadable
from mergegate.packages.readers.xml_document import xml_document
from mergegate.repo.fixes import bicep, dockerfile
from mergegate.repo.fixes.edits import span


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language's grammar, and the names that it gives to what fixes need."""

    name: str
    grammar: Callable[..., object]
    calls: Mapping[str, tuple[str, str]] | None = None
    """Kind of call → the fields of what is called and of the arguments."""
    options: str = ""
    """The kind of the literal whose entries are named arguments; empty where calls have names."""
    keyword: str = ""
    """The kind of a named argument."""
    definitions: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    """The kinds of what holds statements."""
    imports: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    """The kinds of what decides whether statements run."""
    constants: tuple[str, ...] = ()
    """The kinds of what decides nothing."""
    indirect: tuple[str, ...] = ()
    """Names that fetch or call something by a name of its own."""


LANGUAGES: Mapping[str, Language] = read_table(
    Path(__file__).with_name("languages.toml"), Language, "name"
)
_BY_SUFFIX = {
    ".tsx": "tsx",
    ".tf": "terraform",
    ".tofu": "terraform",
    ".hcl": "terraform",
    ".tfvars": "terraform",
}


def language_of(language: str | None, suffix: str) -> Language | None:
    """The grammar for a file; None when there is none here."""
    return LANGUAGES.get(_BY_SUFFIX.get(suffix, language or ""))


@cache
def _parser(name: str) -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(LANGUAGES[name].grammar()))


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Source:
    """A text and its syntax tree; offsets count bytes of its UTF-8."""

    def __init__(self, text: str, language: Language) -> None:
        self.text = text
        self.bytes = text.encode()
        self.language = language
        self.root = _parser(language.name).parse(self.bytes).root_node

    def of(self, node: tree_sitter.Node) -> str:
        """What stands at ``node``."""
        return self.bytes[node.start_byte : node.end_byte].decode()

    def walk(self, node: tree_sitter.Node | None = None) -> Iterator[tree_sitter.Node]:
        """``node`` (by default everything) and all below it, from the top of the text."""
        waiting = [node or self.root]
        while waiting:
            one = waiting.pop()
            yield one
            waiting.extend(reversed(one.named_children))

    def range_of(self, place: Place) -> tuple[int, int]:
        """The bytes from where to where ``place`` goes: whole lines where it has no columns."""
        return span(self.text, place)

    def at(self, start: int, end: int) -> tree_sitter.Node:
        """The smallest node that covers the bytes, without the blanks around them."""
        inside = self.bytes[start:end]
        start += len(inside) - len(inside.lstrip())
        end -= len(inside) - len(inside.rstrip())
        found = self.root.named_descendant_for_byte_range(start, max(start, end))
        return found or self.root

    def code(self, start_line: int, end_line: int) -> str:
        """The lines, from 1, with a blank for each character of comments and of what texts say.

        What is put into a text (``{name}``) stays: it is code.
        """
        return "\n".join(self._plain_lines[start_line - 1 : end_line])

    @cached_property
    def _plain_lines(self) -> Sequence[str]:
        blank = bytearray(self.bytes)
        for one in self.walk():
            if one.type in self.language.comments:
                _blank(blank, one.start_byte, one.end_byte)
            elif one.type in self.language.texts:
                inside = [part for part in one.named_children if part.named_child_count]
                at = one.start_byte
                for part in inside:
                    _blank(blank, at, part.start_byte)
                    at = part.end_byte
                _blank(blank, at, one.end_byte)
        return _same_length(blank, self.text).split("\n")

    def lines(self, node: tree_sitter.Node) -> range:
        """The numbers of the lines that ``node`` stands on, from 1."""
        return range(node.start_point.row + 1, node.end_point.row + 2)


def source_of(text: str, language: Language) -> Source:
    """The text as a syntax tree, kept for the next finding in it."""
    return _kept(text, language.name)


@lru_cache(maxsize=4)
def _kept(text: str, language: str) -> Source:
    return Source(text, LANGUAGES[language])


def _same_length(blank: bytearray, text: str) -> str:
    """``text`` with a blank for each character whose bytes are blanks in ``blank``."""
    if text.isascii():
        return blank.decode()
    shown, at = [], 0
    for one in text:
        shown.append(" " if blank[at] == _BLANK else one)
        at += len(one.encode())
    return "".join(shown)


_BLANK = 0x20


def _blank(text: bytearray, start: int, end: int) -> None:
    """Quotes stay, so that a text is still seen to be one."""
    for at in range(start, end):
        if text[at : at + 1] not in b"\n\r\"'`":
            text[at] = _BLANK


def above(node: tree_sitter.Node | None, kinds: Iterable[str]) -> tree_sitter.Node | None:
    """``node``, or the nearest above it, of one of the ``kinds``."""
    wanted = frozenset(kinds)
    while node is not None and node.type not in wanted:
        node = node.parent
    return node


def _python(text: str) -> None:
    ast.parse(text)


def _json(text: str) -> None:
    json.loads(text)


def _yaml(text: str) -> None:
    """Events only: nothing is constructed, no alias is expanded."""
    for _ in yaml.parse(text, Loader=_LOADER):
        pass


def _toml(text: str) -> None:
    tomllib.loads(text)


def _cfg(text: str) -> None:
    try:
        configparser.RawConfigParser(strict=False).read_string(text)
    except configparser.Error as error:
        raise ValueError from error


def _xml(text: str) -> None:
    try:
        xml_document(text)
    except Unreadable as error:
        raise ValueError from error


def _bicep(text: str) -> None:
    if bicep.read(text) is None:
        raise ValueError


def _plain(_: str) -> None:
    """A list of lines has no syntax to break."""


_PARSERS: Mapping[str, Callable[[str], None]] = {
    "python": _python,
    "json": _json,
    "yaml": _yaml,
    "dockerfile": dockerfile.check,
    bicep.SUFFIX: _bicep,
    ".toml": _toml,
    ".cfg": _cfg,
    ".xml": _xml,
    ".csproj": _xml,
    ".fsproj": _xml,
    ".vbproj": _xml,
    ".txt": _plain,
    ".in": _plain,
    ".mod": _plain,
}


def parses(text: str, language: str | None, suffix: str) -> bool | None:
    """Whether ``text`` is valid; None when no parser here knows the language."""
    parser = _PARSERS.get(suffix) or _PARSERS.get(language or "")
    try:
        if parser is not None:
            parser(text)
            return True
        known = language_of(language, suffix)
        return None if known is None else not Source(text, known).root.has_error
    except (SyntaxError, ValueError, RecursionError, MemoryError, yaml.YAMLError):
        return False
