"""Find the line of a comment that is an order: one that its readers see as plain text.

Quoted, fenced and hidden text is somebody else's, or not to be seen: it orders nothing. Where
plain rules cannot tell, the rest of the comment orders nothing either. All of it takes time
linear in the comment's length.
"""

import re

_MOST_CHARACTERS = 65_536
_ORDER = re.compile(r"/mergegate(?!\S)", re.IGNORECASE)
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_CLOSING = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*")
# A fence in a list or a quote ends where those end, which takes a whole parser to know.
_NESTED_FENCE = re.compile(r"[ \t>*+\-.)\d]*(?:`{3}|~{3})")
# Such HTML may hold empty lines, and hides what it holds.
_HIDING = re.compile(r" {0,3}<(?:!|\?|pre\b|script\b|style\b|textarea\b)", re.IGNORECASE)
# A quote, HTML, or the definition of a link goes on until the paragraph ends.
_CLAIMING = re.compile(r" {0,3}(?:>|<|\[)")


def order_line(body: str) -> str | None:
    """The first line that begins with ``/mergegate`` as a word; None when there is none."""
    fence = ""
    claimed = False
    for line in _lines(body[:_MOST_CHARACTERS]):
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif opened := _opens(line):
            fence = opened
        elif _NESTED_FENCE.match(line) or _HIDING.match(line):
            return None
        elif not line.strip(" \t"):
            claimed = False
        elif _CLAIMING.match(line):
            claimed = True
        elif not claimed and _ORDER.match(line):
            return line.rstrip()
    return None


def _lines(body: str) -> list[str]:
    """Markdown ends a line at these three and at nothing else."""
    return body.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _opens(line: str) -> str:
    """The fence that ``line`` opens; empty when it opens none."""
    found = _FENCE.fullmatch(line)
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return ""
    return found[1]


def _closes(line: str, fence: str) -> bool:
    found = _CLOSING.fullmatch(line)
    return bool(found and found[1].startswith(fence))
