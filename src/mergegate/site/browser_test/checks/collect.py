"""Everything that is wrong, once each."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from urllib.parse import urldefrag

from mergegate.site.browser_test.checks.elements import element_problems
from mergegate.site.browser_test.checks.links import link_problems, page_problems
from mergegate.site.browser_test.checks.scripts import script_problems
from mergegate.site.browser_test.checks.site import (
    MOST_EVIDENCE,
    MOST_MESSAGE,
    MOST_URL,
    Site,
    identity,
    origin,
    site_of,
)
from mergegate.site.browser_test.checks.suggest import remedy
from mergegate.site.browser_test.facts import (
    Fault,
    Journey,
    Link,
    LinkAnswer,
    LinkAnswers,
    LinkState,
    PageVisit,
)
from mergegate.site.browser_test.report import OUT_OF_REACH, Kind, Problem
from mergegate.site.level import Level
from mergegate.site.words import cut

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


_MOST_SELECTORS = 10
_NAMED = 3


@dataclass(frozen=True, slots=True)
class _Place:
    """A link that could not be checked."""

    page: str
    link: Link


def out_of_reach(answers: LinkAnswers, site: Site) -> tuple[LinkAnswer, ...]:
    """The links to other sites, when there are several and none of them was answered at all."""
    asked = [
        one
        for one in answers.answers
        if one.state is not LinkState.UNCHECKED and not site.owns(one.url)
    ]
    silent = all(one.state is LinkState.FLAKY and one.status is None for one in asked)
    return tuple(asked) if silent and len(asked) > 1 else ()


def outside_problems(journey: Journey, lost: tuple[LinkAnswer, ...]) -> Iterator[Problem]:
    """One entry for all that :func:`out_of_reach` found, with its number as ``count``."""
    places = list(_places(journey, {one.url for one in lost}))
    if not places:
        return
    selectors = dict.fromkeys(one.link.element.selector for one in places)
    known = tuple(filter(None, selectors))[:_MOST_SELECTORS]
    yield Problem(
        id=identity(OUT_OF_REACH),
        kind=Kind.LINK,
        rule=OUT_OF_REACH,
        level=Level.WARNING,
        message=_message(lost),
        page=places[0].page,
        pages=tuple(dict.fromkeys(one.page for one in places)),
        selector=known[0] if known else "",
        selectors=known,
        evidence=cut(_evidence(lost), MOST_EVIDENCE),
        url=cut(places[0].link.url, MOST_URL),
        state=LinkState.UNCHECKED,
        count=len(lost),
        remedy=remedy(OUT_OF_REACH).text,
    )


def _places(journey: Journey, lost: AbstractSet[str]) -> Iterator[_Place]:
    for visit in journey.visits:
        yield from (_Place(visit.url, link) for link in visit.links if link.url in lost)


def _message(lost: tuple[LinkAnswer, ...]) -> str:
    sites = {origin(one.url) for one in lost}
    silent = "that site" if len(sites) == 1 else f"any of those {len(sites):,} sites"
    return cut(
        f"The {len(lost):,} links to other sites could not be checked from here: "
        f"no answer came from {silent}",
        MOST_MESSAGE,
    )


def _evidence(lost: tuple[LinkAnswer, ...]) -> str:
    """What was said instead of an answer, and the first addresses."""
    reasons = dict.fromkeys(one.reason for one in lost if one.reason)
    named = ", ".join(one.url for one in lost[:_NAMED])
    more = f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else ""
    return "; ".join([*list(reasons)[:_NAMED], f"{named}{more}"])


_KINDS = tuple(Kind)
_LEVELS = tuple(Level)
"""Worst first."""


def problems(journey: Journey, answers: LinkAnswers) -> tuple[Problem, ...]:
    """One entry a distinct thing: errors first, then by list, rule, number of pages and place."""
    found = _ranked(_found(journey, answers, site_of(journey)), journey)
    return tuple(one for one in found if one.level is not Level.INFO)


def advice(journey: Journey) -> tuple[Problem, ...]:
    """What of the pages' elements hinders nobody, in the same order; it stands in no list."""
    site = site_of(journey)
    found = (one for visit in journey.visits for one in element_problems(visit, site))
    return tuple(one for one in _ranked(found, journey) if one.level is Level.INFO)


def _ranked(found: Iterable[Problem], journey: Journey) -> Iterable[Problem]:
    order = {visit.url: number for number, visit in enumerate(journey.visits)}
    return sorted(_merged(found), key=lambda one: _rank(one, order))


def _found(journey: Journey, answers: LinkAnswers, site: Site) -> Iterator[Problem]:
    for visit in journey.visits:
        yield from script_problems(visit, site)
        yield from page_problems(visit, answers, site)
        yield from blank_problems(visit, site)
        yield from element_problems(visit, site)
    lost = out_of_reach(answers, site)
    yield from outside_problems(journey, lost)
    yield from link_problems(journey, _without(answers, lost), site)


def _without(answers: LinkAnswers, lost: tuple[LinkAnswer, ...]) -> LinkAnswers:
    left_out = {one.url for one in lost}
    return LinkAnswers(tuple(one for one in answers.answers if one.url not in left_out))


def _merged(found: Iterable[Problem]) -> Iterator[Problem]:
    """The first of each id, with the pages and numbers of all, as bad as the worst."""
    same: dict[str, list[Problem]] = {}
    for one in found:
        same.setdefault(one.id, []).append(one)
    for first, *others in same.values():
        yield _joined(first, others)


def _joined(first: Problem, others: list[Problem]) -> Problem:
    every = (first, *others)
    return replace(
        first,
        level=min((one.level for one in every), key=_LEVELS.index),
        pages=tuple(dict.fromkeys(page for one in every for page in one.pages)),
        selectors=tuple(dict.fromkeys(at for one in every for at in one.selectors))[
            :_MOST_SELECTORS
        ],
        count=sum(one.count for one in every),
    )


def _rank(one: Problem, order: dict[str, int]) -> tuple[object, ...]:
    return (
        one.level is not Level.ERROR,
        _KINDS.index(one.kind),
        one.rule,
        -len(one.pages),
        order[one.page],
        one.selector,
        one.id,
    )
