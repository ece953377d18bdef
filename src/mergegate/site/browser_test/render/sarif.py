"""A browser test as SARIF: a result a problem, at each page that has it and its elements."""

from mergegate.site.browser_test.report import BrowserReport, Problem
from mergegate.site.render.sarif_log import Hit, Spot, log

_MOST_SPOTS = 20


def render(report: BrowserReport) -> str:
    """The log; for viewers and stores of findings, see :mod:`mergegate.site.render`."""
    hits = [_hit(one) for one in report.problems]
    return log("browser-test", report, hits, report.notes, {"pages": len(report.visits)})


def _hit(one: Problem) -> Hit:
    return Hit(
        id=one.id,
        rule=one.rule,
        level=one.level,
        title=one.message,
        text=" ".join(part for part in (f"{one.message}.", one.evidence, one.remedy) if part),
        topic=one.kind.value,
        spots=_spots(one),
        reference=one.reference,
        properties=(("count", one.count), ("pages", len(one.pages))),
    )


def _spots(one: Problem) -> tuple[Spot, ...]:
    """Its elements on the first page, then the other pages."""
    selectors = one.selectors or (one.selector,)
    elements = (Spot(url=one.page, selector=selector) for selector in selectors)
    others = (Spot(url=page) for page in one.pages if page != one.page)
    return (*elements, *others)[:_MOST_SPOTS]
