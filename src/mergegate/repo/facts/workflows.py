"""What zizmor says of GitHub workflows and actions, beside what they state themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from mergegate.core.severity import Confidence
from mergegate.core.tree import Role
from mergegate.repo.facts.documents import ABSENT, Node


class WorkflowKind(StrEnum):
    """What GitHub takes the file for."""

    WORKFLOW = "workflow"
    ACTION = "action"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowHit:
    """One finding of one of zizmor's audits."""

    audit: str
    """zizmor's identifier: ``template-injection``."""
    description: str
    """What the audit is about, zizmor's words."""
    annotation: str
    """What zizmor says of the place."""
    severity: str
    """zizmor's: ``High``, ``Medium``, ``Low`` or ``Informational``."""
    confidence: Confidence
    start_line: int
    end_line: int
    start_column: int
    end_column: int
    feature: str = ""
    """The reference or expression it points at, secrets masked; empty where it is a block."""
    ignored: bool = False
    """An in-line comment of the scanned file asks zizmor to ignore it."""


@dataclass(frozen=True, slots=True)
class FileWorkflow:
    """What one file's bytes hold."""

    kind: WorkflowKind = WorkflowKind.WORKFLOW
    root: Node = ABSENT
    hits: tuple[WorkflowHit, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkflowFile:
    """A workflow that GitHub would run from this path, or an action."""

    path: str
    role: Role
    found: FileWorkflow

    @property
    def triggers(self) -> dict[str, Node]:
        """The events that start the workflow, each with its filter (ABSENT without one)."""
        on = self.found.root["on"]
        return dict(on.entries) or {event.text: ABSENT for event in on.each if event.text}

    @property
    def jobs(self) -> Iterator[tuple[str, Node]]:
        """The workflow's jobs; an action's steps stand in a job without a name."""
        if self.found.kind is WorkflowKind.ACTION:
            return iter([("", self.found.root["runs"])])
        return self.found.root["jobs"].entries


@dataclass(frozen=True, slots=True)
class Workflows:
    """The fact: every workflow and action, in order of path."""

    files: tuple[WorkflowFile, ...]
