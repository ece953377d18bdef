"""Security report → the API's security scan result (service specification, decisions)."""

from collections.abc import Sequence

from mergegate.core.severity import Severity
from mergegate.repo.wire.receipt import engine
from mergegate.site.security.facts import Certificate, PolicyTrial, TlsFacts
from mergegate.site.security.report import (
    Advice,
    Flaw,
    HeaderJudgement,
    Observatory,
    Patch,
    SecurityReport,
)
from mergegate.site.security.wire.shapes import (
    BreachOut,
    CertificateOut,
    DeductionOut,
    HeaderOut,
    LibraryOut,
    ObservatoryOut,
    ObservatoryTestOut,
    PatchOut,
    PolicyOut,
    SecurityFindingOut,
    SecurityScanResult,
    SecuritySuggestionOut,
    SslInfoOut,
)

_NO_CERTIFICATE = Certificate(subject="", issuer="", not_before="", not_after="")


def to_json(report: SecurityReport) -> str:
    """The result resource as indented JSON with a final line break."""
    return result(report).model_dump_json(by_alias=True, indent=2) + "\n"


def result(report: SecurityReport) -> SecurityScanResult:
    """The result: every field of the specification, and what is known beyond it."""
    return SecurityScanResult(
        scan_id=report.id,
        risk_score=report.score,
        findings=tuple(map(_finding, report.flaws)),
        headers={one.name: _header(one) for one in report.headers},
        ssl_info=_ssl(report.tls),
        suggestions=tuple(map(_suggestion, report.advice)),
        ai_summary=report.summary,
        grade=report.grade,
        url=report.url,
        final_url=report.final_url,
        deductions={
            area.value: DeductionOut(points=points, capped=capped)
            for area, (points, capped) in report.deductions.items()
        },
        counts={one.label: _count(report.flaws, one) for one in reversed(Severity)},
        content_security_policy=_policy(report.trial) if report.trial else None,
        observatory=_observatory(report.observatory) if report.observatory else None,
        libraries=tuple(LibraryOut(name=name, version=at) for name, at in report.libraries),
        skipped=report.skipped,
        gaps=report.gaps,
        engines=tuple(map(engine, report.engines)),
        created_at=report.created_at,
        completed_at=report.completed_at,
        tool_version=report.tool_version,
    )


def _observatory(opinion: Observatory) -> ObservatoryOut:
    return ObservatoryOut(
        score=opinion.score,
        grade=opinion.grade,
        tests=tuple(
            ObservatoryTestOut(
                name=one.name, result=one.result, passed=one.passed, modifier=one.modifier
            )
            for one in opinion.tests
        ),
    )


def _count(flaws: Sequence[Flaw], severity: Severity) -> int:
    return sum(one.severity is severity for one in flaws)


def _finding(one: Flaw) -> SecurityFindingOut:
    return SecurityFindingOut(
        id=one.id,
        rule_id=one.rule,
        severity=one.severity.label,
        confidence=one.confidence.label,
        category=one.area.value,
        title=one.title,
        message=one.message,
        url=one.url,
        selector=one.selector,
        line=one.line or None,
        evidence=one.evidence,
        remedy=one.remedy,
        patches=_patches(one.patches),
        cwe=one.cwe,
        owasp=one.owasp,
        reference=one.reference,
        count=one.count,
    )


def _patches(patches: Sequence[Patch]) -> tuple[PatchOut, ...]:
    return tuple(
        PatchOut(product=one.product, language=one.language, code=one.code) for one in patches
    )


def _header(one: HeaderJudgement) -> HeaderOut:
    return HeaderOut(present=bool(one.value), value=one.value, verdict=one.verdict, note=one.note)


def _suggestion(one: Advice) -> SecuritySuggestionOut:
    return SecuritySuggestionOut(
        title=one.title,
        message=one.message,
        finding_ids=one.flaw_ids,
        points=one.points,
        patches=_patches(one.patches),
    )


def _policy(trial: PolicyTrial) -> PolicyOut:
    return PolicyOut(
        policy=trial.policy,
        proved=trial.proved,
        nonces=trial.nonces,
        breaches=tuple(
            BreachOut(
                directive=one.directive, blocked=one.blocked, source=one.source, sample=one.sample
            )
            for one in trial.breaches
        ),
        errors=trial.errors,
        failure=trial.failure,
    )


def _ssl(tls: TlsFacts | None) -> SslInfoOut:
    known = tls or TlsFacts(host="", port=0)
    own = next(iter(known.chain), _NO_CERTIFICATE)
    return SslInfoOut(
        enabled=bool(known.protocol),
        host=known.host,
        port=known.port or None,
        protocol=known.protocol,
        cipher=known.cipher,
        alpn=known.alpn,
        issuer=own.issuer,
        valid_from=own.not_before,
        valid_to=own.not_after,
        days_left=known.days_left,
        trusted=known.trusted,
        trust_error=known.trust_error,
        name_matches=known.name_matches if known.chain else None,
        accepts=known.accepts,
        untested=known.untested,
        weak_ciphers=known.weak_ciphers,
        chain=tuple(map(_certificate, known.chain)),
        failure=known.failure,
    )


def _certificate(one: Certificate) -> CertificateOut:
    return CertificateOut(
        subject=one.subject,
        issuer=one.issuer,
        not_before=one.not_before,
        not_after=one.not_after,
        names=one.names,
        key=one.key,
        signature=one.signature,
        serial=one.serial,
        sha256=one.sha256,
    )
