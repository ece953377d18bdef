"""The token: whether it may do what Mergegate is asked to do, and nothing else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mergegate.doctor.predict.github.view import PULL, Job, Run, View, Workflow
from mergegate.doctor.predict.prediction import (
    KINDS,
    Edits,
    Kind,
    Place,
    Prediction,
    Predictor,
    predicts,
)
from mergegate.doctor.predict.yaml.edit import Edit, Put
from mergegate.doctor.predict.yaml.parse import Node

_LEVELS = ("none", "read", "write")


@dataclass(frozen=True, slots=True)
class Need:
    """A permission that something takes."""

    scope: str
    level: str
    name: str = ""
    """What it is called where its scope is not enough to tell it."""

    @property
    def kind(self) -> Kind:
        """The prediction that it is missing."""
        return KINDS[f"github-permission-{self.name or self.scope}"]


CONTENTS = Need("contents", "read")
COMMITS = Need("contents", "write", "contents-write")
PULLS = Need("pull-requests", "write")
CHECKS = Need("checks", "write")
SARIF = Need("security-events", "write")
ISSUES = Need("issues", "write")
ACTIONS = Need("actions", "read")


def _missing(need: Need) -> Predictor[View]:
    @predicts(need.kind.id)
    def find(kind: Kind, view: View) -> Iterator[Prediction]:
        for run in view.runs:
            holder = _first_lacking(view, run, need)
            if need in needed(view, run) and holder is not None:
                yield kind.at(
                    Place(holder[0].path, _line(*holder), run.subject),
                    edits=_granted(view, run, (need,)),
                )

    return find


contents, pulls, checks = _missing(CONTENTS), _missing(PULLS), _missing(CHECKS)
sarif, issues, actions = _missing(SARIF), _missing(ISSUES), _missing(ACTIONS)
commits = _missing(COMMITS)


@predicts("github-permissions-unstated")
def unstated(kind: Kind, view: View) -> Iterator[Prediction]:
    """Nothing is stated, the default is unknown, and something is to be written."""
    for run in view.runs:
        writes = [need.kind.happens for need in needed(view, run) if need.level == "write"]
        if writes and not _stated(run) and view.settings.default_permissions is None:
            yield kind.at(
                run,
                line=run.job.node.line,
                edits=_granted(view, run, needed(view, run)),
                lost=f"{writes[0][0].lower()}{writes[0][1:]}",
            )


@predicts("github-permissions-too-wide")
def too_wide(kind: Kind, view: View) -> Iterator[Prediction]:
    """``write-all`` around a job that runs Mergegate."""
    for run in view.runs:
        holder = run.job.node if run.job.node["permissions"].present else run.workflow.root
        if holder["permissions"].text == "write-all":
            scopes = {need.scope: need.level for need in (CONTENTS, *needed(view, run))}
            yield kind.at(
                run,
                line=holder.key_line("permissions"),
                edits=Put((*run.job.path, "permissions"), scopes, ("runs-on",))
                if run.job.is_plain
                else (),
            )


@predicts("github-called-workflow-asks-more")
def called(kind: Kind, view: View) -> Iterator[Prediction]:
    """A level stated in the called job is above the calling job's."""
    for run in view.runs:
        if run.caller is None:
            continue
        outer = _held(run.caller.node, run.top.root)
        inner = _held(run.job.node, run.workflow.root)
        if outer is None or inner is None:
            continue
        asked = [Need(scope, level) for scope, level in inner.items()]
        beyond = {need.scope: need.level for need in asked if _lacks(outer, need)}
        if beyond:
            yield kind.at(
                Place(run.top.path, _line(run.top, run.caller), run.subject),
                edits=_widened(run.top, run.caller, beyond),
            )


def needed(view: View, run: Run) -> tuple[Need, ...]:
    """What the job's own token is used for."""
    if run.call.verb == "publish":
        downloads = any(step.node.at("with", "run-id").present for step in run.job.steps)
        return (PULLS, CHECKS, *((ACTIONS,) if downloads else ()), *_fetched(view))
    checks_out = any(step.action == "actions/checkout" for step in run.job.steps)
    wanted = [*_fetched(view)] if checks_out else []
    if run.call.verb == "ci" and (run.has_own_token or not run.token):
        wanted += _written(view, run)
    return tuple(wanted)


def _fetched(view: View) -> tuple[Need, ...]:
    """A public repository is read with any token."""
    return () if view.settings.private is False else (CONTENTS,)


def _written(view: View, run: Run) -> Iterator[Need]:
    pulls = any(event in run.events for event in (*PULL, "issue_comment"))
    if run.answers and pulls and not view.is_relayed(run):
        yield from (PULLS, CHECKS)
    if run.told("sarif").lower() == "true":
        yield SARIF
    if "schedule" in run.events:
        yield ISSUES
        if view.scene.proposes_upgrades:
            yield from (COMMITS, PULLS)
    if "issue_comment" in run.events and view.scene.commits_fixes:
        yield COMMITS


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


def _lacks(held: Mapping[str, str], need: Need) -> bool:
    return _LEVELS.index(_level(held, need.scope)) < _LEVELS.index(need.level)


def _level(held: Mapping[str, str], scope: str) -> str:
    return held.get(scope, held.get("*", "none"))


def _first_lacking(view: View, run: Run, need: Need) -> tuple[Workflow, Job] | None:
    """The job, called or calling, that does not grant ``need``; None where all do or none says."""
    for workflow, job in run.holders:
        held = _held(job.node, workflow.root)
        if held is not None and _lacks(held, need):
            return workflow, job
    if not _stated(run) and view.settings.default_permissions == "read":
        # The default that only reads covers contents and packages.
        return run.holders[-1] if need.scope != "contents" else None
    return None


def _granted(view: View, run: Run, needs: tuple[Need, ...]) -> Edits:
    """Each job around the run that lacks one of ``needs`` gets it."""
    edits: dict[str, tuple[Edit, ...]] = {}
    holders = [one for one in run.holders if _held(one[1].node, one[0].root) is not None]
    for workflow, job in holders or run.holders[-1:]:
        held = _held(job.node, workflow.root) or {}
        lacking = {need.scope: need.level for need in needs if _lacks(held, need)}
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
