"""The shapes of the API's repository scan result (service specification, decisions)."""

from typing import Literal

from mergegate.core.wire.camel import Camel
from mergegate.core.wire.parts import Points, Severity, VerdictOut


class FindingOut(Camel):
    """An element of ``issues`` and ``riskFindings``."""

    id: str
    rule_id: str
    title: str
    message: str
    severity: Severity
    category: str
    kind: str
    file: str
    start_line: int
    end_line: int
    start_column: int
    end_column: int
    snippet: str
    confidence: Literal["high", "medium", "low"]
    cwe: tuple[str, ...]
    references: tuple[str, ...]
    engine: str
    fix_id: str | None
    is_new: bool | None


class VulnerabilityOut(FindingOut):
    """An element of ``dependencyVulns``."""

    package: str
    ecosystem: str
    installed_version: str
    fixed_versions: tuple[str, ...]
    advisory_id: str
    aliases: tuple[str, ...]
    cvss: float | None
    epss: float | None
    known_exploited: bool
    direct: bool | None
    path: tuple[str, ...]
    upgrade: str = ""
    """The lowest version that answers every advisory of the package; empty when there is none."""
    published: str = ""
    """When the advisory was first published, ISO 8601; empty when nobody says."""


class PackageOut(Camel):
    """An element of ``packages``: one version of a package, as one file fixes it."""

    file: str
    ecosystem: str
    """As OSV calls it: ``PyPI``, ``npm``, ``Go``, ``crates.io``."""
    name: str
    version: str
    direct: bool | None
    """Whether a manifest names it; null when the file cannot tell."""
    shipped: bool
    """False for what only development, tests, examples or documentation need."""
    licence: str
    """As the file states it; empty when it states none."""


class EditOut(Camel):
    """Replace whole lines, both included."""

    path: str
    start_line: int
    end_line: int
    replacement: str


class FixOut(Camel):
    """An element of ``fixes``."""

    id: str
    finding_ids: tuple[str, ...]
    title: str
    explanation: str
    edits: tuple[EditOut, ...]
    source: Literal["rule", "advisory", "snippet", "model"]
    verified: tuple[str, ...]
    confidence: str


class TargetOut(Camel):
    """What was scanned."""

    provider: str | None
    owner: str | None
    repo: str
    branch: str | None
    commit: str | None
    base: str | None
    head: str | None


class DeductionOut(Camel):
    """One line of ``scoreBreakdown``."""

    category: str
    finding_id: str
    title: str
    severity: Severity
    points: int
    counted: int
    cap: int
    cap_reached: bool


class PlaceOut(Camel):
    """A path and what is to be said of it."""

    path: str
    reason: str


class CoverageOut(Camel):
    """What was seen."""

    files_seen: int
    files_scanned: int
    bytes_scanned: int
    skipped: tuple[PlaceOut, ...]
    limited: tuple[PlaceOut, ...]
    limits: tuple[str, ...]
    unresolved_dependencies: tuple[PlaceOut, ...]
    inline_suppressions: int
    advisories_date: str | None


class SuppressionOut(Camel):
    """A finding that was set aside."""

    finding: FindingOut
    reason: str
    owner: str
    expires: str
    source: Literal["policy", "inline"]


class ComparisonOut(Camel):
    """The change against its base."""

    base: str
    verdict: VerdictOut
    score: Points
    new: int
    existing: int
    fixed: tuple[FindingOut, ...]
    drifted: tuple[str, ...]
