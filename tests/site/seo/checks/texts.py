"""Articles of any length, and what the checks of texts say of them."""

from collections.abc import Iterable
from typing import Any

from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from tests.site.seo.checks.well_made import OF_TEXTS, changed, site

_WHO = ("The cook", "A gardener", "My neighbour", "The baker", "A sailor", "The teacher")
_DOES = ("warms", "fills", "brings", "buys", "cleans", "forgets", "paints")
_WHAT = ("the kettle", "a small cup", "the old pot", "fresh water", "green leaves")
_END = "</article>"


def sentences(number: int) -> list[str]:
    """Different ones, of eleven to thirteen words, without a figure."""
    return [
        f"{_WHO[n % 6]} {_DOES[n % 7]} {_WHAT[n % 5]} before the guests of {_letters(n)} come in."
        for n in range(number)
    ]


def paragraphs(number: int, of: int = 4) -> str:
    """``number`` different paragraphs of ``of`` sentences each."""
    texts = sentences(number * of)
    parts = (" ".join(texts[at : at + of]) for at in range(0, len(texts), of))
    return "".join(f"<p>{part}</p>" for part in parts)


def page(*changes: tuple[str, str], body: str = "", **more: Any) -> SearchFacts:
    """The well-made page with changes, and with ``body`` at the end of its article."""
    return site(changed(*changes, (_END, body + _END)), **more)


def bare(body: str, *, title: str = "Tea for guests", lang: str = "en", head: str = "") -> str:
    """A page of little more than ``body``, which leads to who made it."""
    return (
        f'<!doctype html><html lang="{lang}"><head><title>{title}</title>{head}</head>'
        f'<body><main>{body}</main><footer><a href="/about">About</a></footer></body></html>'
    )


def found(facts: SearchFacts) -> list[Point]:
    """Every point about texts, trust and answers, in the order of the checks."""
    return [point for check in OF_TEXTS for point in check(facts)]


def rules(points: Iterable[Point]) -> list[str]:
    """Their rules, sorted."""
    return sorted(point.rule for point in points)


def _letters(number: int) -> str:
    """The number in letters: a, b … z, ba, bb…"""
    tail = chr(ord("a") + number % 26)
    return _letters(number // 26) + tail if number >= 26 else tail
