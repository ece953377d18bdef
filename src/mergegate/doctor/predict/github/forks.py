"""Pull requests whose token may only read, and the pair of workflows that answers them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mergegate.doctor.predict import recipes
from mergegate.doctor.predict.github.view import REPORT, Run, Step, View
from mergegate.doctor.predict.prediction import Edits, Kind, Prediction, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Insert, Put, Rename

_HEAD = re.compile(r"github\.event\.pull_request\.head\.|github\.head_ref|refs/pull/")
_DEPENDABOT = (".github/dependabot.yml", ".github/dependabot.yaml")

_HEARD = ("on", "workflow_run", "workflows")


@dataclass(frozen=True, slots=True)
class Pair:
    """What has to be written for the fork-safe pair; empty where nothing is."""

    edits: Edits = field(default_factory=dict)
    new_files: Mapping[str, str] = field(default_factory=dict)


@predicts("github-fork-comment")
def fork_comment(kind: Kind, view: View) -> Iterator[Prediction]:
    """A comment is expected, and no second half is there to write it."""
    for gate in view.pulled:
        if _is_mute(view, gate) and view.settings.forks is not False:
            pair = _pair(view, gate)
            yield kind.at(gate, edits=pair.edits, new_files=pair.new_files)


@predicts("github-dependabot-comment")
def dependabot_comment(kind: Kind, view: View) -> Iterator[Prediction]:
    """Dependabot is in use, and nothing gives its runs a token that may write."""
    if not any(path in view.scene.files for path in _DEPENDABOT):
        return
    for gate in view.pulled:
        if not _is_mute(view, gate):
            continue
        stated = any(job.node["permissions"].present for _, job in gate.holders)
        stated = stated or gate.top.root["permissions"].present
        if stated and (gate.has_own_token or not gate.token):
            continue
        pair = _pair(view, gate)
        yield kind.at(gate, edits=pair.edits, new_files=pair.new_files)


@predicts("github-target-checks-out-head")
def target_head(kind: Kind, view: View) -> Iterator[Prediction]:
    """The checkout names the head of the pull request."""
    for gate, heads, fix in _targeted(view):
        if heads:
            line = heads[0].node.line
            yield kind.at(gate, line=line, edits=fix.edits, new_files=fix.new_files)


@predicts("github-target-scans-base")
def target_base(kind: Kind, view: View) -> Iterator[Prediction]:
    """The checkout is left as it is: at the base."""
    for gate, heads, fix in _targeted(view):
        if not heads:
            line = gate.top.line_of("pull_request_target")
            yield kind.at(gate, line=line, edits=fix.edits, new_files=fix.new_files)


def _is_mute(view: View, gate: Run) -> bool:
    """Whether it is to comment on a pull request, and nothing writes for it."""
    asked = "pull_request" in gate.events and gate.call.verb == "ci" and gate.answers
    return asked and not view.is_relayed(gate)


def _targeted(view: View) -> Iterator[tuple[Run, list[Step], Pair]]:
    """Gates on ``pull_request_target`` alone, their checkouts of the head, and what mends both."""
    for gate in view.pulled:
        if "pull_request_target" in gate.events and "pull_request" not in gate.events:
            checkouts = (step for step in gate.job.steps if step.action == "actions/checkout")
            heads = [step for step in checkouts if _takes_head(step)]
            yield gate, heads, _untargeted(view, gate, heads)


def _takes_head(step: Step) -> bool:
    return any(_HEAD.search(step.node.at("with", key).text) for key in ("ref", "repository"))


def _untargeted(view: View, gate: Run, heads: list[Step]) -> Pair:
    """``pull_request`` in place of the target, and the pair; where nothing else hangs on it."""
    pair = _pair(view, gate)
    if not pair.edits or any(not job.is_plain for job in gate.top.jobs):
        return Pair()
    edits: list[Edit] = [_renamed(gate)]
    for step in heads:
        edits += [
            Drop((*step.path, "with", key))
            for key in ("ref", "repository")
            if step.node["with"].own(key)
        ]
    return replace(pair, edits={**pair.edits, gate.path: (*edits, *pair.edits[gate.path])})


def _renamed(gate: Run) -> Edit:
    declared = gate.top.root["on"]
    if declared.pairs:
        return Rename(("on", "pull_request_target"), "pull_request")
    names = ["pull_request" if name == "pull_request_target" else name for name in declared.texts]
    return Put(("on",), dict.fromkeys(names))


def _pair(view: View, gate: Run) -> Pair:
    """What makes ``gate`` a first half that is heard; nothing where that cannot be told here."""
    if gate.call.verb != "ci" or gate.caller is not None:
        return Pair()
    name = gate.workflow.root["name"].text or _title(view)
    first: list[Edit] = []
    if not gate.workflow.root["name"].text:
        first.append(Put(("name",), name))
    if gate.job.is_plain:
        first += _without_writing(gate)
    edits = {gate.path: (*first, *upload(gate))}
    if view.publishers:
        return Pair({**edits, view.publishers[0].path: (Insert(_HEARD, name),)})
    if recipes.PUBLISH_FILE in view.scene.files:
        return Pair()
    second = recipes.publish(name, gate.call.reference)
    return Pair(edits, {recipes.PUBLISH_FILE: second})


def _without_writing(gate: Run) -> list[Edit]:
    """The first half needs no right to comment: the second one has it."""
    stated, place = gate.job.node["permissions"], (*gate.job.path, "permissions")
    surplus = [scope for scope in ("pull-requests", "checks") if stated.own(scope)]
    reads: list[Edit] = [] if stated.own("contents") else [Put((*place, "contents"), "read")]
    return [*reads, *(Drop((*place, scope)) for scope in surplus)] if surplus else []


def upload(gate: Run) -> list[Edit]:
    """The step behind Mergegate's that hands the report over; nothing where there is one."""
    if any(hands_over(step) for step in gate.job.steps):
        return []
    steps = (*gate.job.path, "steps")
    index = gate.job.steps.index(gate.step) + 1
    return [Insert(steps, recipes.upload_step(gate.told("report", REPORT)), index)]


