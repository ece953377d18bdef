"""What an SEO analysis came to, in rows of words and numbers, for every renderer. Raw text."""

from mergegate.site.seo.render.rows.access import Crawler, crawler_line, crawlers
from mergegate.site.seo.render.rows.competitor import gaps, versus
from mergegate.site.seo.render.rows.console import CLICKS_NOTE, console_facts, queries
from mergegate.site.seo.render.rows.keywords import density, places
from mergegate.site.seo.render.rows.page import PREVIEW_NOTE, differences, page_facts
from mergegate.site.seo.render.rows.verdict import (
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
from mergegate.site.seo.render.rows.way import crawl_facts

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
