"""Who may crawl the page, and what the server answers to whom."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mergegate.site.seo.report import CrawlerPolicy, SeoReport
from mergegate.site.words import listed

PURPOSES = {
    "search": "Search and answers with sources",
    "user": "Fetches for a person who asks",
    "training": "Training of models",
    "control": "Words for robots.txt alone",
}
_FEW = 3


@dataclass(frozen=True, slots=True)
class Crawler:
    """One crawler in words."""

    name: str
    operator: str
    told: str
    """By robots.txt."""
    got: str
    """From the server; empty when it was not asked."""
    is_closed: bool
    """Whether it gets nothing, by robots.txt or from the server."""
    is_turned_away: bool = False
    """By the server."""


def crawlers(report: SeoReport) -> Iterator[tuple[str, tuple[Crawler, ...]]]:
    """The crawlers of each purpose that has any."""
    for purpose, name in PURPOSES.items():
        mine = tuple(_crawler(one, report) for one in report.crawlers if one.purpose == purpose)
        if mine:
            yield name, mine


def crawler_line(group: Sequence[Crawler]) -> str:
    """``open to 9, closed to GPTBot and CCBot``; few are named, and all that are kept out."""
    closed = [one.name for one in group if one.is_closed]
    others = [one.name for one in group if not one.is_closed]
    named = listed(others) if len(others) <= _FEW else f"{len(others)} crawlers"
    told = [f"open to {named}"] if others else []
    return ", ".join([*told, *([f"closed to {listed(closed)}"] if closed else [])])


def _crawler(one: CrawlerPolicy, report: SeoReport) -> Crawler:
    robots = report.facts.robots
    rule = robots.matched.get(one.token) if robots else None
    where = f" by line {rule.line}" if rule else ""
    return Crawler(
        name=one.token,
        operator=one.operator,
        told=f"allowed{where}" if one.allowed else f"closed{where}",
        got=_answer(one),
        is_closed=not one.allowed or _is_turned_away(one),
        is_turned_away=_is_turned_away(one),
    )


def _answer(one: CrawlerPolicy) -> str:
    """``200, the same text``; empty when nobody asked."""
    answer = one.answer
    if answer is None:
        return ""
    if answer.status is None:
        return answer.failure or "no answer"
    if _is_turned_away(one):
        return f"{answer.status}, turned away"
    same = {True: ", the same text", False: ", another text", None: ""}[answer.same]
    return f"{answer.status}{same}"


def _is_turned_away(one: CrawlerPolicy) -> bool:
    return one.answer is not None and one.answer.status is not None and one.answer.status >= 400
