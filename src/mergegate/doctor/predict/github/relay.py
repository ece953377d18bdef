"""The fork-safe pair: whether the second half hears the first, and gets its report."""

from collections.abc import Iterator

from mergegate.doctor.predict.github.forks import hands_over, upload
from mergegate.doctor.predict.github.view import REPORT, Run, View
from mergegate.doctor.predict.github.workflow import Step
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Edit, Put

_PAGE = "https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#workflow_run"

UNHEARD = Kind(
    id="github-second-half-unheard",
    outcome=Outcome.BREAKS,
    title="The second half listens to a workflow that does not exist",
    why="`workflow_run` names workflows by their `name:`. A name that no workflow has starts "
    "nothing, without any message.",
    advice="Name the workflow that scans, letter by letter.",
    reference=_PAGE,
)
EMPTY = Kind(
    id="github-second-half-empty",
    outcome=Outcome.BREAKS,
    title="The second half finds no report",
    why="An artifact is handed from one run to another by its name and the run's id; without "
    "`run-id` only the own run is searched.",
    advice="Upload `mergegate-report` in the first half, and download it with `run-id` and "
    "`github-token` in the second.",
    reference="https://docs.github.com/en/actions/tutorials/store-and-share-data",
)
LOST = Kind(
    id="github-report-lost-on-failure",
    outcome=Outcome.BREAKS,
    title="The report is not handed over when the gate fails",
    why="After a failed step every later step is skipped that does not ask to run regardless.",
    advice="Give the upload `if: ${{ !cancelled() }}`.",
    reference="https://docs.github.com/en/actions/reference/workflows-and-actions/expressions"
    "#status-check-functions",
)
SUCCESS_ONLY = Kind(
    id="github-second-half-success-only",
    outcome=Outcome.BREAKS,
    title="The second half publishes good news only",
    why="The first half fails when the gate fails; its run's conclusion is then `failure`.",
    advice="Ask for the event, not for the conclusion: "
    "`github.event.workflow_run.event == 'pull_request'`.",
    reference=_PAGE,
)


@predicts(UNHEARD)
def unheard(view: View) -> Iterator[Draft]:
    """No workflow has a name that the second half listens to."""
    known = {workflow.name for workflow in view.workflows}
    for half in view.publishers:
        missing = [name for name in view.heard_by(half) if name not in known]
        if missing and not known & set(view.heard_by(half)):
            yield UNHEARD.at(
                half.path,
                half.top.root.at("on", "workflow_run").key_line("workflows"),
                f"The workflow waits for “{missing[0]}”, which is no workflow of this repository: "
                "it never starts, and no pull request from a fork gets an answer.",
                subject=half.subject,
                edits=_renamed(view, half),
            )


@predicts(EMPTY)
def empty(view: View) -> Iterator[Draft]:
    """The download looks in its own run, or the upload is not there."""
    for half in view.publishers:
        for step in _downloads(half):
            if not step.node.at("with", "run-id").present:
                yield EMPTY.at(
                    half.path,
                    step.node.line,
                    "The download looks for the report in its own run, where there is none: the "
                    "job fails and nothing is published.",
                    subject=half.subject,
                    edits={half.path: _from_the_other_run(step)},
                )
        for first in _first_halves(view, half):
            wanted = [step.node.at("with", "name").text or REPORT for step in _downloads(half)]
            if not any(hands_over(step, name) for step in first.job.steps for name in wanted):
                yield EMPTY.at(
                    first.path,
                    first.line,
                    "The scan hands no report over: the workflow that publishes finds nothing and "
                    "fails, and the pull request gets no answer.",
                    subject=first.subject,
                    edits={first.path: tuple(upload(first))} if wanted == [REPORT] else {},
                )


@predicts(LOST)
def lost(view: View) -> Iterator[Draft]:
    """The upload stands behind the scan and has no condition of its own."""
    for gate in view.gates:
        if not view.is_relayed(gate):
            continue
        behind = gate.job.steps[gate.job.steps.index(gate.step) + 1 :]
        for step in behind:
            if hands_over(step) and not _runs_regardless(step):
                yield LOST.at(
                    gate.path,
                    step.node.line,
                    "When the gate fails the report is not uploaded: exactly the pull requests "
                    "with something to tell get no answer.",
                    subject=gate.subject,
                    edits={gate.path: (Put((*step.path, "if"), "${{ !cancelled() }}", ("uses",)),)},
                )


@predicts(SUCCESS_ONLY)
def success_only(view: View) -> Iterator[Draft]:
    """The second half asks for a successful first half."""
    for half in view.publishers:
        condition = half.job.node["if"]
        words = condition.text.replace('"', "'")
        if "workflow_run.conclusion" in words and "'success'" in words and "!=" not in words:
            yield SUCCESS_ONLY.at(
                half.path,
                half.job.node.key_line("if"),
                "A pull request that fails the gate gets no comment; only those that pass do.",
                subject=half.subject,
                edits={
                    half.path: (
                        Put(
                            (*half.job.path, "if"),
                            "github.event.workflow_run.event == 'pull_request'",
                        ),
                    )
                },
            )


PREDICTORS = (unheard, empty, lost, success_only)


def _renamed(view: View, half: Run) -> Edits:
    """Listen to the one workflow that scans pull requests, where there is one alone."""
    names = {gate.top.root["name"].text for gate in view.pulled if gate.call.verb == "ci"}
    if len(names) != 1 or "" in names:
        return {}
    return {half.path: (Put(("on", "workflow_run", "workflows"), sorted(names)),)}


def _downloads(half: Run) -> list[Step]:
    return [step for step in half.job.steps if step.action == "actions/download-artifact"]


def _from_the_other_run(step: Step) -> tuple[Edit, ...]:
    return (
        Put((*step.path, "with", "run-id"), "${{ github.event.workflow_run.id }}"),
        Put((*step.path, "with", "github-token"), "${{ github.token }}"),
    )


def _first_halves(view: View, half: Run) -> Iterator[Run]:
    heard = view.heard_by(half)
    yield from (gate for gate in view.pulled if gate.top.name in heard)


def _runs_regardless(step: Step) -> bool:
    condition = step.node["if"].text
    return any(word in condition for word in ("always()", "!cancelled()", "failure()"))
