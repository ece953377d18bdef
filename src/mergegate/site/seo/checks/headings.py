"""Whether headings tell what the page is about, and how it is made up."""

import re
from collections.abc import Iterator
from itertools import pairwise

from mergegate.site.facts.document import Document, Heading, Region
from mergegate.site.seo.checks.point import RULES, examples, quoted
from mergegate.site.seo.checks.rendering import is_shell
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.words import counted

H1_MISSING = RULES["h1-missing"]
H1_SEVERAL = RULES["h1-several"]
HEADING_SKIPPED = RULES["heading-skipped"]
HEADING_EMPTY = RULES["heading-empty"]
_HEADING_STEP = re.compile(r"> h([1-6])\b")


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the headings of the page as a visitor gets it.

    Of a frame that was not rendered nothing: what it lacks, its scripts may well add.
    """
    page, url = facts.best, facts.page.final_url
    if is_shell(facts):
        return
    shown = [one for one in page.headings if not one.hidden]
    main = [one for one in shown if one.level == 1 and one.text]
    named = any(one.level == 1 and one.text for one in page.headings) or 1 in _drawn(page)
    if facts.page.whole and not named:
        yield H1_MISSING.point(url)
    if len(main) > 1:
        message = f"{len(main)} h1 stand in the page; search engines cope, readers may not."
        found = examples([one.text for one in main])
        yield H1_SEVERAL.point(url, message, evidence=found, count=len(main))
    yield from _outline(shown, _drawn(page), url)


def _drawn(page: Document) -> frozenset[int]:
    """Levels of which a heading holds an image that says something, such as a logo."""
    ways = (one.selector for one in page.images if one.alt)
    return frozenset(int(level) for way in ways for level in _HEADING_STEP.findall(way))


def _outline(shown: list[Heading], drawn: frozenset[int], url: str) -> Iterator[Point]:
    empty = [one for one in shown if not one.text and one.level not in drawn]
    if empty:
        message = f"{len(empty)} of {counted(len(shown), 'heading')} without text."
        kinds = examples([f"<h{one.level}>" for one in empty])
        yield HEADING_EMPTY.point(url, message, evidence=kinds, count=len(empty))
    main = [one for one in shown if one.text and one.region in {Region.MAIN, Region.HEADER}]
    skips = [(one, then) for one, then in pairwise(main) if then.level > one.level + 1]
    if skips:
        told = [f"h{one.level} → h{then.level} {quoted(then.text)}" for one, then in skips]
        times = "Once" if len(skips) == 1 else f"{len(skips)} times"
        message = f"{times} a heading is more than one level below the one before."
        yield HEADING_SKIPPED.point(url, message, evidence=examples(told), count=len(skips))
