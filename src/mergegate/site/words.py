"""How amounts read, and how a page's own text is cut short, in what the site tools say."""

import re
from collections.abc import Sequence

_SECOND_MS = 1000
_KILO = 1000
_ROUNDED = 0.5
"""What is rounded up to the next unit is told in that."""


def duration(ms: float) -> str:
    """``340 ms`` or ``4.4 s``."""
    return f"{ms:.0f} ms" if ms < _SECOND_MS - _ROUNDED else f"{ms / _SECOND_MS:.1f} s"


def size(bytes: float) -> str:
    """``512 B``, ``34 kB`` or ``2.4 MB``: powers of a thousand, as budgets are told."""
    if bytes < _KILO - _ROUNDED:
        return f"{bytes:.0f} B"
    kilo = bytes / _KILO
    return f"{kilo:.0f} kB" if kilo < _KILO - _ROUNDED else f"{kilo / _KILO:.1f} MB"


def amount(metric: str, saved: float) -> str:
    """A saving by Lighthouse's metric name: ``0.12`` of CLS, a :func:`duration` of any other."""
    return f"{saved:.2f}" if metric == "CLS" else duration(saved)


def counted(number: int, noun: str) -> str:
    """``1 page``, ``1,200 pages``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``; empty without parts."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


_SWITCH = re.compile(r"[\s\[\]()+\-−–×✕✖☰≡⋮▲△▴▵▼▽▾▿▶▷▸▹►]+")


def is_switch(text: str) -> bool:
    """Whether ``text`` is but the sign of what folds, opens or closes, such as ``[+]`` or ``▶``.

    Arrows that lead on, as ``»`` and ``→``, are none: they may be all that a link says.
    """
    return bool(_SWITCH.fullmatch(text))


def cut(text: str, most: int) -> str:
    """``text`` on one line, in at most ``most`` characters, the last ``…`` when some are left out.

    Hostile text stays hostile: the caller escapes it.
    """
    # Four times the length leaves room for blanks that collapse; the rest is not worth reading.
    flat = " ".join(text[: 4 * most].split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
