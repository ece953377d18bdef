"""What ages, collides or runs for nothing: pins, concurrency, time limits, schedules."""

import re
from collections.abc import Iterator

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.github.view import Run, View
from mergegate.doctor.predict.github.workflow import Job, Workflow
from mergegate.doctor.predict.prediction import Draft, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Edit, Path, Put
from mergegate.doctor.predict.yaml.parse import Form, Node

_SYNTAX = "https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax"
_EVENTS = "https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows"
_COMMIT = re.compile(r"@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$")
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

UNPINNED = Kind(
    id="github-unpinned",
    outcome=Outcome.WARNS,
    title="Mergegate is not pinned",
    why="Tags and `latest` can be moved to other content, which then runs with this job's token.",
    advice="Pin the action to a commit, an image to its digest, the package to a version.",
    reference="https://docs.github.com/en/actions/reference/security/secure-use",
)
CANCELLED = Kind(
    id="github-runs-cancel-each-other",
    outcome=Outcome.BREAKS,
    title="Runs for different changes cancel each other",
    why="Of one concurrency group a single run is in progress and one waits; a third ends the "
    "waiting one, and with `cancel-in-progress` the running one too.",
    advice="Put `${{ github.ref }}` into the group: it differs for each pull request and each "
    "entry of a merge queue.",
    reference=f"{_SYNTAX}#concurrency",
)
ENDLESS = Kind(
    id="github-no-timeout",
    outcome=Outcome.NOTES,
    title="The job has no time limit",
    why="Without `timeout-minutes` a job may run for six hours.",
    advice="Set `timeout-minutes`.",
    reference=f"{_SYNTAX}#jobsjob_idtimeout-minutes",
)
SLEEPS = Kind(
    id="github-schedule-sleeps",
    outcome=Outcome.NOTES,
    title="The schedule ends when the repository falls silent",
    why="In public repositories GitHub disables scheduled workflows after 60 days without "
    "activity.",
    advice="Look at the Actions page now and then, or run the schedule elsewhere.",
    reference=f"{_EVENTS}#schedule",
)
DEFAULT_BRANCH = Kind(
    id="github-default-branch-only",
    outcome=Outcome.NOTES,
    title="The workflow has no effect before it is merged",
    why="`issue_comment`, `workflow_run` and `schedule` start the workflow as it stands on the "
    "default branch.",
    advice="Merge it first, then try it.",
    reference=_EVENTS,
)
EVERY_COMMENT = Kind(
    id="github-every-comment-runs",
    outcome=Outcome.WARNS,
    title="Every comment on every issue starts a run",
    why="`issue_comment` is sent for issues and pull requests alike, whatever the comment says.",
    advice="Give the job a condition that asks for a pull request and for `/mergegate`.",
    reference=f"{_EVENTS}#issue_comment",
)
NOT_LINUX = Kind(
    id="github-runner-not-linux",
    outcome=Outcome.BREAKS,
    title="The action's container does not run on this runner",
    why="Container actions run on Linux runners alone.",
    advice="Run the job on `ubuntu-24.04`.",
    reference="https://docs.github.com/en/actions/reference/workflows-and-actions/"
    "dockerfile-support",
)


@predicts(UNPINNED)
def unpinned(view: View) -> Iterator[Draft]:
    """An action or image without a commit or digest, a package without a version."""
    for run in view.runs:
        reference = run.call.reference
        moving = bool(reference) and not reference.startswith(".") and not _COMMIT.search(reference)
        if moving or any(shell.installs_unpinned(step.script) for step in run.job.steps):
            yield UNPINNED.at(
                run.path,
                run.line,
                f"Whoever can move “{reference}” runs code in this job tomorrow."
                if moving
                else "Each run takes whatever release is the newest: the same change can pass "
                "today and fail tomorrow.",
                subject=run.subject,
            )


@predicts(CANCELLED)
def cancelled(view: View) -> Iterator[Draft]:
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
            yield CANCELLED.at(
                workflow.path,
                group.line,
                "An entry of the merge queue cancels the one before it, which is thrown out."
                if alike == ["merge_group"]
                else "A push to one pull request cancels the scan of another, whose check then "
                "stays cancelled until somebody starts it again.",
                subject=f"{gate.subject}:{'/'.join(map(str, place))}",
                outcome=Outcome.BREAKS if kills else Outcome.WARNS,
                edits={workflow.path: (_told_apart(place, node, group),)},
            )


