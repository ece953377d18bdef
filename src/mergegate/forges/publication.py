"""What is to be said on a forge, rendered, and what is already said there."""

from collections.abc import Callable
from dataclasses import dataclass

from mergegate.core.report import Gate
from mergegate.core.severity import Kind, Severity
from mergegate.forges.marker import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A finding beside its lines, in plain text; no markup is understood there."""

    finding_id: str
    path: str
    start_line: int
    """From 1; a finding of a whole file stands at line 1."""
    end_line: int
    severity: Severity
    rule_id: str
    title: str
    message: str
    url: str = ""
    """Where it is explained; https, may be empty."""
    kind: Kind = Kind.CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A review comment on lines that the change touched."""

    finding_id: str
    path: str
    start_line: int
    end_line: int
    """Both in the new file, inclusive, from 1; all of them are lines of the diff."""
    body: str
    """In the forge's Markdown, with the marker of :func:`mergegate.forges.marker.mark`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """One answer to one commit, for every surface of a forge."""

    head: str
    """The commit it speaks of."""
    gate: Gate
    """What the check shows: by the job's ``fail-on``, so that check and exit code agree."""
    headline: str
    """One plain line of at most 140 characters: verdict, score and counts."""
    comment: Callable[[State | None], str]
    """The summary comment with its marker, given what the last one remembered."""
    details: str
    """The report in the forge's Markdown, within the limit of its check or report."""
    annotations: tuple[Annotation, ...] = ()
    """Worst first, all of them: the adapter cuts to its platform's limit and says so."""
    remarks: tuple[Remark, ...] = ()
    """Worst first, already cut to what the team wants to read in line."""
    present: frozenset[str] = frozenset()
    """Ids of all findings that still stand, shown or not: their threads stay open."""
    complete: bool = True
    """Whether every engine answered; else nobody knows which findings are gone."""
    sarif: str | None = None
    """For code scanning, where the forge takes it."""
    score: int = 0
    new: int | None = None
    """Count of new findings; None without a base."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment on the change that we wrote ourselves: the adapter checked its author's id."""

    id: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A review thread whose first comment we wrote ourselves."""

    id: str
    comment_id: str
    """Of its first comment."""
    body: str
    resolved: bool = False
    resolved_by_us: bool = False
