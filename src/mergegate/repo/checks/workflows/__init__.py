"""What GitHub workflows and actions risk: zizmor's audits in our severities and words.

A comment that asks zizmor to look away changes no severity; what it is about is told by itself, so
that one with a reason, where it counts, sets aside nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mergegate.core.finding import Finding, Place
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.core.tree import Role
from mergegate.repo.facts.documents import WorkflowFile, WorkflowHit, WorkflowKind, Workflows

DOCS = "https://docs.zizmor.sh/audits/#"
PRIVILEGED = frozenset(
    {
        *("pull_request_target", "workflow_run", "issue_comment", "issues", "fork", "watch"),
        *("discussion", "discussion_comment", "pull_request_review_target", "gollum"),
    }
)
"""Events that a stranger can cause and that run with secrets and a token that may write."""


IDLE = "in an action that nothing in production code uses"
"""When :func:`weighed` makes a finding one for information."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowRule(Rule):
    """A rule about GitHub workflows and actions."""

    milder: Mapping[Severity, str] = field(default_factory=lambda: {Severity.INFO: IDLE})
    category: Category = Category.SECURITY
    aspect: Aspect = Aspect.IAC
    kind: Kind = Kind.RISK
    languages: tuple[str, ...] = ("yaml",)
    engine: str = "zizmor"


def hits_by_file(
    workflows: Workflows, audit: str
) -> Iterator[tuple[WorkflowFile, Sequence[WorkflowHit]]]:
    """Each file in which the audit found something, with its hits in order of line.

    A hit that zizmor is asked to ignore comes alone.
    """
    for file in workflows.files:
        hits = [hit for hit in file.found.hits if hit.audit == audit]
        if told := [hit for hit in hits if not hit.ignored]:
            yield file, told
        yield from ((file, [hit]) for hit in hits if hit.ignored)


def finding(
    file: WorkflowFile,
    hits: Sequence[WorkflowHit],
    rule: Rule,
    wrong: str,
    severity: Severity | None = None,
) -> Finding:
    """One finding for all hits of a file, placed at the first; ``wrong`` has no full stop."""
    first = hits[0]
    return rule.finding(
        f"{wrong}{_elsewhere(hits)}. {rule.remedy}{_silenced(hits)}",
        place_of(file, first),
        severity=weighed(file, rule.severity if severity is None else severity),
        evidence=first.feature,
        confidence=first.confidence,
    )


def _elsewhere(hits: Sequence[WorkflowHit]) -> str:
    lines = sorted({hit.start_line for hit in hits[1:]} - {hits[0].start_line})
    if not lines:
        return ""
    shown = ", ".join(map(str, lines[:8])) + (" and more" if len(lines) > 8 else "")
    return f" (also in {'line' if len(lines) == 1 else 'lines'} {shown})"


def _silenced(hits: Sequence[WorkflowHit]) -> str:
    asked = " A comment asks zizmor to ignore it."
    return asked if any(hit.ignored for hit in hits) else ""


def weighed(file: WorkflowFile, severity: Severity) -> Severity:
    """Workflows run whatever they are called; an action only counts where it is in use."""
    idle = file.found.kind is WorkflowKind.ACTION and file.role is not Role.SOURCE
    return Severity.INFO if idle else severity


def place_of(file: WorkflowFile, hit: WorkflowHit) -> Place:
    """Where the hit is; of a whole job or step only its first line.

    What zizmor is asked to ignore is told in full, for the comment may stand on any line of it.
    """
    if hit.end_line > hit.start_line and not hit.ignored:
        return Place(file.path, hit.start_line, hit.start_line)
    return Place(file.path, hit.start_line, hit.end_line, hit.start_column, hit.end_column)
