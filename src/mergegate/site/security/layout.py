"""A security scan as a layout: the grade, the findings, what to paste, headers, connection."""

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from mergegate.core.render import wording
from mergegate.core.render.suites import Case
from mergegate.core.severity import Confidence, Severity
from mergegate.site.level import Level
from mergegate.site.render import figures
from mergegate.site.render import layout as ui
from mergegate.site.render.figures import GOOD, MIDDLING, POOR, UNKNOWN
from mergegate.site.security.facts import PolicyBreach, PolicyTrial, TlsFacts
from mergegate.site.security.report import (
    Advice,
    Area,
    Flaw,
    HeaderJudgement,
    Observatory,
    Patch,
    SecurityReport,
)

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
_OLD = frozenset({"SSLv3", "TLSv1", "TLSv1.0", "TLSv1.1"})
_SOON = 14
"""Days before its end at which a certificate is a finding."""
_RISKS: Mapping[Severity, str] = MappingProxyType(
    {
        Severity.CRITICAL: "9.5",
        Severity.HIGH: "8.0",
        Severity.MEDIUM: "5.5",
        Severity.LOW: "3.0",
        Severity.INFO: "0.0",
    }
)
"""``security-severity``: the middle of the range that viewers call by the same word (CVSS 3).

GitHub reads it of the rule, and of one that is tagged ``security`` alone (its "SARIF support for
code scanning"); a rule has that of its worst flaw, which comes first.
"""


def layout(report: SecurityReport) -> ui.Layout:
    """The report's sections as a layout."""
    found = tuple(_finding(report, one) for one in report.flaws)
    band, score = _GRADES.get(report.grade, UNKNOWN), f"{report.score}/100"
    dial = ui.Dial(
        name="Grade",
        text=report.grade,
        value=report.score,
        band=band,
        said=f"Grade {report.grade}, {report.score} of 100",
        caption=(ui.strong(str(report.score)), " of 100"),
    )
    return ui.Layout(
        report=report,
        category="security-scan",
        tool="Security scan",
        subject="Security",
        headline=f"{report.grade}, {score}",
        tab=f"Security {report.grade}",
        address=report.final_url,
        verdict=(ui.strong(f"{report.grade}  {score}", tone=band), f"  {_counts(report)}"),
        dials=(dial,),
        totals=ui.Counts(
            tuple(ui.Count(number, one.label, one.label) for one, number in _by_number(report)),
            "totals",
            "Findings",
        ),
        notes=tuple(one for one in report.skipped if one not in report.gaps),
        noted="Left out",
        parts=tuple(_parts(report, found)),
        receipt=(ui.Paragraph(_libraries("JavaScript libraries", report), "hint"),),
        findings=found,
        checks=tuple(
            Case(suite="security headers", about="header", name=one.name)
            for one in report.headers
            if one.verdict == "good"
        ),
        properties={"riskScore": report.score, "grade": report.grade},
    )


def _parts(report: SecurityReport, found: tuple[ui.Finding, ...]) -> Iterator[ui.Part]:
    yield ui.Steps(tuple(map(_step, report.advice)))
    yield from _ready(report)
    yield ui.Findings(
        id="findings",
        counted=_counts(report),
        groups=tuple(_by_severity(found)),
        nothing="nothing unsafe was found",
        most=ui.Most(10, 30, 60),
    )
    yield from _to_paste(report)
    yield _headers(report)
    if report.trial:
        yield _policy(report.trial)
    yield _connection_section(report)
    yield _score(report)
    yield ui.section(
        "looked-at",
        "What was looked at",
        *([_opinion(report.observatory)] if report.observatory else []),
        ui.Paragraph(_libraries("Libraries", report)),
        on=ui.TEXT,
    )


def _counts(report: SecurityReport) -> str:
    """``1 critical, 2 high``; ``nothing unsafe`` without any."""
    told = (f"{number:,} {one.label}" for one, number in _by_number(report) if number)
    return ", ".join(told) or "nothing unsafe"


