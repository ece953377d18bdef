r"""Characters by their numbers and names: ``\x67``, ``\u0067``, ``\147``, ``%67``, ``&#103;``."""

import html
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import unquote

from mergegate.secrets.source import Source
from mergegate.secrets.spellings.view import Change

_CODE = r"[2-7][0-9a-fA-F]"
_ONE = (
    rf"(?:x(?P<x>{_CODE})|u00(?P<u>{_CODE})|u\{{0{{0,4}}(?P<b>{_CODE})\}}|U000000(?P<U>{_CODE})"
    r"|(?P<octal>0?(?:0[4-7]|1[0-7])[0-7])|N\{(?P<name>[A-Z][A-Z -]{3,40})\})"
)
_UNNAMED = re.sub(r"\?P<\w+>", "?:", _ONE)
_ESCAPES = re.compile(rf"\\{_UNNAMED}(?:\\{_UNNAMED})*")
_ESCAPE = re.compile(rf"\\{_ONE}")
_BREAK = re.compile(r"\\[nrt](?=[A-Za-z0-9][\w.-]{15})")
r"""``\nghp_…``: the letter is none of the word behind it."""
_PERCENT = re.compile(rf"%{_CODE}(?:%{_CODE})*")
_REFERENCE = r"&#(?:1?\d{2}|[xX]0{0,3}[2-7][0-9a-fA-F]);"
_REFERENCES = re.compile(f"{_REFERENCE}(?:{_REFERENCE})*")
_WORD = re.compile(r"[\w-]")
_LONG_WORD = re.compile(r"[\w-]{16}")


def read(source: Source) -> Iterator[Change]:
    """Runs of escapes, as the characters that they are."""
    text = source.text
    if "\\" in text:
        for match in _ESCAPES.finditer(text):
            with suppress(KeyError):
                yield Change(*match.span(), _ESCAPE.sub(_character, match.group()))
        for match in _BREAK.finditer(text):
            yield Change(*match.span(), "\n")
    for match in _PERCENT.finditer(text):
        plain = unquote(match.group())
        if _WORD.search(plain) or _LONG_WORD.match(text, match.end()):
            yield Change(*match.span(), plain)
    for match in _REFERENCES.finditer(text):
        yield Change(*match.span(), html.unescape(match.group()))


def _character(match: re.Match[str]) -> str:
    if match["name"]:
        return unicodedata.lookup(match["name"])
    digits = match["x"] or match["u"] or match["b"] or match["U"]
    return chr(int(digits, 16) if digits else int(match["octal"], 8))
