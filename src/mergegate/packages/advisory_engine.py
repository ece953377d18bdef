"""The engine "advisories": what the advisory store knows of the resolved packages."""

import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import mergegate
from mergegate.core.errors import EngineFailed, EngineMissing, StoreError
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.packages import known_flaw
from mergegate.packages.dependencies import (
    EPSS,
    KEV,
    AdvisorySource,
    Dependencies,
    PythonAudit,
    Use,
    Vulnerabilities,
    VulnerablePackage,
)
from mergegate.packages.ecosystems import ECOSYSTEMS
from mergegate.packages.match import AdvisoryIndex, Matched, match
from mergegate.sandbox.engines.engine import Gathered


class Imports(Protocol):
    """What is imported in the tree whose packages are looked up."""

    def uses(self, matches: Sequence[VulnerablePackage]) -> Sequence[Use]:
        """Whether what is affected is used, an entry a match."""
        ...


REMEDY = "Run `mergegate advisories update` (or name a store that was filled elsewhere)."


class AdvisoryEngine:
    """Gathers :class:`Vulnerabilities` from the fact :class:`Dependencies`.

    ``open_index`` gives the store, or None where there is none; it is asked only when there is
    a package to look up.
    """

    name = "advisories"

    def __init__(self, open_index: Callable[[], AdvisoryIndex | None]) -> None:
        self._open_index = open_index

    def version(self) -> str:
        """Our own: matching is part of Mergegate."""
        return mergegate.__version__

    def gather(
        self,
        dependencies: Dependencies,
        audit: PythonAudit | None = None,
        imports: Imports | None = None,
    ) -> Gathered:
        """Look every package up; without packages it is idle and needs no store.

        ``audit`` is pip-audit's word where it was asked: matches are the union of both. With
        ``imports`` each match tells whether what is affected is used.

        What the store knows is told even where it lacks an ecosystem in use; the run's status
        is then *missing*, and the scan incomplete, unless that ecosystem only builds the
        repository: then it is told. Raises EngineMissing without a store,
        EngineFailed when it cannot be read, or misses the flaw that it is known to hold.
        """
        started = time.monotonic()
        used = dependencies.ecosystems
        needed = tuple(one for one in used if not ECOSYSTEMS[one].for_building)
        try:
            index = opened(self._open_index, needed) if needed else used and self._open_index()
            if not index:
                idle = EngineRun(name=self.name, version=self.version(), status=EngineStatus.IDLE)
                return Gathered((Vulnerabilities(guesses=_unknown(used)),), idle)
            held = _held(dependencies, index)
            _prove(held, index)
            asked = (one for one in dependencies.packages if one.name != known_flaw.NAME)
            found = match(asked, index, audit)
        except StoreError as error:
            raise EngineFailed(error.what, remedy=error.remedy or REMEDY) from error
        matches = found.matches
        if imports:
            used_here = imports.uses(matches)
            matches = tuple(map(_with_use, matches, used_here))
        lacking = set(used) - {source.ecosystem for source in held} - set(needed)
        asked_of = (*held, *_lists(index)) if matches else held
        fact = Vulnerabilities(matches, asked_of, (*found.guesses, *_unknown(sorted(lacking))))
        return Gathered((fact,), self._run(dependencies, held, found, started), found.doubts)

    def _run(
        self,
        dependencies: Dependencies,
        held: Sequence[AdvisorySource],
        found: Matched,
        started: float,
    ) -> EngineRun:
        lacking = set(dependencies.ecosystems) - {source.ecosystem for source in held}
        absent = sorted(one for one in lacking if not ECOSYSTEMS[one].for_building)
        return EngineRun(
            name=self.name,
            version=self.version(),
            status=_status(absent, found),
            duration_ms=round((time.monotonic() - started) * 1000),
            files=len({package.file for package in dependencies.packages}),
            reason=_absent(absent) if absent else "",
            remedy=_remedy(absent) if absent else "",
        )


def opened(
    open_index: Callable[[], AdvisoryIndex | None], ecosystems: Sequence[str]
) -> AdvisoryIndex:
    """The store; raises EngineMissing where there is none, StoreError when it is damaged.

    ``ecosystems`` are those that it is to be asked about.
    """
    index = open_index()
    if index is None:
        lacking = " and ".join(ecosystems)
        what = f"there is no advisory store, so nothing is known about {lacking}"
        raise EngineMissing(what, remedy=REMEDY)
    return index


def require(ecosystem: str, index: AdvisoryIndex) -> None:
    """Raises EngineMissing unless the store holds ``ecosystem``."""
    if ecosystem not in {source.ecosystem for source in index.sources()}:
        raise EngineMissing(_absent([ecosystem]), remedy=_remedy([ecosystem]))


def _prove(held: Sequence[AdvisorySource], index: AdvisoryIndex) -> None:
    """Raises EngineFailed unless each ecosystem in use has our own flaw, where it is to be."""
    versions = (known_flaw.AFFECTED, known_flaw.REPAIRED)
    for ecosystem in (source.ecosystem for source in held):
        found = match((known_flaw.package(ecosystem, version) for version in versions), index)
        there = {one.package.version for one in found.matches if one.id == known_flaw.RECORD.id}
        if there != {known_flaw.AFFECTED}:
            what = f"the advisories on {ecosystem} miss the flaw that they are known to hold"
            raise EngineFailed(what, remedy=REMEDY)


def _held(dependencies: Dependencies, index: AdvisoryIndex) -> tuple[AdvisorySource, ...]:
    """The store's part for each ecosystem in use that it holds."""
    used = frozenset(dependencies.ecosystems)
    return tuple(source for source in index.sources() if source.ecosystem in used)


def _lists(index: AdvisoryIndex) -> tuple[AdvisorySource, ...]:
    return tuple(source for source in index.sources() if source.ecosystem in {KEV, EPSS})


def _status(absent: Sequence[str], found: Matched) -> EngineStatus:
    if absent:
        return EngineStatus.MISSING
    return EngineStatus.LIMITED if found.doubts else EngineStatus.OK


def _with_use(match: VulnerablePackage, use: Use) -> VulnerablePackage:
    return replace(match, use=use)


def _unknown(ecosystems: Sequence[str]) -> tuple[str, ...]:
    """What is told of ecosystems that build the repository, and that the store lacks."""
    return tuple(
        f"nothing is known of {one} in use: the advisory store holds nothing about them. "
        f"{_remedy([one])}"
        for one in ecosystems
    )


def _absent(ecosystems: Sequence[str]) -> str:
    return f"the advisory store holds nothing about {' and '.join(ecosystems)}"


def _remedy(ecosystems: Sequence[str]) -> str:
    """Without their names an update brings the usual ones, and those that are there."""
    named = " ".join(f"--ecosystem {shlex.quote(one)}" for one in ecosystems)
    return f"Run `mergegate advisories update {named}`."
