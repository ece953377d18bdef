"""The line of a browser test: visit → journey → links' answers → problems → report."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from urllib.parse import urldefrag

from mergegate.core.errors import (
    MergegateError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
)
from mergegate.core.progress import Progress, silent
from mergegate.core.render.escape import visible
from mergegate.core.web_address import origin
from mergegate.sandbox.visit import Visit
from mergegate.site.browser_test.checks.collect import advice, problems
from mergegate.site.browser_test.checks.suggest import suggestions
from mergegate.site.browser_test.facts import (
    OUT_OF_TIME,
    Fault,
    Journey,
    LinkAnswers,
    LinkState,
    PageVisit,
)
from mergegate.site.browser_test.report import BrowserReport
from mergegate.site.browser_test.summary import summarise_test
from mergegate.site.render.figures import short_address
from mergegate.site.report import Toolbox, finished
from mergegate.site.words import counted

_FIRST_ERROR = 400
"""The least HTTP status that says that there is no page."""
_LONGEST_REASON = 300

Anchors = Mapping[str, frozenset[str]]
"""What the pages that the browser has seen hold, by address without fragment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserRequest:
    """What is to be tested."""

    visit: Visit
    external_links: bool = True
    """Whether links to other sites are checked as well."""
    screenshots: bool = True
    """Whether the report holds them."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a page that failed ended, as the way out saw it."""

    refusal: str = ""
    """Why it may not be visited from here; empty when it may."""
    answered: bool = False
    """Whether its server said anything at all."""
    failure: str = ""
    """Why it could not be reached; empty when it could, or when it was not tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserToolbox(Toolbox):
    """What a browser test works with; built in ``tools.py``."""

    travel: Callable[[Visit], Journey]
    check_links: Callable[[Sequence[str], Visit, Anchors], LinkAnswers]
    """Addresses in the order in which the pages link them, each once."""
    ending: Callable[[PageVisit], Ending] = lambda _: Ending()
    """How the test ends when the first page failed."""
    progress: Progress = silent


def browse(request: BrowserRequest, toolbox: BrowserToolbox) -> BrowserReport:
    """Test a page and those that it links; raises TargetError or EngineError.

    Raises TargetNotAllowed, TargetUnreachable or TargetNotAnalysable when the first page cannot be
    tested; what befalls a later one is a problem of the report.
    """
    started = toolbox.now()
    toolbox.progress("pages", "started")
    journey = toolbox.travel(request.visit)
    toolbox.progress("pages", f"{len(journey.visits)} visited")
    _starts_well(journey, request.visit.url, toolbox)
    answers = _answers(journey, request, toolbox)
    return _report(journey, answers, request, toolbox, started)


def _answers(journey: Journey, request: BrowserRequest, toolbox: BrowserToolbox) -> LinkAnswers:
    links = tuple(_links(journey, request))
    toolbox.progress("links", "started")
    answers = toolbox.check_links(links, _settled(journey, request.visit), _anchors(journey))
    toolbox.progress("links", f"{len(answers.answers)} checked")
    return answers


def _settled(journey: Journey, visit: Visit) -> Visit:
    """The site is where its first page led; credentials stay with the origin they are for."""
    final = journey.visits[0].final_url
    if visit.credentials or origin(final) == origin(visit.url):
        return visit
    return replace(visit, url=urldefrag(final).url)


def _links(journey: Journey, request: BrowserRequest) -> Iterator[str]:
    """Every address once, first seen first."""
    every = dict.fromkeys(link.url for visit in journey.visits for link in visit.links)
    if request.external_links:
        return iter(every)
    own = {origin(request.visit.url), origin(journey.visits[0].final_url)}
    return (url for url in every if origin(url) in own)


def _anchors(journey: Journey) -> Anchors:
    """Routes of a single-page application share an address: what any of them holds counts."""
    held: dict[str, frozenset[str]] = {}
    for visit in journey.visits:
        for page in {urldefrag(visit.url).url, urldefrag(visit.final_url).url}:
            if not visit.failure:
                held[page] = held.get(page, frozenset()) | visit.anchors
    return MappingProxyType(held)


def _starts_well(journey: Journey, url: str, toolbox: BrowserToolbox) -> None:
    if not journey.visits:
        raise TargetUnreachable(f"{url} could not be visited")
    first = journey.visits[0]
    if first.failure or (first.status or 0) >= _FIRST_ERROR:
        raise _mishap(first, url, toolbox.ending(first))


def _mishap(first: PageVisit, url: str, ending: Ending) -> MergegateError:
    """The error that the failure of the first page is."""
    if ending.refusal:
        return TargetNotAllowed(
            f"{url} may not be visited: {ending.refusal}",
            remedy="A private host of your own is named by --allow HOST:PORT.",
        )
    reason = visible(first.failure[:_LONGEST_REASON]) or f"it answers {first.status}"
    crashed = any(fault.fault is Fault.CRASH for fault in first.faults)
    if first.status is None and not (ending.answered or crashed):
        return TargetUnreachable(
            f"{url} cannot be reached: {ending.failure or reason}",
            remedy="Is the address right, and the site up?",
        )
    return TargetNotAnalysable(f"{url} cannot be tested: {reason}", remedy=_remedy(first))


def _remedy(first: PageVisit) -> str:
    if first.status in {401, 403, 407}:
        return "Send what opens it by --header or --cookie."
    return "Open it in a browser: what it says there is what people see."


def _report(
    journey: Journey,
    answers: LinkAnswers,
    request: BrowserRequest,
    toolbox: BrowserToolbox,
    started: dt.datetime,
) -> BrowserReport:
    found = problems(journey, answers)
    report = BrowserReport(
        url=request.visit.url,
        visits=tuple(_kept(journey, request)),
        device=request.visit.device,
        found=journey.found,
        problems=found,
        links=_counts(answers),
        notes=journey.notes,
        gaps=tuple(_gaps(journey, answers)),
        vitals=journey.visits[0].vitals,
        suggestions=suggestions(found, journey, advice(journey)),
    )
    return finished(
        report,
        "bt_",
        started,
        toolbox,
        summarise=summarise_test,
        credentials=request.visit.credentials,
    )


def _gaps(journey: Journey, answers: LinkAnswers) -> Iterator[str]:
    """What the end of the test, a page or the links kept from being judged."""
    yield from journey.notes
    for visit in journey.visits:
        yield from (f"{short_address(visit.url, journey.start)}: {gap}" for gap in visit.gaps)
    if late := sum(one.reason == OUT_OF_TIME for one in answers.answers):
        yield f"{counted(late, 'link')}: there was no time to ask for them"


def _kept(journey: Journey, request: BrowserRequest) -> Iterator[PageVisit]:
    for visit in journey.visits:
        yield visit if request.screenshots else replace(visit, screenshots=())


def _counts(answers: LinkAnswers) -> Mapping[LinkState, int]:
    counted = Counter(answer.state for answer in answers.answers)
    return MappingProxyType({state: counted[state] for state in LinkState})
