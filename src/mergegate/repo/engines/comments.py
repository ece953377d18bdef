"""What of a text is comment, which lines a comment speaks of, and the reason that it gives.

Nothing is parsed: strings are told from comments as the language writes both, in linear time.
"""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from mergegate.repo.directives import Directive, Reach, every_pattern
from mergegate.secrets.mask import mask_line

_BLOCK = rb'"""(?:[^\\"]|\\.|"(?!""))*+(?:"""|\\?\Z)'
_DOUBLE = rb'"(?:[^"\\\n]|\\.)*+(?:"|(?=\n)|\\?\Z)'
_SINGLE = rb"'(?:[^'\\\n]|\\.)*+(?:'|(?=\n)|\\?\Z)"
_RAW = rb"`(?:[^`\\]|\\.)*+(?:`|\\?\Z)"
_STRINGS = (_BLOCK, _BLOCK.replace(b'"', b"'"), _DOUBLE, _SINGLE)
_HASH, _SPACED_HASH = rb"#[^\n]*", rb"(?<![^\s;])#[^\n]*"
_SLASHES, _STARS = rb"//[^\n]*", rb"/\*.*?(?:\*/|\Z)"
_TAGS = rb"<!--.*?(?:-->|\Z)"
_OTHERS = rb"(?<![^\s])(?://|--)[^\n]*|^[ \t]*;[^\n]*"


def _any(comments: tuple[bytes, ...], strings: tuple[bytes, ...]) -> re.Pattern[bytes]:
    pattern = b"(" + b"|".join(comments) + b")|" + b"|".join(strings)
    return re.compile(pattern, re.DOTALL | re.MULTILINE)


_FAMILIES = (
    ("python cython starlark sage", _any((_HASH,), _STRINGS)),
    (
        "yaml dockerfile bash ruby perl r elixir julia tcl powershell",
        _any((_SPACED_HASH,), (_DOUBLE, _SINGLE)),
    ),
    ("terraform php hack", _any((_SPACED_HASH, _SLASHES, _STARS), (_DOUBLE, _SINGLE))),
    (
        "javascript typescript java go kotlin scala csharp rust swift c cpp groovy dart apex",
        _any((_SLASHES, _STARS), (*_STRINGS, _RAW)),
    ),
)
_ANY_OTHER = _any((_SPACED_HASH, _STARS, _TAGS, _OTHERS), (_DOUBLE, _SINGLE))
_BY_LANGUAGE = {name: pattern for names, pattern in _FAMILIES for name in names.split()}
_MOST_SKIPPED = 20
"""Lines of comment between one and the code that it is about."""
_MOST_IN_BLOCK = 300
_LONGEST_LINE = 10_000
_MOST_BYTES = 400
_SIGN = re.compile(rb"\S")


@dataclass(frozen=True, slots=True)
class Comment:
    """What one comment says on one line, without what opens and closes it."""

    before: bytes
    """Its words before a directive in it."""
    after: bytes
    code: bytes
    """What it speaks of: a secret in it is none to repeat."""


