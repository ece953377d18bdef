"""Findings → report: suppress, compare, fix, score, judge, and write the receipt."""

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from mergegate import __version__
from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.identity import compare
from mergegate.core.plans import Scoring
from mergegate.core.report import Comparison, Coverage, Fix, Package, Report, Suppression, Target
from mergegate.core.score import draw_up, judge
from mergegate.core.severity import Kind
from mergegate.core.tree import Role, Skipped, SourceFile
from mergegate.packages.dependencies import Dependencies, Unresolved, Vulnerabilities
from mergegate.repo.examine import Examined, Examiner
from mergegate.repo.facts.code import MarkerKind, Markers
from mergegate.repo.fix import FixVerifier, point_to, verified_fixes
from mergegate.repo.policy import set_aside
from mergegate.repo.summary import summarise
from mergegate.sandbox.files.checkout import source_file
from mergegate.sandbox.files.stage import read_regular
from mergegate.secrets.mask import mask_line

FRESH_DAYS = 30
"""Beyond it the advisories' age is named as a limit of the scan."""

# A lock file that a tool generated is as real as one written by hand.
_SHIPPED = frozenset({Role.SOURCE, Role.GENERATED})
_Fact = TypeVar("_Fact")


def coverage(examined: Examined, today: dt.date) -> Coverage:
    """The receipt of one examined tree."""
    tree, facts = examined.tree, examined.gathered.facts
    asked = _known(facts, Vulnerabilities) or Vulnerabilities()
    resolved = _known(facts, Dependencies) or Dependencies()
    age = _age(asked.data_date, today)
    return Coverage(
        files_seen=len(tree.files) + len(tree.skipped) + len(tree.links),
        files_scanned=len(tree.files),
        bytes_scanned=sum(file.size for file in tree.files),
        skipped=tree.skipped,
        limited=examined.gathered.limited,
        limits=(*tree.limits, *_staleness(age)),
        unresolved=tuple(map(_unresolved, resolved.unresolved)),
        inline_suppressions=len(silenced_lines(examined)),
        advisories_date=asked.data_date[:10] or None,
        advisories_age_days=age,
    )


def inventory(examined: Examined) -> tuple[Package, ...]:
    """Every package the repository resolves, in order of files; empty when no engine read them."""
    resolved = _known(examined.gathered.facts, Dependencies) or Dependencies()
    return tuple(
        Package(
            file=one.file,
            ecosystem=one.ecosystem,
            name=one.written,
            version=one.version,
            direct=one.direct,
            shipped=one.role in _SHIPPED and not one.dev,
            licence=one.licence,
        )
        for one in resolved.packages
    )


def silenced_lines(examined: Examined) -> frozenset[tuple[str, int]]:
    """Each ``(path, line)`` that carries an engine's in-line suppression."""
    found = _known(examined.gathered.facts, Markers) or Markers()
    return frozenset(
        (file.path, marker.line)
        for file in found.files
        for marker in file.of(MarkerKind.SUPPRESSION)
    )


def _known(facts: Mapping[type, Any], fact: type[_Fact]) -> _Fact | None:
    found = facts.get(fact)
    return found if isinstance(found, fact) else None


def _unresolved(one: Unresolved) -> Skipped:
    where = f"line {one.line}: " if one.line else ""
    return Skipped(one.file, f"{where}{one.text} ({one.why})")


def _age(date: str, today: dt.date) -> int | None:
    """Days since the newest advisory of the stalest ecosystem; None without a store."""
    return (today - dt.date.fromisoformat(date[:10])).days if date else None


def _staleness(age_days: int | None) -> tuple[str, ...]:
    """The warning that a store of ``age_days`` misses younger advisories; empty for a fresh one."""
    if age_days is None or age_days <= FRESH_DAYS:
        return ()
    return (f"advisories are {age_days} days old: newer vulnerabilities are not known",)


_SECONDS = len("2026-01-31T23:59:59")


