"""Lighthouse's words → plain text: Markdown becomes prose and references."""

import re

from mergegate.site.words import cut

_LONGEST = 4000
_TARGET = r"\((https?://[^\s()]{1,500})\)"
_LINK = re.compile(r"\[([^\[\]]{1,300})\]" + _TARGET)
_POINTER = re.compile(r"\s*\[Learn [^\[\]]{1,300}\]" + _TARGET + r"\.?")


def prose(markdown: str, most: int = 1000) -> str:
    """One paragraph without back-ticks and links; "Learn more" goes, :func:`references` has it."""
    bounded = markdown[:_LONGEST]
    text = _LINK.sub(r"\1", _POINTER.sub(" ", bounded)).replace("`", "")
    return cut(text, most)


def references(markdown: str) -> tuple[str, ...]:
    """The https addresses that ``markdown`` links to, each once, in its order."""
    targets = (match[2] for match in _LINK.finditer(markdown[:_LONGEST]))
    return tuple(dict.fromkeys(url for url in targets if url.startswith("https://")))
