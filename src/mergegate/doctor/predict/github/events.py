"""Filters and conditions: whether the gate runs on every change that will be merged."""

import re
from collections.abc import Iterator, Sequence

from mergegate.doctor.predict.github.checks import check_names, is_required, may_report, triggered
from mergegate.doctor.predict.github.view import PULL, Run, View
from mergegate.doctor.predict.logic import UNKNOWN, Language, Look, Value, holds
from mergegate.doctor.predict.prediction import Kind, Outcome, Place, Prediction, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Path, Put
from mergegate.doctor.predict.yaml.parse import Node

_NEEDED_TYPES = ("opened", "synchronize", "reopened")


@predicts("github-path-filter-pending")
def paths(kind: Kind, view: View) -> Iterator[Prediction]:
    """``paths`` or ``paths-ignore`` on the event that starts the gate."""
    for gate, event, filters in _filtered(view):
        named = [key for key in ("paths", "paths-ignore") if filters[key].present]
        required = is_required(view, gate)
        if named and required is not False and not _others_report(view, gate):
            yield kind.at(
                Place(gate.top.path, filters.key_line(named[0]), f"{gate.subject}:{event}"),
                "required" if required else "unknown",
                outcome=Outcome.BREAKS if required else Outcome.WARNS,
                edits=tuple(Drop(("on", event, key), keeps_parent=True) for key in named),
            )


@predicts("github-branch-filter-pending")
def branches(kind: Kind, view: View) -> Iterator[Prediction]:
    """A branch whose rules are known is not among those of the filter."""
    for gate, event, filters in _filtered(view):
        left_out = [
            branch
            for branch in view.settings.protected_branches or ()
            if not passes(filters, branch)
        ]
        if left_out and is_required(view, gate):
            yield kind.at(
                Place(gate.top.path, filters.line, f"{gate.subject}:{event}"),
                edits=tuple(
                    Drop(("on", event, key), keeps_parent=True)
                    for key in ("branches", "branches-ignore")
                    if filters[key].present
                ),
                branch=left_out[0],
            )


@predicts("github-types-filter-pending")
def types(kind: Kind, view: View) -> Iterator[Prediction]:
    """``types:`` without ``synchronize`` or ``opened``."""
    for gate, event, filters in _filtered(view):
        listed = filters["types"].texts
        missing = [kind for kind in _NEEDED_TYPES if kind not in listed]
        required = is_required(view, gate)
        if listed and {"opened", "synchronize"} & set(missing) and required is not False:
            yield kind.at(
                Place(gate.top.path, filters.key_line("types"), f"{gate.subject}:{event}"),
                "pushed" if "synchronize" in missing else "opened",
                outcome=Outcome.BREAKS if required else Outcome.WARNS,
                edits=Put(("on", event, "types"), [*listed, *missing, *_unlisted(listed)]),
            )


@predicts("github-retarget-unscanned")
def retargeted(kind: Kind, view: View) -> Iterator[Prediction]:
    """``types:`` without ``edited``, which the usual ones lack as well."""
    for gate in view.pulled:
        for event in PULL:
            if (filters := gate.events.get(event)) is None:
                continue
            listed = filters["types"].texts
            usual = listed or _NEEDED_TYPES
            # Where commits are left out, that is told, and mended together with this.
            if "edited" in usual or not {*_NEEDED_TYPES[:2]} <= {*usual}:
                continue
            types = [*usual, "edited"]
            is_plain = gate.top.root["on"].pairs
            yield kind.at(
                Place(gate.top.path, gate.top.root.key_line("on"), f"{gate.subject}:{event}"),
                edits=Put(("on", event, "types"), types) if is_plain else (),
            )


def _unlisted(listed: Sequence[str]) -> tuple[str, ...]:
    return () if "edited" in listed else ("edited",)


@predicts("github-pull-requests-unscanned")
def unscanned(kind: Kind, view: View) -> Iterator[Prediction]:
    """There are gates, and none of them runs on pull requests."""
    if view.pulled or not view.gates:
        return
    pushed = [gate for gate in view.gates if "push" in gate.events]
    for gate in (pushed or view.gates)[:1]:
        edits: dict[str, tuple[Edit, ...]] = dict(triggered(gate.top, "pull_request"))
        yield kind.at(
            Place(gate.top.path, gate.top.root.key_line("on")), edits=edits if pushed else {}
        )


def passes(filters: Node, branch: str) -> bool:
    """Whether GitHub's branch filters let ``branch`` through."""
    ignored = filters["branches-ignore"].texts
    if ignored and any(_matches(pattern, branch) for pattern in ignored):
        return False
    wanted = filters["branches"].texts
    if not wanted:
        return True
    passed = False
    for pattern in wanted:
        if pattern.startswith("!"):
            passed = passed and not _matches(pattern[1:], branch)
        else:
            passed = passed or _matches(pattern, branch)
    return passed