@dataclass(frozen=True, slots=True)
class Assembly:
    """Everything a report is made of."""

    target: Target
    head: Examined
    before: Examined | None
    examiner: Examiner
    scoring: Scoring
    today: dt.date
    base_date: str = ""
    """When the base was committed, ISO 8601 in UTC."""
    renames: Mapping[str, str] = field(default_factory=dict)
    """Path of the head → path in the base, as Git reports."""

    def report(self, started: dt.datetime) -> Report:
        """The report; ``started`` is when the scan began, in UTC."""
        marked, gone = self._against_base()
        counted, suppressed = self._aside(self.head, marked)
        fixes = self._fixes(counted, marked)
        findings = point_to(counted, fixes)
        ledger = draw_up(findings, self.scoring)
        verdict = judge(findings, ledger, self.scoring, self.head.unrun)
        comparison = self._comparison(findings, gone)
        others = [one for one in findings if one.advisory is None]
        return Report(
            target=self.target,
            verdict=verdict,
            ledger=ledger,
            issues=tuple(one for one in others if one.kind is not Kind.RISK),
            risks=tuple(one for one in others if one.kind is Kind.RISK),
            vulnerabilities=tuple(one for one in findings if one.advisory is not None),
            fixes=fixes,
            suppressed=suppressed,
            engines=self.head.gathered.runs,
            coverage=coverage(self.head, self.today),
            summary=summarise(findings, ledger, verdict, fixes, comparison),
            comparison=comparison,
            packages=inventory(self.head),
            id=self._id(),
            created_at=_stamp(started),
            completed_at=_stamp(dt.datetime.now(dt.UTC)),
            tool_version=__version__,
        )

    def _against_base(self) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        if self.before is None:
            return self.head.findings, ()
        return compare(self.head.findings, self.before.findings, self.renames)

    def _aside(
        self, examined: Examined, findings: Sequence[Finding]
    ) -> tuple[tuple[Finding, ...], tuple[Suppression, ...]]:
        policy = self.examiner.policy
        return set_aside(findings, policy, silenced_lines(examined), self.today)

    def _comparison(
        self, findings: Sequence[Finding], gone: Sequence[Finding]
    ) -> Comparison | None:
        if self.before is None or self.target.base is None:
            return None
        new = [one for one in findings if one.is_new]
        ledger = draw_up(new, self.scoring)
        fixed, _ = self._aside(self.before, gone)
        stops_at = self.examiner.policy.change_stops_at
        return Comparison(
            base=self.target.base,
            new=len(new),
            existing=len(findings) - len(new),
            fixed=fixed,
            verdict=judge(new, ledger, self.scoring, _either(self.head, self.before), stops_at),
            ledger=ledger,
            stops_at=stops_at,
            drifted=tuple(one.id for one in findings if self._became_known(one)),
        )

    def _became_known(self, finding: Finding) -> bool:
        if finding.is_new or finding.advisory is None or not self.base_date:
            return False
        return finding.advisory.published[:_SECONDS] > self.base_date[:_SECONDS]

    def _fixes(self, counted: Sequence[Finding], all_found: Sequence[Finding]) -> tuple[Fix, ...]:
        stage = self.examiner.stage
        proving = replace(self.examiner, sources=[s for s in self.examiner.sources if s.proves])
        bench = FixVerifier(
            folder=stage.room("fixes"),
            read=_read,
            record=source_file,
            rescan=lambda tree: proving.examine(tree).findings,
        )
        secret = _secret_lines(all_found)
        showable = [_without_secrets(one, secret) for one in counted]
        return verified_fixes(showable, all_found, self.head.tree, bench)

    def _id(self) -> str:
        """Equal for equal input: what was scanned, with what, by which policy."""
        parts = [
            __version__,
            self.target.base or "",
            self.examiner.policy.model_dump_json(),
            *sorted(self.examiner.aspects),
            *(f"{file.path}\0{file.digest}" for file in self.head.tree.files),
        ]
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace"))
        return f"rs_{digest.hexdigest()[:24]}"


def _secret_lines(findings: Sequence[Finding]) -> frozenset[tuple[str, int]]:
    return frozenset(
        (one.place.file, line)
        for one in findings
        if one.kind is Kind.SECRET
        for line in range(one.place.start_line, one.place.end_line + 1)
    )


def _without_secrets(finding: Finding, secret: frozenset[tuple[str, int]]) -> Finding:
    """The finding without a repair that would repeat, in its new lines, a secret of the old."""
    repair = finding.repair
    if repair is None:
        return finding
    touched = {(repair.path, line) for line in range(repair.start_line, repair.end_line + 1)}
    plain = all(mask_line(line) == line for line in repair.replacement.split("\n"))
    return finding if plain and not touched & secret else replace(finding, repair=None)


def _read(file: SourceFile) -> bytes:
    return read_regular(file.location, file.size + 1)


def _either(head: Examined, before: Examined) -> tuple[Unrun, ...]:
    """What did not run on either side: then what is new is not known."""
    return (*head.unrun, *before.unrun)


def _stamp(moment: dt.datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
