"""The verdict and everything that explains it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from mergegate.core.finding import Edit, Finding
from mergegate.core.severity import Category, Severity
from mergegate.core.tree import Skipped


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Package:
    """A line of the inventory, as one file of the repository fixes it."""

    file: str
    """The lock file or manifest that names the version."""
    ecosystem: str
    """OSV's name: ``PyPI``, ``npm``, ``Go``, ``crates.io``."""
    name: str
    """The name as the file spells it."""
    version: str
    direct: bool | None = None
    """Whether a manifest names it; None when the file cannot tell."""
    shipped: bool = True
    """False for what only development, tests, examples or documentation need."""
    licence: str = ""
    """The licence in the file, usually an SPDX expression; empty when it states none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The repository that was scanned, and the commit."""

    provider: str | None = None
    owner: str | None = None
    repo: str = ""
    branch: str | None = None
    commit: str | None = None
    """Forty hexadecimal digits; None outside a repository."""
    base: str | None = None
    """The merge base that new findings are measured against; None without a base."""
    head: str | None = None
    """The change's own last commit; None where ``commit`` is that."""
    altered: tuple[str, ...] = ()
    """Files of ``commit`` that the work tree has otherwise: then the tree was scanned, not it."""
    only: tuple[str, ...] = ()
    """The files and folders that alone were scanned; empty for the whole."""
    web: str = ""
    """Where its forge shows the repository, https; empty where that is not known, and for a folder
    of one. The address, the owner and the name in it are hostile text."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """One line of the ledger."""

    category: Category
    finding_id: str
    title: str
    severity: Severity
    points: int
    """What the severity weighs."""
    counted: int
    """What it took off the score; less than ``points`` once the category's cap is reached."""


@dataclass(frozen=True, slots=True)
class Subtotal:
    """A category's sum against its cap."""

    category: Category
    points: int
    cap: int

    @property
    def counted(self) -> int:
        """What the category takes off the score."""
        return min(self.points, self.cap)

    @property
    def capped(self) -> bool:
        """Whether the cap spared points."""
        return self.points > self.cap


@dataclass(frozen=True, slots=True)
class Ledger:
    """How the score came about: 100 less every category's counted points."""

    score: int
    """0–100."""
    deductions: tuple[Deduction, ...]
    subtotals: tuple[Subtotal, ...]


class Gate(StrEnum):
    """What the verdict says."""

    PASSED = "passed"
    FAILED = "failed"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A gate with its reasons and the way out."""

    gate: Gate
    reasons: tuple[str, ...]
    """One sentence each, most important first; empty when passed."""
    way_out: tuple[str, ...] = ()
    """Ids of the smallest set of findings whose removal turns a failed gate green."""

    def beside(self, other: "Verdict | None") -> "Verdict":
        """One verdict of two: incomplete if either is, else failed if either is.

        What both say is said once.
        """
        if other is None:
            return self
        gates = {self.gate, other.gate}
        gate = next(one for one in (Gate.INCOMPLETE, Gate.FAILED, Gate.PASSED) if one in gates)
        reasons = dict.fromkeys((*self.reasons, *other.reasons))
        return Verdict(gate, tuple(reasons), tuple(dict.fromkeys((*self.way_out, *other.way_out))))


class EngineStatus(StrEnum):
    """How an engine's run ended."""

    OK = "ok"
    IDLE = "idle"
    """The engine had no file to examine in the repository."""
    LIMITED = "limited"
    """It ran; single files, named in the coverage, were beyond its limits."""
    FAILED = "failed"
    MISSING = "missing"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRun:
    """One line of the receipt."""

    name: str
    version: str = ""
    status: EngineStatus = EngineStatus.OK
    duration_ms: int = 0
    files: int = 0
    """How many files it was responsible for."""
    reused: int = 0
    """How many of them were answered from the cache."""
    reason: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """A finding that was not counted, who said so and until when."""

    finding: Finding
    reason: str
    owner: str = ""
    expires: str = ""
    """ISO date; empty for in-line comments, which have none."""
    source: str = "policy"
    """``policy`` or ``inline``."""


