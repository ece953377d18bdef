"""Required checks: whether the gate's is reported, under which name, and when."""

import re
from collections.abc import Iterator
from itertools import product

from mergegate.doctor.predict.github.view import PULL, Job, Run, View, Workflow
from mergegate.doctor.predict.prediction import Edits, Kind, Outcome, Place, Prediction, predicts
from mergegate.doctor.predict.yaml.edit import Insert, Put
from mergegate.doctor.predict.yaml.parse import Form, Node

POSTED = frozenset({"mergegate"})
"""The check that Mergegate itself posts, in lower case; it takes a token that may write."""
_MATRIX = re.compile(r"\$\{\{\s*matrix\.([\w-]+)\s*\}\}")
_MOST_ENTRIES = 256
_BY_EVENT = re.compile(
    r"\$\{\{\s*github\.event_name\s*==\s*'\w+'\s*&&\s*'([^']+)'\s*\|\|\s*'([^']+)'\s*\}\}"
)
"""One name for an event and another for all others: each run still has one that is known."""


def check_names(run: Run) -> tuple[str, ...] | None:
    """The names under which the job of ``run`` is reported; None where they are computed."""
    own = job_names(run.job)
    if run.caller is None:
        return own
    outer = job_names(run.caller)
    if own is None or outer is None:
        return None
    return tuple(f"{before} / {name}" for before in outer for name in own)


def job_names(job: Job) -> tuple[str, ...] | None:
    """``job``'s own names, one an entry of its matrix, or one an event."""
    matrix = job.node.at("strategy", "matrix")
    if not matrix.present:
        if by_event := _BY_EVENT.fullmatch(job.name):
            return by_event.groups()
        return None if "${{" in job.name else (job.name,)
    entries = list(_entries(matrix))
    if not entries or len(entries) > _MOST_ENTRIES:
        return None
    named = [_named_entry(job, entry) for entry in entries]
    known = tuple(dict.fromkeys(name for name in named if name is not None))
    return None if None in named else known


def _entries(matrix: Node) -> Iterator[dict[str, str]]:
    """The combinations, where the file tells them."""
    axes = [(key, values.items) for key, values in matrix.entries]
    plain = all(
        key not in {"include", "exclude"}
        and values
        and all(one.form is Form.SCALAR for one in values)
        for key, values in axes
    )
    size = 1
    for _, values in axes:
        size *= max(len(values), 1)
    if not plain or size > _MOST_ENTRIES:
        return
    for combination in product(*(values for _, values in axes)):
        yield {key: one.text for (key, _), one in zip(axes, combination, strict=True)}


def _named_entry(job: Job, entry: dict[str, str]) -> str | None:
    if not _MATRIX.search(job.name):
        return None if "${{" in job.name else f"{job.name} ({', '.join(entry.values())})"
    name = _MATRIX.sub(lambda match: entry.get(match[1], "${{"), job.name)
    return None if "${{" in name else name


def may_report(view: View, name: str, *events: str) -> bool:
    """Whether some job of the repository is, or may be, reported as ``name`` on an event."""
    return any(
        found is None or name in found
        for workflow in view.workflows
        if any(event in workflow.triggers for event in events)
        for found in _reported(view, workflow, name)
    )


def _reported(view: View, workflow: Workflow, name: str) -> Iterator[tuple[str, ...] | None]:
    for job in workflow.jobs:
        outer = job_names(job)
        if not job.calls_workflow:
            yield outer
            continue
        called = view.called(job)
        if outer is None or called is None:
            # Another repository's workflow: its jobs stand behind this job's name.
            known = outer is not None and not any(name.startswith(f"{one} / ") for one in outer)
            yield () if known else None
            continue
        for inner in called.jobs:
            own = job_names(inner)
            yield None if own is None else tuple(f"{a} / {b}" for a in outer for b in own)


def is_required(view: View, run: Run) -> bool | None:
    """Whether nothing is merged without this job; None where that is not known."""
    required, names = view.settings.required, check_names(run)
    if required is None:
        return None
    if names is None:
        return None if required else False
    return any(name in required for name in names)


def reported_on_pull_requests(view: View, name: str) -> bool:
    """Whether a pull request gets a check of this name from a job."""
    return may_report(view, name, *PULL, "push")


@predicts("github-queue-pending")
def queue_pending(kind: Kind, view: View) -> Iterator[Prediction]:
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
def never_reported(kind: Kind, view: View) -> Iterator[Prediction]:
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
def name_varies(kind: Kind, view: View) -> Iterator[Prediction]:
    """The gate's job has a matrix, or a name that is computed."""
    for gate in view.pulled:
        names = check_names(gate)
        if names is not None and not _has_matrix(gate):
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
def posted_check(kind: Kind, view: View) -> Iterator[Prediction]:
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
def not_required(kind: Kind, view: View) -> Iterator[Prediction]:
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
