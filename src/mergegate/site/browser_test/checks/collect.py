"""Everything that is wrong, once each."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mergegate.site.browser_test.checks.blank import blank_problems
from mergegate.site.browser_test.checks.elements import element_problems
from mergegate.site.browser_test.checks.links import link_problems, page_problems
from mergegate.site.browser_test.checks.outside import out_of_reach, outside_problems
from mergegate.site.browser_test.checks.scripts import script_problems
from mergegate.site.browser_test.checks.site import Site, site_of
from mergegate.site.browser_test.facts import Journey, LinkAnswer, LinkAnswers
from mergegate.site.browser_test.report import Kind, Problem
from mergegate.site.level import Level

_KINDS = tuple(Kind)
_MOST_SELECTORS = 10


def problems(journey: Journey, answers: LinkAnswers) -> tuple[Problem, ...]:
    """One entry a distinct thing: errors first, then by list, rule, number of pages and place."""
    site = site_of(journey)
    together = _merged(_found(journey, answers, site))
    order = {visit.url: number for number, visit in enumerate(journey.visits)}
    return tuple(sorted(together, key=lambda one: _rank(one, order)))


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
    error = any(one.level is Level.ERROR for one in every)
    return replace(
        first,
        level=Level.ERROR if error else Level.WARNING,
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
