"""What of a repository scan's result is not believed, and what keeps its gate from passing.

Findings are taken as they are told. Whatever the result says against itself makes it incomplete: a
gate that failed and nothing that fails it, an engine that is not spoken of.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from mergegate.core.check import Unrun
from mergegate.core.finding import Edit, Finding
from mergegate.core.report import EngineRun, EngineStatus, Fix, Gate, Verdict
from mergegate.core.wire.parts import VerdictOut
from mergegate.repo.wire.shapes import RepositoryResult

MOST_FINDINGS = 100_000
_MOST_LINES = 100_000_000
"""Of one file: more than the largest that is scanned has letters."""
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
    """Those of ``ids`` that name a vulnerability which was there before; nobody answers for it."""
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
