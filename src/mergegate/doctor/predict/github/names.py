"""Under which names GitHub reports a job: what a required check has to be called."""

import re
from collections.abc import Iterator
from itertools import product

from mergegate.doctor.predict.github.view import PULL, Run, View
from mergegate.doctor.predict.github.workflow import Job, Workflow
from mergegate.doctor.predict.yaml.parse import Form, Node

POSTED = frozenset({"mergegate"})
"""The check that Mergegate itself posts, in lower case; it takes a token that may write."""
_MATRIX = re.compile(r"\$\{\{\s*matrix\.([\w-]+)\s*\}\}")
_MOST_ENTRIES = 256


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
    """``job``'s own names, one an entry of its matrix."""
    matrix = job.node.at("strategy", "matrix")
    if not matrix.present:
        return None if "${{" in job.name else (job.name,)
    entries = list(_entries(matrix))
    if not entries or len(entries) > _MOST_ENTRIES:
        return None
    named = [_named(job, entry) for entry in entries]
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


def _named(job: Job, entry: dict[str, str]) -> str | None:
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
