"""What the repository depends on, and what is known about those versions."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from mergegate.core.tree import Role, Selection


@dataclass(frozen=True, slots=True, order=True)
class Pin:
    """A manifest line that states a version and may be edited by itself."""

    file: str
    line: int
    text: str
    """The whole line, without its line break."""
    floor: str = ""
    """The one version of a range, such as that of ``^1.2.3``; empty where it is the exact one."""
    range: str = ""
    """The range as it stands in the line; empty where the version is exact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One version of one package, as one file of the repository fixes it."""

    ecosystem: str
    """OSV's name: ``PyPI``, ``npm``, ``Go``, ``crates.io``."""
    name: str
    """The name in its ecosystem's canonical spelling."""
    written: str
    """The name as the file spells it."""
    version: str
    file: str
    line: int = 0
    """Where in ``file``; 0 when it cannot be told."""
    role: Role = Role.SOURCE
    direct: bool | None = None
    """Whether a manifest names it; None when the file cannot tell."""
    dev: bool = False
    """Needed only to develop, test or document."""
    path: tuple[str, ...] = ()
    """The path from the manifest's dependency to this package, both included; empty if unknown."""
    licence: str = ""
    """The licence in the lock file, usually an SPDX expression; empty where locks state none."""
    pin: Pin | None = None
    """Set on direct dependencies whose manifest states the version, or the least one."""


class Why(StrEnum):
    """Why a requirement has no version that an advisory could be compared with."""

    RANGE = "no exact version"
    GIT = "taken from a version control repository"
    URL = "taken from a file or an address"
    COMMIT = "a commit whose release is not named beside it"
    INCLUDE = "refers to a file that was not read"
    INDEX = "changes where packages come from"
    CODE = "requirements stand in code, which is not run"
    UNADVISED = "no database has advisories on packages of its kind"
    PARTIAL = "indirect requirements are not listed"
    UNREADABLE = "not understood"


@dataclass(frozen=True, slots=True, order=True)
class Unresolved:
    """A requirement whose version is not known from the files."""

    file: str
    line: int
    text: str
    """What stands there, credentials masked, at most 200 characters."""
    why: Why
    ecosystem: str = ""
    name: str = ""
    role: Role = Role.SOURCE


@dataclass(frozen=True, slots=True, order=True)
class Manifest:
    """A file that names direct dependencies."""

    file: str
    kind: str
    """The file's usual name: ``pyproject.toml``, ``package.json``…"""
    ecosystem: str
    has_lock: bool
    """Whether some lock file fixes the versions of what it names."""
    floating: int = 0
    """How many requirements it names without an exact version."""
    licence: str = ""
    """The project's own, as it states it; empty when it states none."""
    library: bool = False
    """Whether it describes a package for others to install, which locks nothing for them."""
    dev: bool = False
    role: Role = Role.SOURCE


@dataclass(frozen=True, slots=True, order=True)
class Unread:
    """A lock file, manifest or bill of materials of which nothing was seen."""

    path: str
    ecosystem: str
    """OSV's name of the package index where it has one: ``RubyGems``, ``npm``, ``CycloneDX``…"""
    why: str
    has_reader: bool
    """Whether files of this kind are read, and only this one was not."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The fact: every resolved package, every requirement that is not, every manifest."""

    packages: tuple[Package, ...] = ()
    """Sorted by file, name and version."""
    unresolved: tuple[Unresolved, ...] = ()
    manifests: tuple[Manifest, ...] = ()
    read: tuple[str, ...] = ()
    """Paths of the lock files and manifests that were read whole, sorted."""
    unread: tuple[Unread, ...] = ()
    """Those that are known by name and were not, sorted."""

    @property
    def ecosystems(self) -> tuple[str, ...]:
        """The ecosystems of all resolved packages, sorted."""
        return tuple(sorted({package.ecosystem for package in self.packages}))


def selected(found: Dependencies, selection: Selection) -> Dependencies:
    """What ``found`` says of the files of ``selection``."""
    if not selection.paths:
        return found
    return Dependencies(
        packages=tuple(one for one in found.packages if selection.holds(one.file)),
        unresolved=tuple(one for one in found.unresolved if selection.holds(one.file)),
        manifests=tuple(one for one in found.manifests if selection.holds(one.file)),
        read=tuple(one for one in found.read if selection.holds(one)),
        unread=tuple(one for one in found.unread if selection.holds(one.path)),
    )


@dataclass(frozen=True, slots=True)
class AffectedRange:
    """One range of an OSV record."""

    kind: str
    """``ECOSYSTEM`` or ``SEMVER``."""
    events: tuple[tuple[str, str], ...]
    """``(introduced|fixed|last_affected|limit, version)`` in the record's order."""


