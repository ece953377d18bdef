"""What is to be said on a forge, rendered for it, and what is already said there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from mergegate.core.change import Provider
from mergegate.core.finding import Finding
from mergegate.core.report import Gate, Verdict
from mergegate.core.severity import Kind, Severity
from mergegate.forges.marker import Hiding, State


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
    verified: bool = True
    """Whether the publishing job saw all of it; a pass is shown as none where it did not."""
    is_held: bool = False
    """Whether what was not seen could have stopped the merge: then it does."""
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
    """Whether every engine answered; else it is not known which findings are gone."""
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
    """The id of the thread's first comment."""
    body: str
    resolved: bool = False
    resolved_by_us: bool = False


class Suggesting(StrEnum):
    """Which lines a forge replaces when a suggestion is accepted."""

    RANGE = "range"
    """All lines that the comment stands on: GitHub."""
    LINE = "line"
    """The one line that the comment stands on: Bitbucket."""
    OFFSETS = "offsets"
    """The lines that the block's heading counts up and down from the comment's last one: GitLab."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What a forge makes of Markdown."""

    hiding: Hiding
    html: bool
    """Whether ``details`` and ``summary`` fold text; where not, HTML is shown as text."""
    limit: int
    """The most characters of a comment, with some air below what the forge refuses."""
    suggesting: Suggesting = Suggesting.RANGE


GITHUB = Dialect(hiding=Hiding.HTML, html=True, limit=65_000)
GITLAB = Dialect(hiding=Hiding.HTML, html=True, limit=200_000, suggesting=Suggesting.OFFSETS)
BITBUCKET = Dialect(hiding=Hiding.REFERENCE, html=False, limit=30_000, suggesting=Suggesting.LINE)
DIALECTS: Mapping[Provider, Dialect] = MappingProxyType(
    {
        Provider.GITHUB: GITHUB,
        Provider.GITLAB: GITLAB,
        Provider.BITBUCKET: BITBUCKET,
    }
)
"""Provider → dialect of its comments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framing:
    """What a report does not know about the answer that is made of it."""

    verdict: Verdict
    """What check and exit code follow, as :func:`mergegate.core.score.decide` says."""
    fail_on: str
    """``gate``: the whole repository is judged; ``new``: what the change brings;
    ``never``: nothing blocks."""
    dialect: Dialect
    head: str
    """The commit that is answered."""
    sequence: int
    """The run's number, see :attr:`mergegate.core.change.Change.sequence`."""
    at: str
    """When, ISO 8601, UTC."""
    run_url: str = ""
    """The job's log and artifacts; anything but a plain https address is left out."""
    commands: bool = False
    """Whether anybody listens to ``/mergegate …`` comments."""
    most_remarks: int = 10
    """How many review comments a change may get."""
    claimed: tuple[Finding, ...] = ()
    """What the change's own job alone says of it, worst first: hostile, and seen by nobody else."""
    unverified: str = ""
    """Whose word a part of the answer is, one sentence; then it is no pass. Empty: it was seen."""
    is_held: bool = False
    """Whether the policy lets that part stop the merge."""

    @property
    def gate(self) -> Gate:
        """What the check shows."""
        return self.verdict.gate


SCANNING = "This commit is being scanned"
STOPPED = "The scan was called off before its end; push, or comment `/mergegate rescan`"
