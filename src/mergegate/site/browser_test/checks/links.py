"""What the addresses answered that pages link → problems.

Only a dead page is an error. A soft 404 or an address that fails now and then is a warning; one
that turns robots away is no entry at all, for a person may well get through: it is counted, and
the summary says so. A fragment of nothing is a warning: who follows it is on the page that it is
about.
"""

from collections.abc import Iterator
from urllib.parse import urldefrag

from mergegate.site.browser_test.checks.site import (
    MOST_EVIDENCE,
    MOST_MESSAGE,
    MOST_URL,
    Site,
    identity,
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
from mergegate.site.browser_test.report import Kind, Problem
from mergegate.site.level import Level
from mergegate.site.words import cut

_WARNED = {LinkState.SOFT_404: "soft-404", LinkState.FLAKY: "flaky-link"}
_DEAD = "dead-link"
_DEAD_ANCHOR = "dead-anchor"
_GONE = frozenset({404, 410})
_ANSWERS_WELL = range(200, 300)
_SERVER_ERRORS = range(500, 600)
_LONGEST_LABEL = 60
_SAYS = {
    LinkState.DEAD: "leads nowhere",
    LinkState.SOFT_404: "leads to a page that says it is missing",
    LinkState.FLAKY: "fails now, perhaps not later",
}
_EACH_TIME = "fails each time that it is asked for"
"""Said of an error that the server itself answers with each time: it is no mood of the day."""


def link_problems(journey: Journey, answers: LinkAnswers, site: Site) -> Iterator[Problem]:
    """One entry a link of a page, in the order of the pages."""
    answered = {answer.url: answer for answer in answers.answers}
    for visit in journey.visits:
        for link in visit.links:
            answer = answered.get(link.url)
            if answer and (answer.state is LinkState.DEAD or answer.state in _WARNED):
                yield _problem(visit, link, answer, site)


def page_problems(visit: PageVisit, answers: LinkAnswers, site: Site) -> Iterator[Problem]:
    """That a page could not be tested, unless a crash or the links to it tell the same."""
    if not visit.failure or any(fault.fault is Fault.CRASH for fault in visit.faults):
        return
    told = {LinkState.DEAD, *_WARNED}
    if any(_page(one.url) == _page(visit.url) and one.state in told for one in answers.answers):
        return
    gone = visit.status in _GONE
    rule = _DEAD if gone else "page-not-tested"
    yield Problem(
        id=identity(rule, site.relative(_page(visit.url))),
        kind=Kind.LINK if gone else Kind.SCRIPT,
        rule=rule,
        level=Level.ERROR if gone else Level.WARNING,
        message=f"The page could not be tested: {cut(visit.failure, MOST_MESSAGE)}",
        page=visit.url,
        pages=(visit.url,),
        url=cut(visit.url, MOST_URL),
        status=visit.status,
        state=LinkState.DEAD if gone else None,
        remedy=remedy(rule).text,
    )


def _problem(visit: PageVisit, link: Link, answer: LinkAnswer, site: Site) -> Problem:
    rule = _rule(answer)
    return Problem(
        id=identity(rule, _locator(visit, link, site, rule)),
        kind=Kind.LINK,
        rule=rule,
        level=Level.ERROR if rule == _DEAD else Level.WARNING,
        message=_message(link, answer, site),
        page=visit.url,
        pages=(visit.url,),
        selector=link.element.selector,
        selectors=(link.element.selector,) if link.element.selector else (),
        evidence=cut(_evidence(link, answer), MOST_EVIDENCE),
        url=cut(link.url, MOST_URL),
        status=answer.status,
        state=answer.state,
        remedy=remedy(rule).text,
    )


def _rule(answer: LinkAnswer) -> str:
    if answer.state is not LinkState.DEAD:
        return _WARNED[answer.state]
    page_is_there = answer.status in _ANSWERS_WELL
    return _DEAD_ANCHOR if page_is_there and urldefrag(answer.url).fragment else _DEAD


def _locator(visit: PageVisit, link: Link, site: Site, rule: str) -> str:
    """The target; of a dead fragment of the page itself the fragment: its template has it."""
    page, fragment = urldefrag(link.url)
    if rule == _DEAD_ANCHOR and page in {_page(visit.url), _page(visit.final_url)}:
        return f"#{fragment}"
    return site.relative(link.url)


def _message(link: Link, answer: LinkAnswer, site: Site) -> str:
    label = cut(link.element.label, _LONGEST_LABEL)
    name = f"The link “{label}”" if label else "A link"
    target = cut(site.path(link.url), MOST_MESSAGE)
    reason = cut(answer.reason, MOST_MESSAGE) or _status(answer)
    return f"{name} {_said(answer)}: {target}" + (f" ({reason})" if reason else "")


def _said(answer: LinkAnswer) -> str:
    flaky = answer.state is LinkState.FLAKY
    lasts = flaky and answer.attempts > 1 and answer.status in _SERVER_ERRORS
    return _EACH_TIME if lasts else _SAYS[answer.state]


def _status(answer: LinkAnswer) -> str:
    return "" if answer.status is None else f"answers {answer.status}"


def _evidence(link: Link, answer: LinkAnswer) -> str:
    """What was answered, how often it was asked, the tag, and where it came from."""
    asked = f"asked {answer.attempts} times" if answer.attempts > 1 else ""
    inserted = "inserted by a script" if link.scripted else ""
    parts = (_status(answer), asked, link.element.snippet, inserted)
    return "; ".join(filter(None, parts))


def _page(url: str) -> str:
    return urldefrag(url).url
