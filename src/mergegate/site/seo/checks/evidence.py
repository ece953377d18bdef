"""Whether an article gives figures, quotations or sources, on which answers were found to draw.

Source: Aggarwal and others, "GEO: Generative Engine Optimization", KDD 2024 (arXiv 2311.09735):
of nine ways to change a text these three raised its share of answers most, by 30 to 40 percent.
"""

import re
from collections.abc import Iterator

from mergegate.core.severity import Severity
from mergegate.site.facts.document import Document, Region
from mergegate.site.seo.checks import urls
from mergegate.site.seo.checks.point import Rule
from mergegate.site.seo.checks.readability import is_article, main, paragraphs
from mergegate.site.seo.checks.tokens import length
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Ground, Point, Theme

STUDY = "https://arxiv.org/abs/2311.09735"
NONE = Rule(
    id="evidence-none",
    theme=Theme.AI_SEARCH,
    severity=Severity.LOW,
    ground=Ground.STUDIED,
    title="An article without figures, quotations or sources",
    remedy="Give the figures that you have, quote who knows, and link to where it stands.",
    source=STUDY,
)
_LEAST_WORDS = 300
_FIGURE = re.compile(
    r"\d[\d.,]*\s?(?:%|percent|prozent|pour cent|por ciento|per cento)|\d{2,}|\d[.,]\d"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_QUOTATION = re.compile('[“„«「『][^”“»」』]{40,2000}[”“»」』]|"[^"]{40,2000}"')
_NOTE = re.compile(r"(?:\[\d{1,3}\]|\bdoi:|\bet al\.)", re.IGNORECASE)


def points(facts: SearchFacts) -> Iterator[Point]:
    """Whether an article of some length has none of the three."""
    page = facts.best
    if not is_article(page) or "blocks" in page.cut:
        return
    words = sum(length(one.text) for one in paragraphs(page))
    if words >= _LEAST_WORDS and not _has_any(page):
        yield NONE.point(
            facts.page.final_url,
            f"In {words:,} words there is no figure, no quotation and no link to a source.",
        )


def _has_any(page: Document) -> bool:
    blocks = main(page)
    return any(one.tag == "blockquote" or _shows(one.text) for one in blocks) or any(
        is_source(one.href, page) for one in page.anchors if one.region is Region.MAIN
    )


def is_source(href: str, page: Document) -> bool:
    """Whether a link leads to another site."""
    return urls.is_web(href) and urls.site(href) != urls.site(page.url)


def _shows(text: str) -> bool:
    figure = _FIGURE.search(text) and _FIGURE.search(_YEAR.sub("", text))
    return bool(figure or _QUOTATION.search(text) or _NOTE.search(text))
