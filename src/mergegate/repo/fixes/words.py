"""The words of a program: what its tree is made of, and what its texts say."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import tree_sitter

from mergegate.repo.fixes.syntax import Source

IN_TEXT = re.compile(r"\w+|--|[*/\\&|;<>!=~^#'\"]")
"""A text's words, and the signs that mean something to a shell, a path or a database."""
_AROUND = re.compile(
    r"^[A-Za-z]{0,2}(?:\"{3}|'{3}|[\"'`])|(?:(?<=.)\"{3}|(?<=.)'{3}|[\"'`])$", re.DOTALL
)
"""What a text begins and ends with."""
_BLANKS = dict.fromkeys(range(33, 127), " ")
_PLACEHOLDER = re.compile(r"%\(\w+\)s|%[sdq]|[$@:]\w+")


@dataclass(frozen=True, slots=True)
class Word:
    """A leaf of the tree, or a word of a text."""

    said: str
    at: int
    """Its first byte."""
    in_text: bool = False
    is_name: bool = False
    """Whether it names a value, a field, a function or a type."""
    is_type: bool = False


def words_of(source: Source) -> Iterator[Word]:
    """The words of a file in their order, without comments and imports."""
    language = source.language
    waiting = [source.root]
    while waiting:
        one = waiting.pop()
        if one.type in language.comments or one.type in language.imports:
            continue
        if one.type in language.texts:
            inside = [part for part in one.named_children if part.named_child_count]
            yield from _of_text(source, one, inside)
            waiting.extend(reversed(inside))
        elif one.child_count:
            waiting.extend(reversed(one.children))
        elif said := source.of(one).strip():
            is_type = _is_type(one)
            is_name = is_type or one.type.endswith("identifier")
            yield Word(said, one.start_byte, is_name=is_name, is_type=is_type)


def _is_type(one: tree_sitter.Node) -> bool:
    within = one.parent is not None and one.parent.type.endswith("_type")
    return within or one.type == "type_identifier"


def _of_text(
    source: Source, one: tree_sitter.Node, inside: Iterable[tree_sitter.Node]
) -> Iterator[Word]:
    blank = bytearray(source.bytes[one.start_byte : one.end_byte])
    for part in inside:
        start, end = part.start_byte - one.start_byte, part.end_byte - one.start_byte
        blank[start:end] = b" " * (end - start)
    text = blank.decode("utf-8", "replace")
    text = _AROUND.sub(lambda found: found[0].translate(_BLANKS), text)
    text = _PLACEHOLDER.sub(lambda found: " " * len(found[0]), text)
    for found in IN_TEXT.finditer(text):
        yield Word(found[0], one.start_byte + len(text[: found.start()].encode()), in_text=True)