def _matches(pattern: str, branch: str) -> bool:
    """``*`` stops at a slash, ``**`` does not; what is not plain is taken to match."""
    # Many stars would make the matching slow, and stand in no honest filter.
    if any(sign in pattern for sign in "?+[]") or pattern.count("*") > 4:
        return True
    parts = re.split(r"(\*+)", pattern)
    meant = "".join(
        (".*" if len(part) > 1 else "[^/]*") if part.startswith("*") else re.escape(part)
        for part in parts
    )
    return re.fullmatch(meant, branch) is not None


def _filtered(view: View) -> Iterator[tuple[Run, str, Node]]:
    for gate in view.pulled:
        for event in PULL:
            filters = gate.events.get(event)
            if filters is not None and filters.pairs:
                yield gate, event, filters


def _others_report(view: View, gate: Run) -> bool:
    """Whether another workflow stands in with the same check name, as GitHub advises."""
    names = check_names(gate) or ()
    others = [one for one in view.workflows if one.path != gate.top.path]
    rest = View(view.scene, tuple(others))
    return bool(names) and all(may_report(rest, name, *PULL) for name in names)


_OWN_NAME = re.compile(
    r"github\.repository(?:_owner)?\s*==\s*'[^']*'|'[^']*'\s*==\s*github\.repository(?:_owner)?\b"
)
_STATUS: dict[str, Value] = {"always": True, "success": True, "cancelled": False, "failure": False}
_PAYLOADS = {
    "github.event.pull_request": ("pull_request", "pull_request_target"),
    "github.event.pull_request.number": ("pull_request", "pull_request_target"),
    "github.event.merge_group": ("merge_group",),
    "github.base_ref": ("pull_request", "pull_request_target"),
    "github.head_ref": ("pull_request", "pull_request_target"),
}


def runs(condition: str, event: str) -> bool | None:
    """Whether ``condition`` lets a job or step run on ``event``; None where the run decides.

    All before it is taken to have gone well, and the repository to be the one it names.
    """
    bare = condition.strip()
    if bare.startswith("${{") and bare.endswith("}}") and bare.count("${{") == 1:
        bare = bare[3:-2]
    if "${{" in bare:
        return None
    return holds(_OWN_NAME.sub("true", bare), Language(_looking(event), _asked, ignores_case=True))


def _asked(name: str) -> Value:
    return _STATUS.get(name, UNKNOWN)


def _looking(event: str) -> Look:
    def look(name: str) -> Value:
        if name == "github.event_name":
            return event
        if name in _PAYLOADS and event not in _PAYLOADS[name]:
            return None
        # What is there is true; which one it is, only the run knows.
        return UNKNOWN

    return look


_EVENTS = {"pull_request": "a pull request", "merge_group": "an entry of the merge queue"}


@predicts("github-skipped-counts-as-passed")
def condition(kind: Kind, view: View) -> Iterator[Prediction]:
    """An ``if:`` on the job, its caller or the step that may be false on a change."""
    for gate in view.pulled:
        required = is_required(view, gate)
        if required is False:
            continue
        for path, place, node in _conditions(gate):
            what = "step" if "steps" in place else place[-1]
            skipped = [
                event
                for event in _EVENTS
                if event in gate.events and runs(node["if"].text, event) is not True
            ]
            if skipped:
                yield kind.at(
                    Place(path, node.key_line("if"), f"{gate.subject}:{what}"),
                    outcome=Outcome.BREAKS if required else Outcome.WARNS,
                    edits=Drop((*place, "if")),
                    change=_EVENTS[skipped[0]],
                    check="the required check" if required else "the check",
                )


@predicts("github-needs-skip-gate")
def needs(kind: Kind, view: View) -> Iterator[Prediction]:
    """The gate's job needs others and has no condition that makes it run regardless."""
    for gate in view.pulled:
        for workflow, job in gate.holders:
            before = job.node["needs"].texts
            if not before or job.node["if"].present or is_required(view, gate) is False:
                continue
            yield kind.at(
                Place(workflow.path, job.node.key_line("needs"), gate.subject),
                edits=Put((*job.path, "if"), "${{ !cancelled() }}", ("needs",)),
                job=before[0],
            )


def _conditions(gate: Run) -> Iterator[tuple[str, Path, Node]]:
    """The conditions before the scan; those that only ask for the other jobs' state aside."""
    for workflow, job in gate.holders:
        if job.node["if"].present:
            yield workflow.path, job.path, job.node
    if gate.step.node["if"].present:
        yield gate.path, gate.step.path, gate.step.node
