"""What a change's site came to, as a row of scores and a few short lists, for every renderer."""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.model.budget import VENDOR, Violation
from mergegate.model.facts.lighthouse import Area
from mergegate.model.site.audit import Difference
from mergegate.model.site.outcome import Audited, Highlight, SiteOutcome, Tested
from mergegate.report import figures, wording

_MOST_LISTED = 8
_UNKNOWN = "–"
_TELLING = frozenset({"better", "worse"})


@dataclass(frozen=True, slots=True)
class Cell:
    """One score: ``92 (90–94)``."""

    name: str
    text: str
    band: str


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a list; ``place`` is hostile text, to be shown as code."""

    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A short list under its title."""

    title: str
    lines: tuple[Line, ...]
    more: int = 0


def scores(outcome: SiteOutcome) -> tuple[Cell, ...]:
    """The four scores, in the specification's order; empty without an audit."""
    audited = outcome.audited
    return tuple(_cell(audited, area) for area in Area) if audited else ()


def groups(outcome: SiteOutcome) -> tuple[Group, ...]:
    """What is to be read below the scores, most pressing first; no group is empty."""
    found = (*_gaps(outcome), *_of_audit(outcome.audited), *_of_test(outcome.tested))
    return tuple(group for group in found if group.lines)


def _cell(audited: Audited, area: Area) -> Cell:
    score, ranged = audited.scores.of(area), audited.score_ranges.get(area)
    text = _UNKNOWN if score is None else str(score)
    if ranged and ranged.lowest != ranged.highest:
        text = f"{text} ({ranged.lowest:.0f}–{ranged.highest:.0f})"
    return Cell(figures.name(area), text, figures.band(score))


def _gaps(outcome: SiteOutcome) -> Iterator[Group]:
    yield _group("Not checked", [Line(f"{gap}.") for gap in outcome.gaps])


def _of_audit(audited: Audited | None) -> Iterator[Group]:
    if audited is None:
        return
    yield _group("Over the budget", [_violation(one) for one in audited.violations or ()])
    told = [one for one in audited.differences if one.verdict in _TELLING]
    told.sort(key=lambda one: one.verdict != "worse")
    yield _group("Against the site before the change", [_difference(one) for one in told])
    count = wording.counted(audited.issues, "issue")
    yield _group(f"Audit: {count}", [_highlight(one) for one in audited.highlights], audited.issues)


def _of_test(tested: Tested | None) -> Iterator[Group]:
    if tested is None:
        return
    counts = (
        f"{wording.counted(tested.errors, 'error')}, {wording.counted(tested.warnings, 'warning')}"
    )
    title = f"In the browser, on {wording.counted(tested.pages, 'page')}: {counts}"
    yield _group(
        title, [_highlight(one) for one in tested.highlights], tested.errors + tested.warnings
    )


def _violation(one: Violation) -> Line:
    sure = "" if one.certain else ", perhaps by chance"
    if one.key == VENDOR:
        return Line(f"New third party{sure}:", str(one.actual))
    limit, actual = figures.figure(one.key, one.limit), figures.figure(one.key, one.actual)
    said = f"{figures.name(one.key)} {actual}, allowed {limit}{sure}"
    return Line(f"{said}, because of" if one.cause else said, one.cause)


def _difference(one: Difference) -> Line:
    before, after = figures.figure(one.key, one.before), figures.figure(one.key, one.after)
    sure = f"{one.confidence:.0%} sure"
    return Line(f"{one.verdict.capitalize()}: {figures.name(one.key)} {before} → {after} ({sure})")


def _highlight(one: Highlight) -> Line:
    return Line(f"{one.level.capitalize()}: {one.title}", one.where)


def _group(title: str, lines: list[Line], total: int | None = None) -> Group:
    shown = tuple(lines[:_MOST_LISTED])
    return Group(title, shown, (len(lines) if total is None else total) - len(shown))
