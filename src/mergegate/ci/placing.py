"""Where findings of a test merge stand in the change's own last commit, which a forge shows."""

from collections.abc import Callable
from dataclasses import replace

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.report import Fix, Report

Moved = Callable[[str, int], tuple[str, int] | None]
"""Path and line here → path and line there; None for a line that only this commit has."""


def placed(report: Report, moved: Moved) -> Report:
    """``report`` with every place and edit as the other commit numbers them."""
    return replace(
        report,
        issues=tuple(_finding(one, moved) for one in report.issues),
        risks=tuple(_finding(one, moved) for one in report.risks),
        vulnerabilities=tuple(_finding(one, moved) for one in report.vulnerabilities),
        fixes=tuple(fix for one in report.fixes if (fix := _fix(one, moved))),
    )


def _finding(finding: Finding, moved: Moved) -> Finding:
    """A finding on lines that are not there stands at its file."""
    place = finding.place
    if not place.file or not place.start_line:
        return finding
    start, end = moved(place.file, place.start_line), moved(place.file, place.end_line)
    if start is None or end is None or start[0] != end[0]:
        return replace(finding, place=Place(place.file))
    there = replace(place, file=start[0], start_line=start[1], end_line=end[1])
    return replace(finding, place=there)


def _fix(fix: Fix, moved: Moved) -> Fix | None:
    edits = [_edit(one, moved) for one in fix.edits]
    whole = tuple(one for one in edits if one is not None)
    return replace(fix, edits=whole) if len(whole) == len(edits) else None


def _edit(edit: Edit, moved: Moved) -> Edit | None:
    start, end = moved(edit.path, edit.start_line), moved(edit.path, edit.end_line)
    if start is None or end is None or start[0] != end[0]:
        return None
    if end[1] - start[1] != edit.end_line - edit.start_line:
        return None
    return replace(edit, path=start[0], start_line=start[1], end_line=end[1])
