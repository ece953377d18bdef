"""Resolved packages against an advisory index: one match a package and advisory."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from mergegate.core.tree import Skipped
from mergegate.packages.dependencies import (
    EPSS,
    KEV,
    AdvisoryRecord,
    AdvisorySource,
    Package,
    PythonAudit,
    VulnerablePackage,
    identity,
)
from mergegate.packages.ecosystems import ECOSYSTEMS, PYPI, Ecosystem
from mergegate.packages.ranges import evaluate, fixes
from mergegate.packages.versions import Incomparable

MAX_REFERENCES = 5
_MOST_NAMED = 3

# Whose word on severity and summary counts first; the rest follow by name.
_PREFERENCE = {"GHSA": 0, "PYSEC": 1, "GO": 1, "RUSTSEC": 1, "OSV": 2, "CVE": 3}


class AdvisoryIndex(Protocol):
    """What matching needs of an advisory store."""

    def exploitation(self, name: str, cves: Sequence[str]) -> float | None:
        """The highest value that the list ``name`` (KEV, EPSS) has of the CVE ids."""
        ...

    def sources(self) -> tuple[AdvisorySource, ...]:
        """One entry an ecosystem that was imported."""
        ...

    def lookup(self, ecosystem: str, name: str) -> Sequence[AdvisoryRecord]:
        """Every record on the package, sorted by id; raises StoreError."""
        ...


@dataclass(frozen=True, slots=True)
class Matched:
    """What matching found, each sorted."""

    matches: tuple[VulnerablePackage, ...] = ()
    doubts: tuple[Skipped, ...] = ()
    """What could not be compared: never the same as clean."""
    guesses: tuple[str, ...] = ()
    """What advisories leave open and how it was read, one sentence each."""


def match(
    packages: Iterable[Package], index: AdvisoryIndex, audit: PythonAudit | None = None
) -> Matched:
    """Every advisory on every package that we or pip-audit see; raises StoreError."""
    known: dict[tuple[str, str, str], _Judgement] = {}
    found: list[VulnerablePackage] = []
    doubts: set[Skipped] = set()
    for package in packages:
        key = (package.ecosystem, package.name, package.version)
        if key not in known:
            records = index.lookup(package.ecosystem, package.name)
            known[key] = _Judgement(package, records, _heard(package, audit))
        found += known[key].on(package)
        doubts |= {Skipped(package.file, doubt) for doubt in known[key].doubts}
    guesses = {guess for judgement in known.values() for guess in judgement.guesses}
    found = [_attacked(one, index) for one in found]
    return Matched(tuple(sorted(found, key=_order)), tuple(sorted(doubts)), tuple(sorted(guesses)))


def _attacked(found: VulnerablePackage, index: AdvisoryIndex) -> VulnerablePackage:
    """The match with what is known of attacks on it, by each CVE id among its names."""
    cves = [one for one in (found.id, *found.aliases) if one.startswith("CVE-")]
    listed = index.exploitation(KEV, cves) is not None
    return replace(
        found,
        epss=index.exploitation(EPSS, cves),
        known_exploited=found.known_exploited or listed,
    )


def _heard(package: Package, audit: PythonAudit | None) -> frozenset[str] | None:
    if audit is None or package.ecosystem != PYPI.name:
        return None
    try:
        spelled = str(PYPI.order(package.version))
    except Incomparable:
        return None
    names = audit.answers.get(f"{package.name}=={spelled}")
    return None if names is None else frozenset(names)


class _Judgement:
    """What all records say of one version of one package."""

    def __init__(
        self,
        package: Package,
        records: Sequence[AdvisoryRecord],
        heard: frozenset[str] | None,
    ) -> None:
        """``heard``: the advisories that pip-audit names; None when it was not asked."""
        self.doubts: list[str] = []
        self._guessed: dict[str, list[str]] = {}
        self._silent = [one.id for one in records if not (one.ranges or one.versions)]
        self._package = package
        self._heard = heard
        own = list(self._affecting(package, records))
        self._own = {record.id for record in own}
        told = self._own | (heard or frozenset())
        affecting = [record for record in records if record.id in told]
        candidates = _candidates(package, affecting)
        upgrade, same_major = _upgrade(package, records) if candidates else ("", False)
        left_open = _left_open(package, records, upgrade)
        self._matches = [
            replace(
                _merged(package, group, candidates),
                upgrade=upgrade,
                same_major=same_major,
                left_open=left_open,
                engines=self._engines(group),
            )
            for group in _grouped(affecting)
        ]

    def _affecting(
        self, package: Package, records: Sequence[AdvisoryRecord]
    ) -> Iterator[AdvisoryRecord]:
        for record in records:
            try:
                verdict = evaluate(record, ECOSYSTEMS[package.ecosystem], package.version)
            except Incomparable as error:
                self.doubts.append(f"{package.written}: {error}")
                continue
            for guess in verdict.guesses:
                self._guessed.setdefault(guess, []).append(record.id)
            if verdict.affected:
                yield record

    def _engines(self, group: Sequence[AdvisoryRecord]) -> tuple[str, ...]:
        names = _names(group)
        ours = any(record.id in self._own for record in group)
        theirs = self._heard is not None and bool(names & self._heard)
        return (*(("advisories",) if ours else ()), *(("pip-audit",) if theirs else ()))

    @property
    def guesses(self) -> Iterator[str]:
        """What rests on reading a text as a version that is none, and what names no version."""
        package = self._package
        for reason, ids in self._guessed.items():
            yield (
                f"{package.written} {package.version} is told as affected by"
                f" {_listed(ids)} because {reason}"
            )
        if self._silent:
            yield f"{package.name}: which versions {_listed(self._silent)} means is not stated"

    def on(self, package: Package) -> list[VulnerablePackage]:
        """The matches, on another place of the same version."""
        return [replace(found, package=package) for found in self._matches]


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return f"{', '.join(ids[:_MOST_NAMED])}{more}"


def _order(found: VulnerablePackage) -> tuple[str, str, str, int, str]:
    package = found.package
    return (package.file, package.name, package.version, package.line, found.id)


def _grouped(records: Sequence[AdvisoryRecord]) -> list[list[AdvisoryRecord]]:
    """Records that share a name are one advisory; malicious ones stay apart from flaws."""
    groups: list[tuple[set[str], list[AdvisoryRecord]]] = []
    for record in records:
        names = {record.id, *record.aliases}
        joined = [g for g in groups if g[0] & names and g[1][0].malicious == record.malicious]
        groups = [g for g in groups if g not in joined]
        together = [record, *(other for group in joined for other in group[1])]
        groups.append((names.union(*(group[0] for group in joined)), together))
    return [sorted(group, key=_preference) for _, group in groups]


def _preference(record: AdvisoryRecord) -> tuple[int, str]:
    return (_PREFERENCE.get(record.id.partition("-")[0], 2), record.id)


def _candidates(package: Package, records: Iterable[AdvisoryRecord]) -> dict[str, set[str]]:
    """Record id → its fixed versions above the installed one."""
    ecosystem = ECOSYSTEMS[package.ecosystem]
    above: dict[str, set[str]] = {}
    for record in records:
        for version in fixes(record):
            try:
                if ecosystem.order(version) > ecosystem.order(package.version):
                    above.setdefault(record.id, set()).add(ecosystem.spelled(version))
            except Incomparable:
                continue  # a fix that cannot be compared is no advice
    return above


def _upgrade(package: Package, records: Sequence[AdvisoryRecord]) -> tuple[str, bool]:
    """The lowest fix that no record affects, within the major version if there is one.

    Fixes of flaws that came after the installed version count, too: one may be the first clean.
    """
    ecosystem = ECOSYSTEMS[package.ecosystem]
    candidates = _candidates(package, records)
    fixed = sorted({v for versions in candidates.values() for v in versions}, key=ecosystem.order)
    if not fixed:
        return "", False
    here = ecosystem.line(package.version)
    near = [v for v in fixed if ecosystem.line(v) == here]
    far = [v for v in fixed if v not in near]
    clean = (v for v in (*near, *far) if not _affected(records, ecosystem, v))
    found = next(clean, "")
    return found, found in near


def _left_open(
    package: Package, records: Sequence[AdvisoryRecord], upgrade: str
) -> tuple[str, ...]:
    """The advisories that affect ``upgrade`` as well, by identity, sorted.

    Where one of several databases knows of a fix that ``upgrade`` has, its word counts.
    """
    if not upgrade:
        return ()
    ecosystem = ECOSYSTEMS[package.ecosystem]

    def affects(record: AdvisoryRecord) -> bool:
        return evaluate(record, ecosystem, upgrade).affected

    return tuple(
        sorted(
            identity(group[0].id, _names(group))
            for group in _grouped(records)
            if any(affects(one) for one in group if not one.imprecise)
            and not any(any(fixes(one)) and not affects(one) for one in group)
        )
    )


def _names(group: Sequence[AdvisoryRecord]) -> set[str]:
    return {name for record in group for name in (record.id, *record.aliases)}


def _affected(records: Sequence[AdvisoryRecord], ecosystem: Ecosystem, version: str) -> bool:
    """Whether some advisory that an upgrade can answer is still open in ``version``."""
    return any(
        evaluate(record, ecosystem, version).affected
        for record in records
        if not record.imprecise and any(fixes(record))
    )


def _merged(
    package: Package,
    group: Sequence[AdvisoryRecord],
    candidates: dict[str, set[str]],
) -> VulnerablePackage:
    first = group[0]
    order = ECOSYSTEMS[package.ecosystem].order
    fixed = {version for record in group for version in candidates.get(record.id, ())}
    names = _names(group)
    return VulnerablePackage(
        package=package,
        id=first.id,
        aliases=tuple(sorted(names - {first.id})),
        summary=next((r.summary for r in group if r.summary), ""),
        severity=next((r.severity for r in group if r.severity), ""),
        cvss=max((r.cvss for r in group if r.cvss is not None), default=None),
        cwe=tuple(sorted({cwe for record in group for cwe in record.cwe})),
        references=_references(group),
        fixed=tuple(sorted(fixed, key=order)),
        informational=first.informational,
        malicious=first.malicious,
        known_exploited=any(record.known_exploited for record in group),
        imprecise=all(record.imprecise for record in group),
        published=min((r.published for r in group if r.published), default=""),
        imports=tuple(sorted({path for record in group for path in record.imports})),
        symbols=_symbols(group),
    )


def _symbols(group: Sequence[AdvisoryRecord]) -> tuple[str, ...]:
    """What some database names, unless one that names parts has all of a part affected."""
    if any(record.imports and not record.symbols for record in group):
        return ()
    return tuple(sorted({name for record in group for name in record.symbols}))


def _references(group: Sequence[AdvisoryRecord]) -> tuple[str, ...]:
    """The first few, each once, in the preferred record's order."""
    found = dict.fromkeys(url for record in group for url in record.references)
    return tuple(found)[:MAX_REFERENCES]
