"""The API's browser test result → report; another machine wrote it, so all of it is hostile."""

import base64
import binascii
from collections.abc import Iterator, Sequence

from mergegate.site.browser_test.facts import LinkState, PageVisit, Screenshot, StackFrame, Vitals
from mergegate.site.browser_test.report import BrowserReport, Kind, Problem, Suggestion
from mergegate.site.browser_test.wire.result import (
    BrowserTestResult,
    LinkCountsOut,
    PageOut,
    ProblemOut,
    ScreenshotOut,
    VitalsOut,
)
from mergegate.site.level import Level
from mergegate.site.wire.document_reading import engine_runs, read_as

_PICTURE = "data:image/jpeg;base64,"
_KINDS = tuple(Kind)
_FIRST_ERROR = 400
"""The least HTTP status that says that there is no page."""


def read_browser_test(content: bytes) -> BrowserReport:
    """The report in ``content``; raises UsageError that names what is wrong.

    A screenshot that lies elsewhere has no image here: nothing is fetched for it.
    """
    return read_as(content, BrowserTestResult, _report, "a browser test")


def _report(result: BrowserTestResult) -> BrowserReport:
    _check(result)
    return BrowserReport(
        id=result.test_id,
        url=result.url,
        visits=tuple(_visits(result.pages, result.screenshots)),
        found=result.pages_found,
        problems=tuple(sorted(_problems(result), key=_rank)),
        links=_links(result.link_counts),
        notes=result.notes,
        vitals=_vitals(result.web_vitals),
        suggestions=tuple(Suggestion(**one.model_dump()) for one in result.suggestions),
        summary=result.ai_summary,
        engines=engine_runs(result.engines),
        created_at=result.created_at,
        completed_at=result.completed_at,
        tool_version=result.tool_version,
    )


def _check(result: BrowserTestResult) -> None:
    """Raises ValueError for a test of no page: that there is no error in it proves nothing."""
    if len(result.pages) != result.pages_visited:
        raise ValueError("it counts other pages than it lists")
    first = next(iter(result.pages), None)
    if first is None or first.failure or (first.status or 0) >= _FIRST_ERROR:
        raise ValueError("its first page could not be tested")


def _visits(pages: Sequence[PageOut], screenshots: Sequence[ScreenshotOut]) -> Iterator[PageVisit]:
    """Each page with its pictures; pictures of a page that is not listed belong to nobody."""
    pictures: dict[str, list[Screenshot]] = {}
    for shot in screenshots:
        pictures.setdefault(shot.page, []).append(_screenshot(shot))
    for page in pages:
        yield PageVisit(
            **page.model_dump(exclude={"web_vitals"}),
            vitals=_vitals(page.web_vitals),
            screenshots=tuple(pictures.pop(page.url, ())),
        )


def _screenshot(given: ScreenshotOut) -> Screenshot:
    return Screenshot(given.page, given.viewport, _image(given.url), given.boxed)


def _image(url: str) -> bytes:
    if not url.startswith(_PICTURE):
        return b""
    try:
        return base64.b64decode(url.removeprefix(_PICTURE), validate=True)
    except binascii.Error:
        return b""


def _problems(result: BrowserTestResult) -> Iterator[Problem]:
    lists = {
        Kind.SCRIPT: result.js_errors,
        Kind.LINK: result.broken_links,
        Kind.FORM: result.form_issues,
        Kind.IMAGE: result.image_issues,
        Kind.ACCESSIBILITY: result.accessibility_issues,
    }
    for kind, found in lists.items():
        yield from (_problem(one, kind) for one in found)


def _problem(given: ProblemOut, kind: Kind) -> Problem:
    named = given.model_dump(exclude={"rule_id", "severity", "link_state", "frames"})
    return Problem(
        **named,
        kind=kind,
        rule=given.rule_id,
        level=Level(given.severity),
        state=LinkState(given.link_state) if given.link_state else None,
        frames=tuple(StackFrame(**one.model_dump()) for one in given.frames),
    )


def _rank(one: Problem) -> tuple[bool, int]:
    """Errors first, then by list, as a report has them; within a list they are in order."""
    return one.level is not Level.ERROR, _KINDS.index(one.kind)


def _vitals(given: VitalsOut) -> Vitals:
    return Vitals(**given.model_dump())


def _links(given: LinkCountsOut) -> dict[LinkState, int]:
    return {state: getattr(given, state.value.replace("-", "")) for state in LinkState}
