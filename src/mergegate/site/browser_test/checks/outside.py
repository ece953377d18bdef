"""Links to other sites of which not one answered: a problem of where the scan runs, told once.

Without a name service, or behind a firewall, every link to the outside fails as a flaky one does.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from mergegate.site.browser_test.checks.remedies import remedy
from mergegate.site.browser_test.checks.scripts import MOST_EVIDENCE, MOST_MESSAGE, MOST_URL
from mergegate.site.browser_test.checks.site import Site, identity, origin
from mergegate.site.browser_test.facts import Journey, Link, LinkAnswer, LinkAnswers, LinkState
from mergegate.site.browser_test.report import OUT_OF_REACH, Kind, Problem
from mergegate.site.level import Level
from mergegate.site.words import cut

_MOST_SELECTORS = 10
_NAMED = 3


@dataclass(frozen=True, slots=True)
class _Place:
    """A link that nobody could check."""

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
