"""A site's outcome and a team's rules → verdict: what could not be checked never passes."""

from collections.abc import Iterator
from dataclasses import replace

from mergegate.core.report import Gate, Verdict
from mergegate.site.audit.facts import Area
from mergegate.site.deployment.outcome import Audited, SiteOutcome, SiteRules, Tested

_NAMES = {
    Area.PERFORMANCE: "Performance",
    Area.SEO: "SEO",
    Area.ACCESSIBILITY: "Accessibility",
    Area.BEST_PRACTICES: "Best practices",
}


_SURE_RUNS = 3
"""With fewer nothing is certainly over the budget (``score.budget``)."""


def judged(outcome: SiteOutcome) -> SiteOutcome:
    """The outcome with its verdict: incomplete with a gap, else failed by its rules alone.

    A rule of the audit that has nothing to be held to is a gap as well: it never passes unseen.
    """
    rules = outcome.rules
    failures = (*_audit(outcome.audited, rules), *_test(outcome.tested, rules))
    unanswered = _unanswered(outcome.audited, rules) if outcome.audited else ()
    gaps = tuple(f"Not checked: {gap}" for gap in (*outcome.gaps, *unanswered))
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
