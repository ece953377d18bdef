"""The API's repository scan result → report; the text is hostile, so the verdict is drawn anew.

A result that another machine sends is data: its findings are taken, its score and gate are not.
"""

import datetime as dt
import re
from collections.abc import Sequence

from pydantic import ValidationError

from mergegate.errors import UsageError
from mergegate.model import report as told
from mergegate.model.check import Unrun
from mergegate.model.finding import Advisory, Edit, Finding, Place
from mergegate.model.report import EngineRun, EngineStatus, Report
from mergegate.model.severity import Category, Confidence, Kind, Severity
from mergegate.model.tree import Skipped
from mergegate.plans import REPOSITORY
from mergegate.score.gate import judge
from mergegate.score.ledger import draw_up
from mergegate.wire.camel import mistake
from mergegate.wire.results import RepositoryResult
from mergegate.wire.shapes import (
    ComparisonOut,
    CoverageOut,
    EngineOut,
    FindingOut,
    FixOut,
    PlaceOut,
    SuppressionOut,
    VulnerabilityOut,
)
from mergegate.wire.site import outcome
from mergegate.wire.site.document_reading import read_as

LARGEST_BYTES = 64 << 20
MOST_FINDINGS = 100_000
_WRONG = "this is no result of a repository scan"
_LONGEST_REASON = 200
"""Characters; it may repeat what the result holds."""
_GAP = "Not checked: "
_ID = re.compile(r"[0-9a-f]{8,64}")
_BROKEN = frozenset({EngineStatus.FAILED, EngineStatus.MISSING, EngineStatus.TIMEOUT})


def read(content: bytes) -> Report:
    """The report in ``content``; raises UsageError that says what is wrong with it."""
    if len(content) > LARGEST_BYTES:
        raise UsageError(f"the result is larger than {LARGEST_BYTES >> 20} MiB")
    try:
        result = RepositoryResult.model_validate_json(content)
        return report(result)
    except ValidationError as error:
        raise UsageError(f"{_WRONG}: {mistake(error)}") from None
    except (ValueError, KeyError) as error:
        raise UsageError(f"{_WRONG}: {ascii(str(error)[:_LONGEST_REASON])[1:-1]}") from None


def read_answer(content: bytes) -> Report:
    """As :func:`read`, for what a host answers: a field that a later release added is left out.

    It is read strictly in all else, and what two readers could take for two things is refused.
    """
    return read_as(content, RepositoryResult, report, "a repository scan")


def report(result: RepositoryResult) -> Report:
    """The report that ``result`` tells of; raises ValueError for what no scan writes."""
    issues, risks = _findings(result.issues), _findings(result.risk_findings)
    vulnerabilities = tuple(map(_vulnerability, result.dependency_vulns))
    findings = (*issues, *risks, *vulnerabilities)
    unrun = _unrun(result)
    comparison = _comparison(result.comparison, findings, unrun)
    suppressed = tuple(map(_suppression, result.suppressed))
    fixed = comparison.fixed if comparison else ()
    _check(findings, [*fixed, *(one.finding for one in suppressed)])
    ledger = draw_up(findings, REPOSITORY)
    return Report(
        target=told.Target(**result.target.model_dump()),
        verdict=judge(findings, ledger, REPOSITORY, unrun),
        ledger=ledger,
        issues=issues,
        risks=risks,
        vulnerabilities=vulnerabilities,
        fixes=tuple(map(_fix, result.fixes)),
        suppressed=suppressed,
        engines=tuple(map(_engine, result.engines)),
        coverage=_coverage(result.coverage, result.completed_at),
        summary=result.ai_summary,
        comparison=comparison,
        site=outcome.read(result.site),
        id=result.id,
        created_at=result.created_at,
        completed_at=result.completed_at,
        tool_version=result.tool_version,
    )


def _check(findings: Sequence[Finding], aside: Sequence[Finding]) -> None:
    """Ids stand in markers of comments, so nothing but a fingerprint may pass for one.

    ``aside`` are those that count for nothing: fixed, or set aside by the policy.
    """
    if len(findings) + len(aside) > MOST_FINDINGS:
        raise ValueError(f"it holds more than {MOST_FINDINGS:,} findings")
    ids = {finding.id for finding in findings}
    if len(ids) != len(findings):
        raise ValueError("two findings have one id")
    if not all(_ID.fullmatch(one.id) for one in (*findings, *aside)):
        raise ValueError("a finding's id is no fingerprint")


