"""Findings → report: suppress, compare, fix, score, judge, and write the receipt."""

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mergegate import __version__
from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.identity import compare
from mergegate.core.plans import Scoring
from mergegate.core.report import Comparison, Fix, Report, Suppression, Target
from mergegate.core.score import draw_up, judge
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile
from mergegate.repo.coverage import added_lines, coverage, inventory, silenced_lines, unproved
from mergegate.repo.examine import Examined, Examiner
from mergegate.repo.fix import FixVerifier, point_to, verified_fixes
from mergegate.repo.policy import set_aside
from mergegate.repo.summary import summarise
from mergegate.sandbox.files.checkout import source_file
from mergegate.sandbox.files.stage import read_regular
from mergegate.secrets.mask import mask_line

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
    touched: frozenset[str] = frozenset()
    """The paths that the change touches; empty without a base."""

    def report(self, started: dt.datetime) -> Report:
        """The report; ``started`` is when the scan began, in UTC."""
        marked, gone = self._against_base()
        counted, suppressed = self._aside(self.head, marked)
        fixes = self._fixes(counted, marked)
        findings = point_to(counted, fixes)
        ledger = draw_up(findings, self.scoring)
        gaps = self._unproved()
        verdict = judge(findings, ledger, self.scoring, (*self.head.unrun, *gaps))
        comparison = self._comparison(findings, gone, gaps)
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
            coverage=coverage(self.head, self.examiner.aspects, self.today),
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
        self, findings: Sequence[Finding], gone: Sequence[Finding], gaps: Sequence[Unrun]
    ) -> Comparison | None:
        if self.before is None or self.target.base is None:
            return None
        new = [one for one in findings if one.is_new]
        ledger = draw_up(new, self.scoring)
        seen = [one for one in gone if not self.head.map.is_unseen(one.place.file)]
        fixed, _ = self._aside(self.before, seen)
        stops_at = self.examiner.policy.change_stops_at
        return Comparison(
            base=self.target.base,
            new=len(new),
            existing=len(findings) - len(new),
            fixed=fixed,
            verdict=judge(
                new,
                ledger,
                self.scoring,
                (*_either(self.head, self.before), *gaps),
                stops_at,
            ),
            ledger=ledger,
            stops_at=stops_at,
            drifted=tuple(one.id for one in findings if self._became_known(one)),
        )

    def _unproved(self) -> tuple[Unrun, ...]:
        """Why too little was searched for a pass; the change's own files with a base."""
        change = None
        if self.before is not None:
            change = added_lines(self.head.tree, self.before.tree, self.touched)
        accepted = self.examiner.policy.accept_unsearched
        return unproved(self.head.map, self.head.tree, accepted, change)

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
