"""A page that answers well and shows nothing: no error is thrown, and no visitor stays."""

from collections.abc import Iterator
from urllib.parse import urldefrag

from mergegate.site.browser_test.checks.remedies import remedy
from mergegate.site.browser_test.checks.site import Site, identity
from mergegate.site.browser_test.facts import Fault, PageVisit
from mergegate.site.browser_test.report import Kind, Problem
from mergegate.site.level import Level

_BLANK = "blank-page"


def blank_problems(visit: PageVisit, site: Site) -> Iterator[Problem]:
    """That nothing was painted, where the browser was able to tell.

    A warning and no error: what a frame shows is no paint of the page that holds it (Paint Timing,
    "first contentful paint").
    """
    if not _is_blank(visit):
        return
    yield Problem(
        id=identity(_BLANK, site.relative(urldefrag(visit.url).url)),
        kind=Kind.SCRIPT,
        rule=_BLANK,
        level=Level.WARNING,
        message="Nothing of the page itself can be seen: no text, image or drawing was painted",
        page=visit.url,
        pages=(visit.url,),
        evidence=f"answers {visit.status}; no first contentful paint",
        url=visit.final_url,
        status=visit.status,
        remedy=remedy(_BLANK).text,
    )


def _is_blank(visit: PageVisit) -> bool:
    """The answer's own time is always there when the vitals were read."""
    vitals = visit.vitals
    was_read = not visit.failure and vitals.ttfb is not None
    crashed = any(one.fault is Fault.CRASH for one in visit.faults)
    return was_read and not crashed and vitals.fcp is None and vitals.lcp is None
