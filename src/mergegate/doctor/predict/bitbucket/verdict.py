"""Whether the gate runs, is not stopped by others, and fails the pipeline when it fails."""

from collections.abc import Iterator

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.bitbucket.pipeline import ENTRY, Gate, Pipelines
from mergegate.doctor.predict.prediction import Draft, Kind, Place, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Insert, Put, Swap
from mergegate.doctor.predict.yaml.parse import Form, Node

REPORT = "mergegate-report"


@predicts("bitbucket-exit-code-ignored")
def swallowed(kind: Kind, pipelines: Pipelines) -> Iterator[Draft]:
    """``|| true``, a pipe, ``&&`` and the like, or a call in ``after-script``."""
    for gate in pipelines.gates:
        piped = False
        for line in gate.step.lines:
            for call in shell.calls(line.text, pipefail=piped, ends_there=False):
                if call.swallowed and call.verb != "publish":
                    yield kind.at(
                        gate,
                        "script",
                        line=line.line,
                        edits=_repaired(gate, line, call),
                        reason=call.swallowed,
                    )
            piped = piped or "pipefail" in line.text
    for step in pipelines.steps:
        for line in step.node["after-script"].each:
            if any(call.verb != "publish" for call in shell.calls(line.text)):
                yield kind.at(Place(ENTRY, line.line, f"{step.name}:after"), "after")


@predicts("bitbucket-manual-gate")
def manual(kind: Kind, pipelines: Pipelines) -> Iterator[Draft]:
    """``trigger: manual`` on the step or its stage."""
    for gate in pipelines.gates:
        if gate.step.start == "custom":
            continue
        for place, node in ((gate.step.path, gate.step.node), *gate.step.around):
            if node["trigger"].text == "manual":
                yield kind.at(
                    Place(ENTRY, node.key_line("trigger"), "/".join(map(str, place))),
                    edits=Drop((*place, "trigger")),
                )


@predicts("bitbucket-condition-skips-gate")
def condition(kind: Kind, pipelines: Pipelines) -> Iterator[Draft]:
    """``condition:`` on the step or its stage."""
    for gate in pipelines.gates:
        for place, node in ((gate.step.path, gate.step.node), *gate.step.around):
            if node["condition"].present:
                yield kind.at(
                    Place(ENTRY, node.key_line("condition"), "/".join(map(str, place))),
                    edits=Drop((*place, "condition")),
                )


@predicts("bitbucket-fail-fast-stops-gate")
def fail_fast(kind: Kind, pipelines: Pipelines) -> Iterator[Draft]:
    """``fail-fast: true`` on the parallel group around the gate."""
    for gate in pipelines.gates:
        for place, node in gate.step.around:
            if node["fail-fast"].is_true:
                yield kind.at(
                    Place(ENTRY, node.key_line("fail-fast"), "/".join(map(str, place))),
                    edits=Put((*place, "fail-fast"), False),
                )


@predicts("bitbucket-report-lost")
def report_lost(kind: Kind, pipelines: Pipelines) -> Iterator[Draft]:
    """The report's folder is not among the artifacts."""
    for gate in pipelines.gates:
        if gate.command is None or gate.command.verb != "ci":
            continue
        folder = gate.command.options.get("report", REPORT).rstrip("/")
        artifacts = gate.step.node["artifacts"]
        if any(folder in text for text in _paths(artifacts)):
            continue
        whole = {
            "upload": [{"name": "mergegate", "paths": [f"{folder}/**"], "capture-on": "always"}]
        }
        place = (*gate.step.path, "artifacts")
        edit: Edit | None = None if artifacts.present else Put(place, whole)
        if artifacts.form is Form.LIST and artifacts.items:
            edit = Insert(place, f"{folder}/**")
        yield kind.at(gate, edits=edit or ())


def _repaired(gate: Gate, line: Node, call: shell.ShellCall) -> dict[str, tuple[Edit, ...]]:
    index = gate.step.node["script"].items.index(line)
    place = (*gate.step.path, "script")
    if call.excess:
        blank = " " if f" {call.excess}" in line.text else ""
        return {ENTRY: (Swap((*place, index), f"{blank}{call.excess}", ""),)}
    if call.swallowed is shell.Swallowed.PIPE:
        return {ENTRY: (Insert(place, "set -o pipefail", index),)}
    return {}


def _paths(artifacts: Node) -> Iterator[str]:
    yield from artifacts.texts
    yield from artifacts["paths"].texts
    for one in artifacts["upload"].each:
        yield from one.texts
        yield from one["paths"].texts
