"""The scripts of a page or component, each where it stands: all else is blank."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_lists

_LISTS = read_lists(Path(__file__).with_name("programs.toml"))
_SCRIPT_TYPES, _TYPED = frozenset(_LISTS["script-types"]), frozenset(_LISTS["typed"])
_TEMPLATE_MARKS = tuple(tuple(mark.split()) for mark in _LISTS["template-marks"])
_BEGIN = re.compile(r"<script(?=[\s/>])", re.IGNORECASE)
# Atomic, so that a tag without an end is given up at once.
_ATTRIBUTES = re.compile(r"""(?>[^>=]|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+(?=>)""")
_TYPE = re.compile(r"""\b(?:type|lang)\s*=\s*["']?([^"'\s>]*)""", re.IGNORECASE)
_END = re.compile(r"</script(?=[\s/>])|\Z", re.IGNORECASE)
_SIGN = re.compile(r"[^\r\n]")


@dataclass(frozen=True, slots=True)
class Script:
    """All scripts of a page as one program, in its lines and columns."""

    language: str
    text: str
    spare: bool = False
    """Whether another script reads the same without the marks of templates."""


def scripts_of(page: str, *, templates: bool) -> Iterator[Script]:
    """The scripts of ``page`` as they are and, where ``templates`` may have marks, without those.

    A mark is code in a page that no template engine reads, and no code in one that it does.
    """
    spans = list(_spans(page))
    if not spans:
        return
    typed = any(kind in _TYPED for _, _, kind in spans)
    language = "typescript" if typed else "javascript"
    text = _blanked(page, spans)
    plain = _without_marks(text) if templates else text
    if plain != text:
        yield Script(language, text, spare=True)
    yield Script(language, plain)


def _spans(page: str) -> Iterator[tuple[int, int, str]]:
    """Where each script starts and ends, and its type."""
    place = 0
    while begin := _BEGIN.search(page, place):
        attributes = _ATTRIBUTES.match(page, begin.end())
        if attributes is None:  # the tag does not end, and no later one begins in it
            return
        start = attributes.end() + 1
        end = _END.search(page, start)
        place = end.start() if end else len(page)
        said = _TYPE.search(attributes[0])
        kind = said[1].lower() if said else ""
        if kind in _SCRIPT_TYPES or kind in _TYPED:
            yield start, place, kind


def _blanked(page: str, spans: list[tuple[int, int, str]]) -> str:
    """``page`` with a blank for each character outside, and a semicolon between two scripts."""
    parts, done = [], 0
    for start, end, _ in spans:
        gap = _SIGN.sub(" ", page[done:start])
        parts += [";" + gap[1:] if done and gap else gap, page[start:end]]
        done = end
    return "".join(parts)


def _without_marks(text: str) -> str:
    """``text`` with a zero for each value that a template writes, and blanks for its orders."""
    for opening, closing, value in _TEMPLATE_MARKS:
        text = "".join(_replaced(text, opening, closing, "0" if value == "value" else " "))
    return text


def _replaced(text: str, opening: str, closing: str, value: str) -> Iterator[str]:
    done = 0
    while (start := text.find(opening, done)) >= 0 and (end := text.find(closing, start)) >= 0:
        stop = end + len(closing)
        yield f"{text[done:start]}{value}{_SIGN.sub(' ', text[start + 1 : stop])}"
        done = stop
    yield text[done:]
