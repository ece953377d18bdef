"""Which of two versions of a JavaScript library is newer, as retire.js compares them."""

import re
from itertools import zip_longest

SHAPE = r"\d{1,4}(?:\.\d{1,6}){1,3}(?:[.-]?(?:alpha|beta|rc|pre|dev|a|b)[.-]?\d{0,4})?"
"""Numbers between dots, with a mark of a preview: the digest in a file's name has no dots."""
_BREAK = re.compile(r"[.-]")


def at_or_above(version: str, bound: str) -> bool:
    """Whether ``version`` is ``bound`` or newer; a preview is older than its release."""
    parts = zip_longest(_BREAK.split(version), _BREAK.split(bound), fillvalue="0")
    for mine, theirs in parts:
        if mine.isdigit() != theirs.isdigit():
            return mine.isdigit()
        order = _order(mine, theirs)
        if order:
            return order > 0
    return True


def is_between(version: str, lowest: str, below: str) -> bool:
    """Whether ``version`` is ``lowest`` (empty: any) or newer, and older than ``below``."""
    return (not lowest or at_or_above(version, lowest)) and not at_or_above(version, below)


def _order(mine: str, theirs: str) -> int:
    if mine.isdigit() and theirs.isdigit():
        return int(mine) - int(theirs)
    return (mine > theirs) - (mine < theirs)
