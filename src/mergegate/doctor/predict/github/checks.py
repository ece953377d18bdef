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
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Insert, Put

_REQUIRED = "https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks"
_QUEUE = "https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges/managing-a-merge-queue"

QUEUE_PENDING = Kind(
    id="github-queue-pending",
    outcome=Outcome.BREAKS,
    title="The merge queue waits for a check that never comes",
    why="A merge queue tests commits of its own. Required checks run on them only where their "
    "workflow names the event `merge_group`.",
    advice="Add `merge_group:` to the workflow's `on:`, under the same check name.",
    reference=_QUEUE,
)
NEVER_REPORTED = Kind(
    id="github-check-name-never-reported",
    outcome=Outcome.BREAKS,
    title="A required check is called otherwise than the job",
    why="A required check is met by its name alone: the job's `name:`, else its id; with a matrix "
    "followed by its values, behind a called workflow preceded by the calling job.",
    advice="Require the name under which the job is reported, or give the job that name.",
    reference=_REQUIRED,
)
NAME_VARIES = Kind(
    id="github-check-name-varies",
    outcome=Outcome.WARNS,
    title="The check's name is not always the same",
    why="Only one fixed name can be required; a matrix and expressions give the job several.",
    advice="Run the gate in one job with a fixed name and without a matrix.",
    reference=_REQUIRED,
)
POSTED_CHECK = Kind(
    id="github-required-check-posted",
    outcome=Outcome.BREAKS,
    title="The required check is one that a read-only token cannot post",
    why="Mergegate posts the check “Mergegate” through the API, which takes a token that may "
    "write; the job's own check is reported by GitHub, always.",
    advice="Require the job's name instead, or publish from a second workflow.",
    reference=_REQUIRED,
)
NOT_REQUIRED = Kind(
    id="github-check-not-required",
    outcome=Outcome.WARNS,
    title="No rule requires the check",
    why="A failed check stops a merge only where the branch's rules require it.",
    advice="Require the job's check in the branch's ruleset.",
    reference=_REQUIRED,
)


@predicts(QUEUE_PENDING)
def queue_pending(view: View) -> Iterator[Draft]:
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
            yield QUEUE_PENDING.at(
                gate.top.path,
                gate.top.root.key_line("on"),
                f"In the merge queue the required check “{waited[0]}” is never reported: every "
                "entry waits until it is thrown out."
                if sure
                else f"If “{waited[0]}” is required, every entry of the merge queue waits for it "
                "until it is thrown out.",
                subject=gate.subject,
                outcome=Outcome.BREAKS if sure else Outcome.WARNS,
                edits=triggered(gate.top, "merge_group"),
            )


@predicts(NEVER_REPORTED)
def never_reported(view: View) -> Iterator[Draft]:
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
            yield NEVER_REPORTED.at(
                found.path,
                found.job.node.key_line("name"),
                f"The check “{name}” is required, but the job is reported as “{reported[0]}”: "
                "every pull request waits for ever.",
                subject=name,
                edits=_named(found, name),
            )


@predicts(NAME_VARIES)
def name_varies(view: View) -> Iterator[Draft]:
    """The gate's job has a matrix, or a name that is computed."""
    for gate in view.pulled:
        names = check_names(gate)
        if names is not None and len(names) == 1 and not _has_matrix(gate):
            continue
        if names is not None and set(names) & set(view.settings.required or ()):
            continue
        shown = f"as “{names[0]}” and the like" if names else "under a computed name"
        yield NAME_VARIES.at(
            gate.path,
            gate.job.node.key_line("strategy" if _has_matrix(gate) else "name"),
            f"The gate is reported {shown}: no single check stands for it that could be required, "
            "and with a matrix the same repository is scanned several times.",
            subject=gate.subject,
        )


@predicts(POSTED_CHECK)
def posted_check(view: View) -> Iterator[Draft]:
    """“Mergegate” is required, no job is called so, and forks have no second half."""
    posted = [name for name in view.settings.required or () if name.lower() in POSTED]
    if not posted or view.settings.forks is False:
        return
    for gate in view.pulled[:1]:
        if not reported_on_pull_requests(view, posted[0]) and not view.is_relayed(gate):
            job = (check_names(gate) or (gate.job.name,))[0]
            yield POSTED_CHECK.at(
                gate.path,
                gate.line,
                f"A pull request from a fork waits for ever for “{posted[0]}”, which the fork's "
                "token may not post.",
                advice=f"Require “{job}” instead: GitHub reports it, whatever the token may do.",
            )


@predicts(NOT_REQUIRED)
def not_required(view: View) -> Iterator[Draft]:
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
        yield NOT_REQUIRED.at(
            gate.path,
            gate.job.node.key_line("name"),
            "A failing gate stops nothing: the merge button stays green beside a red check.",
            advice=f"Require “{job}” in the branch's ruleset.",
        )


PREDICTORS = (queue_pending, never_reported, name_varies, posted_check, not_required)


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