def hands_over(step: Step, name: str = REPORT) -> bool:
    """Whether a step uploads the artifact of this name."""
    return step.action == "actions/upload-artifact" and step.node.at("with", "name").text == name


def _title(view: View) -> str:
    """A name that no other workflow has."""
    taken = {workflow.name for workflow in view.workflows}
    numbered = (f"Mergegate {number}" for number in range(2, len(taken) + 3))
    return next(name for name in ("Mergegate", *numbered) if name not in taken)


@predicts("github-second-half-unheard")
def unheard(kind: Kind, view: View) -> Iterator[Prediction]:
    """No workflow has a name that the second half listens to."""
    known = {workflow.name for workflow in view.workflows}
    for half in view.publishers:
        missing = [name for name in view.heard_by(half) if name not in known]
        if missing and not known & set(view.heard_by(half)):
            yield kind.at(
                half,
                line=half.top.root.at("on", "workflow_run").key_line("workflows"),
                edits=_listening(view, half),
                name=missing[0],
            )


@predicts("github-second-half-empty")
def empty(kind: Kind, view: View) -> Iterator[Prediction]:
    """The download looks in its own run, or the upload is not there."""
    for half in view.publishers:
        for step in _downloads(half):
            if not step.node.at("with", "run-id").present:
                yield kind.at(
                    half, "searched", line=step.node.line, edits=_from_the_other_run(step)
                )
        for first in _first_halves(view, half):
            wanted = [step.node.at("with", "name").text or REPORT for step in _downloads(half)]
            if not any(hands_over(step, name) for step in first.job.steps for name in wanted):
                yield kind.at(
                    first, "uploaded", edits=tuple(upload(first)) if wanted == [REPORT] else ()
                )


@predicts("github-report-lost-on-failure")
def lost(kind: Kind, view: View) -> Iterator[Prediction]:
    """The upload stands behind the scan and has no condition of its own."""
    for gate in view.gates:
        if not view.is_relayed(gate):
            continue
        behind = gate.job.steps[gate.job.steps.index(gate.step) + 1 :]
        for step in behind:
            if hands_over(step) and not _runs_regardless(step):
                yield kind.at(
                    gate,
                    line=step.node.line,
                    edits=Put((*step.path, "if"), "${{ !cancelled() }}", ("uses",)),
                )


@predicts("github-second-half-success-only")
def success_only(kind: Kind, view: View) -> Iterator[Prediction]:
    """The second half asks for a successful first half."""
    for half in view.publishers:
        condition = half.job.node["if"]
        words = condition.text.replace('"', "'")
        if "workflow_run.conclusion" in words and "'success'" in words and "!=" not in words:
            yield kind.at(
                half,
                line=half.job.node.key_line("if"),
                edits=Put(
                    (*half.job.path, "if"), "github.event.workflow_run.event == 'pull_request'"
                ),
            )


def _listening(view: View, half: Run) -> Edits:
    """Listen to the one workflow that scans pull requests, where there is one alone."""
    names = {gate.top.root["name"].text for gate in view.pulled if gate.call.verb == "ci"}
    if len(names) != 1 or "" in names:
        return {}
    return {half.path: (Put(("on", "workflow_run", "workflows"), sorted(names)),)}


def _downloads(half: Run) -> list[Step]:
    return [step for step in half.job.steps if step.action == "actions/download-artifact"]


def _from_the_other_run(step: Step) -> tuple[Edit, ...]:
    return (
        Put((*step.path, "with", "run-id"), "${{ github.event.workflow_run.id }}"),
        Put((*step.path, "with", "github-token"), "${{ github.token }}"),
    )


def _first_halves(view: View, half: Run) -> Iterator[Run]:
    heard = view.heard_by(half)
    yield from (gate for gate in view.pulled if gate.top.name in heard)


def _runs_regardless(step: Step) -> bool:
    condition = step.node["if"].text
    return any(word in condition for word in ("always()", "!cancelled()", "failure()"))
