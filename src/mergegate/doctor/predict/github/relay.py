"""The fork-safe pair: whether the second half hears the first, and gets its report."""

from collections.abc import Iterator

from mergegate.doctor.predict.github.forks import hands_over, upload
from mergegate.doctor.predict.github.view import REPORT, Run, View
from mergegate.doctor.predict.github.workflow import Step
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, predicts
from mergegate.doctor.predict.yaml.edit import Edit, Put


@predicts("github-second-half-unheard")
def unheard(kind: Kind, view: View) -> Iterator[Draft]:
    """No workflow has a name that the second half listens to."""
    known = {workflow.name for workflow in view.workflows}
    for half in view.publishers:
        missing = [name for name in view.heard_by(half) if name not in known]
        if missing and not known & set(view.heard_by(half)):
            yield kind.at(
                half,
                line=half.top.root.at("on", "workflow_run").key_line("workflows"),
                edits=_renamed(view, half),
                name=missing[0],
            )


@predicts("github-second-half-empty")
def empty(kind: Kind, view: View) -> Iterator[Draft]:
    """The download looks in its own run, or the upload is not there."""
    for half in view.publishers:
        for step in _downloads(half):
            if not step.node.at("with", "run-id").present:
                yield kind.at(
                    half, "searched", line=step.node.line, edits=_from_the_other_run(step)
                )
        for first in _first_halves(view, half):
            wanted = [step.node.at("with", "name").text or REPORT for step in _downloads(half)]
            if not any(hands_over(step, name) for step in first.job.steps for name in wanted):
                yield kind.at(
                    first, "uploaded", edits=tuple(upload(first)) if wanted == [REPORT] else ()
                )


@predicts("github-report-lost-on-failure")
def lost(kind: Kind, view: View) -> Iterator[Draft]:
    """The upload stands behind the scan and has no condition of its own."""
    for gate in view.gates:
        if not view.is_relayed(gate):
            continue
        behind = gate.job.steps[gate.job.steps.index(gate.step) + 1 :]
        for step in behind:
            if hands_over(step) and not _runs_regardless(step):
                yield kind.at(
                    gate,
                    line=step.node.line,
                    edits=Put((*step.path, "if"), "${{ !cancelled() }}", ("uses",)),
                )


@predicts("github-second-half-success-only")
def success_only(kind: Kind, view: View) -> Iterator[Draft]:
    """The second half asks for a successful first half."""
    for half in view.publishers:
        condition = half.job.node["if"]
        words = condition.text.replace('"', "'")
        if "workflow_run.conclusion" in words and "'success'" in words and "!=" not in words:
            yield kind.at(
                half,
                line=half.job.node.key_line("if"),
                edits=Put(
                    (*half.job.path, "if"), "github.event.workflow_run.event == 'pull_request'"
                ),
            )


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
