"""The API's security scan result: written and read (service specification, decisions).

A result that another machine sends is data: its score is never better than its findings make it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from mergegate.core import severity
from mergegate.core.wire.camel import Camel
from mergegate.core.wire.parts import EngineOut, Gaps, Points, Severity, engine_runs, read_as
from mergegate.site.security.facts import Certificate, PolicyBreach, PolicyTrial, TlsFacts
from mergegate.site.security.report import (
    Advice,
    Area,
    Flaw,
    HeaderJudgement,
    Observatory,
    ObservatoryTest,
    Patch,
    RiskScore,
    SecurityReport,
    risk_score,
)

Count = Annotated[int, Field(ge=0)]
AreaOut = Literal[
    "secrets",
    "headers",
    "cookies",
    "csrf",
    "mixed-content",
    "subresource-integrity",
    "transport",
    "content",
]

_NO_CERTIFICATE = Certificate(subject="", issuer="", not_before="", not_after="")


class PatchOut(Camel, of=Patch):
    """A remedy as code; ``product`` is ``HTTP`` for a bare header, ``HTML`` for an element."""


class SecurityFindingOut(Camel, of=Flaw):
    """An element of ``findings``; all of its text may come from the site, and none is a secret."""

    rule: str = Field(alias="ruleId")
    severity: Severity
    confidence: Literal["high", "medium", "low"]
    area: AreaOut = Field(alias="category")
    line: int | None
    patches: tuple[PatchOut, ...]
    count: Count

    @classmethod
    def _fields_of(cls, value: Any) -> dict[str, Any]:
        return super()._fields_of(value) | {"line": value.line or None}

    def _made(self) -> dict[str, Any]:
        return {"line": self.line or 0}


class HeaderOut(Camel):
    """A value of ``headers``."""

    present: bool
    value: str
    verdict: Literal["good", "weak", "missing", "not needed"]
    note: str

    @classmethod
    def _fields_of(cls, value: HeaderJudgement) -> dict[str, Any]:
        return super()._fields_of(value) | {"present": bool(value.value)}


class CertificateOut(Camel, of=Certificate):
    """A certificate of the chain; times are ISO 8601 in UTC."""


class SslInfoOut(Camel):
    """``sslInfo``: how the site speaks TLS. Of a site that does not, ``enabled`` is false."""

    enabled: bool
    host: str
    port: int | None
    protocol: str
    cipher: str
    alpn: str
    issuer: str
    """The issuer of the site's own certificate."""
    valid_from: str
    valid_to: str
    days_left: int | None
    """Until it expires; negative afterwards."""
    trusted: bool | None
    """Null where that was not found out."""
    trust_error: str
    name_matches: bool | None
    accepts: tuple[str, ...]
    """Protocol versions that came about."""
    untested: tuple[str, ...]
    """Protocol versions that could not be tried from here."""
    weak_ciphers: tuple[str, ...]
    chain: tuple[CertificateOut, ...]
    """The site's own first."""
    failure: str

    @classmethod
    def _fields_of(cls, value: TlsFacts) -> dict[str, Any]:
        own = next(iter(value.chain), _NO_CERTIFICATE)
        return super()._fields_of(value) | {
            "enabled": bool(value.protocol),
            "port": value.port or None,
            "issuer": own.issuer,
            "valid_from": own.not_before,
            "valid_to": own.not_after,
            "name_matches": value.name_matches if value.chain else None,
        }

    def _made(self) -> dict[str, Any]:
        return {"port": self.port or 0, "name_matches": self.name_matches is not False}


class BreachOut(Camel, of=PolicyBreach):
    """Something that the page does and the policy forbids."""


class PolicyOut(Camel, of=PolicyTrial):
    """``contentSecurityPolicy``: the policy that is proposed.

    ``proved`` says whether the page was loaded under it and nothing broke. With ``nonces``,
    ``{NONCE}`` in ``policy`` stands for a random value that the server makes for each answer, and
    puts on its inline scripts.
    """

    breaches: tuple[BreachOut, ...]


class SecuritySuggestionOut(Camel, of=Advice):
    """An element of ``suggestions``."""

    flaw_ids: tuple[str, ...] = Field(alias="findingIds")
    points: Count
    patches: tuple[PatchOut, ...]


