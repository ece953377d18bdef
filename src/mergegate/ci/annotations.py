"""Findings beside their lines in plain text: check runs and Code Insights."""

from mergegate.core.finding import Finding
from mergegate.core.render import escape, templates, wording
from mergegate.core.report import Report
from mergegate.forges.publication import Annotation
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import origins

_TITLE = 200
_MESSAGE = 1_800


def annotations(report: Report) -> tuple[Annotation, ...]:
    """What the change brings, worst first; without a base, all that was found.

    What was there before is left out: nobody wants it beside every change again. So is what has
    no file, or a file whose name holds characters that cannot be seen. No source line enters.
    """
    fixes = excerpt.Fixes(report)
    worth = (one for one in origins(report).brought if _has_place(one))
    return tuple(_annotation(one, fixes) for one in worth)


def _has_place(finding: Finding) -> bool:
    path = finding.place.file
    return bool(path) and escape.visible(path) == path


def _annotation(finding: Finding, fixes: excerpt.Fixes) -> Annotation:
    place, fix = finding.place, fixes.of(finding)
    start = max(1, place.start_line)
    more = "A verified fix is in the report." if fix and fix.verified else ""
    words = " ".join(filter(None, (finding.message, wording.route(finding), more)))
    return Annotation(
        finding_id=finding.id,
        path=place.file,
        start_line=start,
        end_line=max(start, place.end_line),
        severity=finding.severity,
        kind=finding.kind,
        rule_id=finding.rule_id,
        title=templates.clip(finding.title, _TITLE),
        message=templates.clip(words, _MESSAGE),
        url=next(iter(wording.links(finding)), ""),
    )
