"""A security scan as SARIF: a result a finding, at its page or script and its element."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.core.severity import Severity
from mergegate.site.render.sarif_log import Hit, Spot, log
from mergegate.site.security.render import rows
from mergegate.site.security.report import Flaw, SecurityReport

_SCORES: Mapping[Severity, str] = MappingProxyType(
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


def render(report: SecurityReport) -> str:
    """The log; for viewers and stores of findings, see :mod:`mergegate.site.render`."""
    hits = [_hit(one) for one in report.flaws]
    properties = {"riskScore": report.score, "grade": report.grade}
    return log("security-scan", report, hits, report.skipped, properties)


def _hit(one: Flaw) -> Hit:
    return Hit(
        id=one.id,
        rule=one.rule,
        level=rows.level(one),
        title=one.title,
        text=" ".join(part for part in (f"{one.title}.", one.message, one.remedy) if part),
        topic=one.area.value,
        spots=(
            Spot(url=one.url, line=one.line or None, selector=one.selector, snippet=one.evidence),
        ),
        reference=one.reference,
        properties=(
            ("severity", one.severity.label),
            ("security-severity", _SCORES[one.severity]),
            ("confidence", one.confidence.label),
            ("cwe", one.cwe),
            ("owasp", one.owasp),
            ("count", one.count),
        ),
        tags=("security", *([f"external/cwe/{one.cwe.lower()}"] if one.cwe else [])),
        of_rule=(
            ("security-severity", _SCORES[one.severity]),
            ("precision", one.confidence.label),
        ),
    )
