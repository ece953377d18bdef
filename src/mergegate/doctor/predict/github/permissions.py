"""The token: whether it may do what Mergegate is asked to do, and nothing else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mergegate.doctor.predict.github.view import PULL, Run, View
from mergegate.doctor.predict.github.workflow import Job, Workflow
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Outcome, Predictor, predicts
from mergegate.doctor.predict.yaml.edit import Edit, Put
from mergegate.doctor.predict.yaml.parse import Node

_PAGE = (
    "https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#permissions"
)
_LEVELS = ("none", "read", "write")
_WHY = (
    "`permissions:` on a job replaces the workflow's; what is not named there is `none`, and "
    "`permissions: {}` is nothing at all."
)


@dataclass(frozen=True, slots=True)
class Need:
    """A permission, and what does not happen without it."""

    scope: str
    level: str
    lost: str
    outcome: Outcome = Outcome.BREAKS

    @property
    def kind(self) -> Kind:
        """The prediction that it is missing."""
        return Kind(
            id=f"github-permission-{self.scope}",
            outcome=self.outcome,
            title=f"The token lacks `{self.scope}: {self.level}`",
            why=_WHY,
            advice=f"Grant the job `{self.scope}: {self.level}`.",
            reference=_PAGE,
        )


CONTENTS = Need(
    "contents", "read", "The repository cannot be checked out unless it is public: the job fails."
)
PULLS = Need("pull-requests", "write", "No comment ever appears on a pull request.")
CHECKS = Need(
    "checks",
    "write",
    "No check with annotations appears; the verdict is the job's own result alone.",
    Outcome.WARNS,
)
SARIF = Need(
    "security-events", "write", "The upload to code scanning is refused: no alert ever appears."
)
ISSUES = Need(
    "issues", "write", "The scheduled scan cannot open its issue: nobody hears what it found."
)
ACTIONS = Need(
    "actions", "read", "The report of the other run cannot be downloaded: the job fails."
)
NEEDS = (CONTENTS, PULLS, CHECKS, SARIF, ISSUES, ACTIONS)

UNSTATED = Kind(
    id="github-permissions-unstated",
    outcome=Outcome.WARNS,
    title="The token's permissions are left to the repository's default",
    why="Repositories and organisations made since February 2023 give a token that may only read "
    "where nothing is stated.",
    advice="State the job's permissions.",
    reference=_PAGE,
)
TOO_WIDE = Kind(
    id="github-permissions-too-wide",
    outcome=Outcome.WARNS,
    title="The token may do everything",
    why="`write-all` gives every action and script of the job the power to push, release and "
    "change settings.",
    advice="Name what Mergegate needs.",
    reference=_PAGE,
)
CALLED = Kind(
    id="github-called-workflow-asks-more",
    outcome=Outcome.BREAKS,
    title="The called workflow asks for more than the calling job grants",
    why="A called workflow can only keep or lower what the calling job has; asking for more is an "
    "error before anything runs.",
    advice="Grant the calling job what the called workflow asks for.",
    reference="https://docs.github.com/en/actions/reference/workflows-and-actions/"
    "reusing-workflow-configurations",
)


def _missing(need: Need) -> Predictor[View]:
    kind = need.kind

    @predicts(kind)
    def find(view: View) -> Iterator[Draft]:
        for run in view.runs:
            holder = _first_lacking(view, run, need)
            if need in needed(view, run) and holder is not None:
                workflow, job = holder
                yield kind.at(
                    workflow.path,
                    _line(workflow, job),
                    need.lost,
                    subject=run.subject,
                    edits=_granted(view, run, (need,)),
                )

    return find


@predicts(UNSTATED)
def unstated(view: View) -> Iterator[Draft]:
    """Nothing is stated, the default is unknown, and something is to be written."""
    for run in view.runs:
        writes = [need for need in needed(view, run) if need.level == "write"]
        if writes and not _stated(run) and view.settings.default_permissions is None:
            yield UNSTATED.at(
                run.path,
                run.job.node.line,
                f"Where the default is read-only: {writes[0].lost[0].lower()}{writes[0].lost[1:]}",
                subject=run.subject,
                edits=_granted(view, run, needed(view, run)),
            )


@predicts(TOO_WIDE)
def too_wide(view: View) -> Iterator[Draft]:
    """``write-all`` around a job that runs Mergegate."""
    for run in view.runs:
        holder = run.job.node if run.job.node["permissions"].present else run.workflow.root
        if holder["permissions"].text == "write-all":
            scopes = {need.scope: need.level for need in (CONTENTS, *needed(view, run))}
            yield TOO_WIDE.at(
                run.path,
                holder.key_line("permissions"),
                "Whatever runs in this job, also by mistake, may push to the repository and change "
                "its settings.",
                subject=run.subject,
                edits={run.path: (Put((*run.job.path, "permissions"), scopes, ("runs-on",)),)}
                if run.job.is_plain
                else {},
            )


@predicts(CALLED)
def called(view: View) -> Iterator[Draft]:
    """A level stated in the called job is above the calling job's."""
    for run in view.runs:
        if run.caller is None:
            continue
        outer = _held(run.caller.node, run.top.root)
        inner = _held(run.job.node, run.workflow.root)
        if outer is None or inner is None:
            continue
        beyond = {
            scope: level
            for scope, level in inner.items()
            if _LEVELS.index(level) > _LEVELS.index(_level(outer, scope))
        }
        if beyond:
            yield CALLED.at(
                run.top.path,
                _line(run.top, run.caller),
                "The run ends before it begins, with “startup failure”: no check is reported.",
                subject=run.subject,
                edits=_widened(run.top, run.caller, beyond),
            )