class PolicyOrigin(StrEnum):
    """Where the policy comes from that a verdict follows."""

    BASE = "base"
    """The commit that the change is measured from: no change loosens its own gate."""
    TREE = "tree"
    """The tree that was scanned, without a base."""
    NAMED = "named"
    """A file outside the repository that the caller named."""
    DEFAULTS = "defaults"
    """There is none, or none that can be followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInForce:
    """Which policy a verdict follows, and what of it could not be."""

    origin: PolicyOrigin = PolicyOrigin.DEFAULTS
    file: str = ""
    """Its path in the repository, or the name of a file elsewhere."""
    commit: str | None = None
    """The commit that was looked in; None for a tree or a file."""
    allows_self_dismissal: bool = False
    """Whether its authors may set a critical finding of a change aside (``self-dismissal``)."""
    notes: tuple[str, ...] = ()
    """What its reader has to know, a sentence each, without a full stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageCoverage:
    """A programming language of the tree."""

    language: str
    files: int
    lines: int
    searched: int
    """How many of the files were searched for code flaws."""
    reason: str = ""
    """Why the others were not; empty when all were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unassessed:
    """A category that nothing was searched for: that it costs no points says nothing of it."""

    category: Category
    reason: str


FRESH_DAYS = 14
"""Every ecosystem has new advisories each week: older ones lack what is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What was seen."""

    files_seen: int = 0
    files_scanned: int = 0
    bytes_scanned: int = 0
    skipped: tuple[Skipped, ...] = ()
    limited: tuple[Skipped, ...] = ()
    """Files an engine could not see in full, and why."""
    languages: tuple[LanguageCoverage, ...] = ()
    """Most lines first."""
    unread: tuple[Skipped, ...] = ()
    """Infrastructure, lock files and manifests that were recognised and that nothing reads."""
    unassessed: tuple[Unassessed, ...] = ()
    limits: tuple[str, ...] = ()
    """Limits of the whole scan that were reached."""
    unresolved: tuple[Skipped, ...] = ()
    """Dependencies without an exact version: path and what stands there."""
    inline_suppressions: int = 0
    lowered: Mapping[str, int] = field(default_factory=dict)
    """Role → how many files have it, so that findings in them weigh less; none is source."""
    advisories_date: str | None = None
    """When the newest advisory was modified of the stalest ecosystem in use, ISO; None of none."""
    advisories_age_days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A verified change (decisions: Fix)."""

    id: str
    finding_ids: tuple[str, ...]
    title: str
    explanation: str
    edits: tuple[Edit, ...]
    source: str
    """``rule`` or ``advisory``."""
    verified: tuple[str, ...] = ()
    """Names of the gates it passed, in order; empty when it is prose only."""
    confidence: str = "high"


