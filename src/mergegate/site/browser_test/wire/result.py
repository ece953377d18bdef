"""The API's browser test result: written and read (service specification, decisions).

What another machine sends is hostile: a test of no page is refused.
"""

import base64
import binascii
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from mergegate.core.wire.camel import Camel
from mergegate.core.wire.parts import EngineOut, Gaps, engine_runs, read_as
from mergegate.site.browser_test.facts import LinkState, PageVisit, Screenshot, StackFrame
from mergegate.site.browser_test.report import BrowserReport, Kind, Problem, Suggestion
from mergegate.site.level import Level

Count = Annotated[int, Field(ge=0)]
Figure = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_PICTURE = "data:image/jpeg;base64,"
_KINDS = tuple(Kind)
_TOLD_STATES = {LinkState.DEAD, LinkState.FLAKY, LinkState.SOFT_404}
_FIRST_ERROR = 400
"""The least HTTP status that says that there is no page."""


class FrameOut(Camel, of=StackFrame):
    """A line of a script's stack; ``line`` and ``column`` count from 1."""


class ProblemOut(Camel, of=Problem, but={"kind"}):
    """An element of the five lists: one thing that is wrong, however many pages have it.

    ``severity``, ``page``, ``selector`` and ``evidence`` are in every one; ``selector`` is empty
    where the problem has no element. Of a link, ``url`` is its target and ``linkState`` what
    became of it, null where the entry stands for several; of a script or a request, ``url`` is the
    script or what was asked for.
    """

    rule: str = Field(alias="ruleId")
    level: Literal["error", "warning"] = Field(alias="severity")
    state: Literal["dead", "flaky", "soft-404"] | None = Field(alias="linkState")
    frames: tuple[FrameOut, ...]
    count: Count

    @classmethod
    def _fields_of(cls, value: Problem) -> dict[str, Any]:
        told = value.state if value.state in _TOLD_STATES else None
        return super()._fields_of(value) | {"state": told}


class SuggestionOut(Camel, of=Suggestion):
    """An element of ``suggestions``."""


class VitalsOut(Camel):
    """Milliseconds, ``cls`` without a unit; null where there was nothing to measure."""

    lcp: Figure | None
    cls: Figure | None
    inp: Figure | None
    fcp: Figure | None
    ttfb: Figure | None


class ScreenshotOut(Camel):
    """An element of ``screenshots``; ``url`` is a data URI, or where the picture lies."""

    page: str
    viewport: Literal["desktop", "mobile"]
    url: str
    boxed: tuple[str, ...]
    """Selectors of the elements that are boxed in it."""

    @classmethod
    def _fields_of(cls, value: Screenshot) -> dict[str, Any]:
        picture = base64.b64encode(value.image).decode("ascii")
        return super()._fields_of(value) | {
            "viewport": "mobile" if value.viewport == "mobile" else "desktop",
            "url": f"{_PICTURE}{picture}",
        }

    def _made(self) -> dict[str, Any]:
        return {"image": _image(self.url)}


class PageOut(Camel):
    """An element of ``pages``."""

    url: str
    final_url: str
    status: int | None
    title: str
    depth: Count
    load_ms: Count
    failure: str
    notes: tuple[str, ...]
    vitals: VitalsOut = Field(alias="webVitals")


class LinkCountsOut(Camel):
    """How many addresses ended how; ``blocked`` are no problem, and listed nowhere."""

    alive: Count
    dead: Count
    blocked: Count
    flaky: Count
    soft404: Count
    unchecked: Count


class BrowserTestResult(Camel):
    """POST /api/browser-test; what follows ``aiSummary`` is additive."""

    id: str = Field(alias="testId")
    pages_visited: Count
    js_errors: tuple[ProblemOut, ...]
    broken_links: tuple[ProblemOut, ...]
    form_issues: tuple[ProblemOut, ...]
    image_issues: tuple[ProblemOut, ...]
    accessibility_issues: tuple[ProblemOut, ...]
    suggestions: tuple[SuggestionOut, ...]
    summary: str = Field(alias="aiSummary")
    summary_source: Literal["template", "model"] = "template"
    url: str
    device: Literal["mobile", "desktop"] = "mobile"
    """What the pages were looked at as; their pictures show both."""
    found: Count = Field(alias="pagesFound")
    """Same-origin pages that were seen linked, visited or not."""
    vitals: VitalsOut = Field(alias="webVitals")
    """The web vitals of the first page."""
    screenshots: tuple[ScreenshotOut, ...]
    visits: tuple[PageOut, ...] = Field(alias="pages")
    link_counts: LinkCountsOut
    notes: tuple[str, ...]
    """Why the test ended before its time."""
    gaps: Gaps = ()
    engines: tuple[EngineOut, ...]
    created_at: str
    completed_at: str
    tool_version: str

    @classmethod
    def _fields_of(cls, value: BrowserReport) -> dict[str, Any]:
        return super()._fields_of(value) | {
            "pages_visited": len(value.visits),
            **{kind.value: value.of(kind) for kind in Kind},
            "link_counts": {_compact(state): value.links.get(state, 0) for state in LinkState},
        }

    def report(self) -> BrowserReport:
        """The report that this tells of; raises ValueError for a test of no page.

        That there is no error in it proves nothing.
        """
        if len(self.visits) != self.pages_visited:
            raise ValueError("it counts other pages than it lists")
        first = next(iter(self.visits), None)
        if first is None or first.failure or (first.status or 0) >= _FIRST_ERROR:
            raise ValueError("its first page could not be tested")
        return self.build(
            BrowserReport,
            visits=tuple(self._visits()),
            problems=tuple(sorted(self._problems(), key=_rank)),
            links={state: getattr(self.link_counts, _compact(state)) for state in LinkState},
            gaps=tuple(dict.fromkeys((*self.notes, *self.gaps))),
            engines=engine_runs(self.engines),
        )

    def _visits(self) -> Iterator[PageVisit]:
        """Each visit with its pictures; those of a page that is not listed are left out."""
        pictures: dict[str, list[Screenshot]] = {}
        for shot in self.screenshots:
            pictures.setdefault(shot.page, []).append(shot.build(Screenshot))
        for page in self.visits:
            yield page.build(PageVisit, screenshots=tuple(pictures.pop(page.url, ())))

    def _problems(self) -> Iterator[Problem]:
        scripts_and_links = (self.js_errors, self.broken_links)
        lists = (*scripts_and_links, self.form_issues, self.image_issues, self.accessibility_issues)
        for kind, found in zip(Kind, lists, strict=True):
            yield from (one.build(Problem, kind=kind) for one in found)


def to_json(report: BrowserReport) -> str:
    """The result resource as indented JSON with a final line break."""
    return BrowserTestResult.model_validate(report).model_dump_json(by_alias=True, indent=2) + "\n"


def read_browser_test(content: bytes) -> BrowserReport:
    """The report in ``content``; raises UsageError that names what is wrong.

    A screenshot that lies elsewhere has no image here: nothing is fetched for it.
    """
    return read_as(content, BrowserTestResult, BrowserTestResult.report, "a browser test")


def _image(url: str) -> bytes:
    if not url.startswith(_PICTURE):
        return b""
    try:
        return base64.b64decode(url.removeprefix(_PICTURE), validate=True)
    except binascii.Error:
        return b""


def _compact(state: LinkState) -> str:
    return state.value.replace("-", "")


def _rank(one: Problem) -> tuple[bool, int]:
    """Errors first, then by list, as a report has them; within a list they are in order."""
    return one.level is not Level.ERROR, _KINDS.index(one.kind)
