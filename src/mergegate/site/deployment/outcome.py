"""What the site of a change came to, and the verdict on it: what could not be checked never passes.

It is short enough for a comment, and a section of the repository's report; the full reports lie
beside it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from mergegate.core.render import wording
from mergegate.core.report import Cell, Gate, Group, Line, Verdict
from mergegate.site.audit.budget import VENDOR, Figures, Violation
from mergegate.site.audit.facts import Area, Scores
from mergegate.site.audit.report import Difference, Range
from mergegate.site.level import Level
from mergegate.site.render import figures

_MOST_LISTED = 8
_UNKNOWN = "–"
_TELLING = frozenset({"better", "worse"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRules:
    """When a site stops a merge; the specification gives it no gate, so by default it does not."""

    minimum_scores: Mapping[Area, int] = field(default_factory=lambda: MappingProxyType({}))
    """The least that each score may be, 0–100."""
    most_browser_errors: int | None = None
    """How many entries of severity error a browser test may have; None for any number."""
    over_budget: bool = False
    """Whether a violation of the budget fails that is beyond the noise."""
    regressions: bool = False
    """Whether a figure fails that is worse than the base's, beyond the noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """An issue or a problem in one line; all of its text is hostile."""

    level: Level
    topic: str
    """The area of an issue, the list of a problem: ``accessibility``, ``jsErrors``…"""
    title: str
    where: str = ""
    """A page, with a selector or an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """The short form of an audit."""

    scores: Scores
    score_ranges: Mapping[Area, Range] = field(default_factory=lambda: MappingProxyType({}))
    figures: Figures
    runs: int = 1
    violations: tuple[Violation, ...] | None = None
    """None when there was no budget."""
    differences: tuple[Difference, ...] = ()
    """Against the base's preview; empty without one."""
    highlights: tuple[Highlight, ...] = ()
    """The worst issues, worst first."""
    issues: int = 0
    """How many there were."""
    gaps: tuple[str, ...] = ()
    """What it could not judge; a gap of the outcome where a rule rests on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The short form of a browser test."""

    pages: int
    errors: int
    warnings: int
    highlights: tuple[Highlight, ...] = ()
    """The worst problems, errors first."""
    gaps: tuple[str, ...] = ()
    """What it could not judge; gaps of the outcome where its errors are limited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOutcome:
    """What was seen of the site, and what the policy makes of it."""

    url: str
    """Hostile text where the event named it."""
    device: str = "mobile"
    audited: Audited | None = None
    """None when the audit was not wanted, or could not be done: then a gap says why."""
    tested: Tested | None = None
    gaps: tuple[str, ...] = ()
    """What could not be checked and why, a sentence each, without a full stop."""
    rules: SiteRules = SiteRules()
    verdict: Verdict = Verdict(Gate.PASSED, ())
    """The verdict by ``rules``; see :func:`judged`."""

    def seen_as(self) -> str:
        """``mobile, median of 3 runs``; empty when nothing was seen."""
        if self.audited is None:
            return self.device if self.tested else ""
        runs = self.audited.runs
        return f"{self.device}, {f'median of {runs} runs' if runs > 1 else 'one run'}"

    def scores(self) -> tuple[Cell, ...]:
        """The four scores, in the specification's order; empty without an audit."""
        audited = self.audited
        return tuple(_cell(audited, area, self.rules) for area in Area) if audited else ()

    def groups(self) -> tuple[Group, ...]:
        """What is to be read below the scores, most pressing first; no group is empty."""
        found = (
            Group("Not checked", tuple(Line(f"{gap.rstrip('.')}.") for gap in self._unchecked())),
            *_of_audit(self.audited, self.rules),
            *_of_test(self.tested, self.rules),
        )
        return tuple(group for group in found if group.lines)

    def _unchecked(self) -> Iterator[str]:
        """Every gap once, whether or not a rule rests on it."""
        tools = (("audit", self.audited), ("browser test", self.tested))
        told = (f"{name}: {gap}" for name, tool in tools if tool for gap in tool.gaps)
        yield from dict.fromkeys((*self.gaps, *told))

    def json(self) -> dict[str, Any]:
        """``site`` of a repository scan's result."""
        from mergegate.site.deployment.wire import shape  # noqa: PLC0415 - few runs need it

        return shape(self).model_dump(mode="json", by_alias=True)


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


