"""What to do next, the most valuable step first: what takes away much on many pages.

``remedies.toml`` has the remedy of each rule, ``vitals.toml`` what makes a slow page faster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.site.browser_test.checks.site import Site, site_of
from mergegate.site.browser_test.facts import Journey
from mergegate.site.browser_test.report import Kind, Problem, Suggestion
from mergegate.site.level import Level
from mergegate.site.words import counted, cut, duration


@dataclass(frozen=True, slots=True)
class Remedy:
    """What puts right what one rule finds."""

    rule: str
    order: str
    """A step, without a full stop: what the suggestion is called."""
    text: str
    """How to do it."""
    kind: Kind = Kind.ACCESSIBILITY
    """The list of a rule of axe; our own rules name theirs where they are found."""


REMEDIES: Mapping[str, Remedy] = read_table(
    Path(__file__).with_name("remedies.toml"), Remedy, key="rule"
)
_UNKNOWN = Remedy(
    "",
    "Put the marked elements right",
    "The reference says what the rule asks for and shows examples.",
)


def remedy(rule: str) -> Remedy:
    """The remedy of ``rule``; of a rule without one of ours, that the reference says more."""
    return REMEDIES.get(rule, _UNKNOWN)


MOST = 20
_MOST_PLACES = 3
_LONGEST_PLACE = 120


@dataclass(frozen=True, slots=True)
class Vital:
    """A core web vital: how it is graded, and what makes it better."""

    id: str
    """The field of :class:`Vitals`."""
    name: str
    good: float
    """Up to it; milliseconds, but for ``cls``."""
    poor: float
    """Strictly above it."""
    order: str
    text: str


VITALS: Mapping[str, Vital] = read_table(Path(__file__).with_name("vitals.toml"), Vital)
"""Those that Google ranks by come first."""


def suggestions(
    problems: Sequence[Problem], journey: Journey, advice: Sequence[Problem] = ()
) -> tuple[Suggestion, ...]:
    """At most :data:`MOST` steps: errors by the pages they touch, slow pages, warnings, advice."""
    site = site_of(journey)
    ranked = sorted(_groups([*problems, *advice]), key=_worth)
    errors, warnings, advised = (
        [_step(one, site) for one in ranked if one.level is level] for level in Level
    )
    return tuple([*errors, *_slow_pages(journey, site), *warnings, *advised][:MOST])


@dataclass(frozen=True, slots=True)
class _Group:
    """Problems that one step takes away."""

    name: str
    vendor: str | None
    problems: tuple[Problem, ...]

    @property
    def level(self) -> Level:
        """The worst of them."""
        return min((one.level for one in self.problems), key=tuple(Level).index)

    @property
    def pages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(page for one in self.problems for page in one.pages))

    @property
    def count(self) -> int:
        return sum(one.count for one in self.problems)


def _groups(problems: Iterable[Problem]) -> Iterator[_Group]:
    """The problems, grouped by third party, else by rule."""
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
        problem_ids=tuple(one.id for one in group.problems if one.level is not Level.INFO),
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
    for slow in VITALS.values():
        measured = [(getattr(one.vitals, slow.id), one.final_url) for one in journey.visits]
        beyond = [(figure, url) for figure, url in measured if figure and figure > slow.poor]
        if beyond:
            yield _slow(slow, beyond, site)


def _slow(slow: Vital, beyond: Sequence[tuple[float, str]], site: Site) -> Suggestion:
    worst, url = max(beyond, key=lambda one: one[0])
    many = len(beyond)
    others = f", and of {counted(many - 1, 'other page')} too" if many > 1 else ""
    return Suggestion(
        title=slow.order,
        message=(
            f"The {slow.name.lower()} of {cut(site.path(url), _LONGEST_PLACE)} is "
            f"{_figure(slow, worst)} here{others}; up to {_figure(slow, slow.good)} is good. "
            f"{slow.text}"
        ),
    )


def _figure(slow: Vital, value: float) -> str:
    """A score without a unit, else seconds or milliseconds."""
    return f"{value:.2f}" if slow.poor < 1 else duration(value)
