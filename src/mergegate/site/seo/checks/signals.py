"""Where what robots.txt says of the use of a page contradicts whom it lets in.

Source: contentsignals.org: ``search``, ``ai-input`` and ``ai-train``, each ``yes`` or ``no``, hold
for the group of a robots.txt that they stand in. Having none is no flaw.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from mergegate.site.seo.checks.point import RULES, examples, quoted
from mergegate.site.seo.crawlers import CRAWLERS, EVERYBODY, Purpose
from mergegate.site.seo.facts import Robots, RobotsGroup, SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.words import listed

CONTRADICTION = RULES["content-signal-contradiction"]
_USE = {Purpose.SEARCH: "search", Purpose.USER: "ai-input", Purpose.TRAINING: "ai-train"}
"""Which signal speaks of what a crawler comes for."""
_YES, _NO = frozenset({"yes"}), frozenset({"no"})
_SHOWN = 3
_MOST_AGENTS, _MOST_LINES, _LONGEST_LINE = 200, 20, 500


@dataclass(frozen=True, slots=True)
class _Told:
    """What robots.txt says, by whom it speaks to."""

    allowed: Mapping[str, bool]
    groups: Mapping[str, Sequence[RobotsGroup]]
    """By the crawler in small letters."""

    def answers(self, token: str, name: str) -> frozenset[str]:
        """What a crawler is answered: by the groups of its own, else by those for everybody."""
        groups = self.groups.get(token.lower()) or self.groups.get(EVERYBODY, ())
        return frozenset(value for group in groups for value in _said(group, name))


def points(facts: SearchFacts) -> Iterator[Point]:
    """The contradictions, as one point."""
    robots = facts.robots
    if robots is None or robots.state != "present" or not any(one.signals for one in robots.groups):
        return
    told = _read(robots)
    found = [*_within(told), *_against_rules(told), *_escaping(told)]
    if found:
        message = f"Content-Signal: {found[0]}."
        shown = examples(found)
        yield CONTRADICTION.point(facts.page.final_url, message, evidence=shown, count=len(found))


def _read(robots: Robots) -> _Told:
    groups: dict[str, list[RobotsGroup]] = {}
    for group in robots.groups:
        for agent in group.agents:
            groups.setdefault(agent, []).append(group)
    return _Told(robots.allowed, groups)


def _within(told: _Told) -> Iterator[str]:
    """Both answers to one question to one crawler."""
    for agent in islice(told.groups, _MOST_AGENTS):
        for name in _USE.values():
            if told.answers(agent, name) >= _YES | _NO:
                whom = "everybody" if agent == EVERYBODY else quoted(agent)
                yield f"{name} is yes and no for {whom}"


def _against_rules(told: _Told) -> Iterator[str]:
    """A use that is granted to crawlers that may not fetch the page."""
    for purpose, name in _USE.items():
        shut = [
            token
            for token in _tokens(purpose)
            if told.allowed.get(token) is False and told.answers(token, name) == _YES
        ]
        if shut:
            yield f"{name}=yes holds for {_some(shut)}, who may not fetch the page"


def _escaping(told: _Told) -> Iterator[str]:
    """Crawlers with a group of their own, for whom what is said to everybody does not hold."""
    for purpose, name in _USE.items():
        free = [
            token
            for token in _tokens(purpose)
            if token.lower() in told.groups
            and told.allowed.get(token)
            and not told.answers(token, name)
        ]
        if free and told.answers(EVERYBODY, name) == _NO:
            yield f"{name}=no for everybody does not hold for {_some(free)}, named apart"


def _said(group: RobotsGroup, wanted: str) -> Iterator[str]:
    """The values of a signal; what is neither yes nor no is left out."""
    for line in group.signals[:_MOST_LINES]:
        for pair in line[:_LONGEST_LINE].lower().split(","):
            name, _, value = (part.strip() for part in pair.partition("="))
            if name == wanted and value in _YES | _NO:
                yield value


def _tokens(purpose: Purpose) -> list[str]:
    return [one.token for one in CRAWLERS if one.purpose is purpose]


def _some(tokens: Sequence[str]) -> str:
    return listed(tokens[:_SHOWN])
