"""Resolved packages against an advisory index: one match a package and advisory."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from mergegate.core.tree import Skipped
from mergegate.packages.dependencies import (
    AdvisoryRecord,
    AdvisorySource,
    AffectedRange,
    Package,
    PythonAudit,
    VulnerablePackage,
)
from mergegate.packages.ecosystems import ECOSYSTEMS, PYPI
from mergegate.packages.versions import Incomparable, Key, Order

# At one version a fix comes before a new introduction: then the version itself is affected.
_ORDER = {"fixed": 0, "last_affected": 0, "introduced": 1}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a record says of a version."""

    affected: bool
    doubts: tuple[str, ...] = ()
    """Parts of the record that could not be compared, one sentence each."""


def evaluate(record: AdvisoryRecord, order: Order, version: str) -> Evaluation:
    """Whether ``record`` affects ``version``, by its listed versions or any of its ranges.

    Raises Incomparable when ``version`` has no place in ``order`` and not listed as it stands.
    """
    if version in record.versions:
        return Evaluation(True)
    wanted = order(version)
    doubts: list[str] = []
    for piece in record.ranges:
        try:
            if _in_range(piece, order, wanted):
                return Evaluation(True)
        except Incomparable as error:
            doubts.append(f"{record.id}: {error}")
    listed = wanted in _listed(record.versions, order)
    return Evaluation(listed, () if listed else tuple(doubts))


def fixes(record: AdvisoryRecord) -> Iterator[str]:
    """Every version that the record calls fixed."""
    for piece in record.ranges:
        yield from (version for event, version in piece.events if event == "fixed")


@lru_cache(maxsize=4096)
def _listed(versions: tuple[str, ...], order: Order) -> frozenset[Key]:
    """Listed versions by key, so that other spellings of them are found as well."""
    return frozenset(_keys(versions, order))


def _keys(versions: tuple[str, ...], order: Order) -> Iterator[Key]:
    for version in versions:
        try:
            yield order(version)
        except Incomparable:
            continue  # listed as text: one that cannot be compared is no spelling of another


def _in_range(piece: AffectedRange, order: Order, wanted: Key) -> bool:
    if not _before_limits(piece, order, wanted):
        return False
    affected = False
    for event, bound in _bounds(piece, order):
        if event == "introduced" and (bound is None or wanted >= bound):
            affected = True
        elif bound is not None and (
            (event == "fixed" and wanted >= bound) or (event == "last_affected" and wanted > bound)
        ):
            affected = False
    return affected


def _before_limits(piece: AffectedRange, order: Order, wanted: Key) -> bool:
    limits = [version for event, version in piece.events if event == "limit"]
    return not limits or any(limit == "*" or wanted < order(limit) for limit in limits)


@lru_cache(maxsize=16_384)
def _bounds(piece: AffectedRange, order: Order) -> tuple[tuple[str, Key | None], ...]:
    """Events by version; None stands for ``0``, which is before every version."""
    events = [event for event in piece.events if event[0] in _ORDER]
    first = [(name, None) for name, version in events if version == "0"]
    rest = [(name, order(version)) for name, version in events if version != "0"]
    rest.sort(key=lambda event: _ORDER[event[0]])
    rest.sort(key=lambda event: event[1])
    return (*first, *rest)


MAX_REFERENCES = 5

# Whose word on severity and summary counts first; the rest follow by name.
_PREFERENCE = {"GHSA": 0, "PYSEC": 1, "GO": 1, "RUSTSEC": 1, "OSV": 2, "CVE": 3}


class AdvisoryIndex(Protocol):
    """What matching needs of an advisory store."""

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
    return Matched(tuple(sorted(found, key=_order)), tuple(sorted(doubts)))


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
        self._heard = heard
        own = list(self._affecting(package, records))
        self._own = {record.id for record in own}
        told = self._own | (heard or frozenset())
        affecting = [record for record in records if record.id in told]
        candidates = _candidates(package, affecting)
        upgrade, same_major = _upgrade(package, records, candidates)
        self._matches = [
            replace(
                _merged(package, group, candidates),
                upgrade=upgrade,
                same_major=same_major,
                engines=self._engines(group),
            )
            for group in _grouped(affecting)
        ]

    def _affecting(
        self, package: Package, records: Sequence[AdvisoryRecord]
    ) -> Iterator[AdvisoryRecord]:
        for record in records:
            try:
                verdict = evaluate(record, ECOSYSTEMS[package.ecosystem].order, package.version)
            except Incomparable as error:
                self.doubts.append(f"{package.written}: {error}")
                continue
            self.doubts += [f"{package.written}: {doubt}" for doubt in verdict.doubts]
            if verdict.affected:
                yield record

    def _engines(self, group: Sequence[AdvisoryRecord]) -> tuple[str, ...]:
        names = {name for record in group for name in (record.id, *record.aliases)}
        ours = any(record.id in self._own for record in group)
        theirs = self._heard is not None and bool(names & self._heard)
        return (*(("advisories",) if ours else ()), *(("pip-audit",) if theirs else ()))

    def on(self, package: Package) -> list[VulnerablePackage]:
        """The matches, on another place of the same version."""
        return [replace(found, package=package) for found in self._matches]


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


def _upgrade(
    package: Package, records: Sequence[AdvisoryRecord], candidates: dict[str, set[str]]
) -> tuple[str, bool]:
    """The lowest fix that no record affects, within the major version if there is one."""
    ecosystem = ECOSYSTEMS[package.ecosystem]
    fixed = sorted({v for versions in candidates.values() for v in versions}, key=ecosystem.order)
    if not fixed:
        return "", False
    here = ecosystem.line(package.version)
    near = [v for v in fixed if ecosystem.line(v) == here]
    far = [v for v in fixed if v not in near]
    clean = (v for v in (*near, *far) if not _affected(records, ecosystem.order, v))
    found = next(clean, "")
    return found, found in near


def _affected(records: Sequence[AdvisoryRecord], order: Order, version: str) -> bool:
    """Whether some advisory that an upgrade can answer is still open in ``version``."""
    return any(
        evaluate(record, order, version).affected
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
    names = {name for record in group for name in (record.id, *record.aliases)}
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
    )


def _references(group: Sequence[AdvisoryRecord]) -> tuple[str, ...]:
    """The first few, each once, in the preferred record's order."""
    found = dict.fromkeys(url for record in group for url in record.references)
    return tuple(found)[:MAX_REFERENCES]