PREDICTORS = (*(_missing(need) for need in NEEDS), unstated, too_wide, called)


def needed(view: View, run: Run) -> tuple[Need, ...]:
    """What the job's own token is used for."""
    if run.call.verb == "publish":
        downloads = any(step.node.at("with", "run-id").present for step in run.job.steps)
        return (PULLS, CHECKS, *((ACTIONS,) if downloads else ()))
    checks_out = any(step.action == "actions/checkout" for step in run.job.steps)
    wanted = [CONTENTS] if checks_out and view.settings.private is not False else []
    if run.call.verb == "ci" and (run.has_own_token or not run.token):
        wanted += _written(view, run)
    return tuple(wanted)


def _written(view: View, run: Run) -> Iterator[Need]:
    pulls = any(event in run.events for event in (*PULL, "issue_comment"))
    if run.answers and pulls and not view.is_relayed(run):
        yield from (PULLS, CHECKS)
    if run.told("sarif").lower() == "true":
        yield SARIF
    if "schedule" in run.events:
        yield ISSUES


def _stated(run: Run) -> bool:
    return any(
        job.node["permissions"].present or workflow.root["permissions"].present
        for workflow, job in run.holders
    )


def _held(job: Node, workflow: Node) -> Mapping[str, str] | None:
    """What is stated for a job; None where nothing is."""
    stated = job["permissions"] if job["permissions"].present else workflow["permissions"]
    if not stated.present:
        return None
    if stated.text in {"write-all", "read-all"}:
        return {"*": stated.text.removesuffix("-all")}
    return {scope: one.text for scope, one in stated.entries if one.text in _LEVELS}


def _level(held: Mapping[str, str], scope: str) -> str:
    return held.get(scope, held.get("*", "none"))


def _first_lacking(view: View, run: Run, need: Need) -> tuple[Workflow, Job] | None:
    """The job, called or calling, that does not grant ``need``; None where all do or none says."""
    for workflow, job in run.holders:
        held = _held(job.node, workflow.root)
        if held is not None and _LEVELS.index(_level(held, need.scope)) < _LEVELS.index(need.level):
            return workflow, job
    if not _stated(run) and view.settings.default_permissions == "read":
        # The default that only reads covers contents and packages.
        return run.holders[-1] if need.scope != "contents" else None
    return None


def _granted(view: View, run: Run, needs: tuple[Need, ...]) -> Edits:
    """Each job around the run that lacks one of ``needs`` gets it."""
    edits: dict[str, tuple[Edit, ...]] = {}
    holders = [
        (workflow, job)
        for workflow, job in run.holders
        if _held(job.node, workflow.root) is not None
    ]
    for workflow, job in holders or run.holders[-1:]:
        lacking = {
            need.scope: need.level
            for need in needs
            if _LEVELS.index(_level(_held(job.node, workflow.root) or {}, need.scope))
            < _LEVELS.index(need.level)
        }
        if lacking:
            base = {} if holders else {need.scope: need.level for need in needed(view, run)}
            widened = _widened(workflow, job, base | lacking)
            edits |= {path: (*edits.get(path, ()), *more) for path, more in widened.items()}
    return edits


def _widened(workflow: Workflow, job: Job, scopes: Mapping[str, str]) -> Edits:
    own = job.node["permissions"]
    place = (*job.path, "permissions")
    if own.pairs:
        return {
            workflow.path: tuple(Put((*place, scope), level) for scope, level in scopes.items())
        }
    held = _held(job.node, workflow.root) or {}
    if "*" in held and not job.is_plain:
        return {}
    plain = {scope: level for scope, level in held.items() if scope != "*" and level != "none"}
    if "*" in held or not plain:
        plain = {"contents": "read"} | plain
    return {workflow.path: (Put(place, {**plain, **scopes}, ("runs-on", "uses")),)}


def _line(workflow: Workflow, job: Job) -> int:
    if job.node["permissions"].present:
        return job.node.key_line("permissions")
    if workflow.root["permissions"].present:
        return workflow.root.key_line("permissions")
    return job.node.line
