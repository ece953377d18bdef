"""What costs a page visibility: pure checks over what crawlers are told and get."""

from collections.abc import Callable, Iterator

from mergegate.site.seo.checks import (
    addresses,
    ai_search,
    canonical,
    content,
    hreflang,
    indexing,
    links,
    page,
    passages,
    rendering,
    sitemaps,
    social,
    structured,
    trust,
)
from mergegate.site.seo.checks.point import worst_first
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point

Check = Callable[[SearchFacts], Iterator[Point]]
CHECKS: tuple[Check, ...] = (
    indexing.points,
    canonical.points,
    hreflang.points,
    sitemaps.points,
    addresses.redirect_points,
    rendering.points,
    page.points,
    page.heading_points,
    addresses.points,
    links.points,
    links.image_points,
    social.points,
    structured.points,
    content.points,
    passages.points,
    ai_search.points,
    trust.points,
)


def points(facts: SearchFacts) -> tuple[Point, ...]:
    """Everything that is wrong with a page, worst first, in a fixed order.

    A page that does not answer with success gets no other points than that. Keywords are not part
    of it: they are judged against what was asked for.
    """
    checks = CHECKS if facts.page.ok else (indexing.points,)
    return worst_first(point for check in checks for point in check(facts))
