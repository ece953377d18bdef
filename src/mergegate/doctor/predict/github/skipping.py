"""Gates that are skipped: GitHub counts a skipped job as a success."""

import re
from collections.abc import Iterator

from mergegate.doctor.predict.github.names import is_required
from mergegate.doctor.predict.github.view import Run, View
from mergegate.doctor.predict.logic import UNKNOWN, Language, Look, Value, holds
from mergegate.doctor.predict.prediction import Draft, Kind, Outcome, Place, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Path, Put
from mergegate.doctor.predict.yaml.parse import Node

_OWN_NAME = re.compile(
    r"github\.repository(?:_owner)?\s*==\s*'[^']*'|'[^']*'\s*==\s*github\.repository(?:_owner)?\b"
)
_STATUS: dict[str, Value] = {"always": True, "success": True, "cancelled": False, "failure": False}
_PAYLOADS = {
    "github.event.pull_request": ("pull_request", "pull_request_target"),
    "github.event.pull_request.number": ("pull_request", "pull_request_target"),
    "github.event.merge_group": ("merge_group",),
    "github.base_ref": ("pull_request", "pull_request_target"),
    "github.head_ref": ("pull_request", "pull_request_target"),
}


def runs(condition: str, event: str) -> bool | None:
    """Whether ``condition`` lets a job or step run on ``event``; None where the run decides.

    All before it is taken to have gone well, and the repository to be the one it names.
    """
    bare = condition.strip()
    if bare.startswith("${{") and bare.endswith("}}") and bare.count("${{") == 1:
        bare = bare[3:-2]
    if "${{" in bare:
        return None
    return holds(_OWN_NAME.sub("true", bare), Language(_looking(event), _asked, ignores_case=True))


def _asked(name: str) -> Value:
    return _STATUS.get(name, UNKNOWN)


def _looking(event: str) -> Look:
    def look(name: str) -> Value:
        if name == "github.event_name":
            return event
        if name in _PAYLOADS and event not in _PAYLOADS[name]:
            return None
        # What is there is true; which one it is, only the run knows.
        return UNKNOWN

    return look


_EVENTS = ("pull_request", "merge_group")


@predicts("github-skipped-counts-as-passed")
def condition(kind: Kind, view: View) -> Iterator[Draft]:
    """An ``if:`` on the job, its caller or the step that may be false on a change."""
    for gate in view.pulled:
        required = is_required(view, gate)
        if required is False:
            continue
        for path, place, node in _conditions(gate):
            skipped = [
                event
                for event in _EVENTS
                if event in gate.events and runs(node["if"].text, event) is not True
            ]
            if skipped:
                yield kind.at(
                    Place(
                        path,
                        node.key_line("if"),
                        f"{gate.subject}:{'step' if 'steps' in place else place[-1]}",
                    ),
                    outcome=Outcome.BREAKS if required else Outcome.WARNS,
                    edits=Drop((*place, "if")),
                    change="an entry of the merge queue"
                    if skipped[0] == "merge_group"
                    else "a pull request",
                    check="the required check" if required else "the check",
                )


@predicts("github-needs-skip-gate")
def needs(kind: Kind, view: View) -> Iterator[Draft]:
    """The gate's job needs others and has no condition that makes it run regardless."""
    for gate in view.pulled:
        for workflow, job in gate.holders:
            before = job.node["needs"].texts
            if not before or job.node["if"].present or is_required(view, gate) is False:
                continue
            yield kind.at(
                Place(workflow.path, job.node.key_line("needs"), gate.subject),
                edits=Put((*job.path, "if"), "${{ !cancelled() }}", ("needs",)),
                job=before[0],
            )


def _told(event: str, *, sure: bool) -> str:
    where = "an entry of the merge queue" if event == "merge_group" else "a pull request"
    check = "the required check" if sure else "the check"
    return (
        f"Where the condition does not hold, {where} is not scanned and {check} reports success: "
        "it passes the gate unseen."
    )


def _conditions(gate: Run) -> Iterator[tuple[str, Path, Node]]:
    """The conditions before the scan; those that only ask for the other jobs' state aside."""
    for workflow, job in gate.holders:
        if job.node["if"].present:
            yield workflow.path, job.path, job.node
    if gate.step.node["if"].present:
        yield gate.path, gate.step.path, gate.step.node
