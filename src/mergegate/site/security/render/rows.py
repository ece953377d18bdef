"""What a security scan came to, in rows of words and numbers, for every renderer. Raw text."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from mergegate.core.render import wording
from mergegate.core.severity import Confidence, Severity
from mergegate.site.level import Level
from mergegate.site.render import phrases
from mergegate.site.render.bands import GOOD, MIDDLING, POOR, UNKNOWN
from mergegate.site.security.facts import PolicyBreach, PolicyTrial, TlsFacts
from mergegate.site.security.report import Advice, Area, Flaw, HeaderJudgement, SecurityReport

AREAS = {
    Area.SECRETS: "Exposed secrets",
    Area.HEADERS: "Security headers",
    Area.COOKIES: "Cookies",
    Area.CSRF: "Forged requests",
    Area.MIXED_CONTENT: "Mixed content",
    Area.INTEGRITY: "Files of other hosts",
    Area.TRANSPORT: "Connection",
    Area.CONTENT: "Libraries and leaks",
}
_GRADES = {"A+": GOOD, "A": GOOD, "B": MIDDLING, "C": MIDDLING, "D": POOR, "F": POOR}
_VERDICTS = {"good": GOOD, "weak": MIDDLING, "missing": POOR}
_SOON = 14
"""Days before its end at which a certificate is a finding."""
MOST_PASTED = 6_000
"""Characters: part of a configuration is worse than none."""
TOO_LONG = "It is too long to be shown here; the JSON report has it whole."
_LANGUAGE = re.compile(r"[a-z]{0,20}")
_ORDER = re.compile(r"\s*/\w")
"""GitLab obeys lines such as ``/approve``."""


@dataclass(frozen=True, slots=True)
class Line:
    """A fact of the connection."""

    name: str
    text: str
    band: str = UNKNOWN


def counts(report: SecurityReport) -> str:
    """``1 critical, 2 high``; ``nothing unsafe`` without any."""
    bad = [(one, number) for one, number in by_number(report) if number]
    said = ", ".join(f"{number:,} {one.label}" for one, number in bad)
    return said or "nothing unsafe"


def by_number(report: SecurityReport) -> tuple[tuple[Severity, int], ...]:
    """Every severity, worst first, and how many flaws have it."""
    found = Counter(one.severity for one in report.flaws)
    return tuple((one, found[one]) for one in wording.WORST_FIRST)


def by_severity(report: SecurityReport) -> Iterator[tuple[Severity, tuple[Flaw, ...]]]:
    """The flaws of each severity that has any, worst first."""
    for severity in wording.WORST_FIRST:
        mine = tuple(one for one in report.flaws if one.severity is severity)
        if mine:
            yield severity, mine


def band(report: SecurityReport) -> str:
    """How good the grade is."""
    return _GRADES.get(report.grade, UNKNOWN)


def verdict_band(one: HeaderJudgement) -> str:
    """How good a header is."""
    return _VERDICTS.get(one.verdict, UNKNOWN)


def level(one: Flaw) -> Level:
    """High and worse are errors: machines that know two levels only stop at those."""
    return Level.ERROR if one.severity >= Severity.HIGH else Level.WARNING


def place(report: SecurityReport, one: Flaw) -> str:
    """``/app.js:12``; an address of another host keeps it."""
    address = phrases.short_address(one.url, report.final_url)
    return f"{address}:{one.line}" if one.line else address


def doubt(one: Flaw) -> str:
    """``perhaps`` or ``probably``; empty when it is certain."""
    return {Confidence.LOW: "perhaps", Confidence.MEDIUM: "probably"}.get(one.confidence, "")


def deductions(report: SecurityReport) -> tuple[tuple[str, int, int], ...]:
    """Name, points and what they cost after the cap, of each area that costs any."""
    return tuple(
        (AREAS[area], *report.deductions[area]) for area in Area if area in report.deductions
    )


def steps(report: SecurityReport) -> tuple[Advice, ...]:
    """What to do, each titled with what the score gains: ``Send the headers (+20 points)``."""
    return tuple(map(_step, report.advice))


def _step(one: Advice) -> Advice:
    if not one.points:
        return one
    return replace(one, title=f"{one.title} (+{wording.counted(one.points, 'point')})")


def ready(report: SecurityReport) -> Advice | None:
    """The step with the most to paste: all headers together, where any are missing."""
    headers = {one.id for one in report.flaws if one.area is Area.HEADERS}
    with_code = [one for one in report.advice if one.patches]
    return max(
        with_code,
        key=lambda one: (not headers.isdisjoint(one.flaw_ids), len(one.flaw_ids)),
        default=None,
    )


def pasted(code: str, language: str = "text") -> tuple[str, ...]:
    """Its lines for a block of Markdown; none where a forge might take one for an order.

    None either where it has no room: see :data:`TOO_LONG`.
    """
    if len(code) > MOST_PASTED:
        return ()
    lines = tuple(code.split("\n"))
    is_plain = _LANGUAGE.fullmatch(language) and not any(map(_ORDER.match, lines))
    return lines if is_plain else ()


def connection(tls: TlsFacts | None) -> tuple[Line, ...]:
    """The card of the connection; nothing for a page without TLS."""
    if tls is None:
        return ()
    if not tls.protocol:
        return (Line("TLS", tls.failure or "none came about", POOR),)
    return tuple(_connection(tls))


def _connection(tls: TlsFacts) -> Iterator[Line]:
    old = [one for one in tls.accepts if one in {"SSLv3", "TLSv1", "TLSv1.0", "TLSv1.1"}]
    yield Line("Protocol", f"{tls.protocol}, {tls.cipher}", GOOD)
    accepted = ", ".join(tls.accepts) or tls.protocol
    untested = f" (not tried: {', '.join(tls.untested)})" if tls.untested else ""
    yield Line("Accepts", f"{accepted}{untested}", POOR if old else GOOD)
    if tls.weak_ciphers:
        yield Line("Weak ciphers", ", ".join(tls.weak_ciphers), MIDDLING)
    if tls.chain:
        own = tls.chain[0]
        yield Line("Certificate", f"{own.subject}, {own.key}, {own.signature}".strip(", "))
        yield Line("Issued by", own.issuer)
    yield _trust(tls)
    if tls.days_left is not None:
        yield _end(tls.days_left)


def _trust(tls: TlsFacts) -> Line:
    if not tls.name_matches:
        return Line("Trust", "its certificate names another host", POOR)
    if tls.trusted is None:
        return Line("Trust", "not found out")
    return Line(
        "Trust", "trusted" if tls.trusted else tls.trust_error, GOOD if tls.trusted else POOR
    )


def _end(days: int) -> Line:
    if days < 0:
        return Line("Ends", "has expired", POOR)
    return Line("Ends", f"in {wording.counted(days, 'day')}", GOOD if days > _SOON else MIDDLING)


def policy_state(trial: PolicyTrial) -> tuple[str, str]:
    """What became of the proposed policy, and how good that is."""
    if trial.proved:
        return (
            "Proved for this page: it was loaded under it, and nothing broke. Other pages, and "
            "what only happens on a click, were not tried."
        ), GOOD
    if trial.failure:
        return trial.failure, UNKNOWN
    broken = wording.counted(len(trial.breaches) + len(trial.errors), "thing")
    return f"Not proved: the page was loaded under it, and {broken} broke.", MIDDLING


def second_opinion(report: SecurityReport) -> str:
    """``B+, 80 points``; empty for a page that the Observatory could not reach."""
    told = report.observatory
    return f"{told.grade}, {wording.counted(told.score, 'point')}" if told else ""


def breach(one: PolicyBreach) -> str:
    """``script-src-attr forbids inline: doThis()``."""
    sample = f": {one.sample}" if one.sample else ""
    where = f" ({one.source})" if one.source else ""
    return f"{one.directive} forbids {one.blocked}{sample}{where}"


def nonce(trial: PolicyTrial) -> str:
    """What a policy with nonces asks of the server; empty for one without."""
    if not trial.nonces:
        return ""
    return (
        "Its inline scripts differ from load to load: let the server put a fresh random value in "
        "the place of {NONCE} in each answer, and into the nonce attribute of each inline script."
    )
