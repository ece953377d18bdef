"""A verified fix as a block to apply with one click: byte for byte, or not at all."""

import re

from mergegate.core.finding import Edit
from mergegate.core.render import escape
from mergegate.forges.framing import Dialect, Suggesting

MOST_LINES = 40
"""GitLab takes a hundred lines up; more than forty nobody reads before a click."""
MOST_CHARACTERS = 6_000
_OWN_MARK = re.compile(r"mergegate:(?:finding|state)", re.IGNORECASE)
_ORDER = re.compile(r"^\s*/\w", re.MULTILINE)
_FENCE = re.compile("`{3,}|~{3,}")


def block(edit: Edit, dialect: Dialect) -> str:
    """The block for a comment on exactly the lines of ``edit``; empty where none is safe.

    The new lines stand in it as they are, so text that hides, that a forge would obey or that
    looks like a mark of ours is not offered.
    """
    if not (_is_plain(edit.replacement) and _can_be_said(edit, dialect)):
        return ""
    new = f"{edit.replacement}\n" if edit.replacement else ""
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", new)), default=0))
    return f"{ticks}{_heading(edit, dialect)}\n{new}{ticks}"


def _heading(edit: Edit, dialect: Dialect) -> str:
    """GitLab counts from the last line of the comment, which is the last line of the edit."""
    if dialect.suggesting is not Suggesting.OFFSETS:
        return "suggestion"
    return f"suggestion:-{edit.end_line - edit.start_line}+0"


def _is_plain(text: str) -> bool:
    """Whether every character can be seen, and none of the lines is a command or a mark."""
    lines = text.split("\n")
    seen = all(escape.visible(line.replace("\t", " ")) == line.replace("\t", " ") for line in lines)
    return seen and not _OWN_MARK.search(text) and not _ORDER.search(text)


def _can_be_said(edit: Edit, dialect: Dialect) -> bool:
    lines = edit.end_line - edit.start_line + 1
    if len(edit.replacement) > MOST_CHARACTERS:
        return False
    if dialect.suggesting is Suggesting.LINE:
        # Its Markdown is not CommonMark: whether a longer fence holds is not documented.
        return lines == 1 and not _FENCE.search(edit.replacement)
    return lines <= MOST_LINES
