"""What an SEO analysis came to, in rows of words and numbers, for every renderer. Raw text."""

from mergegate.report.site.seo.rows.access import Crawler, crawler_line, crawlers
from mergegate.report.site.seo.rows.competitor import gaps, versus
from mergegate.report.site.seo.rows.console import CLICKS_NOTE, console_facts, queries
from mergegate.report.site.seo.rows.keywords import density, places
from mergegate.report.site.seo.rows.page import PREVIEW_NOTE, differences, page_facts
from mergegate.report.site.seo.rows.verdict import (
    GROUNDS,
    THEMES,
    by_theme,
    counts,
    hints,
    level,
    score,
    severities,
    steps,
    sum_line,
    themes,
)
from mergegate.report.site.seo.rows.way import crawl_facts

__all__ = [
    "CLICKS_NOTE",
    "GROUNDS",
    "PREVIEW_NOTE",
    "THEMES",
    "Crawler",
    "by_theme",
    "console_facts",
    "counts",
    "crawl_facts",
    "crawler_line",
    "crawlers",
    "density",
    "differences",
    "gaps",
    "hints",
    "level",
    "page_facts",
    "places",
    "queries",
    "score",
    "severities",
    "steps",
    "sum_line",
    "themes",
    "versus",
]
