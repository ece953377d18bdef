"""A browser test as JUnit XML: a suite for the pages, and one for each list of problems.

An error fails, a warning is skipped with its reason; a page that could not be looked at is an
error of the test.
"""

from collections.abc import Iterator

from mergegate.site.browser_test.facts import PageVisit
from mergegate.site.browser_test.render import rows
from mergegate.site.browser_test.report import BrowserReport, Problem
from mergegate.site.level import Level
from mergegate.site.render import phrases
from mergegate.site.render.suites import ERROR, FAILURE, SKIPPED, Case, document, named

_MOST_PAGES = 10


def render(report: BrowserReport) -> str:
    """The document; see the module for what fails."""
    return document(report, _cases(report))


def _cases(report: BrowserReport) -> Iterator[Case]:
    yield from (_visited(report, visit) for visit in report.visits)
    yield from map(_found, report.problems)


def _visited(report: BrowserReport, visit: PageVisit) -> Case:
    return Case(
        suite="pages",
        about="page",
        name=phrases.short_address(visit.url, report.url),
        outcome=ERROR if visit.failure else "",
        lines=(visit.failure, visit.url) if visit.failure else (),
        seconds=visit.load_ms / 1000,
    )


def _found(one: Problem) -> Case:
    return Case(
        suite=rows.KINDS[one.kind].lower(),
        about=one.rule,
        name=named(one.message, one.id),
        outcome=FAILURE if one.level is Level.ERROR else SKIPPED,
        lines=(one.message, *_places(one), one.evidence, one.remedy, one.reference),
    )


def _places(one: Problem) -> Iterator[str]:
    yield from one.pages[:_MOST_PAGES]
    if len(one.pages) > _MOST_PAGES:
        yield f"and {len(one.pages) - _MOST_PAGES:,} more pages"
    yield from one.selectors
