"""How a workflow finding is worded, weighed and placed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import Role
from mergegate.repo.facts.workflows import WorkflowFile, WorkflowHit, WorkflowKind, Workflows

DOCS = "https://docs.zizmor.sh/audits/#"
HARDENING = "https://docs.github.com/en/actions/reference/security/secure-use"
PRIVILEGED = frozenset(
    {
        *("pull_request_target", "workflow_run", "issue_comment", "issues", "fork", "watch"),
        *("discussion", "discussion_comment", "pull_request_review_target", "gollum"),
    }
)
"""Events that a stranger can cause and that run with secrets and a token that may write."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Our reading of one of zizmor's audits."""

    title: str
    severity: Severity
    wrong: str
    remedy: str
    cwe: str = ""


def hits_by_file(
    workflows: Workflows, audit: str
) -> Iterator[tuple[WorkflowFile, Sequence[WorkflowHit]]]:
    """Each file in which the audit found something, with its hits in order of line."""
    for file in workflows.files:
        hits = [hit for hit in file.found.hits if hit.audit == audit]
        if hits:
            yield file, hits


def finding(
    file: WorkflowFile, hits: Sequence[WorkflowHit], reading: Reading, rule_id: str
) -> Finding:
    """One finding for all hits of a file, placed at the first of them."""
    first = hits[0]
    return Finding(
        rule_id=rule_id,
        title=reading.title,
        message=f"{reading.wrong}{_elsewhere(hits)}. {reading.remedy}{_silenced(hits)}",
        severity=weighed(file, reading.severity),
        category=Category.SECURITY,
        kind=Kind.RISK,
        place=place_of(file, first),
        evidence=first.feature,
        confidence=first.confidence,
        cwe=(reading.cwe,) if reading.cwe else (),
        references=(f"{DOCS}{first.audit}",),
        engine="zizmor",
    )


def _elsewhere(hits: Sequence[WorkflowHit]) -> str:
    lines = sorted({hit.start_line for hit in hits[1:]} - {hits[0].start_line})
    if not lines:
        return ""
    shown = ", ".join(map(str, lines[:8])) + (" and more" if len(lines) > 8 else "")
    return f" (also in {'line' if len(lines) == 1 else 'lines'} {shown})"


def _silenced(hits: Sequence[WorkflowHit]) -> str:
    count = sum(hit.ignored for hit in hits)
    if not count:
        return ""
    return (
        f" {count} of {len(hits)} {'asks' if count == 1 else 'ask'} zizmor in a comment to be "
        "ignored; a comment does not waive it here, the policy can."
    )


def weighed(file: WorkflowFile, severity: Severity) -> Severity:
    """Workflows run whatever they are called; an action only counts where it is in use."""
    idle = file.found.kind is WorkflowKind.ACTION and file.role is not Role.SOURCE
    return Severity.INFO if idle else severity


def place_of(file: WorkflowFile, hit: WorkflowHit) -> Place:
    """Where the hit is; of a whole job or step only its first line."""
    if hit.end_line > hit.start_line:
        return Place(file.path, hit.start_line, hit.start_line)
    return Place(file.path, hit.start_line, hit.end_line, hit.start_column, hit.end_column)
