"""One thing worth changing, its place, and its identity over time."""

from dataclasses import dataclass, field

from mergegate.core.severity import Category, Confidence, Kind, Severity


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A range in a file; lines and columns count from 1, 0 means the whole file."""

    file: str = ""
    """Repository path; empty for the repository as a whole."""
    start_line: int = 0
    end_line: int = 0
    start_column: int = 0
    end_column: int = 0
    """Exclusive: the column after the last character."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace whole lines ``start_line``–``end_line`` (1-based, inclusive) of ``path``."""

    path: str
    start_line: int
    end_line: int
    replacement: str
    """The new lines, without the final line break; empty deletes the lines."""
    old: str | None = field(default=None, compare=False)
    """The lines that stand there, where that is known."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Why another scanner, which told a finding, does not count it."""

    reason: str
    in_source: bool = False
    """Whether a comment in the source says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advisory:
    """What a vulnerability finding knows beyond a finding (decisions: Vulnerability)."""

    package: str
    ecosystem: str
    """OSV's name: ``PyPI``, ``npm``, ``Go``, ``crates.io``…"""
    installed_version: str
    fixed_versions: tuple[str, ...] = ()
    """Versions that repair it, lowest first; empty when none is published."""
    upgrade: str = ""
    """The lowest version that answers every advisory of the package; empty when none is known."""
    advisory_id: str = ""
    aliases: tuple[str, ...] = ()
    cvss: float | None = None
    """Base score 0.0–10.0; None when the advisory states none."""
    epss: float | None = None
    """The probability, 0 to 1, that attackers use it within 30 days; None where unknown."""
    known_exploited: bool = False
    direct: bool | None = None
    """Whether the manifest names it; None when the lock file cannot tell."""
    path: tuple[str, ...] = ()
    """The path from the manifest's dependency to the package, both included."""
    published: str = ""
    """When the advisory was first published, ISO 8601; empty when unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a check found. Build it with what the check knows; identity follows later."""

    rule_id: str
    title: str
    message: str
    """What is wrong and what to do, in plain text."""
    severity: Severity
    category: Category
    kind: Kind
    place: Place = Place()
    evidence: str = ""
    """What identity rests on when the source lines do not serve (package and advisory,
    hash of a secret, the sorted lines of a list); empty means: the source lines of the place."""
    anywhere: bool = False
    """Whether the evidence alone tells who it is, wherever it stands: a secret's value, a package,
    a list of the whole repository."""
    confidence: Confidence = Confidence.HIGH
    cwe: tuple[str, ...] = ()
    """``CWE-89`` and the like."""
    references: tuple[str, ...] = ()
    engine: str = "mergegate"
    repair: Edit | None = None
    """The engine's proposed edit, not yet verified."""
    trial: Edit | None = None
    """What is scanned in its place, where the edit leaves open what can only be scanned exactly."""
    advisory: Advisory | None = None
    """Set on dependency vulnerabilities only."""
    aside: Aside | None = None
    """Set on findings that another scanner told and does not count."""
    snippet: str = ""
    """The source lines, secrets masked; filled from the excerpts."""
    group_key: str = ""
    """What equal findings share: the fingerprint without the occurrence; filled with ``id``."""
    id: str = ""
    """Fingerprint, stable over moved lines; see ``core/identity.py``."""
    is_new: bool | None = None
    """None without a base."""
    fix_id: str | None = None

    @property
    def order(self) -> tuple[int, int, str, int, int, str, str]:
        """Sort key: worst first, surest first, then by place."""
        place = self.place
        return (
            -self.severity,
            -self.confidence,
            place.file,
            place.start_line,
            place.start_column,
            self.rule_id,
            self.evidence,
        )
