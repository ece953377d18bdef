"""What to do about a site's security, and the summary in words; written by code from facts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from mergegate.core.severity import Severity
from mergegate.site.security.facts import NONCE, PolicyTrial
from mergegate.site.security.patches import plain
from mergegate.site.security.report import Advice, Area, Flaw, SecurityReport
from mergegate.site.security.report import Patch as Code
from mergegate.site.words import counted, cut, listed

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
_ELEMENT = "HTML"
"""The product of a patch that is an element with its integrity."""
_POLICY = "csp-"
"""How rules about a content security policy begin."""
_WATCH = "send it as Content-Security-Policy-Report-Only"
_FRESH = f" Put a fresh random value in the place of {NONCE} in each answer."
_MOST = 20
_MOST_NAMED = 3
_SOON = 30
"""Days before its end at which a certificate is spoken of."""

Gain = Callable[[frozenset[str]], int]
"""Gives what the score gains when the flaws with these ids are gone."""
Together = Callable[[Sequence[Flaw]], tuple[Code, ...]]
"""Gives the headers that end these flaws, as code."""


def advice(
    flaws: Sequence[Flaw], trial: PolicyTrial | None, gain: Gain, together: Together
) -> tuple[Advice, ...]:
    """What to do, what ends the worst first; notes without any severity ask for nothing.

    All headers are one step, for they are written down in one place; of everything else each rule
    is one, or all rules that the same code ends. Where a policy was not tried, the step says so.
    """
    bad = [one for one in flaws if one.severity > Severity.INFO]
    headers = [one for one in bad if one.area is Area.HEADERS and one.patches]
    steps = [_headers(headers, trial, gain, together)] if headers else []
    others = [one for one in bad if one not in headers]
    steps += [_together(some, gain) for some in _grouped(others)]
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
        message = f"{listed(_names(flaws))}, all in one place."
    is_policy = any(one.rule.startswith(_POLICY) for one in flaws)
    caution = _caution(trial) if is_policy and trial and trial.policy else ""
    patches = together(flaws)
    nonce = _FRESH if any(NONCE in patch.code for patch in patches) else ""
    return Advice(
        title=title,
        message=f"{message}{caution}{nonce}{_left_out(patches)}",
        flaw_ids=ids,
        points=gain(frozenset(ids)),
        patches=patches,
    )


def _left_out(patches: Sequence[Code]) -> str:
    """Which headers the code for a product lacks, as :func:`patches.together` leaves them out."""
    products = [one.product for one in patches[:-1]]
    lines = [line.partition(": ") for one in patches[-1:] for line in one.code.splitlines()]
    missing = [name for name, _, value in lines if not plain((name, value))]
    if not (products and missing):
        return ""
    written = f"What is written for {listed(products)} lacks {listed(missing)}"
    return f" {written}: send it where the page is made."


def _names(flaws: Sequence[Flaw]) -> list[str]:
    """The headers' names; the bare header is a flaw's last patch."""
    return list(dict.fromkeys(one.patches[-1].code.partition(":")[0] for one in flaws))


def _caution(trial: PolicyTrial) -> str:
    """What is to be known before the proposed policy is sent."""
    if trial.proved:
        return f" The policy is proved for this page alone; {_WATCH} to all others first."
    broken = len(trial.breaches) + len(trial.errors)
    known = f": {counted(broken, 'thing')} would break" if broken else ""
    return f" The policy is not proved{known}; {_WATCH} first."


def _grouped(flaws: Sequence[Flaw]) -> Iterable[Sequence[Flaw]]:
    """Flaws grouped by rule, and rules by code: a cookie's attributes are set in one place."""
    rules: dict[str, list[Flaw]] = {}
    for one in flaws:
        rules.setdefault(one.rule, []).append(one)
    groups: dict[object, list[Flaw]] = {}
    for rule, mine in rules.items():
        groups.setdefault(mine[0].patches or rule, []).extend(mine)
    return groups.values()


def _together(flaws: Sequence[Flaw], gain: Gain) -> Advice:
    """Flaws of one rule have one remedy."""
    first = flaws[0]
    ids = tuple(one.id for one in flaws)
    places = sum(one.rule == first.rule for one in flaws)
    times = f" ({counted(places, 'place')})" if places > 1 else ""
    return Advice(
        title=f"{first.title}{times}",
        message=_remedies(flaws),
        flaw_ids=ids,
        points=gain(frozenset(ids)),
        patches=_patches(flaws),
    )


def _patches(flaws: Sequence[Flaw]) -> tuple[Code, ...]:
    """Elements all of them, each being pasted in its own place; of everything else the first's."""
    elements = [code for one in flaws for code in one.patches if code.product == _ELEMENT]
    if not elements:
        return flaws[0].patches
    every = dict.fromkeys(one.code for one in elements)
    return (replace(elements[0], code="\n".join(every)),)


def _remedies(flaws: Sequence[Flaw]) -> str:
    """A sentence a rule."""
    found: dict[str, str] = {}
    for one in flaws:
        found.setdefault(one.rule, one.remedy)
    return " ".join(dict.fromkeys(found.values()))


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
