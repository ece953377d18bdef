"""What Search Console says of the page and of its queries."""

from dataclasses import dataclass

from mergegate.core.render import wording
from mergegate.site.seo.render.rows.page import Fact
from mergegate.site.seo.report import SeoReport
from mergegate.site.seo.report_page import Recoverable

NONE = "–"
CLICKS_NOTE = (
    "Recoverable: clicks that results at this position get on average, less those that came. By "
    "the curve of SISTRIX (July 2020, 80 million keywords): an estimate for an order, no promise."
)


@dataclass(frozen=True, slots=True)
class Query:
    """A query of Search Console in words."""

    query: str
    clicks: str
    impressions: str
    ctr: str
    position: str
    expected: str
    recoverable: str


def queries(report: SeoReport) -> tuple[Query, ...]:
    """Of Search Console, most clicks to recover first."""
    return tuple(map(_query, report.queries))


def console_facts(report: SeoReport) -> tuple[Fact, ...]:
    """What Search Console says of the page as a whole."""
    console = report.console
    if console is None or console.failure:
        return ()
    told = (
        Fact("Property", console.property),
        Fact("Days", f"{console.start} to {console.end}"),
        Fact("Clicks", f"{console.clicks:,.0f}"),
        Fact("Impressions", f"{console.impressions:,.0f}"),
        Fact("Index status", console.coverage or console.verdict),
        Fact("Google's canonical address", console.google_canonical),
        Fact("Last crawl", wording.moment(console.last_crawl)),
    )
    return tuple(one for one in told if one.text)


def _query(one: Recoverable) -> Query:
    return Query(
        query=one.row.query,
        clicks=f"{one.row.clicks:,.0f}",
        impressions=f"{one.row.impressions:,.0f}",
        ctr=f"{one.row.ctr:.1%}",
        position=f"{one.row.position:.1f}",
        expected=f"{one.expected_ctr:.1%}",
        recoverable=f"{one.clicks:,.0f}" if round(one.clicks) else NONE,
    )
