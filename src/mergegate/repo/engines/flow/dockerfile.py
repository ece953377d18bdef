"""A Dockerfile as semgrep's rules read it: its lines joined by the usual sign, lists as words."""

import re
from collections.abc import Iterator

from mergegate.repo.engines.flow.edits import Edit

_DIRECTIVES = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t]*#[ \t]*(?!escape\b)[A-Za-z]\w*[ \t]*=[^\n]*\n)*"
    rb"[ \t]*#[ \t]*escape[ \t]*=[ \t]*`[ \t]*\r?\n",
    re.IGNORECASE,
)
"""``# escape=`` with a backtick, among the directives that stand before all else."""
_WORD = rb'[ \t]*"[^"\\\n]*"[ \t]*'
_LISTED = re.compile(
    rb"^[ \t]*(?:ONBUILD[ \t]+)?RUN[ \t]+(?P<list>\[%s(?:,%s)*\])[ \t]*\r?$" % (_WORD, _WORD),
    re.IGNORECASE | re.MULTILINE,
)
"""A step that is a list of words on one line, none of which has an escape."""
_BETWEEN = re.compile(rb"\[[ \t]*\"|\"[ \t]*,[ \t]*\"|\"[ \t]*\]")
_COMMENTS = re.compile(rb"[`\\][ \t]*\r?\n(?P<lines>(?:[ \t]*\#[^\n]*\n)+)")
"""Comments between the lines of a step, which goes on behind them."""
_LAST = re.compile(rb"[`\\](?=[ \t]*\r?$)", re.MULTILINE)


def edits(text: bytes) -> Iterator[Edit]:
    """A backslash for each backtick that joins lines, blanks between the words of a list.

    A comment within a step becomes blanks that are joined to the next line.
    """
    for listed in _LISTED.finditer(text):
        for match in _BETWEEN.finditer(text, *listed.span("list")):
            yield Edit(match.start(), b" " * len(match[0]), replaces=True)
    for between in _COMMENTS.finditer(text):
        for line in re.finditer(rb"[^\r\n]+", between["lines"]):
            blank = b" " * (len(line[0]) - 1) + b"\\"
            yield Edit(between.start("lines") + line.start(), blank, replaces=True)
    if _DIRECTIVES.match(text):
        for match in _LAST.finditer(text):
            yield Edit(match.start(), b"\\" if match[0] == b"`" else b"/", replaces=True)
