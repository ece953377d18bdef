"""Lighthouse's words → plain text: Markdown becomes prose, amounts become readable."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from mergegate.model.facts.lighthouse import Area

_LONGEST = 4000
_TARGET = r"\((https?://[^\s()]{1,500})\)"
_LINK = re.compile(r"\[([^\[\]]{1,300})\]" + _TARGET)
_POINTER = re.compile(r"\s*\[Learn [^\[\]]{1,300}\]" + _TARGET + r"\.?")
_KILO = 1000
_AREAS: Mapping[Area, str] = MappingProxyType(
    {
        Area.PERFORMANCE: "performance",
        Area.SEO: "SEO",
        Area.ACCESSIBILITY: "accessibility",
        Area.BEST_PRACTICES: "best practices",
    }
)
_SECOND_MS = 1000


def prose(markdown: str, most: int = 1000) -> str:
    """One paragraph without back-ticks and links; "Learn more" goes, :func:`references` has it."""
    bounded = markdown[:_LONGEST]
    text = _LINK.sub(r"\1", _POINTER.sub(" ", bounded)).replace("`", "")
    return cut(text, most)


def references(markdown: str) -> tuple[str, ...]:
    """The https addresses that ``markdown`` links to, each once, in its order."""
    targets = (match[2] for match in _LINK.finditer(markdown[:_LONGEST]))
    return tuple(dict.fromkeys(url for url in targets if url.startswith("https://")))


def cut(text: str, most: int) -> str:
    """``text`` on one line, in at most ``most`` characters, the last ``…`` when some are left out.

    Hostile text stays hostile: whoever shows it escapes it.
    """
    # Twice the length leaves room for blanks that collapse; the rest is not worth reading.
    flat = " ".join(text[: 2 * most].split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def size(bytes: float) -> str:
    """``512 B``, ``34 kB`` or ``2.4 MB``: powers of a thousand, as budgets are told."""
    if bytes < _KILO:
        return f"{bytes:.0f} B"
    kilo = bytes / _KILO
    return f"{kilo:.0f} kB" if kilo < _KILO else f"{kilo / _KILO:.1f} MB"


def duration(ms: float) -> str:
    """``340 ms`` or ``4.4 s``."""
    return f"{ms:.0f} ms" if ms < _SECOND_MS else f"{ms / _SECOND_MS:.1f} s"


def amount(metric: str, saved: float) -> str:
    """A saving by Lighthouse's metric name: ``0.12`` of CLS, a :func:`duration` of any other."""
    return f"{saved:.2f}" if metric == "CLS" else duration(saved)


def area_name(area: Area) -> str:
    """As it is written within a sentence."""
    return _AREAS[area]
