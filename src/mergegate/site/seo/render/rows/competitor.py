"""What the competitor has and the page has not."""

from collections.abc import Iterator

from mergegate.site.seo.report import Gap, SeoReport

GAPS = {
    "term": "Terms",
    "schema": "Structured data",
    "heading": "Headings",
    "depth": "Depth",
    "media": "Media",
    "links": "Links",
    "speed": "Speed",
}


def gaps(report: SeoReport) -> Iterator[tuple[str, tuple[Gap, ...]]]:
    """What the competitor has and the page has not, by kind."""
    named = {**{one.kind: one.kind.capitalize() for one in report.gaps}, **GAPS}
    for kind in [*GAPS, *(one for one in named if one not in GAPS)]:
        mine = tuple(one for one in report.gaps if one.kind == kind)
        if mine:
            yield named[kind], mine


def versus(one: Gap) -> str:
    """``14 against 0``; what is not there is ``none``."""
    return f"{one.theirs or 'none'} against {one.ours or 'none'}"
