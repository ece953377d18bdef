"""Filters on events: whether the gate runs on every change that will be merged."""

import re
from collections.abc import Iterator

from mergegate.doctor.predict.github.checks import triggered
from mergegate.doctor.predict.github.names import check_names, is_required, may_report
from mergegate.doctor.predict.github.view import PULL, Run, View
from mergegate.doctor.predict.prediction import Draft, Kind, Outcome, Place, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Put
from mergegate.doctor.predict.yaml.parse import Node

_NEEDED_TYPES = ("opened", "synchronize", "reopened")


@predicts("github-path-filter-pending")
def paths(kind: Kind, view: View) -> Iterator[Draft]:
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
def branches(kind: Kind, view: View) -> Iterator[Draft]:
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
def types(kind: Kind, view: View) -> Iterator[Draft]:
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
                edits=Put(("on", event, "types"), [*listed, *missing]),
            )


@predicts("github-pull-requests-unscanned")
def unscanned(kind: Kind, view: View) -> Iterator[Draft]:
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
