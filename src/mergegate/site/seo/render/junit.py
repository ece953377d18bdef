"""An SEO analysis as JUnit XML: a suite for each theme.

What is high or critical fails; the rest, and what rests on experience alone, is skipped with its
reason.
"""

from collections.abc import Iterator

from mergegate.site.level import Level
from mergegate.site.render.suites import FAILURE, SKIPPED, Case, document, named
from mergegate.site.seo.render import rows
from mergegate.site.seo.report import Point, SeoReport


def render(report: SeoReport) -> str:
    """The document; see the module for what fails."""
    return document(report, _cases(report))


def _cases(report: SeoReport) -> Iterator[Case]:
    return (_found(one) for _, found in rows.by_theme(report) for one in found)


def _found(one: Point) -> Case:
    return Case(
        suite=rows.THEMES[one.theme].lower(),
        about=one.rule,
        name=named(one.title, one.id),
        outcome=FAILURE if rows.level(one) is Level.ERROR else SKIPPED,
        lines=(
            f"{one.title} ({one.severity.label}, {one.ground.value})",
            *(one.message, one.url, one.selector, one.evidence, one.remedy, one.source),
        ),
    )