class Use(StrEnum):
    """Whether the parts of a package that alone are affected are used."""

    UNKNOWN = "unknown"
    HERE = "here"
    """A file of the repository imports one, or calls it where the advisory names functions."""
    NOT_CALLED = "not called"
    """Files import it, and none names a function that the advisory names; a dependency may."""
    NOT_HERE = "not here"
    """None does, but a dependency may, whose files are not in the repository."""
    NOWHERE = "nowhere"
    """No file does, and those of all dependencies are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisoryRecord:
    """What one database says about one package."""

    id: str
    aliases: tuple[str, ...] = ()
    summary: str = ""
    """One line."""
    severity: str = ""
    """``critical`` … ``low``; empty when the record states none."""
    cvss: float | None = None
    """Base score by CVSS 2, 3.0 or 3.1; None when the record has no such vector."""
    cwe: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    informational: str = ""
    """``unmaintained``, ``unsound``, ``notice``: no vulnerability in itself."""
    malicious: bool = False
    known_exploited: bool = False
    imprecise: bool = False
    """The database says that its range does not hold the versions that are really affected."""
    published: str = ""
    modified: str = ""
    ranges: tuple[AffectedRange, ...] = ()
    versions: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    """What is imported of the package where that alone is affected; empty for all of it."""
    symbols: tuple[str, ...] = ()
    """Names of functions where these alone are affected; empty for all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VulnerablePackage:
    """A package and one advisory on it, all databases' records of it merged."""

    package: Package
    id: str
    aliases: tuple[str, ...] = ()
    """Every other name of the same advisory, sorted."""
    summary: str = ""
    severity: str = ""
    """``critical`` … ``low``; empty when no database states one."""
    cvss: float | None = None
    cwe: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    """Versions above the installed one that repair it, lowest first."""
    upgrade: str = ""
    """The lowest version that none of the package's advisories with a fix affects, of the same
    major version if there is one; empty when none is known."""
    same_major: bool = False
    """Whether ``upgrade`` keeps the major version."""
    left_open: tuple[str, ...] = ()
    """Advisories on the package that ``upgrade`` does not answer, by identity, sorted."""
    informational: str = ""
    malicious: bool = False
    known_exploited: bool = False
    """Whether the advisory or CISA's catalogue says so."""
    epss: float | None = None
    """The probability, 0 to 1, that attackers use it within 30 days; None where unknown."""
    imprecise: bool = False
    published: str = ""
    """When the first database told of it, ISO 8601; empty when none says."""
    imports: tuple[str, ...] = ()
    """What is imported of the package where that alone is affected, sorted; empty for all of it."""
    symbols: tuple[str, ...] = ()
    """Names of functions where these alone are affected, sorted; empty for all of it."""
    use: Use = Use.UNKNOWN
    """Whether anything imports that."""
    engines: tuple[str, ...] = ("advisories",)
    """Which engines matched it, sorted."""

    @property
    def identity(self) -> str:
        """The advisory's name that stays when a further database takes it up: CVE if any."""
        return identity(self.id, self.aliases)

    @property
    def is_answered(self) -> bool:
        """Whether the upgrade answers this advisory."""
        return bool(self.upgrade) and self.identity not in self.left_open


KEV = "KEV"
"""CISA's catalogue of vulnerabilities that are known to be exploited."""
EPSS = "EPSS"
"""FIRST's estimates of how probable it is that attackers exploit a vulnerability."""


def identity(id: str, aliases: Iterable[str]) -> str:
    """The CVE id among the names of an advisory, the first by name; else its own."""
    names = sorted((id, *aliases))
    return next((name for name in names if name.startswith("CVE-")), id)


@dataclass(frozen=True, slots=True, order=True)
class AdvisorySource:
    """One ecosystem's part of the advisory store, or one of the lists of what is exploited."""

    ecosystem: str
    records: int
    newest: str
    """When its newest record was modified, ISO 8601."""
    imported_at: str
    """ISO 8601, UTC."""
    source: str = ""
    """Where it was imported from, without credentials."""


@dataclass(frozen=True, slots=True)
class PythonAudit:
    """What pip-audit found in the exact versions of PyPI packages, from the same store."""

    answers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """``name==version`` (both normalised) → every name of every advisory, sorted."""


@dataclass(frozen=True, slots=True)
class Vulnerabilities:
    """The fact: every advisory on every resolved package, and how old that knowledge is."""

    matches: tuple[VulnerablePackage, ...] = ()
    sources: tuple[AdvisorySource, ...] = ()
    """The store's parts that were asked: ecosystems, sorted, and the lists of what is exploited."""
    guesses: tuple[str, ...] = ()
    """What advisories leave open and how it was read, one sentence each."""

    @property
    def data_date(self) -> str:
        """When the newest advisory of the stalest asked ecosystem was modified; may be empty."""
        dates = (one.newest for one in self.sources if one.ecosystem not in {KEV, EPSS})
        return min(filter(None, dates), default="")
