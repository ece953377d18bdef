"""A security scan as JUnit XML: a suite for each area, and one for the headers.

What is high or worse fails, the rest is skipped with its reason; a header that is as it should be
is a test that passed.
"""

from collections.abc import Iterator

from mergegate.site.level import Level
from mergegate.site.render.suites import FAILURE, SKIPPED, Case, document, named
from mergegate.site.security.render import rows
from mergegate.site.security.report import Flaw, HeaderJudgement, SecurityReport

_GOOD = "good"


def render(report: SecurityReport) -> str:
    """The document; see the module for what fails."""
    return document(report, _cases(report))


def _cases(report: SecurityReport) -> Iterator[Case]:
    yield from (_kept(one) for one in report.headers if one.verdict == _GOOD)
    yield from map(_found, report.flaws)


def _kept(one: HeaderJudgement) -> Case:
    return Case(suite="security headers", about="header", name=one.name)


def _found(one: Flaw) -> Case:
    return Case(
        suite=rows.AREAS[one.area].lower(),
        about=one.rule,
        name=named(one.title, one.id),
        outcome=FAILURE if rows.level(one) is Level.ERROR else SKIPPED,
        lines=(one.title, one.message, one.url, one.evidence, one.remedy, one.reference),
        type=one.severity.label,
    )