class Comments:
    """The comments of one text, which is read once."""

    def __init__(self, data: bytes, language: str | None) -> None:
        self._data = data
        self._pattern = _BY_LANGUAGE.get(language or "", _ANY_OTHER)
        self._coded: dict[int, bool] = {}

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        found = self._pattern.finditer(self._data)
        return [hit.span(1) for hit in found if hit[1] is not None]

    def around(self, position: int) -> tuple[int, int] | None:
        """From where to where the comment goes that ``position`` is in; None where it is none."""
        at = bisect_right(self._spans, (position, len(self._data))) - 1
        if at < 0 or not self._spans[at][0] <= position < self._spans[at][1]:
            return None
        return self._spans[at]

    def read(self, start: int, end: int) -> Comment | None:
        """What the comment says around a directive in it; None where it stands in none."""
        if (span := self.around(start)) is None:
            return None
        first, last = self._line(start)
        code = self.code(start)
        at = bisect_right(self._spans, (code, 0))
        code_end = min([self._line(code)[1], *(one for one, _ in self._spans[at : at + 1])])
        return Comment(
            self._data[max(first, span[0], start - _MOST_BYTES) : start],
            self._data[end : min(last, span[1], end + _MOST_BYTES)],
            self._data[code : min(code_end, code + _LONGEST_LINE)],
        )

    def code(self, position: int) -> int:
        """Where the line begins that a comment at ``position`` speaks of.

        Its own, or of a comment that stands alone the next with code on it.
        """
        first, last = self._line(position)
        span = self.around(position)
        if span is None or self._holds_code(first, last):
            return first
        at = max(last, span[1])
        for _ in range(_MOST_SKIPPED):
            begin, end = self._line(min(at + 1, len(self._data)))
            if self._holds_code(begin, end):
                return begin
            if end >= len(self._data):
                break
            at = end
        return first

    def reach(self, position: int, reach: Reach) -> tuple[int, int]:
        """Where the first and the last line begin that a directive at ``position`` speaks of."""
        own, code = self._line(position)[0], self.code(position)
        if reach is Reach.LINE:
            return own, code
        first = self._opened(own) if reach is Reach.INSIDE else code
        return min(own, first), self._closed(first)

    def _line(self, position: int) -> tuple[int, int]:
        end = self._data.find(b"\n", position)
        return self._data.rfind(b"\n", 0, position) + 1, len(self._data) if end < 0 else end

    def _holds_code(self, first: int, last: int) -> bool:
        """Whether anything but comment and blanks stands there; each line is looked at once."""
        if first not in self._coded:
            self._coded[first] = last - first > _LONGEST_LINE or self._reads_code(first, last)
        return self._coded[first]

    def _reads_code(self, first: int, last: int) -> bool:
        while first < last and (found := _SIGN.search(self._data, first, last)):
            if (span := self.around(found.start())) is None:
                return True
            first = span[1]
        return False

    def _opened(self, line: int) -> int:
        """The nearest line above that is indented less; its own where none is."""
        depth, at = self._depth(line), line
        for _ in range(_MOST_IN_BLOCK):
            if at == 0:
                break
            at = self._line(at - 1)[0]
            if self._data[slice(*self._line(at))].strip() and self._depth(at) < depth:
                return at
        return line

    def _closed(self, line: int) -> int:
        """The last line of the block that ``line`` opens; its own where it opens none."""
        depth, at = self._depth(line), line
        for _ in range(_MOST_IN_BLOCK):
            at = self._line(at)[1] + 1
            if at >= len(self._data):
                break
            said = self._data[slice(*self._line(at))].strip()
            if said and self._depth(at) <= depth:
                return at if said[:1] in b"})]" else self._line(at - 1)[0]
        return line if at < len(self._data) else self._line(len(self._data))[0]

    def _depth(self, line: int) -> int:
        said = self._data[slice(*self._line(line))]
        return len(said) - len(said.lstrip(b" \t"))


_LONGEST = 200
_FILLERS = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0"))
"""Letters and signs by name that show nothing."""
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Me"})
_CLOSES = re.compile(r"\*/|-->|#\}")
_DIRECTED = re.compile("|".join(f"(?:{one})" for one in every_pattern()))
_EXPIRES = re.compile(r":?exp:\d{4}-\d\d-\d\d")
_EDGES = " \t:;,.-–—#/(|*=~\\"
_WORD = re.compile(r"[^\W\d_]{3,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,}")
_NAME = re.compile(r"\S*(?:[\w-][_/.][\w-]|\b[A-Z][A-Z0-9]{0,9}[-_]?\d)\S*")
"""A path, a rule, anything with a sign inside that no word has."""
_LITERAL = re.compile(rb"[\"'`]([^\"'`\n]{4,200})[\"'`]|[:=]\s*([^\s\"'`,;()\[\]{}]{4,200})")


def reason(comment: Comment, directive: Directive) -> str:
    """Why the comment asks to look away, as it may be shown; empty where it does not say.

    A reason has a word: no rule's name, no directive to another tool, nothing invisible. What the
    tool itself takes back on a day is none to rely on.
    """
    before, after = (one.decode("utf-8", "replace") for one in (comment.before, comment.after))
    if _EXPIRES.search(after):
        return ""
    if directive.reason:
        led = re.search(directive.reason, after)
        before, after = "", after[led.end() :] if led else ""
    told = (_without(_words(one), comment.code) for one in (after, before))
    return next((one for one in told if _WORD.search(_NAME.sub(" ", one))), "")


def _without(said: str, code: bytes) -> str:
    """``said`` as it may be shown beside ``code``, whose literals may be secrets."""
    for found in _LITERAL.finditer(code):
        said = said.replace((found[1] or found[2]).decode("utf-8", "replace"), "****")
    return mask_line(said)[:_LONGEST].rstrip()


def _words(text: str) -> str:
    seen = "".join(
        " " if one.isspace() else one
        for one in text.translate(_FILLERS)
        if one.isspace() or unicodedata.category(one) not in _UNSEEN
    )
    alone = _DIRECTED.sub(" ", _CLOSES.sub(" ", seen))
    return " ".join(alone.split()).strip(_EDGES)
