"""What to do next, the most valuable step first: what takes away much on many pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies import REMEDIES, remedy
from mergegate.site.browser_test.checks.site import Site, site_of
from mergegate.site.browser_test.facts import Journey
from mergegate.site.browser_test.report import Kind, Problem, Suggestion
from mergegate.site.level import Level
from mergegate.site.words import counted, cut, duration

MOST = 20
_MOST_PLACES = 3
_LONGEST_PLACE = 120


@dataclass(frozen=True, slots=True)
class Slow:
    """A vital and where it becomes poor."""

    order: str
    name: str
    good: float
    poor: float
    """Strictly above it."""
    text: str


SLOW: Mapping[str, Slow] = MappingProxyType(
    {
        "lcp": Slow(
            "Show the largest content sooner",
            "largest contentful paint",
            2500,
            4000,
            'Let its image be found in the HTML, with `fetchpriority="high"` and without '
            '`loading="lazy"`; send what blocks the first paint later.',
        ),
        "inp": Slow(
            "Answer clicks and keys sooner",
            "interaction to next paint",
            200,
            500,
            "Do less in the handler: paint first, and do the rest in `setTimeout` or a worker.",
        ),
        "cls": Slow(
            "Keep the layout from shifting",
            "cumulative layout shift",
            0.1,
            0.25,
            "Give images, frames and advertisements `width` and `height`, and keep room for what "
            "is inserted later.",
        ),
        "fcp": Slow(
            "Show the first content sooner",
            "first contentful paint",
            1800,
            3000,
            "Send the styles of the first screen in the page, and scripts with `defer`.",
        ),
        "ttfb": Slow(
            "Answer sooner from the server",
            "time to first byte",
            800,
            1800,
            "Cache the page, spare redirects, and serve it from near its visitors.",
        ),
    }
)
"""Thresholds: web.dev/articles/vitals, at the 75th percentile of visits; ours is one visit."""


def suggestions(problems: Sequence[Problem], journey: Journey) -> tuple[Suggestion, ...]:
    """At most :data:`MOST` steps: errors by the pages they touch, slow pages, then warnings."""
    site = site_of(journey)
    ranked = sorted(_groups(problems), key=_worth)
    errors = [_step(one, site) for one in ranked if one.has_error]
    warnings = [_step(one, site) for one in ranked if not one.has_error]
    return tuple([*errors, *_slow_pages(journey, site), *warnings][:MOST])


@dataclass(frozen=True, slots=True)
class _Group:
    """Problems that one step takes away."""

    name: str
    vendor: str | None
    problems: tuple[Problem, ...]

    @property
    def has_error(self) -> bool:
        return any(one.level is Level.ERROR for one in self.problems)

    @property
    def pages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(page for one in self.problems for page in one.pages))

    @property
    def count(self) -> int:
        return sum(one.count for one in self.problems)


def _groups(problems: Iterable[Problem]) -> Iterator[_Group]:
    """By third party, else by rule."""
    same: dict[tuple[str, str | None], list[Problem]] = {}
    for one in problems:
        key = ("vendor-fault", one.vendor) if one.vendor else (one.rule, None)
        same.setdefault(key, []).append(one)
    return (_Group(rule, vendor, tuple(every)) for (rule, vendor), every in same.items())


def _worth(group: _Group) -> tuple[object, ...]:
    return (-len(group.pages), -group.count, group.name, group.vendor or "")


def _step(group: _Group, site: Site) -> Suggestion:
    return Suggestion(
        title=_order(group),
        message=f"{_extent(group)}: {_places(group, site)}. {remedy(group.name).text}",
        problem_ids=tuple(one.id for one in group.problems),
    )


def _order(group: _Group) -> str:
    if group.vendor:
        return f"Look at the script errors and requests of {cut(group.vendor, _LONGEST_PLACE)}"
    if group.name not in REMEDIES:
        return f"Put right: {group.problems[0].message}"
    return remedy(group.name).order


def _extent(group: _Group) -> str:
    return f"{_times(group)} on {counted(len(group.pages), 'page')}"


def _times(group: _Group) -> str:
    kinds = {one.kind for one in group.problems}
    if kinds == {Kind.LINK}:
        return counted(group.count, "link")
    if kinds == {Kind.SCRIPT}:
        return counted(group.count, "time")
    return counted(group.count, "element")


def _places(group: _Group, site: Site) -> str:
    """The first few, those that touch most pages first."""
    often = sorted(group.problems, key=lambda one: -len(one.pages))
    places = list(dict.fromkeys(_place(one, site) for one in often))
    rest = len(places) - _MOST_PLACES
    named = ", ".join(places[:_MOST_PLACES])
    return f"{named} and {rest:,} more" if rest > 0 else named


def _place(one: Problem, site: Site) -> str:
    if one.kind is Kind.LINK or one.rule in {"broken-image", "failed-request"}:
        place = site.path(one.url)
    elif one.kind is Kind.SCRIPT:
        place = site.path(one.frames[0].url if one.frames else one.url or one.page)
    else:
        place = f"{one.selector} on {site.path(one.page)}" if one.selector else site.path(one.page)
    return cut(place, _LONGEST_PLACE)


def _slow_pages(journey: Journey, site: Site) -> Iterator[Suggestion]:
    for key, slow in SLOW.items():
        value = attrgetter(key)
        measured = [(value(one.vitals), one.final_url) for one in journey.visits]
        beyond = [(figure, url) for figure, url in measured if figure and figure > slow.poor]
        if beyond:
            yield _slow(slow, beyond, site)


def _slow(slow: Slow, beyond: Sequence[tuple[float, str]], site: Site) -> Suggestion:
    worst, url = max(beyond, key=lambda one: one[0])
    many = len(beyond)
    others = f", and of {counted(many - 1, 'other page')} too" if many > 1 else ""
    return Suggestion(
        title=slow.order,
        message=(
            f"The {slow.name} of {cut(site.path(url), _LONGEST_PLACE)} is {_figure(slow, worst)} "
            f"here{others}; up to {_figure(slow, slow.good)} is good. {slow.text}"
        ),
    )


def _figure(slow: Slow, value: float) -> str:
    """A score without a unit, else seconds or milliseconds."""
    return f"{value:.2f}" if slow.poor < 1 else duration(value)
