"""Filters on events: whether the gate runs on every change that will be merged."""

import re
from collections.abc import Iterator

from mergegate.doctor.predict.github.checks import triggered
from mergegate.doctor.predict.github.names import check_names, is_required, may_report
from mergegate.doctor.predict.github.view import PULL, Run, View
from mergegate.doctor.predict.prediction import Draft, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Edit, Put
from mergegate.doctor.predict.yaml.parse import Node

_REQUIRED = "https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks"
_SYNTAX = "https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax"
_NEEDED_TYPES = ("opened", "synchronize", "reopened")

PATHS = Kind(
    id="github-path-filter-pending",
    outcome=Outcome.BREAKS,
    title="A path filter keeps a required check pending",
    why="A workflow that a path filter skips reports nothing; a required check then stays "
    "“Expected — Waiting for status to be reported”.",
    advice="Remove the filter; Mergegate looks only at what the change touches anyway.",
    reference=_REQUIRED,
)
BRANCHES = Kind(
    id="github-branch-filter-pending",
    outcome=Outcome.BREAKS,
    title="A branch filter leaves a protected branch out",
    why="`branches:` names the branches that a pull request wants into; for any other the "
    "workflow does not run, and a required check stays pending.",
    advice="Name the protected branch, or remove the filter.",
    reference=_SYNTAX,
)
TYPES = Kind(
    id="github-types-filter-pending",
    outcome=Outcome.BREAKS,
    title="A filter on activity leaves pushes to a pull request out",
    why="`types:` replaces the default `opened`, `synchronize`, `reopened`; a new push is "
    "`synchronize`, and its commit has no check without it.",
    advice="List `opened`, `synchronize` and `reopened` beside the others, or drop `types:`.",
    reference=_SYNTAX,
)
UNSCANNED = Kind(
    id="github-pull-requests-unscanned",
    outcome=Outcome.WARNS,
    title="Pull requests are not scanned",
    why="A push to a branch is measured against what stood there before, not against what it "
    "wants into; a fork's pushes start nothing here.",
    advice="Add `pull_request:` to the workflow's `on:`.",
    reference="https://docs.github.com/en/actions/reference/workflows-and-actions/"
    "events-that-trigger-workflows#pull_request",
)


@predicts(PATHS)
def paths(view: View) -> Iterator[Draft]:
    """``paths`` or ``paths-ignore`` on the event that starts the gate."""
    for gate, event, filters in _filtered(view):
        named = [key for key in ("paths", "paths-ignore") if filters[key].present]
        required = is_required(view, gate)
        if named and required is not False and not _others_report(view, gate):
            yield PATHS.at(
                gate.top.path,
                filters.key_line(named[0]),
                "A pull request that touches none of these paths waits for ever for the required "
                "check."
                if required
                else "If this check is required, a pull request that touches none of these paths "
                "waits for it for ever; if it is not, such a change is merged unseen.",
                subject=f"{gate.subject}:{event}",
                outcome=Outcome.BREAKS if required else Outcome.WARNS,
                edits={
                    gate.top.path: tuple(
                        Drop(("on", event, key), keeps_parent=True) for key in named
                    )
                },
            )


@predicts(BRANCHES)
def branches(view: View) -> Iterator[Draft]:
    """A branch whose rules are known is not among those of the filter."""
    for gate, event, filters in _filtered(view):
        left_out = [
            branch
            for branch in view.settings.protected_branches or ()
            if not passes(filters, branch)
        ]
        if left_out and is_required(view, gate):
            yield BRANCHES.at(
                gate.top.path,
                filters.line,
                f"A pull request into “{left_out[0]}” waits for ever for the required check, "
                "which does not run for that branch.",
                subject=f"{gate.subject}:{event}",
                edits={
                    gate.top.path: tuple(
                        Drop(("on", event, key), keeps_parent=True)
                        for key in ("branches", "branches-ignore")
                        if filters[key].present
                    )
                },
            )


@predicts(TYPES)
def types(view: View) -> Iterator[Draft]:
    """``types:`` without ``synchronize`` or ``opened``."""
    for gate, event, filters in _filtered(view):
        listed = filters["types"].texts
        missing = [kind for kind in _NEEDED_TYPES if kind not in listed]
        required = is_required(view, gate)
        if listed and {"opened", "synchronize"} & set(missing) and required is not False:
            yield TYPES.at(
                gate.top.path,
                filters.key_line("types"),
                "A pull request that is pushed to again is not scanned again: its new commit waits "
                "for the check for ever, or is merged unseen."
                if "synchronize" in missing
                else "A pull request is not scanned when it is opened: it waits for the check, or "
                "is merged unseen.",
                subject=f"{gate.subject}:{event}",
                outcome=Outcome.BREAKS if required else Outcome.WARNS,
                edits={gate.top.path: (Put(("on", event, "types"), [*listed, *missing]),)},
            )


@predicts(UNSCANNED)
def unscanned(view: View) -> Iterator[Draft]:
    """There are gates, and none of them runs on pull requests."""
    if view.pulled or not view.gates:
        return
    pushed = [gate for gate in view.gates if "push" in gate.events]
    for gate in (pushed or view.gates)[:1]:
        edits: dict[str, tuple[Edit, ...]] = dict(triggered(gate.top, "pull_request"))
        yield UNSCANNED.at(
            gate.top.path,
            gate.top.root.key_line("on"),
            "No pull request is scanned: there is no comparison with its base, no comment, and "
            "nothing at all for a fork.",
            edits=edits if pushed else {},
        )


PREDICTORS = (paths, branches, types, unscanned)


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
