"""The API's repository scan result → report; the text is hostile, so the verdict is drawn anew.

A result that another machine sends is data: its findings are taken, its score and gate are not,
and what it leaves out or contradicts is a gap.
"""

import datetime as dt
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from mergegate.core.check import Unrun
from mergegate.core.finding import Edit, Finding
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import (
    Comparison,
    Coverage,
    EngineRun,
    EngineStatus,
    Fix,
    Gate,
    Ledger,
    ModelUse,
    Package,
    Report,
    Section,
    Suppression,
    Verdict,
)
from mergegate.core.score import draw_up, judge
from mergegate.core.severity import Severity
from mergegate.core.strict_json import LARGEST_BYTES
from mergegate.core.wire.parts import VerdictOut, engine_runs, read_as
from mergegate.repo.wire.shapes import ComparisonOut, FindingOut, RepositoryResult

MOST_FINDINGS = 100_000
_MOST_LINES = 100_000_000
"""Lines of one file: more than the largest scanned file has characters."""
_MOST_REPLACED = 10_000
"""Lines of one edit; each is looked at."""
_GAP = "Not checked: "
_ID = re.compile(r"[0-9a-f]{8,64}")
_BROKEN = frozenset({EngineStatus.FAILED, EngineStatus.MISSING, EngineStatus.TIMEOUT})
_SAYS_SO = Unrun("scan", "the scan says so itself")
_UNEXPLAINED = Unrun("scan", "why the scan calls its gate failed, for nothing in it fails it")


def check(findings: Sequence[Finding], aside: Sequence[Finding]) -> None:
    """Raises ValueError for findings that no scan writes.

    Ids stand in markers of comments, so nothing but a fingerprint may pass for one. ``aside`` are
    those that count for nothing: fixed, or set aside by the policy.
    """
    every = (*findings, *aside)
    if len(every) > MOST_FINDINGS:
        raise ValueError(f"it holds more than {MOST_FINDINGS:,} findings")
    if len({finding.id for finding in findings}) != len(findings):
        raise ValueError("two findings have one id")
    for one in every:
        if not _ID.fullmatch(one.id):
            raise ValueError("a finding's id is no fingerprint")
        if not (_is_path(one.place.file) and _is_range(one.place.start_line, one.place.end_line)):
            raise ValueError("a finding lies where no file of a repository is")


def sound(fixes: Iterable[Fix], findings: Iterable[Finding]) -> Iterator[Fix]:
    """The fixes that change lines of the files of their own findings, and nothing else."""
    files = {one.id: one.place.file for one in findings}
    for fix in fixes:
        own = {files[id] for id in fix.finding_ids if id in files}
        if own and all(edit.path in own and _is_edit(edit) for edit in fix.edits):
            yield fix


def gaps(
    result: RepositoryResult, runs: Sequence[EngineRun], expected: Collection[str]
) -> tuple[Unrun, ...]:
    """What did not run: as the verdict names it, and what the engines' own status admits.

    ``expected`` names the engines that the scan was to have.
    """
    told = _told(result.verdict)
    claimed = (_SAYS_SO,) if not told and (result.status == "failed" or result.error) else ()
    broken = [one for one in runs if one.status in _BROKEN]
    admitted = () if told else tuple(_admitted(broken))
    return (*told, *claimed, *admitted, *_unspoken(runs, expected))


def became_known(ids: Iterable[str], findings: Iterable[Finding]) -> tuple[str, ...]:
    """The ``ids`` of vulnerabilities that the base had already: the change did not add them."""
    old = {one.id for one in findings if one.is_new is False and one.advisory is not None}
    return tuple(id for id in ids if id in old)


def gaps_of_change(verdict: VerdictOut, of_head: Sequence[Unrun]) -> tuple[Unrun, ...]:
    """What did not run on either side, first that of the head: the base has engines of its own."""
    return (*of_head, *_told(verdict))


def unexplained(claims: Collection[str], drawn: Verdict) -> tuple[Unrun, ...]:
    """A gap, where a gate is said to have failed and passes by all that is told."""
    return (_UNEXPLAINED,) if "failed" in claims and drawn.gate is Gate.PASSED else ()


def _told(verdict: VerdictOut) -> tuple[Unrun, ...]:
    if verdict.gate != "incomplete":
        return ()
    named = [one.removeprefix(_GAP) for one in verdict.reasons if one.startswith(_GAP)]
    return tuple(Unrun("scan", one) for one in named) or (_SAYS_SO,)


def _admitted(broken: Iterable[EngineRun]) -> Iterator[Unrun]:
    for one in broken:
        yield Unrun(one.name, f"{one.name}: {one.reason}", one.remedy)


def _unspoken(runs: Sequence[EngineRun], expected: Collection[str]) -> Iterator[Unrun]:
    for name in sorted(set(expected) - {one.name for one in runs}):
        yield Unrun(name, f"{name}: the scan does not speak of it")


def _is_path(path: str) -> bool:
    """Below the repository's top; empty for the repository as a whole."""
    return not path.startswith("/") and ".." not in path.split("/")