class DeductionOut(Camel):
    """What an area costs before and after its cap."""

    points: Count
    capped: Count


class LibraryOut(Camel):
    """A JavaScript library that was recognised."""

    name: str
    version: str


class ObservatoryTestOut(Camel, of=ObservatoryTest):
    """One of the ten tests of Mozilla's HTTP Observatory, in its words."""


class ObservatoryOut(Camel, of=Observatory):
    """``observatory``: what Mozilla's HTTP Observatory would say, by our reading of its rules.

    It has no part in ``riskScore``.
    """

    score: Count
    tests: tuple[ObservatoryTestOut, ...]


_NO_TLS = TlsFacts(host="", port=0)


class SecurityScanResult(Camel):
    """POST /api/security-scan; what follows ``aiSummary`` is additive."""

    id: str = Field(alias="scanId")
    score: Points = Field(alias="riskScore")
    flaws: tuple[SecurityFindingOut, ...] = Field(alias="findings")
    """Worst first."""
    headers: Mapping[str, HeaderOut]
    """Headers by name, as it is usually written."""
    tls: SslInfoOut = Field(alias="sslInfo")
    advice: tuple[SecuritySuggestionOut, ...] = Field(alias="suggestions")
    summary: str = Field(alias="aiSummary")
    summary_source: Literal["template", "model"] = "template"
    grade: Literal["A+", "A", "B", "C", "D", "F"]
    url: str
    final_url: str
    deductions: Mapping[AreaOut, DeductionOut]
    """Deductions by category, for each that has any."""
    counts: Mapping[Severity, Count]
    """Findings by severity, all five."""
    trial: PolicyOut | None = Field(alias="contentSecurityPolicy")
    """Null where the site's own keeps scripts out."""
    observatory: ObservatoryOut | None
    """Null for a page on this machine or in a private network, which it could not reach."""
    libraries: tuple[LibraryOut, ...]
    skipped: tuple[str, ...]
    """What was not judged, and why."""
    gaps: Gaps
    engines: tuple[EngineOut, ...]
    created_at: str
    completed_at: str
    tool_version: str

    @classmethod
    def _fields_of(cls, value: SecurityReport) -> dict[str, Any]:
        found = Counter(one.severity for one in value.flaws)
        return super()._fields_of(value) | {
            "headers": {one.name: one for one in value.headers},
            "tls": value.tls or _NO_TLS,
            "deductions": {area.value: points for area, points in value.deductions.items()},
            "counts": {one.label: found[one] for one in reversed(severity.Severity)},
        }

    def report(self) -> SecurityReport:
        """The report that this tells of; raises ValueError when it counts what it does not list."""
        flaws = tuple(one.build(Flaw) for one in self.flaws)
        found = Counter(one.severity.label for one in flaws)
        if any(number != found[name] for name, number in self.counts.items()):
            raise ValueError("it counts other findings than it lists")
        risk = self._risk(flaws)
        return self.build(
            SecurityReport,
            score=risk.score,
            grade=risk.grade,
            flaws=flaws,
            headers=tuple(
                one.build(HeaderJudgement, name=name) for name, one in self.headers.items()
            ),
            tls=self.tls.build(TlsFacts) if self.tls.host else None,
            deductions=risk.deductions,
            engines=engine_runs(self.engines),
        )

    def _risk(self, flaws: Sequence[Flaw]) -> RiskScore:
        """The stored score and deductions, but never a better score than the findings give."""
        drawn = risk_score(flaws)
        if drawn.score < self.score:
            return drawn
        told = {Area(area): (one.points, one.capped) for area, one in self.deductions.items()}
        return RiskScore(self.score, self.grade, told)


def to_json(report: SecurityReport) -> str:
    """The result resource as indented JSON with a final line break."""
    result = SecurityScanResult.model_validate(report)
    return result.model_dump_json(by_alias=True, indent=2) + "\n"


def read_security_scan(content: bytes) -> SecurityReport:
    """The report in ``content``; raises UsageError that names what is wrong."""
    return read_as(content, SecurityScanResult, SecurityScanResult.report, "a security scan")
