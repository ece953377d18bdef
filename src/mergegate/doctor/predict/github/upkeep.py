"""What ages, collides or runs for nothing: pins, concurrency, time limits, schedules."""

import re
from collections.abc import Iterator

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.github.view import Run, View, Workflow
from mergegate.doctor.predict.prediction import Kind, Outcome, Place, Prediction, predicts
from mergegate.doctor.predict.yaml.edit import Edit, Path, Put
from mergegate.doctor.predict.yaml.parse import Form, Node

_COMMIT = re.compile(r"@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$|/mergegate(?:/publish)?@COMMIT$")
"""Pins, and what our recipes leave to fill in."""
_TELLING = {
    "pull_request": (
        "github.ref", "github.head_ref", "github.sha", "github.run_id",
        "github.event.pull_request.number", "github.event.number",
        "github.event.pull_request.head",
    ),
    "merge_group": (
        "github.ref", "github.sha", "github.run_id", "github.event.merge_group.head",
    ),
}  # fmt: skip
"""What differs between two changes, by event. `github.head_ref` is empty in a merge queue."""


@predicts("github-unpinned")
def unpinned(kind: Kind, view: View) -> Iterator[Prediction]:
    """An action or image without a commit or digest, a package without a version."""
    for run in view.runs:
        reference = run.call.reference
        moving = bool(reference) and not reference.startswith(".") and not _COMMIT.search(reference)
        if moving or any(shell.installs_unpinned(step.script) for step in run.job.steps):
            yield kind.at(run, "moving" if moving else "newest", reference=reference)


@predicts("github-runs-cancel-each-other")
def cancelled(kind: Kind, view: View) -> Iterator[Prediction]:
    """A concurrency group whose name is the same for two changes."""
    for gate in view.gates:
        for workflow, place, node in _groups(gate):
            group = node["group"] if node.pairs else node
            alike = [
                event
                for event, telling in _TELLING.items()
                if event in gate.events and not any(one in group.text for one in telling)
            ]
            if not alike:
                continue
            kills = node["cancel-in-progress"].present and not node["cancel-in-progress"].is_false
            yield kind.at(
                Place(workflow.path, group.line, f"{gate.subject}:{'/'.join(map(str, place))}"),
                "queue" if alike == ["merge_group"] else "push",
                outcome=Outcome.BREAKS if kills else Outcome.WARNS,
                edits=_told_apart(place, node, group),
            )


@predicts("github-no-timeout")
def endless(kind: Kind, view: View) -> Iterator[Prediction]:
    """Neither the job nor the step has ``timeout-minutes``."""
    for run in view.runs:
        limits = (run.job.node["timeout-minutes"], run.step.node["timeout-minutes"])
        if not any(limit.present for limit in limits):
            minutes = 10 if run.call.verb == "publish" else 30
            yield kind.at(
                run,
                line=run.job.node.line,
                edits=Put((*run.job.path, "timeout-minutes"), minutes, ("runs-on",)),
            )


@predicts("github-schedule-sleeps")
def sleeps(kind: Kind, view: View) -> Iterator[Prediction]:
    """``schedule:`` in a repository that is or may be public."""
    for gate in view.gates:
        if "schedule" in gate.events and view.settings.private is not True:
            yield kind.at(Place(gate.top.path, gate.top.line_of("schedule"), gate.subject))


@predicts("github-default-branch-only")
def default_branch(kind: Kind, view: View) -> Iterator[Prediction]:
    """The branch checked out is known not to be the default one."""
    default, branch = view.settings.default_branch, view.scene.branch
    if default is None or branch is None or branch == default:
        return
    for run in view.runs:
        events = [one for one in ("issue_comment", "workflow_run", "schedule") if one in run.events]
        if events:
            yield kind.at(
                Place(run.top.path, run.top.line_of(events[0]), run.subject),
                branch=branch,
                event=events[0],
                default=default,
            )


@predicts("github-every-comment-runs")
def every_comment(kind: Kind, view: View) -> Iterator[Prediction]:
    """``issue_comment`` without a condition on the comment."""
    for run in view.gates:
        if "issue_comment" not in run.events:
            continue
        conditions = [job.node["if"].text for _, job in run.holders] + [run.step.node["if"].text]
        if any("comment.body" in one for one in conditions):
            continue
        only = set(run.events) == {"issue_comment"} and run.caller is None
        free = not run.job.node["if"].present
        yield kind.at(
            run,
            line=run.job.node.line,
            edits=Put((*run.job.path, "if"), _ASKED, ("name",)) if only and free else (),
        )


@predicts("github-runner-not-linux")
def not_linux(kind: Kind, view: View) -> Iterator[Prediction]:
    """A container action on a hosted runner with macOS or Windows."""
    for run in view.runs:
        runner = run.job.node["runs-on"]
        named = [one for one in runner.texts if one.startswith(("macos-", "windows-"))]
        if named and run.call.reference:
            yield kind.at(
                run,
                line=run.job.node.key_line("runs-on"),
                edits=Put((*run.job.path, "runs-on"), "ubuntu-24.04"),
                runner=named[0],
            )


_ASKED = "github.event.issue.pull_request && startsWith(github.event.comment.body, '/mergegate')"


def _groups(gate: Run) -> Iterator[tuple[Workflow, Path, Node]]:
    """Every ``concurrency:`` that the gate is in."""
    holders: list[tuple[Workflow, Path, Node]] = [(gate.top, (), gate.top.root)]
    holders += [(workflow, job.path, job.node) for workflow, job in gate.holders]
    for workflow, place, node in holders:
        if node["concurrency"].present:
            yield workflow, (*place, "concurrency"), node["concurrency"]


def _told_apart(place: Path, node: Node, group: Node) -> Edit:
    path = (*place, "group") if node.form is Form.MAP else place
    return Put(path, f"{group.text}-${{{{ github.ref }}}}")