@dataclass(frozen=True, slots=True)
class RefusedFix:
    """A change that was proposed for a finding, and is not offered."""

    finding_id: str
    gate: str
    """The name of the first gate that it did not pass."""
    why: str
    said: tuple[str, ...] = ()
    """The last lines of the team's own tests that failed with it, masked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """What a language model was asked in a scan, and what came of it; no part of the verdict."""

    model: str = ""
    """Its provider, address and name; empty where none was asked."""
    sent: int = 0
    """Requests that left."""
    bytes_sent: int = 0
    answered: int = 0
    reused: int = 0
    """Answers that were kept from an earlier scan."""
    tokens_in: int = 0
    tokens_out: int = 0
    money: float | None = None
    """In the currency of the policy's prices; None where these are not known."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """Questions without an answer, by why."""
    why: str = ""
    """Why none was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """A file after all its fixes that fit together, proved as one."""

    path: str
    """As it is shown."""
    name: str = ""
    """Its path below the scanned folder as the file system has it, bytes that are not UTF-8 as
    surrogates; empty where that holds a secret."""
    folder: str = ""
    """The scanned folder below the top of its repository, with a slash behind it, likewise."""
    fix_ids: tuple[str, ...]
    before: str
    after: str
    unshown: frozenset[int] = frozenset()
    """The numbers of the lines of ``before`` that no patch shows: they hold a secret, or what a
    terminal or a CI runner obeys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proofs:
    """What came of the changes that were proposed."""

    fixes: tuple[Fix, ...] = ()
    """Those that passed every gate, worst finding first."""
    refused: tuple[RefusedFix, ...] = ()
    untried: int = 0
    """Findings whose change was not tried, because there are too many: their message tells it."""
    mended: tuple[Mended, ...] = ()
    """Where somebody asked for it: each file that has fixes, in order of their paths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The change against its base."""

    base: str
    new: int
    existing: int
    fixed: tuple[Finding, ...]
    verdict: Verdict
    """The gate over new findings alone; it also fails on any that ``stops_at`` names."""
    ledger: Ledger
    stops_at: Severity = Severity.HIGH
    """New findings of this severity or above, but for mere hints, fail the change; the policy's
    ``fail-change-on``."""
    drifted: tuple[str, ...] = ()
    """Ids of existing vulnerabilities that were published after the base was committed: they became
    known, the change did not bring them in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterRules:
    """What came with an upgrade: findings that the rules of a version would not have told."""

    version: str
    """The rules of this version are those that a repository is held to."""
    ids: tuple[str, ...]
    """Findings that later rules tell, or rules that find more since; none that the change brings,
    for those block like any other."""
    block_from: str = ""
    """The day from which they stand in the way of a merge, ISO; empty where none is set."""
    blocks: bool = False
    """Whether that day has come."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What check and exit code follow, and so what every report leads with."""

    verdict: Verdict
    fail_on: str
    """``gate``, ``new`` or ``never``: what was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything a renderer may show."""

    target: Target
    verdict: Verdict
    ledger: Ledger
    issues: tuple[Finding, ...]
    risks: tuple[Finding, ...]
    vulnerabilities: tuple[Finding, ...]
    fixes: tuple[Fix, ...] = ()
    refused_fixes: tuple[RefusedFix, ...] = ()
    """What was proposed too, and why it is not offered."""
    mended: tuple[Mended, ...] = ()
    """The files after their fixes, where somebody asked for them."""
    suppressed: tuple[Suppression, ...] = ()
    engines: tuple[EngineRun, ...] = ()
    coverage: Coverage = Coverage()
    policy: PolicyInForce | None = None
    """None from hosts of before, which did not tell."""
    model: ModelUse | None = None
    """None where nobody wanted a model."""
    summary: str = ""
    summary_source: str = "template"
    """Whose words it is in: ``template`` or ``model``."""
    comparison: Comparison | None = None
    later_rules: LaterRules | None = None
    """None where every finding is one of the rules that the repository is held to."""
    site: "Section | None" = None
    """What the change's site came to; None when none was looked at."""
    decided: Decided | None = None
    """None where nobody has asked what stops the merge, as in the API's results."""
    packages: tuple[Package, ...] = ()
    """The inventory, sorted by file; empty when dependencies were not scanned."""
    id: str = ""
    created_at: str = ""
    """ISO 8601, UTC."""
    completed_at: str = ""
    tool_version: str = ""
    basis: Any = field(default=None, compare=False, repr=False)
    """What it was assembled from; None for a report that was read."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that count, worst first."""
        return tuple(
            sorted((*self.issues, *self.risks, *self.vulnerabilities), key=lambda f: f.order)
        )


_SIGNS = {"good": "🟢", "needs improvement": "🟡", "poor": "🔴", "unknown": "⚪"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One score."""

    name: str
    text: str
    """``92``; a dash without one."""
    band: str
    spread: str = ""
    """``90–94``; empty when all runs agree."""
    least: int | None = None
    """What it must be and is not, so that it stands in the way of the merge."""

    @property
    def sign(self) -> str:
        """Beside the number, never in its place."""
        return _SIGNS[self.band]


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a list; ``place`` is hostile text, to be shown as code."""

    text: str
    place: str = ""
    blocks: bool = False
    """Whether it stands in the way of the merge."""


@dataclass(frozen=True, slots=True)
class Group:
    """A short list under its title."""

    title: str
    lines: tuple[Line, ...]
    more: int = 0
    blocks: bool = False
    """Whether it does as a whole."""
    detail: bool = False
    """Whether few readers need it."""


class Section(Protocol):
    """One part of a report that has a verdict of its own."""

    @property
    def url(self) -> str:
        """What was looked at; hostile text."""

    @property
    def verdict(self) -> Verdict:
        """The gate's verdict by the team's rules."""

    @property
    def gaps(self) -> tuple[str, ...]:
        """What could not be checked and why, a sentence each, without a full stop."""

    def seen_as(self) -> str:
        """How it was looked at, in a few words; empty when nothing was seen."""

    def scores(self) -> tuple[Cell, ...]:
        """A row of scores; empty without one."""

    def groups(self) -> tuple[Group, ...]:
        """What is to be read below the scores, most pressing first; no group is empty."""

    def json(self) -> dict[str, Any]:
        """The section as JSON, as the API's results hold it."""