def _unrun(result: RepositoryResult) -> tuple[Unrun, ...]:
    """What did not run: as the verdict names it, else what the engines' own status admits."""
    if result.verdict.gate == "incomplete":
        named = [one.removeprefix(_GAP) for one in result.verdict.reasons if one.startswith(_GAP)]
        return tuple(Unrun("scan", one, "") for one in named or ["the scan says so itself"])
    broken = [one for one in map(_engine, result.engines) if one.status in _BROKEN]
    return tuple(Unrun(one.name, f"{one.name}: {one.reason}", one.remedy) for one in broken)


def _findings(given: Sequence[FindingOut]) -> tuple[Finding, ...]:
    return tuple(map(_finding, given))


def _finding(given: FindingOut) -> Finding:
    return Finding(
        rule_id=given.rule_id,
        title=given.title,
        message=given.message,
        severity=Severity.named(given.severity),
        category=Category(given.category),
        kind=Kind(given.kind),
        place=Place(
            given.file, given.start_line, given.end_line, given.start_column, given.end_column
        ),
        confidence=Confidence[given.confidence.upper()],
        cwe=given.cwe,
        references=given.references,
        engine=given.engine,
        advisory=_advisory(given) if isinstance(given, VulnerabilityOut) else None,
        snippet=given.snippet,
        id=given.id,
        is_new=given.is_new,
        fix_id=given.fix_id,
    )


_vulnerability = _finding


def _advisory(given: VulnerabilityOut) -> Advisory:
    names = VulnerabilityOut.model_fields.keys() - FindingOut.model_fields.keys()
    return Advisory(**{name: getattr(given, name) for name in names})


def _fix(given: FixOut) -> told.Fix:
    fields = given.model_dump(exclude={"edits"})
    edits = tuple(
        Edit(edit.path, edit.start_line, edit.end_line, edit.replacement) for edit in given.edits
    )
    return told.Fix(**fields, edits=edits)


def _suppression(given: SuppressionOut) -> told.Suppression:
    fields = given.model_dump(exclude={"finding"})
    return told.Suppression(**fields, finding=_finding(given.finding))


def _engine(given: EngineOut) -> EngineRun:
    return EngineRun(**given.model_dump(exclude={"status"}), status=EngineStatus(given.status))


def _coverage(given: CoverageOut, completed_at: str) -> told.Coverage:
    return told.Coverage(
        files_seen=given.files_seen,
        files_scanned=given.files_scanned,
        bytes_scanned=given.bytes_scanned,
        skipped=_skipped(given.skipped),
        limited=_skipped(given.limited),
        limits=given.limits,
        unresolved=_skipped(given.unresolved_dependencies),
        inline_suppressions=given.inline_suppressions,
        advisories_date=given.advisories_date,
        advisories_age_days=_days(given.advisories_date, completed_at),
    )


def _days(since: str | None, until: str) -> int | None:
    if since is None:
        return None
    first, last = (dt.date.fromisoformat(moment[:10]) for moment in (since, until))
    return (last - first).days


def _skipped(given: Sequence[PlaceOut]) -> tuple[Skipped, ...]:
    return tuple(Skipped(one.path, one.reason) for one in given)


def _comparison(
    given: ComparisonOut | None, findings: Sequence[Finding], unrun: Sequence[Unrun]
) -> told.Comparison | None:
    if given is None:
        return None
    new = [finding for finding in findings if finding.is_new]
    ledger = draw_up(new, REPOSITORY)
    known = {finding.id for finding in findings}
    return told.Comparison(
        base=given.base,
        new=len(new),
        existing=len(findings) - len(new),
        fixed=_findings(given.fixed),
        verdict=judge(new, ledger, REPOSITORY, unrun),
        ledger=ledger,
        drifted=tuple(id for id in given.drifted if id in known),
    )
