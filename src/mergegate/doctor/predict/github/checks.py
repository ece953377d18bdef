"""Required checks: whether the gate's is reported, under which name, and when."""

from collections.abc import Iterator

from mergegate.doctor.predict.github.names import (
    POSTED,
    check_names,
    is_required,
    may_report,
    reported_on_pull_requests,
)
from mergegate.doctor.predict.github.view import Run, View
from mergegate.doctor.predict.github.workflow import Workflow
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Outcome, Place, predicts
from mergegate.doctor.predict.yaml.edit import Insert, Put


@predicts("github-queue-pending")
def queue_pending(kind: Kind, view: View) -> Iterator[Draft]:
    """A queue is in use, the check is or may be required, and no job reports it there."""
    queue, required = view.settings.queue, view.settings.required
    if queue is None:
        queue = any("merge_group" in workflow.triggers for workflow in view.workflows)
    if not queue:
        return
    for gate in view.pulled:
        names = check_names(gate) or ()
        waited = [name for name in names if required is None or name in required]
        waited = [name for name in waited if not may_report(view, name, "merge_group")]
        if waited:
            sure = required is not None and view.settings.queue is True
            yield kind.at(
                Place(gate.top.path, gate.top.root.key_line("on"), gate.subject),
                "sure" if sure else "unsure",
                outcome=Outcome.BREAKS if sure else Outcome.WARNS,
                edits=triggered(gate.top, "merge_group"),
                name=waited[0],
            )


@predicts("github-check-name-never-reported")
def never_reported(kind: Kind, view: View) -> Iterator[Draft]:
    """A required name that looks like the gate's is reported by no job."""
    for name in view.settings.required or ():
        if name.lower() in POSTED or reported_on_pull_requests(view, name):
            continue
        for gate in view.pulled[:1]:
            meant = next((one for one in view.pulled if _means(name, one)), None)
            if meant is None and "mergegate" not in name.lower():
                continue
            found = meant or gate
            reported = check_names(found) or (found.job.name,)
            yield kind.at(
                found,
                line=found.job.node.key_line("name"),
                subject=name,
                edits=_named(found, name),
                name=name,
                reported=reported[0],
            )


@predicts("github-check-name-varies")
def name_varies(kind: Kind, view: View) -> Iterator[Draft]:
    """The gate's job has a matrix, or a name that is computed."""
    for gate in view.pulled:
        names = check_names(gate)
        if names is not None and len(names) == 1 and not _has_matrix(gate):
            continue
        if names is not None and set(names) & set(view.settings.required or ()):
            continue
        yield kind.at(
            gate,
            "named" if names else "computed",
            line=gate.job.node.key_line("strategy" if _has_matrix(gate) else "name"),
            name=names[0] if names else "",
        )


@predicts("github-required-check-posted")
def posted_check(kind: Kind, view: View) -> Iterator[Draft]:
    """“Mergegate” is required, no job is called so, and forks have no second half."""
    posted = [name for name in view.settings.required or () if name.lower() in POSTED]
    if not posted or view.settings.forks is False:
        return
    for gate in view.pulled[:1]:
        if not reported_on_pull_requests(view, posted[0]) and not view.is_relayed(gate):
            job = (check_names(gate) or (gate.job.name,))[0]
            yield kind.at(
                Place(gate.path, gate.line),
                advice=f"Require “{job}” instead: GitHub reports it, whatever the token may do.",
                name=posted[0],
            )


@predicts("github-check-not-required")
def not_required(kind: Kind, view: View) -> Iterator[Draft]:
    """The settings are known, and no gate is among the required checks."""
    required = view.settings.required
    if required is None or any(name.lower() in POSTED for name in required):
        return
    if any(is_required(view, gate) is not False for gate in view.pulled):
        return
    if any(_means(name, gate) for name in required for gate in view.pulled):
        return
    for gate in view.pulled[:1]:
        job = (check_names(gate) or (gate.job.name,))[0]
        yield kind.at(
            Place(gate.path, gate.job.node.key_line("name")),
            advice=f"Require “{job}” in the branch's ruleset.",
        )


def triggered(workflow: Workflow, event: str) -> Edits:
    """The edit that lets ``event`` start ``workflow``."""
    declared = workflow.root["on"]
    if declared.pairs:
        return {workflow.path: (Put(("on", event), None, ("pull_request",)),)}
    if declared.items:
        return {workflow.path: (Insert(("on",), event),)}
    return {workflow.path: (Put(("on",), dict.fromkeys((*declared.texts, event))),)}


def _means(name: str, gate: Run) -> bool:
    """Whether ``name`` is what somebody might call this job."""
    asked = name.lower()
    called = {gate.job.id.lower(), gate.job.name.lower()}
    if gate.caller is not None:
        called |= {gate.caller.id.lower(), gate.caller.name.lower()}
    shown = {f"{gate.top.name} / {one}".lower() for one in called}
    return asked in called | shown


def _named(gate: Run, name: str) -> Edits:
    """Give the job the required name, where the name is the job's to choose."""
    if gate.caller is not None or _has_matrix(gate) or " / " in name or "${{" in name:
        return {}
    return {gate.path: (Put((*gate.job.path, "name"), name),)}


def _has_matrix(gate: Run) -> bool:
    jobs = (gate.job, gate.caller) if gate.caller else (gate.job,)
    return any(job.node.at("strategy", "matrix").present for job in jobs)