def _by_number(report: SecurityReport) -> tuple[tuple[Severity, int], ...]:
    """Every severity, worst first, and how many flaws have it."""
    found = Counter(one.severity for one in report.flaws)
    return tuple((one, found[one]) for one in wording.WORST_FIRST)


_CAPPED = "no points while others of its area remain"
"""Every step ends something that costs points; none are gained where an area's cap still holds."""


def _step(one: Advice) -> ui.Step:
    """Titled with what the score gains: ``Send the headers (+20 points)``."""
    gain = f"+{wording.counted(one.points, 'point')}" if one.points else _CAPPED
    return ui.Step(f"{one.title} ({gain})", one.message)


def ready(report: SecurityReport) -> Advice | None:
    """The step with the most to paste: all headers together, where any are missing."""
    headers = {one.id for one in report.flaws if one.area is Area.HEADERS}
    with_code = [one for one in report.advice if one.patches]
    return max(
        with_code,
        key=lambda one: (not headers.isdisjoint(one.flaw_ids), len(one.flaw_ids)),
        default=None,
    )


def _ready(report: SecurityReport) -> Iterator[ui.Section]:
    one = ready(report)
    if one:
        message = ui.paragraph(ui.Span(one.message, most=400), "intro")
        yield ui.section(
            "paste",
            ("Ready to paste: ", ui.Span(one.title, most=160)),
            message,
            *_patches(one.patches),
            on=ui.PAGE,
        )


def _to_paste(report: SecurityReport) -> Iterator[ui.Section]:
    blocks: list[ui.Block] = []
    for one in report.advice[:8]:
        for patch in one.patches[:1]:
            product = f" ({patch.product[:40]})"
            blocks.append(ui.Paragraph((ui.strong(one.title, most=160), product)))
            blocks.append(_code(patch))
    if blocks:
        yield ui.section("to-paste", "Ready to paste", *tuple(blocks), on=ui.COMMENT)


def _patches(found: tuple[Patch, ...]) -> Iterator[ui.Block]:
    """The first one open, a few others folded."""
    for one in found[:1]:
        yield ui.paragraph(ui.strong(one.product, most=40), "facts")
        yield _code(one)
    for one in found[1:4]:
        yield ui.Fold((ui.Span(one.product, most=40),), (_code(one),))


def _code(one: Patch) -> ui.Code:
    return ui.Code(one.code, f"For {one.product}", one.language)


def _by_severity(found: tuple[ui.Finding, ...]) -> Iterator[ui.Group]:
    for severity in wording.WORST_FIRST:
        mine = tuple(one for one in found if one.label == severity.label)
        if mine:
            yield ui.Group(
                name=severity.label.capitalize(),
                findings=mine,
                counted=wording.counted(len(mine), "finding"),
                sign=wording.SIGNS[severity],
                is_grave=severity >= Severity.HIGH,
                is_open=severity is not Severity.INFO,
            )


def level(one: Flaw) -> Level:
    """High and worse are errors: machines that know two levels only stop at those."""
    return Level.ERROR if one.severity >= Severity.HIGH else Level.WARNING


