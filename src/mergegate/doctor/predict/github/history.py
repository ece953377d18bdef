"""What is checked out: whether there is something to scan, and something to compare with."""

from collections.abc import Iterator

from mergegate.doctor.predict import recipes
from mergegate.doctor.predict.github.view import Run, View
from mergegate.doctor.predict.github.workflow import Step
from mergegate.doctor.predict.prediction import Draft, Kind, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Insert, Put


@predicts("github-no-checkout")
def missing(kind: Kind, view: View) -> Iterator[Draft]:
    """A scan without anything before it that could have brought the files."""
    for gate in view.gates:
        before = gate.job.steps[: gate.job.steps.index(gate.step)]
        if not any(_brings_files(step) for step in before) and "git clone" not in gate.step.script:
            yield kind.at(gate, edits=Insert((*gate.job.path, "steps"), recipes.checkout_step(), 0))


@predicts("github-history-unreachable")
def shallow(kind: Kind, view: View) -> Iterator[Draft]:
    """A single commit, and no way to fetch more."""
    for gate in view.pulled:
        for step in _checkouts(gate)[:1]:
            told = step.node["with"]
            if told["fetch-depth"].text in {"0", ""} and told["fetch-depth"].present:
                continue
            if "git fetch" in "".join(one.script for one in gate.job.steps):
                continue
            case = _unreachable(view, gate, step)
            if case:
                yield kind.at(
                    gate,
                    case,
                    line=step.node.line,
                    edits=Put((*step.path, "with", "fetch-depth"), 0),
                )


@predicts("github-partial-clone")
def partial(kind: Kind, view: View) -> Iterator[Draft]:
    """``filter:`` on the checkout of a gate that compares."""
    for gate in view.pulled:
        for step in _checkouts(gate):
            if step.node.at("with", "filter").text:
                yield kind.at(
                    gate,
                    line=step.node["with"].key_line("filter"),
                    edits=Drop((*step.path, "with", "filter")),
                )


@predicts("github-sparse-checkout")
def sparse(kind: Kind, view: View) -> Iterator[Draft]:
    """``sparse-checkout`` on the checkout of a gate."""
    for gate in view.gates:
        for step in _checkouts(gate):
            told = step.node["with"]
            named = [key for key in told.keys if key.startswith("sparse-checkout")]
            if told["sparse-checkout"].text:
                yield kind.at(
                    gate,
                    line=told.key_line("sparse-checkout"),
                    edits=tuple(Drop((*step.path, "with", key)) for key in named),
                )


def _unreachable(view: View, gate: Run, step: Step) -> str:
    """Which command misses the base; empty where none does."""
    if gate.call.verb == "scan":
        return "scan" if gate.call.options.get("base") else ""
    kept = not step.node.at("with", "persist-credentials").is_false
    return "" if kept or gate.token or view.settings.private is not True else "ci"


def _checkouts(gate: Run) -> list[Step]:
    before = gate.job.steps[: gate.job.steps.index(gate.step)]
    return [step for step in before if step.action == "actions/checkout"]


def _brings_files(step: Step) -> bool:
    """A checkout, a download, a clone, or an action that may do any of it."""
    action = step.action
    if action.startswith("actions/"):
        return action in {"actions/checkout", "actions/download-artifact"}
    return bool(action) or "git clone" in step.script or "git fetch" in step.script
