"""The report of a security scan of a site, and the score of its flaws.

riskScore and grade are deductions by severity, capped by area.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from mergegate.core.severity import Confidence, Severity
from mergegate.site.report import SiteReport
from mergegate.site.security.facts import PolicyTrial, TlsFacts


class Area(StrEnum):
    """What a cap of the score applies to (decisions, "Security categories and caps")."""

    SECRETS = "secrets"
    HEADERS = "headers"
    COOKIES = "cookies"
    CSRF = "csrf"
    MIXED_CONTENT = "mixed-content"
    INTEGRITY = "subresource-integrity"
    TRANSPORT = "transport"
    CONTENT = "content"
    """Vulnerable libraries, information leaks, exposed files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """How a remedy is written down for one server or framework."""

    product: str
    """``nginx``, ``Apache``, ``Express``…, or ``HTTP`` for the bare header."""
    language: str = ""
    """The code's, as Markdown's fences name it."""
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """One thing that is unsafe; its text is hostile, and nothing in it is a secret."""

    id: str
    """Stable: rule, stable place and evidence."""
    rule: str
    """Kebab-case: ``csp-missing``, ``cookie-without-secure``…"""
    severity: Severity
    confidence: Confidence = Confidence.HIGH
    area: Area
    title: str
    """A few words; what is wrong."""
    message: str
    """One or two sentences: what is wrong, and what can come of it."""
    url: str
    """The page, script or file that has it."""
    selector: str = ""
    line: int = 0
    """The line in the text at ``url``, from 1; 0 where there is none."""
    evidence: str = ""
    """The header, the tag, the masked secret."""
    remedy: str = ""
    """What to change, one sentence."""
    patches: tuple[Patch, ...] = ()
    """The same, ready to paste; the detected product first."""
    cwe: str = ""
    """Such as ``CWE-1021``."""
    owasp: str = ""
    """Such as ``A02:2025 Security Misconfiguration``."""
    reference: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderJudgement:
    """One line of the table of security headers."""

    name: str
    """The header's name as it is usually written: ``Content-Security-Policy``."""
    value: str = ""
    """The value as sent, shortened; empty when it was not sent."""
    verdict: str
    """``good``, ``weak``, ``missing`` or ``not needed``."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to do next, and which flaws that ends."""

    title: str
    message: str
    flaw_ids: tuple[str, ...] = ()
    points: int = 0
    """What the score gains."""
    patches: tuple[Patch, ...] = ()


@dataclass(frozen=True, slots=True)
class ObservatoryTest:
    """One of the ten tests of Mozilla's HTTP Observatory, in its words."""

    name: str
    """Such as ``content-security-policy``."""
    result: str
    """Such as ``csp-not-implemented``."""
    passed: bool
    modifier: int
    """What its score gains or loses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observatory:
    """What Mozilla's HTTP Observatory would say of a page; a second opinion, by its own rules."""

    score: int
    """The score, at least 0; extra points may raise it above 100."""
    grade: str
    """``A+`` to ``F``, with ``A-``, ``B+`` and so on between them."""
    tests: tuple[ObservatoryTest, ...]
    """The ten tests, in the Observatory's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityReport(SiteReport):
    """Everything a renderer may show of a security scan."""

    final_url: str
    score: int
    """``riskScore``: 100 is best."""
    grade: str
    """``A+`` to ``F``."""
    flaws: tuple[Flaw, ...] = ()
    """Worst first, in a fixed order."""
    headers: tuple[HeaderJudgement, ...] = ()
    tls: TlsFacts | None = None
    trial: PolicyTrial | None = None
    """The content security policy that we propose."""
    advice: tuple[Advice, ...] = ()
    deductions: Mapping[Area, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    """Points before and after the cap, by area."""
    skipped: tuple[str, ...] = ()
    """What was not judged, and why, each a sentence; the gaps among it."""
    observatory: Observatory | None = None
    """None for a page that it could not reach."""
    libraries: tuple[tuple[str, str], ...] = ()
    """JavaScript libraries that were recognised: name and version."""


POINTS: Mapping[Severity, int] = MappingProxyType(
    {
        Severity.CRITICAL: 30,
        Severity.HIGH: 20,
        Severity.MEDIUM: 10,
        Severity.LOW: 5,
        Severity.INFO: 0,
    }
)
"""What one flaw costs (service specification, security scan result)."""
CAPS: Mapping[Area, int] = MappingProxyType(
    {
        Area.SECRETS: 25,
        Area.HEADERS: 20,
        Area.COOKIES: 15,
        Area.CSRF: 20,
        Area.MIXED_CONTENT: 20,
        Area.INTEGRITY: 15,
        Area.TRANSPORT: 30,
        Area.CONTENT: 25,
    }
)
"""The most that all flaws of an area cost (decisions, security categories and caps)."""
GRADES = (("A+", 90), ("A", 80), ("B", 65), ("C", 50), ("D", 30))
"""Grades with their least scores (service specification); a lower score is graded F."""
_BEST = 100


@dataclass(frozen=True, slots=True)
class RiskScore:
    """How safe a site is, and what that is made of."""

    score: int
    """0 to 100; 100 is best."""
    grade: str
    """``A+`` to ``F``."""
    deductions: Mapping[Area, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    """Points before and after the cap, of each area that has any."""


def risk_score(flaws: Iterable[Flaw]) -> RiskScore:
    """The score of a site with these flaws; a flaw that was met often counts once."""
    sums = dict.fromkeys(Area, 0)
    for one in flaws:
        sums[one.area] += POINTS[one.severity]
    deductions = {
        area: (points, min(points, CAPS[area])) for area, points in sums.items() if points
    }
    score = max(0, _BEST - sum(capped for _, capped in deductions.values()))
    return RiskScore(score, grade(score), MappingProxyType(deductions))


def grade(score: int) -> str:
    """``A+`` to ``F``."""
    return next((name for name, least in GRADES if score >= least), "F")