def _finding(report: SecurityReport, one: Flaw) -> ui.Finding:
    address = figures.short_address(one.url, report.final_url)
    place = f"{address}:{one.line}" if one.line else address
    selector = figures.selector_end(one.selector)
    doubt = {Confidence.LOW: "perhaps", Confidence.MEDIUM: "probably"}.get(one.confidence, "")
    risk = ("security-severity", _RISKS[one.severity])
    known = [part for part in (one.cwe[:20], one.owasp and f"OWASP {one.owasp[:80]}") if part]
    spot = ui.Spot(url=one.url, line=one.line or None, selector=one.selector, snippet=one.evidence)
    return ui.Finding(
        id=one.id,
        rule=one.rule,
        label=one.severity.label,
        level=level(one),
        title=one.title,
        notes=(doubt, f"{one.count} times" if one.count > 1 else ""),
        message=one.message,
        evidence=one.evidence,
        remedy=one.remedy,
        where=(place, selector),
        tags=ui.spaced(
            ui.tag(doubt),
            ui.tag(f"{one.count:,}×" if one.count > 1 else ""),
            ui.tag(AREAS[one.area]),
        ),
        body=(
            ui.paragraph(ui.Span(one.message, most=900)),
            *([ui.Facts((_evidence(one),), "notes")] if one.evidence else []),
            ui.paragraph(ui.Span(one.remedy, most=600)),
            *_patches(one.patches),
        ),
        facts=tuple(f" · {part}" for part in known),
        references=(one.reference,),
        suite=AREAS[one.area].lower(),
        is_failure=level(one) is Level.ERROR,
        reasons=(one.title, one.message, one.url, one.evidence, one.remedy, one.reference),
        type=one.severity.label,
        topic=one.area.value,
        text=" ".join(part for part in (f"{one.title}.", one.message, one.remedy) if part),
        spots=(spot,),
        properties=(
            ("severity", one.severity.label),
            risk,
            ("confidence", one.confidence.label),
            ("cwe", one.cwe),
            ("owasp", one.owasp),
            ("count", one.count),
        ),
        rule_tags=("security", *([f"external/cwe/{one.cwe.lower()}"] if one.cwe else [])),
        rule_properties=(risk, ("precision", one.confidence.label)),
    )


def _evidence(one: Flaw) -> ui.Fact:
    return ui.Fact("Evidence", one.evidence, look=ui.Look.CODE)


def _headers(report: SecurityReport) -> ui.Section:
    columns = ui.columns("Header", "Verdict", "Sent")
    rows = tuple(map(_header, report.headers))
    return ui.section("headers", "Security headers", ui.Table(columns, rows, look="sent"))


def _header(one: HeaderJudgement) -> ui.Row:
    band = _VERDICTS.get(one.verdict, UNKNOWN)
    note = ui.on_page(" ", ui.hint(one.note, most=240))
    sent: ui.Line = (ui.code(one.value, most=160), note)
    return ui.row(
        ui.Span(one.name, most=60), ui.judged(one.verdict, tone=band, most=20), sent, tone=band
    )


def _connection_section(report: SecurityReport) -> ui.Section:
    facts = tuple(connection(report.tls))
    none = ui.paragraph("The page came without TLS.", on=ui.PAGE)
    return ui.section(
        "connection", "Connection", ui.Facts(facts, "card") if facts else none, is_half=True
    )


def connection(tls: TlsFacts | None) -> Iterator[ui.Fact]:
    """The card of the connection; nothing for a page without TLS."""
    if tls is None:
        return
    if not tls.protocol:
        yield _fact("TLS", tls.failure or "none came about", POOR)
        return
    old = _OLD.intersection(tls.accepts)
    yield _fact("Protocol", f"{tls.protocol}, {tls.cipher}", GOOD)
    accepted = ", ".join(tls.accepts) or tls.protocol
    untested = f" (not tried: {', '.join(tls.untested)})" if tls.untested else ""
    yield _fact("Accepts", f"{accepted}{untested}", POOR if old else GOOD)
    if tls.weak_ciphers:
        yield _fact("Weak ciphers", ", ".join(tls.weak_ciphers), MIDDLING)
    if tls.chain:
        own = tls.chain[0]
        yield _fact("Certificate", f"{own.subject}, {own.key}, {own.signature}".strip(", "))
        yield _fact("Issued by", own.issuer)
    yield _trust(tls)
    if tls.days_left is not None:
        yield _end(tls.days_left)


def _fact(name: str, text: str, band: str = "") -> ui.Fact:
    return ui.Fact(name, text, band=band)


def _trust(tls: TlsFacts) -> ui.Fact:
    if not tls.name_matches:
        return _fact("Trust", "its certificate names another host", POOR)
    if tls.trusted is None:
        return _fact("Trust", "not found out")
    if tls.trusted:
        return _fact("Trust", "trusted", GOOD)
    return _fact("Trust", tls.trust_error, POOR)


def _end(days: int) -> ui.Fact:
    if days < 0:
        return _fact("Ends", "has expired", POOR)
    return _fact("Ends", f"in {wording.counted(days, 'day')}", GOOD if days > _SOON else MIDDLING)


