"""The API's security scan result: written and read (service specification, decisions).

A result that another machine sends is data: its score is never better than its findings make it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from mergegate.core import severity
from mergegate.core.wire.camel import Camel
from mergegate.core.wire.parts import EngineOut, Points, Severity, engine_runs, read_as
from mergegate.site.security.facts import TlsFacts
from mergegate.site.security.report import Area, Flaw, HeaderJudgement, SecurityReport
from mergegate.site.security.score import RiskScore, risk_score
from mergegate.site.security.wire.shapes import (
    AreaOut,
    Count,
    DeductionOut,
    HeaderOut,
    LibraryOut,
    ObservatoryOut,
    PolicyOut,
    SecurityFindingOut,
    SecuritySuggestionOut,
    SslInfoOut,
)

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
    gaps: tuple[str, ...]
    """Entries of ``skipped`` that belong to the scan and could not be looked at. While there is
    any, the absence of findings proves nothing."""
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
