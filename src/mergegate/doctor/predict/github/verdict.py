"""The exit code: whether a failed gate fails the job."""

from collections.abc import Iterator

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.github.view import Run, View
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Outcome, Place, predicts
from mergegate.doctor.predict.shell import ShellCall, Swallowed
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Put, Swap

_POSIX = ("", "bash", "sh")


@predicts("github-continue-on-error")
def continues(kind: Kind, view: View) -> Iterator[Draft]:
    """``continue-on-error`` on the step or on a job around it."""
    for gate in view.gates:
        jobs = [(workflow.path, job.path, job.node, "job") for workflow, job in gate.holders]
        for path, place, node, what in [(gate.path, gate.step.path, gate.step.node, "step"), *jobs]:
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
def swallowed(kind: Kind, view: View) -> Iterator[Draft]:
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
            blank = " " if f" {call.excess}" in gate.step.script else ""
            edits.append(Swap(run, f"{blank}{call.excess}", ""))
        elif call.swallowed is Swallowed.PIPE and not _shell(gate):
            edits.append(Put((*gate.step.path, "shell"), "bash", ("run",)))
        else:
            return {}
    return {gate.path: tuple(dict.fromkeys(edits))}


def _line(gate: Run, call: ShellCall) -> int:
    """Where in the file the call stands; a block scalar begins below its key."""
    run = gate.step.node["run"]
    return run.line + call.line + (1 if not run.plain and "\n" in gate.step.script else 0)