def _is_range(start: int, end: int) -> bool:
    return 0 <= start <= _MOST_LINES and 0 <= end <= _MOST_LINES


def _is_edit(edit: Edit) -> bool:
    return 1 <= edit.start_line <= edit.end_line <= edit.start_line + _MOST_REPLACED


__all__ = ["LARGEST_BYTES", "read", "read_answer", "report"]

_WHAT = "a repository scan"


SectionReader = Callable[[Mapping[str, Any]], Section]
"""The section that its JSON tells of; raises ValueError for JSON that no section writes."""


def no_section(_: Mapping[str, Any]) -> Section:
    """Raises ValueError: the default for results that have no section."""
    raise ValueError("it has a section that is not expected")


def read(content: bytes, section: SectionReader = no_section) -> Report:
    """The report in ``content``; raises UsageError that says what is wrong with it."""
    build = partial(report, section=section)
    return read_as(content, RepositoryResult, build, _WHAT, extra="forbid")


def read_answer(
    content: bytes,
    engines: Collection[str] = (),
    *,
    section: SectionReader = no_section,
    inventory: bool = False,
) -> Report:
    """Read a host's answer like :func:`read`, but ignore fields that a later release added.

    Without a word of one of ``engines`` the scan is incomplete; with ``inventory`` it has to list
    the packages, which hosts of before did not.
    """

    def build(result: RepositoryResult) -> Report:
        if inventory and result.packages is None:
            raise ValueError("it does not list the packages")
        return report(result, engines, section=section)

    return read_as(content, RepositoryResult, build, _WHAT)


def report(
    result: RepositoryResult, engines: Collection[str] = (), *, section: SectionReader = no_section
) -> Report:
    """The report that ``result`` tells of; raises ValueError for what no scan writes."""
    if result.status == "running":
        raise ValueError("the scan is not over")
    issues, risks = _findings(result.issues), _findings(result.risks)
    vulnerabilities = _findings(result.vulnerabilities)
    findings = (*issues, *risks, *vulnerabilities)
    runs = engine_runs(result.engines)
    unrun = gaps(result, runs, engines)
    comparison = _comparison(result.comparison, findings, unrun)
    suppressed = tuple(one.build(Suppression) for one in result.suppressed)
    fixed = comparison.fixed if comparison else ()
    check(findings, [*fixed, *(one.finding for one in suppressed)])
    ledger = draw_up(findings, REPOSITORY)
    claims = (result.quality_gate, result.verdict.gate)
    return result.build(
        Report,
        verdict=_verdict(findings, ledger, unrun, claims),
        ledger=ledger,
        issues=issues,
        risks=risks,
        vulnerabilities=vulnerabilities,
        fixes=tuple(sound((one.build(Fix) for one in result.fixes), findings)),
        suppressed=suppressed,
        engines=runs,
        coverage=_coverage(result),
        comparison=comparison,
        later_rules=None,  # another machine could excuse any finding so
        model=None if result.model is None else result.model.build(ModelUse),
        site=None if result.site is None else section(result.site),
        packages=tuple(one.build(Package) for one in result.packages or ()),
    )


def _verdict(
    findings: Sequence[Finding],
    ledger: Ledger,
    unrun: Sequence[Unrun],
    claims: Collection[str],
    stops_at: Severity | None = None,
) -> Verdict:
    """Drawn anew; what is claimed counts only against itself."""
    drawn = judge(findings, ledger, REPOSITORY, unrun, stops_at)
    doubt = unexplained(claims, drawn)
    return judge(findings, ledger, REPOSITORY, doubt, stops_at) if doubt else drawn


def _findings(given: Sequence[FindingOut]) -> tuple[Finding, ...]:
    return tuple(one.build(Finding) for one in given)


def _coverage(result: RepositoryResult) -> Coverage:
    age = _days(result.coverage.advisories_date, result.completed_at)
    return result.coverage.build(Coverage, advisories_age_days=age)


def _days(since: str | None, until: str) -> int | None:
    if since is None:
        return None
    first, last = (dt.date.fromisoformat(moment[:10]) for moment in (since, until))
    return max((last - first).days, 0)


def _comparison(
    given: ComparisonOut | None, findings: Sequence[Finding], unrun: Sequence[Unrun]
) -> Comparison | None:
    if given is None:
        return None
    if any(one.is_new is None for one in findings):
        raise ValueError("a finding does not say whether it is new")
    new = [finding for finding in findings if finding.is_new]
    ledger = draw_up(new, REPOSITORY)
    gaps = gaps_of_change(given.verdict, unrun)
    stops_at = Severity.named(given.stops_at)
    return given.build(
        Comparison,
        new=len(new),
        existing=len(findings) - len(new),
        fixed=_findings(given.fixed),
        verdict=_verdict(new, ledger, gaps, (given.verdict.gate,), stops_at),
        ledger=ledger,
        drifted=became_known(given.drifted, findings),
    )
