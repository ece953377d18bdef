"""Whether the gate runs, is not stopped by others, and fails the pipeline when it fails."""

from collections.abc import Iterator

from mergegate.doctor.predict import shell
from mergegate.doctor.predict.bitbucket.pipeline import ENTRY, Gate, Pipelines
from mergegate.doctor.predict.prediction import Draft, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Insert, Put, Swap
from mergegate.doctor.predict.yaml.parse import Form, Node

_DOCS = "https://support.atlassian.com/bitbucket-cloud/docs/"
REPORT = "mergegate-report"

SWALLOWED = Kind(
    id="bitbucket-exit-code-ignored",
    outcome=Outcome.BREAKS,
    title="The exit code of Mergegate is lost",
    why="Bitbucket runs the script under `set -e` without `pipefail`, with commands of its own "
    "between the lines; `after-script:` never fails a step.",
    advice="Let Mergegate's exit code end the script.",
    reference="https://support.atlassian.com/bitbucket-cloud/kb/"
    "why-does-bitbucket-pipelines-pass-build-steps-despite-previous-command-failure/",
)
MANUAL = Kind(
    id="bitbucket-manual-gate",
    outcome=Outcome.BREAKS,
    title="The gate waits for somebody to start it",
    why="A step with `trigger: manual` runs when its button is pressed.",
    advice="Remove `trigger: manual`.",
    reference=f"{_DOCS}step-options/",
)
CONDITION = Kind(
    id="bitbucket-condition-skips-gate",
    outcome=Outcome.WARNS,
    title="A condition skips the gate, and the pipeline passes",
    why="A step whose `condition:` does not hold is skipped, and a skipped step does not fail.",
    advice="Remove `condition:` from the gate.",
    reference=f"{_DOCS}step-options/",
)
FAIL_FAST = Kind(
    id="bitbucket-fail-fast-stops-gate",
    outcome=Outcome.WARNS,
    title="Another step's failure stops the scan",
    why="With `fail-fast: true` the first failing step of a parallel group stops the others.",
    advice="Set `fail-fast: false` on the group, or move the gate out of it.",
    reference=f"{_DOCS}parallel-step-options/",
)
REPORT_LOST = Kind(
    id="bitbucket-report-lost",
    outcome=Outcome.WARNS,
    title="The full report is not kept",
    why="Files are gone when the step ends unless they are named under `artifacts:`.",
    advice=f"Upload `{REPORT}/**` as an artifact, with `capture-on: always`.",
    reference=f"{_DOCS}use-artifacts-in-steps/",
)


@predicts(SWALLOWED)
def swallowed(pipelines: Pipelines) -> Iterator[Draft]:
    """``|| true``, a pipe, ``&&`` and the like, or a call in ``after-script``."""
    for gate in pipelines.gates:
        piped = False
        for line in gate.step.lines:
            for call in shell.calls(line.text, pipefail=piped, ends_there=False):
                if call.swallowed and call.verb != "publish":
                    yield SWALLOWED.at(
                        ENTRY,
                        line.line,
                        f"A failing gate leaves the step green, because {call.swallowed}.",
                        subject=gate.step.name,
                        edits=_repaired(gate, line, call),
                    )
            piped = piped or "pipefail" in line.text
    for step in pipelines.steps:
        for line in step.node["after-script"].each:
            if any(call.verb != "publish" for call in shell.calls(line.text)):
                yield SWALLOWED.at(
                    ENTRY,
                    line.line,
                    "A failing gate leaves the step green: what `after-script:` answers counts "
                    "for nothing.",
                    subject=f"{step.name}:after",
                )


@predicts(MANUAL)
def manual(pipelines: Pipelines) -> Iterator[Draft]:
    """``trigger: manual`` on the step or its stage."""
    for gate in pipelines.gates:
        if gate.step.start == "custom":
            continue
        for place, node in ((gate.step.path, gate.step.node), *gate.step.around):
            if node["trigger"].text == "manual":
                yield MANUAL.at(
                    ENTRY,
                    node.key_line("trigger"),
                    "Nothing is scanned until somebody presses the button.",
                    subject="/".join(map(str, place)),
                    edits={ENTRY: (Drop((*place, "trigger")),)},
                )


@predicts(CONDITION)
def condition(pipelines: Pipelines) -> Iterator[Draft]:
    """``condition:`` on the step or its stage."""
    for gate in pipelines.gates:
        for place, node in ((gate.step.path, gate.step.node), *gate.step.around):
            if node["condition"].present:
                yield CONDITION.at(
                    ENTRY,
                    node.key_line("condition"),
                    "Where the condition does not hold, a change is merged unseen and its "
                    "pipeline is green.",
                    subject="/".join(map(str, place)),
                    edits={ENTRY: (Drop((*place, "condition")),)},
                )


@predicts(FAIL_FAST)
def fail_fast(pipelines: Pipelines) -> Iterator[Draft]:
    """``fail-fast: true`` on the parallel group around the gate."""
    for gate in pipelines.gates:
        for place, node in gate.step.around:
            if node["fail-fast"].is_true:
                yield FAIL_FAST.at(
                    ENTRY,
                    node.key_line("fail-fast"),
                    "When a test fails first, the scan is stopped: the pull request gets no "
                    "report until the test is repaired.",
                    subject="/".join(map(str, place)),
                    edits={ENTRY: (Put((*place, "fail-fast"), False),)},
                )


@predicts(REPORT_LOST)
def report_lost(pipelines: Pipelines) -> Iterator[Draft]:
    """The report's folder is not among the artifacts."""
    for gate in pipelines.gates:
        if gate.command is None or gate.command.verb != "ci":
            continue
        folder = gate.command.options.get("report", REPORT).rstrip("/")
        artifacts = gate.step.node["artifacts"]
        if any(folder in text for text in _paths(artifacts)):
            continue
        whole = {
            "upload": [
                {"name": "mergegate", "paths": [f"{folder}/**"], "capture-on": "always"},
            ]
        }
        place = (*gate.step.path, "artifacts")
        edit: Edit | None = None if artifacts.present else Put(place, whole)
        if artifacts.form is Form.LIST and artifacts.items:
            edit = Insert(place, f"{folder}/**")
        yield REPORT_LOST.at(
            ENTRY,
            gate.line,
            "The full report is gone when the step ends; the log and the annotations remain.",
            subject=gate.step.name,
            edits={ENTRY: (edit,)} if edit else {},
        )


PREDICTORS = (swallowed, manual, condition, fail_fast, report_lost)


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
