"""Pull requests whose token may only read: from forks, and from Dependabot."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mergegate.doctor.predict.github import recipes
from mergegate.doctor.predict.github.view import REPORT, Run, View
from mergegate.doctor.predict.github.workflow import Step
from mergegate.doctor.predict.prediction import Draft, Edits, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Insert, Put, Rename

_EVENTS = "https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows"
_HEAD = re.compile(r"github\.event\.pull_request\.head\.|github\.head_ref|refs/pull/")
_DEPENDABOT = (".github/dependabot.yml", ".github/dependabot.yaml")

_HEARD = ("on", "workflow_run", "workflows")


@dataclass(frozen=True, slots=True)
class Pair:
    """What has to be written for the fork-safe pair; empty where nothing is."""

    edits: Edits = field(default_factory=dict)
    new_files: Mapping[str, str] = field(default_factory=dict)


FORK_COMMENT = Kind(
    id="github-fork-comment",
    outcome=Outcome.WARNS,
    title="A pull request from a fork gets no comment",
    why="GitHub gives runs for a fork's pull request a token that may only read, whatever "
    "`permissions:` says, and no secrets.",
    advice="Split it: this workflow scans and hands its report over as an artifact; a second one, "
    "started by `workflow_run`, publishes it and never touches the change's code.",
    reference=f"{_EVENTS}#pull_request",
)
DEPENDABOT_COMMENT = Kind(
    id="github-dependabot-comment",
    outcome=Outcome.WARNS,
    title="Dependabot's pull requests get no comment",
    why="Runs that Dependabot causes have a token that may only read unless `permissions:` states "
    "more, and see Dependabot's secrets alone.",
    advice="State the job's permissions and use the job's own token, or publish from a second "
    "workflow.",
    reference="https://docs.github.com/en/code-security/dependabot/troubleshooting-dependabot/"
    "troubleshooting-dependabot-on-github-actions",
)
TARGET_HEAD = Kind(
    id="github-target-checks-out-head",
    outcome=Outcome.BREAKS,
    title="`pull_request_target` checks out the head of a fork",
    why="`pull_request_target` runs beside secrets and a token that may write. actions/checkout "
    "refuses a fork's head there since its version 7; older ones hand a stranger the token.",
    advice="Scan on `pull_request`, and publish from a second workflow.",
    reference="https://docs.github.com/en/actions/reference/security/securely-using-"
    "pull_request_target",
)
TARGET_BASE = Kind(
    id="github-target-scans-base",
    outcome=Outcome.BREAKS,
    title="`pull_request_target` scans the base instead of the change",
    why="On `pull_request_target` GitHub checks out the base branch: the change is not there.",
    advice="Scan on `pull_request`, and publish from a second workflow.",
    reference=f"{_EVENTS}#pull_request_target",
)


@predicts(FORK_COMMENT)
def fork_comment(view: View) -> Iterator[Draft]:
    """A comment is expected, and no second half is there to write it."""
    for gate in view.pulled:
        if (
            "pull_request" in gate.events
            and _is_mute(view, gate)
            and view.settings.forks is not False
        ):
            pair = _pair(view, gate)
            yield FORK_COMMENT.at(
                gate.path,
                gate.line,
                "On a pull request from a fork the token is read-only: no comment and no check "
                "appear; results go to the job summary and the log.",
                subject=gate.subject,
                edits=pair.edits,
                new_files=pair.new_files,
            )


@predicts(DEPENDABOT_COMMENT)
def dependabot_comment(view: View) -> Iterator[Draft]:
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
        yield DEPENDABOT_COMMENT.at(
            gate.path,
            gate.line,
            "On Dependabot's pull requests the token is read-only or empty: no comment appears on "
            "exactly those that change dependencies.",
            subject=gate.subject,
            edits=pair.edits,
            new_files=pair.new_files,
        )


@predicts(TARGET_HEAD)
def target_head(view: View) -> Iterator[Draft]:
    """The checkout names the head of the pull request."""
    for gate, heads in _targeted(view):
        if heads:
            pair = _untargeted(view, gate, heads)
            yield TARGET_HEAD.at(
                gate.path,
                heads[0].node.line,
                "The job fails on every pull request from a fork, or, with an old checkout, runs a "
                "stranger's code beside a token that may write.",
                subject=gate.subject,
                edits=pair.edits,
                new_files=pair.new_files,
            )


@predicts(TARGET_BASE)
def target_base(view: View) -> Iterator[Draft]:
    """The checkout is left as it is: at the base."""
    for gate, heads in _targeted(view):
        if not heads:
            pair = _untargeted(view, gate, heads)
            yield TARGET_BASE.at(
                gate.path,
                gate.top.line_of("pull_request_target"),
                "Every pull request is judged by the code that is already merged: what it changes "
                "is never scanned, and the check is green.",
                subject=gate.subject,
                edits=pair.edits,
                new_files=pair.new_files,
            )


PREDICTORS = (fork_comment, dependabot_comment, target_head, target_base)


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
