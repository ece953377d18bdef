"""The API's repository scan result and its parts (service specification, decisions)."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Literal

from pydantic import Field

from mergegate.core.finding import Advisory, Finding, Place
from mergegate.core.report import (
    Comparison,
    Deduction,
    Gate,
    LanguageCoverage,
    LaterRules,
    PolicyInForce,
    Report,
    Subtotal,
    Unassessed,
)
from mergegate.core.wire.camel import Camel
from mergegate.core.wire.parts import EngineOut, ErrorOut, Points, Severity, VerdictOut

MOST_PACKAGES = 50_000
"""Half of what a reader takes for one list; a result of so many still fits into its bytes."""


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

    @classmethod
    def _fields_of(cls, value: Finding) -> dict[str, Any]:
        return super()._fields_of(value.place) | super()._fields_of(value)

    def _made(self) -> dict[str, Any]:
        lines, columns = (self.start_line, self.end_line), (self.start_column, self.end_column)
        return {"place": Place(self.file, *lines, *columns)}


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
    """When the advisory was first published, ISO 8601; empty when not stated."""

    @classmethod
    def _fields_of(cls, value: Finding) -> dict[str, Any]:
        if value.advisory is None:
            raise ValueError(f"{value.rule_id} is no vulnerability of a dependency")
        return asdict(value.advisory) | super()._fields_of(value)

    def _made(self) -> dict[str, Any]:
        told = {one.name: getattr(self, one.name) for one in fields(Advisory)}
        return super()._made() | {"advisory": Advisory(**told)}


class PackageOut(Camel):
    """An element of ``packages``: one version of a package, as one file fixes it."""

    file: str
    ecosystem: str
    """OSV's name of the ecosystem: ``PyPI``, ``npm``, ``Go``, ``crates.io``."""
    name: str
    version: str
    direct: bool | None
    """Whether a manifest names it; null when the file cannot tell."""
    shipped: bool
    """False for what only development, tests, examples or documentation need."""
    licence: str
    """The licence as the file states it; empty when it states none."""


class EditOut(Camel):
    """Replace whole lines, both included."""

    path: str
    start_line: int
    end_line: int
    replacement: str
    old: str | None = None
    """The lines that stand there, where they are known; ``****`` for one that holds a secret."""


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

    @classmethod
    def _fields_of(cls, value: tuple[Deduction, Subtotal]) -> dict[str, Any]:
        line, total = value
        return super()._fields_of(line) | {"cap": total.cap, "cap_reached": total.capped}


class PlaceOut(Camel):
    """A path and what is to be said of it."""

    path: str
    reason: str


class LanguageOut(Camel, of=LanguageCoverage):
    """A programming language of the tree."""


class UnassessedOut(Camel, of=Unassessed):
    """A category that nothing was searched for: that it costs no points says nothing of it."""


class CoverageOut(Camel):
    """What was seen."""

    files_seen: int
    files_scanned: int
    bytes_scanned: int
    skipped: tuple[PlaceOut, ...]
    limited: tuple[PlaceOut, ...]
    limits: tuple[str, ...]
    languages: tuple[LanguageOut, ...] = ()
    unread: tuple[PlaceOut, ...] = ()
    unassessed: tuple[UnassessedOut, ...] = ()
    unresolved: tuple[PlaceOut, ...] = Field(alias="unresolvedDependencies")
    inline_suppressions: int
    lowered: Mapping[str, int] = Field(default_factory=dict)
    advisories_date: str | None


class PolicyOut(Camel, of=PolicyInForce):
    """The policy that the verdict follows."""


class SuppressionOut(Camel):
    """A finding that was set aside."""

    finding: FindingOut
    reason: str
    owner: str
    expires: str
    source: Literal["policy", "inline"]


class LaterRulesOut(Camel, of=LaterRules):
    """What came with an upgrade: findings that the rules of ``version`` would not have told."""


class ComparisonOut(Camel):
    """The change against its base."""

    base: str
    verdict: VerdictOut
    score: Points
    new: int
    existing: int
    fixed: tuple[FindingOut, ...]
    drifted: tuple[str, ...]
    stops_at: Literal["critical", "high", "medium"] = Field("high", alias="failChangeOn")
    """The severity of new findings that fails the change; hosts of before do not tell."""

    @classmethod
    def _fields_of(cls, value: Comparison) -> dict[str, Any]:
        return super()._fields_of(value) | {"score": value.ledger.score}


class ModelUseOut(Camel):
    """What a language model was asked."""

    model: str
    sent: int
    bytes_sent: int
    answered: int
    reused: int
    tokens_in: int
    tokens_out: int
    money: float | None
    faults: dict[str, int]
    why: str


class RepositoryResult(Camel):
    """GET /api/repo/result."""

    id: str
    status: Literal["running", "completed", "failed"]
    score: Points
    quality_gate: Literal["passed", "failed"]
    issues: tuple[FindingOut, ...]
    fixes: tuple[FixOut, ...]
    risks: tuple[FindingOut, ...] = Field(alias="riskFindings")
    vulnerabilities: tuple[VulnerabilityOut, ...] = Field(alias="dependencyVulns")
    summary: str = Field(alias="aiSummary")
    summary_source: Literal["template", "model"]
    model: ModelUseOut | None = None
    """Null where nobody wanted one."""
    target: TargetOut
    verdict: VerdictOut
    score_breakdown: tuple[DeductionOut, ...]
    engines: tuple[EngineOut, ...]
    coverage: CoverageOut
    policy: PolicyOut | None = None
    """Null from hosts of before, which did not tell."""
    suppressed: tuple[SuppressionOut, ...]
    comparison: ComparisonOut | None
    later_rules: LaterRulesOut | None = None
    """Null where every finding is one of the rules that the repository is held to."""
    site: dict[str, Any] | None = None
    """The section on the site of a change, in JSON of its own."""
    packages: tuple[PackageOut, ...] | None = None
    """The inventory, sorted by file; null from hosts of before, which did not tell."""
    error: ErrorOut | None
    created_at: str
    completed_at: str
    url: str | None
    tool_version: str

    @classmethod
    def _fields_of(cls, value: Report) -> dict[str, Any]:
        """An incomplete scan is ``failed`` and its gate never ``passed``."""
        gate, ledger, seen = value.verdict.gate, value.ledger, value.coverage
        incomplete = gate is Gate.INCOMPLETE
        totals = {one.category: one for one in ledger.subtotals}
        detail = f"{'. '.join(value.verdict.reasons)}."
        return super()._fields_of(value) | {
            "status": "failed" if incomplete else "completed",
            "score": ledger.score,
            "quality_gate": "passed" if gate is Gate.PASSED else "failed",
            "score_breakdown": tuple((one, totals[one.category]) for one in ledger.deductions),
            "coverage": replace(seen, limits=(*seen.limits, *_left_out(len(value.packages)))),
            "site": value.site.json() if value.site else None,
            "packages": value.packages[:MOST_PACKAGES],
            "error": ErrorOut(code="INCOMPLETE", detail=detail) if incomplete else None,
            "url": None,
        }


def to_json(report: Report) -> str:
    """The result resource as indented JSON with a final line break."""
    return RepositoryResult.model_validate(report).model_dump_json(by_alias=True, indent=2) + "\n"


def _left_out(packages: int) -> Iterator[str]:
    """What the inventory does not say of itself when it is cut."""
    if packages > MOST_PACKAGES:
        yield f"of {packages:,} packages the first {MOST_PACKAGES:,} are listed"
