"""Regular expressions of scanned files, where the time that they take has a bound."""

import re

_LONGEST_TEXT = 300
_LONGEST_PATTERN = 200
_MOST = 27
"""The logarithm of the steps that a search may take: some hundred millions; most take few."""
_REPEAT = re.compile(r"[*+]|\{\d*,\d*\}")
_REPEATED_GROUP = re.compile(r"\)(?:[*+]|\{)")
_CHOICE = re.compile(r"[?|]")
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_CLASS = re.compile(r"\[\^?\]?[^\]]*\]")
_FOREIGN = re.compile(r"\(\?[^:]|\\[pPzQECGXhHKRN1-9]|\[\[:")
"""What Go and Python read in two ways."""


def bounded(pattern: str, text: str) -> re.Pattern[str] | None:
    """The pattern of Go; None where it may take long on ``text``, or means something else here."""
    if len(pattern) > _LONGEST_PATTERN or len(text) > _LONGEST_TEXT or _FOREIGN.search(pattern):
        return None
    bare = _CLASS.sub("x", _ESCAPED.sub("x", pattern))
    repeats, choices = len(_REPEAT.findall(bare)), len(_CHOICE.findall(bare.replace("(?:", "(")))
    steps = len(text).bit_length() * (repeats + 1) + choices
    if steps > _MOST or _REPEATED_GROUP.search(bare):
        return None
    try:
        return re.compile(pattern, re.ASCII)
    except (re.error, OverflowError):
        return None
