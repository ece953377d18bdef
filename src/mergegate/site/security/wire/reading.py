"""The API's security scan result → report; another machine wrote it, so all of it is hostile."""

from collections import Counter
from collections.abc import Iterable

from mergegate.core.severity import Confidence, Severity
from mergegate.site.security.facts import Certificate, PolicyBreach, PolicyTrial, TlsFacts
from mergegate.site.security.report import (
    Advice,
    Area,
    Flaw,
    HeaderJudgement,
    Observatory,
    ObservatoryTest,
    Patch,
    SecurityReport,
)
from mergegate.site.security.score import RiskScore, risk_score
from mergegate.site.security.wire.shapes import (
    HeaderOut,
    ObservatoryOut,
    PatchOut,
    PolicyOut,
    SecurityFindingOut,
    SecurityScanResult,
    SecuritySuggestionOut,
    SslInfoOut,
)
from mergegate.site.wire.document_reading import engine_runs, read_as

_NOT_OF_TLS = frozenset({"enabled", "issuer", "valid_from", "valid_to", "chain", "port"})
"""Fields of ``sslInfo`` that repeat others, or are read apart."""


def read_security_scan(content: bytes) -> SecurityReport:
    """The report in ``content``; raises UsageError that names what is wrong."""
    return read_as(content, SecurityScanResult, _report, "a security scan")


def _report(result: SecurityScanResult) -> SecurityReport:
    flaws = tuple(map(_flaw, result.findings))
    _check(result, flaws)
    risk = _risk(result, flaws)
    return SecurityReport(
        id=result.scan_id,
        url=result.url,
        final_url=result.final_url,
        score=risk.score,
        grade=risk.grade,
        flaws=flaws,
        headers=tuple(_header(name, one) for name, one in result.headers.items()),
        tls=_tls(result.ssl_info),
        trial=_trial(result.content_security_policy),
        advice=tuple(map(_advice, result.suggestions)),
        deductions=risk.deductions,
        skipped=result.skipped,
        gaps=result.gaps,
        observatory=_observatory(result.observatory),
        libraries=tuple((one.name, one.version) for one in result.libraries),
        summary=result.ai_summary,
        engines=engine_runs(result.engines),
        created_at=result.created_at,
        completed_at=result.completed_at,
        tool_version=result.tool_version,
    )


def _check(result: SecurityScanResult, flaws: Iterable[Flaw]) -> None:
    """Raises ValueError when it counts what it does not tell."""
    found = Counter(one.severity.label for one in flaws)
    if any(number != found[name] for name, number in result.counts.items()):
        raise ValueError("it counts other findings than it lists")


def _risk(result: SecurityScanResult, flaws: Iterable[Flaw]) -> RiskScore:
    """As it is told, and never better than the findings make it."""
    drawn = risk_score(flaws)
    if drawn.score < result.risk_score:
        return drawn
    told = {Area(area): (one.points, one.capped) for area, one in result.deductions.items()}
    return RiskScore(result.risk_score, result.grade, told)


def _flaw(given: SecurityFindingOut) -> Flaw:
    apart = {"rule_id", "severity", "confidence", "category", "line", "patches"}
    return Flaw(
        **given.model_dump(exclude=apart),
        rule=given.rule_id,
        severity=Severity.named(given.severity),
        confidence=Confidence[given.confidence.upper()],
        area=Area(given.category),
        line=given.line or 0,
        patches=_patches(given.patches),
    )


def _patches(given: Iterable[PatchOut]) -> tuple[Patch, ...]:
    return tuple(Patch(**one.model_dump()) for one in given)


def _header(name: str, given: HeaderOut) -> HeaderJudgement:
    return HeaderJudgement(name=name, value=given.value, verdict=given.verdict, note=given.note)


def _advice(given: SecuritySuggestionOut) -> Advice:
    return Advice(
        title=given.title,
        message=given.message,
        flaw_ids=given.finding_ids,
        points=given.points,
        patches=_patches(given.patches),
    )


def _trial(given: PolicyOut | None) -> PolicyTrial | None:
    if given is None:
        return None
    breaches = tuple(PolicyBreach(**one.model_dump()) for one in given.breaches)
    return PolicyTrial(**given.model_dump(exclude={"breaches"}), breaches=breaches)


def _observatory(given: ObservatoryOut | None) -> Observatory | None:
    if given is None:
        return None
    tests = tuple(ObservatoryTest(**one.model_dump()) for one in given.tests)
    return Observatory(score=given.score, grade=given.grade, tests=tests)


def _tls(given: SslInfoOut) -> TlsFacts | None:
    """None for a page without TLS, which names no host."""
    if not given.host:
        return None
    named = given.model_dump(exclude=set(_NOT_OF_TLS | {"name_matches"}))
    return TlsFacts(
        **named,
        port=given.port or 0,
        chain=tuple(Certificate(**one.model_dump()) for one in given.chain),
        name_matches=given.name_matches is not False,
    )
