"""How many clicks the queries of a page miss, against what their position lets expect."""

from collections.abc import Iterable

from mergegate.site.seo.facts import QueryRow
from mergegate.site.seo.report_page import Recoverable

CURVE = ((1.0, 0.285), (2.0, 0.157), (3.0, 0.110), (4.0, 0.080), (10.0, 0.025))
"""Positions and the share of those who see the result that click it: SISTRIX, July 2020, 80 million
keywords. Before answers by AI, and without regard to what else stands on the page: an average of
averages, good for an order and for no promise."""
SOURCE = "https://www.sistrix.com/blog/why-almost-everything-you-knew-about-google-ctr-is-no-longer-valid/"


def expected_ctr(position: float) -> float:
    """The share of clicks at an average position, 0 to 1; 0 beyond the first page of results.

    Between two known positions it falls by an even factor.
    """
    if not CURVE[0][0] <= position <= CURVE[-1][0]:
        return CURVE[0][1] if 0 < position < CURVE[0][0] else 0.0
    at = next(at for at, (known, _) in enumerate(CURVE[1:]) if position <= known)
    (left, high), (right, low) = CURVE[at], CURVE[at + 1]
    return float(high * (low / high) ** ((position - left) / (right - left)))


def ranked(rows: Iterable[QueryRow]) -> tuple[Recoverable, ...]:
    """Every query, those first that bring the fewest clicks against what their position promises.

    Of those that bring as many as can be expected the most clicked come first.
    """
    found = [_against_the_curve(row) for row in rows]
    return tuple(sorted(found, key=lambda one: (-one.clicks, -one.row.clicks, one.row.query)))


def _against_the_curve(row: QueryRow) -> Recoverable:
    expected = expected_ctr(row.position)
    missed = max(0.0, expected * row.impressions - row.clicks)
    return Recoverable(row=row, expected_ctr=expected, clicks=missed)