def _policy(trial: PolicyTrial) -> ui.Section:
    """What became of the proposed policy; what asks something of the server, and what broke."""
    said, band = _policy_state(trial)
    nonce = _nonce(trial)
    breaches = tuple(((ui.code(_breach(one), most=240),),) for one in trial.breaches)
    errors = tuple(((ui.code(one, most=240),),) for one in trial.errors)
    return ui.section(
        "policy",
        "Proposed Content-Security-Policy",
        ui.paragraph(ui.judged(said, tone=band, most=300)),
        ui.paragraph(nonce),
        *([ui.Code(trial.policy, "The policy", separator="; ")] if trial.policy else []),
        ui.paragraph(ui.strong("What would break" if trial.breaches or trial.errors else "")),
        ui.Bullets(breaches, ui.Most(10, 15, 20)),
        ui.Bullets(errors, ui.Most(10, 8, 10)),
    )


def _policy_state(trial: PolicyTrial) -> tuple[str, str]:
    """What became of it, and how good that is."""
    if trial.proved:
        return (
            "Proved for this page: it was loaded under it, and nothing broke. Other pages, and "
            "what only happens on a click, were not tried."
        ), GOOD
    if trial.failure:
        return trial.failure, UNKNOWN
    broken = wording.counted(len(trial.breaches) + len(trial.errors), "thing")
    return f"Not proved: the page was loaded under it, and {broken} broke.", MIDDLING


def _nonce(trial: PolicyTrial) -> str:
    """What a policy with nonces asks of the server; empty for one without."""
    if not trial.nonces:
        return ""
    return (
        "Its inline scripts differ from load to load: let the server put a fresh random value in "
        "the place of {NONCE} in each answer, and into the nonce attribute of each inline script."
    )


def _breach(one: PolicyBreach) -> str:
    """``script-src-attr forbids inline: doThis()``."""
    sample = f": {one.sample}" if one.sample else ""
    where = f" ({one.source})" if one.source else ""
    return f"{one.directive} forbids {one.blocked}{sample}{where}"


def _score(report: SecurityReport) -> ui.Section:
    """The section on how the score came about, and on a second opinion."""
    columns = ui.columns("Area", "Points#", "Counted#")
    costs = ((AREAS[area], *report.deductions[area]) for area in Area if area in report.deductions)
    rows = tuple(ui.row(name, str(points), f"−{counted}") for name, points, counted in costs)
    none = ui.paragraph("Nothing was deducted.")
    return ui.section(
        "points",
        "How the score came about",
        ui.Table(columns, rows, look="few") if rows else none,
        *([_second_opinion(report.observatory)] if report.observatory else []),
        on=ui.PAGE,
        is_half=True,
    )


def _opinion(told: Observatory) -> ui.Paragraph:
    failed = ui.Listing(
        tuple((ui.code(one.result, most=120),) for one in told.tests if not one.passed)
    )
    said = f"{_observed(told)}; failed: "
    return ui.Paragraph((said, failed if failed.lines else "none", "."))


def _observed(told: Observatory) -> str:
    points = wording.counted(told.score, "point")
    return f"Mozilla's HTTP Observatory would say {told.grade}, {points}"


def _second_opinion(told: Observatory) -> ui.Fold:
    columns = ui.columns("Its test", "Result", "Points#")
    rows = tuple(
        ui.row(
            ui.Span(one.name),
            ui.judged(one.result, most=120),
            f"−{-one.modifier}" if one.modifier < 0 else str(one.modifier),
            tone=GOOD if one.passed else POOR,
        )
        for one in told.tests
    )
    return ui.Fold((_observed(told),), (ui.Table(columns, rows, look="few"),))


def _libraries(name: str, report: SecurityReport) -> ui.Line:
    known = tuple((ui.Span(f"{one} {version}", most=80),) for one, version in report.libraries)
    return (f"{name}: ", ui.Listing(known, ui.Most(30, 30, 40)), ".") if known else ()
