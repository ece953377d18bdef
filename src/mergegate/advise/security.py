"""What to do about a site's security, and the summary in words; written by code from facts."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from mergegate.model.facts.web_security import PolicyTrial
from mergegate.model.severity import Severity
from mergegate.model.site.security import Advice, Area, Flaw, SecurityReport
from mergegate.model.site.security import Patch as Code
from mergegate.model.site.words import counted, cut, listed

_AREAS = {
    Area.SECRETS: "exposed secrets",
    Area.HEADERS: "security headers",
    Area.COOKIES: "cookies",
    Area.CSRF: "forged requests",
    Area.MIXED_CONTENT: "mixed content",
    Area.INTEGRITY: "files of other hosts",
    Area.TRANSPORT: "the connection",
    Area.CONTENT: "libraries and leaks",
}
_POLICY = "csp-"
"""How rules about a content security policy begin."""
_MOST = 20
_MOST_NAMED = 3
_SOON = 30
"""Days before its end at which a certificate is spoken of."""

Gain = Callable[[frozenset[str]], int]
"""What the score gains when the flaws with these ids are gone."""
Together = Callable[[Sequence[Flaw]], tuple[Code, ...]]
"""All headers that end these flaws, as code."""


def advice(
    flaws: Sequence[Flaw], trial: PolicyTrial | None, gain: Gain, together: Together
) -> tuple[Advice, ...]:
    """What to do, what ends the worst first; notes without any severity ask for nothing.

    All headers are one step, for they are written down in one place; of everything else each rule
    is one. Of a policy that would break something, or that nobody tried, the step says so.
    """
    bad = [one for one in flaws if one.severity > Severity.INFO]
    headers = [one for one in bad if one.area is Area.HEADERS and one.patches]
    steps = [_headers(headers, trial, gain, together)] if headers else []
    others = [one for one in bad if one not in headers]
    steps += [
        _rule([one for one in others if one.rule == rule], gain)
        for rule in dict.fromkeys(one.rule for one in others)
    ]
    worst = {one.id: one.severity for one in flaws}
    steps.sort(key=lambda step: (-max(worst[id] for id in step.flaw_ids), -step.points))
    return tuple(steps[:_MOST])


def _headers(
    flaws: Sequence[Flaw], trial: PolicyTrial | None, gain: Gain, together: Together
) -> Advice:
    ids = tuple(one.id for one in flaws)
    title, message = flaws[0].title, flaws[0].remedy
    if len(flaws) > 1:
        title = "Send the security headers"
        message = f"All of them stand in one place of the configuration: {_named(flaws)}."
    is_policy = any(one.rule.startswith(_POLICY) for one in flaws)
    caution = _caution(trial) if is_policy and trial and trial.policy else ""
    return Advice(
        title=title,
        message=f"{message}{caution}",
        flaw_ids=ids,
        points=gain(frozenset(ids)),
        patches=together(flaws),
    )


def _named(flaws: Sequence[Flaw]) -> str:
    """Of some hundred letters, whatever there is."""
    titles = list(dict.fromkeys(one.title for one in flaws))
    rest = len(titles) - _MOST_NAMED
    return "; ".join([*titles[:_MOST_NAMED], *([f"and {rest} more"] if rest > 0 else [])])


def _caution(trial: PolicyTrial) -> str:
    """What is to be known before the proposed policy is sent; empty for a proved one."""
    if trial.proved:
        return ""
    broken = len(trial.breaches) + len(trial.errors)
    known = f": {counted(broken, 'thing')} would break" if broken else ""
    return (
        f" The policy is not proved{known}; send it as Content-Security-Policy-Report-Only first."
    )


def _rule(flaws: Sequence[Flaw], gain: Gain) -> Advice:
    """Flaws of one rule have one remedy; ready code is that of the first."""
    first = flaws[0]
    ids = tuple(one.id for one in flaws)
    times = f" ({counted(len(flaws), 'place')})" if len(flaws) > 1 else ""
    return Advice(
        title=f"{first.title}{times}",
        message=first.remedy,
        flaw_ids=ids,
        points=gain(frozenset(ids)),
        patches=first.patches,
    )


def summarised(report: SecurityReport) -> SecurityReport:
    """The report with its summary."""
    return replace(report, summary=summarise(report))


def summarise(report: SecurityReport) -> str:
    """The grade, what is worst, what the connection and a policy say, and what to do first.

    Plain text, one paragraph.
    """
    sentences = [
        f"{report.score} of 100, grade {report.grade}.",
        _verdict(report.flaws),
        *_worst(report.flaws),
        _connection(report),
        _policy(report),
        _first_step(report),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _verdict(flaws: Sequence[Flaw]) -> str:
    bad = [one for one in flaws if one.severity > Severity.INFO]
    if not bad:
        return "Nothing unsafe was found in what was looked at."
    areas = [_AREAS[area] for area in Area if any(one.area is area for one in bad)]
    return f"Found: {_levels(bad)}, about {listed(areas)}."


def _levels(flaws: Sequence[Flaw]) -> str:
    counts = Counter(one.severity for one in flaws)
    return listed([f"{counts[one]:,} {one.label}" for one in sorted(counts, reverse=True)])


def _worst(flaws: Sequence[Flaw]) -> Iterator[str]:
    """What cannot wait, each in its own words."""
    critical = [one for one in flaws if one.severity is Severity.CRITICAL]
    for one in critical[:_MOST_NAMED]:
        yield f"Critical: {cut(one.title, 120).rstrip('.')}."


def _connection(report: SecurityReport) -> str:
    tls = report.tls
    if tls is None or tls.days_left is None or tls.days_left > _SOON:
        return ""
    if tls.days_left < 0:
        return "Its certificate has expired."
    return f"Its certificate ends in {counted(tls.days_left, 'day')}."


def _policy(report: SecurityReport) -> str:
    trial = report.trial
    if trial is None or not trial.policy:
        return ""
    if trial.proved:
        nonce = ", with a fresh nonce in each answer" if trial.nonces else ""
        return (
            f"The page was loaded under a strict content security policy and kept working{nonce}."
        )
    if trial.breaches or trial.errors:
        broken = counted(len(trial.breaches) + len(trial.errors), "thing")
        return f"A strict content security policy is proposed; {broken} would break under it."
    return "A content security policy is proposed, not proved."


def _first_step(report: SecurityReport) -> str:
    return f"Start here: {report.advice[0].title}." if report.advice else ""
