"""Gates that are skipped: GitHub counts a skipped job as a success."""

from collections.abc import Iterator

from mergegate.doctor.predict.github.conditions import runs
from mergegate.doctor.predict.github.names import is_required
from mergegate.doctor.predict.github.view import Run, View
from mergegate.doctor.predict.prediction import Draft, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Path, Put
from mergegate.doctor.predict.yaml.nodes import Node

_EVENTS = ("pull_request", "merge_group")
_REQUIRED = "https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks"

CONDITION = Kind(
    id="github-skipped-counts-as-passed",
    outcome=Outcome.BREAKS,
    title="A condition skips the gate, and a skipped gate passes",
    why="A job that its `if:` skips reports success to a required check; so does a job whose "
    "only important step was skipped.",
    advice="Remove the condition from the gate. Name the events it runs on under `on:`.",
    reference=_REQUIRED,
)
NEEDS = Kind(
    id="github-needs-skip-gate",
    outcome=Outcome.WARNS,
    title="A failed job before the gate makes the gate pass",
    why="When a job that is needed fails or is skipped, those that need it are skipped, and a "
    "skipped job reports success to a required check.",
    advice="Let the gate run whatever the others did: `if: ${{ !cancelled() }}`.",
    reference=_REQUIRED,
)


@predicts(CONDITION)
def condition(view: View) -> Iterator[Draft]:
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
                yield CONDITION.at(
                    path,
                    node.key_line("if"),
                    _told(skipped[0], sure=bool(required)),
                    subject=f"{gate.subject}:{'step' if 'steps' in place else place[-1]}",
                    outcome=Outcome.BREAKS if required else Outcome.WARNS,
                    edits={path: (Drop((*place, "if")),)},
                )


@predicts(NEEDS)
def needs(view: View) -> Iterator[Draft]:
    """The gate's job needs others and has no condition that makes it run regardless."""
    for gate in view.pulled:
        for workflow, job in gate.holders:
            before = job.node["needs"].texts
            if not before or job.node["if"].present or is_required(view, gate) is False:
                continue
            yield NEEDS.at(
                workflow.path,
                job.node.key_line("needs"),
                f"When “{before[0]}” fails the gate is skipped, and its check reports success "
                "although nothing was scanned.",
                subject=gate.subject,
                edits={workflow.path: (Put((*job.path, "if"), "${{ !cancelled() }}", ("needs",)),)},
            )


PREDICTORS = (condition, needs)


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
