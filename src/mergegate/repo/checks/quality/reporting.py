"""How a flaw of quality becomes a finding."""

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Kind, Severity


def flaw(
    rule_id: str,
    title: str,
    message: str,
    severity: Severity,
    place: Place,
    *,
    engine: str,
    cwe: tuple[str, ...] = (),
    evidence: str = "",
) -> Finding:
    """A quality finding; ``evidence`` only where the source lines do not serve as identity."""
    return Finding(
        rule_id=rule_id,
        title=title,
        message=message,
        severity=severity,
        category=Category.QUALITY,
        kind=Kind.QUALITY,
        place=place,
        engine=engine,
        cwe=cwe,
        evidence=evidence,
    )
