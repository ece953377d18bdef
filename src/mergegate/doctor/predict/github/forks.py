"""Pull requests whose token may only read: from forks, and from Dependabot."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mergegate.doctor.predict import recipes
from mergegate.doctor.predict.github.view import REPORT, Run, View
from mergegate.doctor.predict.github.workflow import Step
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, predicts
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
def fork_comment(kind: Kind, view: View) -> Iterator[Draft]:
    """A comment is expected, and no second half is there to write it."""
    for gate in view.pulled:
        if (
            "pull_request" in gate.events
            and _is_mute(view, gate)
            and view.settings.forks is not False
        ):
            pair = _pair(view, gate)
            yield kind.at(gate, edits=pair.edits, new_files=pair.new_files)


@predicts("github-dependabot-comment")
def dependabot_comment(kind: Kind, view: View) -> Iterator[Draft]:
    """Dependabot is in use, and nothing gives its runs a token that may write."""
    if not any(path in view.scene.files for path in _DEPENDABOT):
        return
    for gate in view.pulled:
        if "pull_request" not in gate.events or not _is_mute(view, gate):
            continue
        stated = any(job.node["permissions"].present for _, job in gate.holders)
        stated = stated or gate.top.root["permissions"].present
        if stated and (gate.has_own_token or not gate.token):
            continue
        pair = _pair(view, gate)
        yield kind.at(gate, edits=pair.edits, new_files=pair.new_files)


@predicts("github-target-checks-out-head")
def target_head(kind: Kind, view: View) -> Iterator[Draft]:
    """The checkout names the head of the pull request."""
    for gate, heads in _targeted(view):
        if heads:
            pair = _untargeted(view, gate, heads)
            yield kind.at(gate, line=heads[0].node.line, edits=pair.edits, new_files=pair.new_files)


@predicts("github-target-scans-base")
def target_base(kind: Kind, view: View) -> Iterator[Draft]:
    """The checkout is left as it is: at the base."""
    for gate, heads in _targeted(view):
        if not heads:
            pair = _untargeted(view, gate, heads)
            yield kind.at(
                gate,
                line=gate.top.line_of("pull_request_target"),
                edits=pair.edits,
                new_files=pair.new_files,
            )


def _is_mute(view: View, gate: Run) -> bool:
    """Whether it is to comment, and nothing writes for it."""
    return gate.call.verb == "ci" and gate.answers and not view.is_relayed(gate)


def _targeted(view: View) -> Iterator[tuple[Run, list[Step]]]:
    """Gates on ``pull_request_target`` alone, and their checkouts of the head."""
    for gate in view.pulled:
        if "pull_request_target" in gate.events and "pull_request" not in gate.events:
            checkouts = (step for step in gate.job.steps if step.action == "actions/checkout")
            yield gate, [step for step in checkouts if _takes_head(step)]


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
    second = recipes.publish(name, view.scene.version, gate.call.reference)
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
