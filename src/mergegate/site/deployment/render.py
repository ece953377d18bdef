"""What a change's site came to, as a row of scores and a few short lists, for every renderer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mergegate.core.render import wording
from mergegate.site.audit.budget import VENDOR, Violation
from mergegate.site.audit.facts import Area
from mergegate.site.audit.report import Difference, Range
from mergegate.site.deployment.outcome import Audited, Highlight, SiteOutcome, SiteRules, Tested
from mergegate.site.render import figures

_MOST_LISTED = 8
_UNKNOWN = "–"
_TELLING = frozenset({"better", "worse"})
_SIGNS = {"good": "🟢", "needs improvement": "🟡", "poor": "🔴", "unknown": "⚪"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One score."""

    name: str
    text: str
    """``92``; a dash without one."""
    band: str
    spread: str = ""
    """``90–94``; empty when all runs agree."""
    least: int | None = None
    """What it must be and is not, so that it stands in the way of the merge."""

    @property
    def sign(self) -> str:
        """Beside the number, never in its place."""
        return _SIGNS[self.band]


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a list; ``place`` is hostile text, to be shown as code."""

    text: str
    place: str = ""
    blocks: bool = False
    """Whether it stands in the way of the merge."""


@dataclass(frozen=True, slots=True)
class Group:
    """A short list under its title."""

    title: str
    lines: tuple[Line, ...]
    more: int = 0
    blocks: bool = False
    """Whether it does as a whole."""
    detail: bool = False
    """Whether few readers need it."""


def seen_as(outcome: SiteOutcome) -> str:
    """``mobile, median of 3 runs``; empty when nothing was seen."""
    if outcome.audited is None:
        return outcome.device if outcome.tested else ""
    runs = outcome.audited.runs
    return f"{outcome.device}, {f'median of {runs} runs' if runs > 1 else 'one run'}"


def scores(outcome: SiteOutcome) -> tuple[Cell, ...]:
    """The four scores, in the specification's order; empty without an audit."""
    audited = outcome.audited
    return tuple(_cell(audited, area, outcome.rules) for area in Area) if audited else ()


def groups(outcome: SiteOutcome) -> tuple[Group, ...]:
    """What is to be read below the scores, most pressing first; no group is empty."""
    rules = outcome.rules
    found = (
        *_gaps(outcome),
        *_of_audit(outcome.audited, rules),
        *_of_test(outcome.tested, rules),
    )
    return tuple(group for group in found if group.lines)


def _cell(audited: Audited, area: Area, rules: SiteRules) -> Cell:
    score, least = audited.scores.of(area), rules.minimum_scores.get(area)
    low = least is not None and (score is None or score < least)
    return Cell(
        name=figures.name(area),
        text=_UNKNOWN if score is None else str(score),
        band=figures.band(score),
        spread=_spread(audited.score_ranges.get(area)),
        least=least if low else None,
    )


def _spread(ranged: Range | None) -> str:
    if ranged is None or ranged.lowest == ranged.highest:
        return ""
    return f"{ranged.lowest:.0f}–{ranged.highest:.0f}"


def _gaps(outcome: SiteOutcome) -> Iterator[Group]:
    yield Group("Not checked", tuple(Line(f"{gap}.") for gap in outcome.gaps))


def _of_audit(audited: Audited | None, rules: SiteRules) -> Iterator[Group]:
    if audited is None:
        return
    over = [_violation(one, rules) for one in audited.violations or ()]
    yield _group("Over the budget", over)
    told = [one for one in audited.differences if one.verdict in _TELLING]
    told.sort(key=lambda one: one.verdict != "worse")
    yield _group("Against the site before the change", [_difference(one, rules) for one in told])
    found = [_highlight(one) for one in audited.highlights]
    title = f"Audit: {wording.counted(audited.issues, 'issue')}"
    yield replace(_group(title, found, audited.issues), detail=True)


def _of_test(tested: Tested | None, rules: SiteRules) -> Iterator[Group]:
    if tested is None:
        return
    most = rules.most_browser_errors
    blocks = most is not None and tested.errors > most
    allowed = f" (allowed: {most})" if blocks else ""
    errors = f"{wording.counted(tested.errors, 'error')}{allowed}"
    counts = f"{errors}, {wording.counted(tested.warnings, 'warning')}"
    title = f"In the browser, on {wording.counted(tested.pages, 'page')}: {counts}"
    found = [_highlight(one) for one in tested.highlights]
    group = _group(title, found, tested.errors + tested.warnings)
    yield replace(group, blocks=blocks, detail=not blocks)


def _violation(one: Violation, rules: SiteRules) -> Line:
    blocks = rules.over_budget and one.certain
    sure = "" if one.certain else ", perhaps by chance"
    if one.key == VENDOR:
        return Line(f"New third party{sure}:", str(one.actual), blocks)
    limit, actual = figures.figure(one.key, one.limit), figures.figure(one.key, one.actual)
    said = f"{figures.name(one.key)} {actual}, allowed {limit}{sure}"
    return Line(f"{said}, because of" if one.cause else said, one.cause, blocks)


def _difference(one: Difference, rules: SiteRules) -> Line:
    before, after = figures.figure(one.key, one.before), figures.figure(one.key, one.after)
    sure = f"{min(one.confidence, 0.99):.0%} sure"
    said = f"{one.verdict.capitalize()}: {figures.name(one.key)} {before} → {after} ({sure})"
    return Line(said, blocks=rules.regressions and one.verdict == "worse")


def _highlight(one: Highlight) -> Line:
    return Line(f"{one.level.capitalize()}: {one.title}", one.where)


def _group(title: str, lines: Sequence[Line], total: int | None = None) -> Group:
    """What blocks leads, so that no cut hides it."""
    ranked = sorted(lines, key=lambda line: not line.blocks)
    shown = tuple(ranked[:_MOST_LISTED])
    return Group(title, shown, (len(lines) if total is None else total) - len(shown))