_NAMES = {
    Area.PERFORMANCE: "Performance",
    Area.SEO: "SEO",
    Area.ACCESSIBILITY: "Accessibility",
    Area.BEST_PRACTICES: "Best practices",
}


_SURE_RUNS = 3
"""With fewer nothing is certainly over the budget (``audit.budget``)."""


def judged(outcome: SiteOutcome) -> SiteOutcome:
    """The outcome with its verdict: incomplete with a gap, else failed by its rules alone.

    A rule of the audit that has nothing to be held to is a gap as well: it never passes unseen.
    """
    rules = outcome.rules
    failures = (*_audit(outcome.audited, rules), *_test(outcome.tested, rules))
    unanswered = _unanswered(outcome.audited, rules) if outcome.audited else ()
    unjudged = (f"browser test: {gap}" for gap in _unjudged(outcome.tested, rules))
    gaps = tuple(f"Not checked: {gap}" for gap in (*outcome.gaps, *unanswered, *unjudged))
    gate = Gate.INCOMPLETE if gaps else Gate.FAILED if failures else Gate.PASSED
    return replace(outcome, verdict=Verdict(gate, (*gaps, *failures)))


def _audit(audited: Audited | None, rules: SiteRules) -> Iterator[str]:
    if audited is None:
        return
    yield from _low_scores(audited, rules)
    certain = [one for one in audited.violations or () if one.certain]
    if rules.over_budget and certain:
        noun = "figure is" if len(certain) == 1 else "figures are"
        yield f"Site: {len(certain)} {noun} over the budget"
    worse = [one for one in audited.differences if one.verdict == "worse"]
    if rules.regressions and worse:
        noun = "figure is" if len(worse) == 1 else "figures are"
        yield f"Site: {len(worse)} {noun} worse than before the change"


def _unanswered(audited: Audited, rules: SiteRules) -> Iterator[str]:
    if rules.over_budget and audited.violations is None:
        yield "whether the page is over its budget, for none was given"
    if rules.over_budget and audited.violations and audited.runs < _SURE_RUNS:
        yield "whether the page is over its budget, for too few runs succeeded"
    if rules.regressions and not audited.differences:
        yield "whether the page got worse, for there is no page before the change to compare with"
    elif rules.regressions:
        unscored = (name for area, name in _NAMES.items() if audited.scores.of(area) is None)
        yield from (f"whether {name} got worse, for it has no score" for name in unscored)


def _unjudged(tested: Tested | None, rules: SiteRules) -> tuple[str, ...]:
    """What the browser test left open, where that may be one error too many."""
    most = rules.most_browser_errors
    return tested.gaps if tested and most is not None and tested.errors <= most else ()


def _low_scores(audited: Audited, rules: SiteRules) -> Iterator[str]:
    for area in Area:
        least, score = rules.minimum_scores.get(area), audited.scores.of(area)
        if least is None:
            continue
        if score is None:
            yield f"Site: {_NAMES[area]} has no score, and must be at least {least}"
        elif score < least:
            yield f"Site: {_NAMES[area]} {score} is below {least}"


def _test(tested: Tested | None, rules: SiteRules) -> Iterator[str]:
    most = rules.most_browser_errors
    if tested and most is not None and tested.errors > most:
        allowed = f"allowed: {most}"
        noun = "error" if tested.errors == 1 else "errors"
        yield f"Site: {tested.errors} {noun} in the browser, {allowed}"
