"""The tools as data: what a scan deducts, where it caps, and when its gate fails."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from mergegate.core.severity import Category, Severity


@dataclass(frozen=True, slots=True)
class Scoring:
    """Weights, caps and gate of one tool; the numbers stand in this module alone."""

    weights: Mapping[Severity, int]
    """Points a finding takes off."""
    caps: Mapping[Category, int]
    """The most that a category takes off."""
    floor: int
    """The gate fails below this score."""
    blocking: Severity
    """The gate fails on any finding this severe."""


REPOSITORY = Scoring(
    weights=MappingProxyType(
        {
            Severity.CRITICAL: 25,
            Severity.HIGH: 10,
            Severity.MEDIUM: 4,
            Severity.LOW: 1,
            Severity.INFO: 0,
        }
    ),
    caps=MappingProxyType(
        {
            Category.SECURITY: 50,
            Category.DEPENDENCY: 30,
            Category.QUALITY: 15,
            Category.IAC: 15,
        }
    ),
    floor=60,
    blocking=Severity.CRITICAL,
)
"""The repository scan: service specification (Limits, qualityGate) and decisions (weights)."""


class Tool(StrEnum):
    """One kind of scan; the value stands in the database and in metrics."""

    REPOSITORY = "repository"
    SEO = "seo"
    AUDIT = "audit"
    BROWSER_TEST = "browser-test"
    SECURITY_SCAN = "security-scan"
    CHANGE = "change"
    """A pull request that a webhook told of: scanned, and published where it came from."""


PREFIXES: Mapping[Tool, str] = {
    Tool.REPOSITORY: "rs_",
    Tool.SEO: "seo_",
    Tool.AUDIT: "aud_",
    Tool.BROWSER_TEST: "bt_",
    Tool.SECURITY_SCAN: "sec_",
    Tool.CHANGE: "chg_",
}
"""What an identifier of each kind begins with (decisions)."""


class Lane(StrEnum):
    """A queue with slots of its own, so that one kind of scan never starves another."""

    REPOSITORY = "repository"
    BROWSER = "browser"
    """Asynchronous scans that need a browser."""
    LIGHT = "light"
    """Asynchronous scans that do without."""
    WAITED = "waited"
    """Scans whose caller holds the line (synchronous endpoints): their slots are reserved."""


class Scope(StrEnum):
    """What a key may do."""

    REPO = "repo"
    SITE = "site"
    ADMIN = "admin"
