"""The gate's steps: what is checked out before it, and whether its exit code fails the job."""

from collections.abc import Iterator

from mergegate.doctor.predict import recipes, shell
from mergegate.doctor.predict.github.view import Run, Step, View
from mergegate.doctor.predict.prediction import Edits, Kind, Outcome, Place, Prediction, predicts
from mergegate.doctor.predict.shell import ShellCall, Swallowed
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Insert, Put, without

_POSIX = ("", "bash", "sh")


@predicts("github-continue-on-error")
def continues(kind: Kind, view: View) -> Iterator[Prediction]:
    """``continue-on-error`` on the step or on a job around it."""
    for gate in view.gates:
        step = (gate.path, gate.step.path, gate.step.node, "step")
        jobs = [(workflow.path, job.path, job.node, "job") for workflow, job in gate.holders]
        for path, place, node, what in [step, *jobs]:
            stated = node["continue-on-error"]
            if not stated.present or stated.is_false:
                continue
            yield kind.at(
                Place(path, node.key_line("continue-on-error"), f"{gate.subject}:{what}"),
                what,
                outcome=Outcome.BREAKS if what == "step" else Outcome.WARNS,
                edits=Drop((*place, "continue-on-error")),
            )


@predicts("github-exit-code-ignored")
def swallowed(kind: Kind, view: View) -> Iterator[Prediction]:
    """``|| true``, a pipe without ``pipefail``, ``set +e`` and the like."""
    for gate in view.gates:
        lost = _lost(gate)
        if lost:
            yield kind.at(
                gate,
                line=_line(gate, lost[0]),
                edits=_repaired(gate, lost),
                reason=lost[0].swallowed,
            )


def _lost(gate: Run) -> list[ShellCall]:
    started = _shell(gate)
    if started.split(" ")[0] not in _POSIX:
        return []
    found = shell.calls(gate.step.script, pipefail="bash" in started)
    return [call for call in found if call.swallowed and call.verb != "publish"]


def _shell(gate: Run) -> str:
    """What GitHub is told to start; empty for its default, which has no ``pipefail``."""
    defaults = (gate.job.node, gate.workflow.root)
    stated = [gate.step.node["shell"], *(one.at("defaults", "run", "shell") for one in defaults)]
    name = next((one.text for one in stated if one.text), "")
    # `shell: bash {0}` is a command of one's own, without -o pipefail.
    return name if "{0}" not in name or "pipefail" in name else "sh"


def _repaired(gate: Run, lost: list[ShellCall]) -> Edits:
    """What saves every exit code; nothing where one of them cannot be saved."""
    run = (*gate.step.path, "run")
    edits: list[Edit] = []
    for call in lost:
        if call.excess:
            edits.append(without(run, gate.step.script, call.excess))
        elif call.swallowed is Swallowed.PIPE and not _shell(gate):
            edits.append(Put((*gate.step.path, "shell"), "bash", ("run",)))
        else:
            return {}
    return {gate.path: tuple(dict.fromkeys(edits))}


def _line(gate: Run, call: ShellCall) -> int:
    """Where in the file the call stands; a block scalar begins below its key."""
    run = gate.step.node["run"]
    return run.line + call.line + (1 if not run.plain and "\n" in gate.step.script else 0)


@predicts("github-no-checkout")
def missing(kind: Kind, view: View) -> Iterator[Prediction]:
    """A scan without anything before it that could have brought the files."""
    for gate in view.gates:
        before = gate.job.steps[: gate.job.steps.index(gate.step)]
        if not any(_brings_files(step) for step in before) and "git clone" not in gate.step.script:
            yield kind.at(gate, edits=Insert((*gate.job.path, "steps"), recipes.checkout_step(), 0))


@predicts("github-history-unreachable")
def shallow(kind: Kind, view: View) -> Iterator[Prediction]:
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
def partial(kind: Kind, view: View) -> Iterator[Prediction]:
    """``filter:`` on the checkout of a gate that compares."""
    yield from _narrowed(kind, view.pulled, "filter")


@predicts("github-sparse-checkout")
def sparse(kind: Kind, view: View) -> Iterator[Prediction]:
    """``sparse-checkout`` on the checkout of a gate."""
    yield from _narrowed(kind, view.gates, "sparse-checkout")


def _narrowed(kind: Kind, gates: tuple[Run, ...], key: str) -> Iterator[Prediction]:
    """Checkouts that set ``key``, which goes with every key that begins so."""
    for gate in gates:
        for step in _checkouts(gate):
            told = step.node["with"]
            if told[key].text:
                named = [one for one in told.keys if one.startswith(key)]
                edits = tuple(Drop((*step.path, "with", one)) for one in named)
                yield kind.at(gate, line=told.key_line(key), edits=edits)


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