@predicts(ENDLESS)
def endless(view: View) -> Iterator[Draft]:
    """Neither the job nor the step has ``timeout-minutes``."""
    for run in view.runs:
        limits = (run.job.node["timeout-minutes"], run.step.node["timeout-minutes"])
        if not any(limit.present for limit in limits):
            minutes = 10 if run.call.verb == "publish" else 30
            yield ENDLESS.at(
                run.path,
                run.job.node.line,
                "A run that hangs keeps the check pending for up to six hours.",
                subject=run.subject,
                edits={run.path: (Put((*run.job.path, "timeout-minutes"), minutes, ("runs-on",)),)},
            )


@predicts(SLEEPS)
def sleeps(view: View) -> Iterator[Draft]:
    """``schedule:`` in a repository that is or may be public."""
    for gate in view.gates:
        if "schedule" in gate.events and view.settings.private is not True:
            yield SLEEPS.at(
                gate.top.path,
                gate.top.line_of("schedule"),
                "After 60 days without activity in a public repository the scheduled scan no "
                "longer runs; GitHub sends an e-mail and nothing else.",
                subject=gate.subject,
            )


@predicts(DEFAULT_BRANCH)
def default_branch(view: View) -> Iterator[Draft]:
    """The branch checked out is known not to be the default one."""
    default, branch = view.settings.default_branch, view.scene.branch
    if default is None or branch is None or branch == default:
        return
    for run in view.runs:
        events = [one for one in ("issue_comment", "workflow_run", "schedule") if one in run.events]
        if events:
            yield DEFAULT_BRANCH.at(
                run.top.path,
                run.top.line_of(events[0]),
                f"On the branch “{branch}” this workflow does nothing: `{events[0]}` uses the "
                f"file as it stands on “{default}”.",
                subject=run.subject,
            )


@predicts(EVERY_COMMENT)
def every_comment(view: View) -> Iterator[Draft]:
    """``issue_comment`` without a condition on the comment."""
    for run in view.gates:
        if "issue_comment" not in run.events:
            continue
        conditions = [job.node["if"].text for _, job in run.holders] + [run.step.node["if"].text]
        if any("comment.body" in one for one in conditions):
            continue
        only = set(run.events) == {"issue_comment"} and run.caller is None
        free = not run.job.node["if"].present
        yield EVERY_COMMENT.at(
            run.path,
            run.job.node.line,
            "Every comment, on every issue too, starts a job; on an issue it fails.",
            subject=run.subject,
            edits={run.path: (Put((*run.job.path, "if"), _ASKED, ("name",)),)}
            if only and free
            else {},
        )


@predicts(NOT_LINUX)
def not_linux(view: View) -> Iterator[Draft]:
    """A container action on a hosted runner with macOS or Windows."""
    for run in view.runs:
        runner = run.job.node["runs-on"]
        named = [one for one in runner.texts if one.startswith(("macos-", "windows-"))]
        if named and run.call.reference:
            yield NOT_LINUX.at(
                run.path,
                run.job.node.key_line("runs-on"),
                f"The job fails at once: “{named[0]}” cannot start containers.",
                subject=run.subject,
                edits={run.path: (Put((*run.job.path, "runs-on"), "ubuntu-24.04"),)},
            )


PREDICTORS = (unpinned, cancelled, endless, sleeps, default_branch, every_comment, not_linux)

_ASKED = "github.event.issue.pull_request && startsWith(github.event.comment.body, '/mergegate')"


def _groups(gate: Run) -> Iterator[tuple[Workflow, Path, Node]]:
    """Every ``concurrency:`` that the gate is in."""
    roots = [(gate.top, (), gate.top.root)]
    jobs: list[tuple[Workflow, Job]] = list(gate.holders)
    holders: list[tuple[Workflow, Path, Node]] = [
        *roots,
        *((workflow, job.path, job.node) for workflow, job in jobs),
    ]
    for workflow, place, node in holders:
        if node["concurrency"].present:
            yield workflow, (*place, "concurrency"), node["concurrency"]


def _told_apart(place: Path, node: Node, group: Node) -> Edit:
    path = (*place, "group") if node.form is Form.MAP else place
    return Put(path, f"{group.text}-${{{{ github.ref }}}}")
