"""What zizmor audits: unpinned actions, wide permissions, and the audits of ``audits.toml``."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.core.finding import Finding
from mergegate.core.severity import Aspect, Severity
from mergegate.repo.checks import check, check_of_many
from mergegate.repo.checks.workflows import (
    DOCS,
    IDLE,
    PRIVILEGED,
    WorkflowRule,
    finding,
    hits_by_file,
    place_of,
    weighed,
)
from mergegate.repo.checks.workflows.reach import Reach
from mergegate.repo.facts.documents import WorkflowFile, WorkflowHit, Workflows


@dataclass(frozen=True, slots=True, kw_only=True)
class _Audit:
    """Our reading of one of zizmor's audits, as ``audits.toml`` tells it."""

    id: str
    title: str
    severity: Severity
    wrong: str
    remedy: str
    cwe: str
    rated_by_us: bool = True
    """False: its pedantic persona alone finds it; zizmor's words, a step below its severity."""


_AUDITS = read_table(Path(__file__).with_name("audits.toml"), _Audit)
_TASTE = frozenset({"self-repository", "superfluous-actions", "anonymous-definition"})
"""Audits of style: no risk follows from them."""
_OWN_CHECK = frozenset(
    {"dangerous-triggers", "excessive-permissions", "template-injection", "unpinned-uses"}
)
_SEVERITIES = {
    "High": Severity.HIGH,
    "Medium": Severity.MEDIUM,
    "Low": Severity.LOW,
    "Informational": Severity.INFO,
}
"""Ours is never above zizmor's own, which knows who chooses the value at hand."""
_AS_ZIZMOR = "where zizmor, which knows who chooses the value, rates it so"
_MILDER = {
    Severity.MEDIUM: _AS_ZIZMOR,
    Severity.LOW: _AS_ZIZMOR,
    Severity.INFO: f"{_AS_ZIZMOR}, for the image of a service or of a job that holds no secret and "
    f"may not write, and {IDLE}",
}
_A_STEP_MILDER = {"High": Severity.MEDIUM, "Medium": Severity.LOW}


def _unknown(name: str, hit: WorkflowHit) -> WorkflowRule:
    """What only a newer zizmor knows."""
    return WorkflowRule(
        id=f"workflow-{name}",
        title=hit.description[:1].upper() + hit.description[1:],
        remedy=f"See {DOCS}{name}.",
        severity=_rated(hit),
        without_cwe="zizmor names none.",
        references=(f"{DOCS}{name}",),
    )


def _rated(hit: WorkflowHit) -> Severity:
    return _A_STEP_MILDER.get(hit.severity, Severity.INFO)


@cache
def _rules() -> Mapping[str, WorkflowRule]:
    """The rules of the table, by the names of their audits."""
    return {
        name: WorkflowRule(
            id=f"workflow-{name}",
            title=one.title,
            explanation=f"{one.wrong}.",
            remedy=one.remedy,
            severity=one.severity,
            milder=_MILDER,
            cwe=(one.cwe,),
            references=(f"{DOCS}{name}",),
        )
        for name, one in _AUDITS.items()
    }


@check("workflow-permissions", Severity.LOW, "CWE-272")
def permissions(rule: WorkflowRule, workflows: Workflows) -> Iterator[Finding]:
    """A job's token may do more than the job needs.

    A bad dependency or action in the job inherits all that the token may do. A missing
    ``permissions:`` block weighs less than a wide one, since new repositories give read access by
    default.

    Title: Workflow token with wide permissions

    Info: where no permissions are stated and no stranger can start the workflow

    Remedy: Set `permissions: contents: read` for the workflow and grant more to single jobs.

    Reference: https://docs.zizmor.sh/audits/#excessive-permissions
    """
    for file, hits in hits_by_file(workflows, "excessive-permissions"):
        stated = [hit for hit in hits if "no permissions: block" not in hit.annotation]
        if stated:
            wrong = "The job's token may change more than the job needs"
            yield finding(file, stated, rule, wrong)
        else:
            exposed = bool(file.triggers.keys() & PRIVILEGED)
            wrong = "The job's token has whatever the repository's default allows"
            severity = Severity.LOW if exposed else Severity.INFO
            missing = finding(file, hits, rule, wrong, severity)
            yield replace(missing, title="No token permissions set")


@check_of_many("workflow-audit", Aspect.IAC, lambda: _rules().values())
def audit(workflows: Workflows) -> Iterator[Finding]:
    """zizmor's other audits of workflows and actions, one finding an audit and file.

    Among them credentials in plain text, writes to GITHUB_ENV, conditions that are always
    true, secrets passed on whole, caches in release jobs.
    """
    names = {hit.audit for file in workflows.files for hit in file.found.hits} - _OWN_CHECK - _TASTE
    for name in sorted(names):
        known = _AUDITS.get(name)
        for file, hits in hits_by_file(workflows, name):
            rule = _rules()[name] if known else _unknown(name, hits[0])
            if known and known.rated_by_us:
                ours = partial(_ours, rule, file, Reach(file))
                rated = sorted(hits, key=lambda hit: -ours(hit))
                worst = ours(rated[0])
                yield finding(file, rated, rule, known.wrong, worst)
            else:
                wrong = f"zizmor finds: {hits[0].annotation}"
                yield finding(file, hits, rule, wrong, _rated(hits[0]))


def _ours(rule: WorkflowRule, file: WorkflowFile, reach: Reach, hit: WorkflowHit) -> Severity:
    """The rule's severity, but not above zizmor's; a service holds no token and no code."""
    if hit.audit == "unpinned-images" and not reach.at(hit.start_line):
        return Severity.INFO
    services = (service for _, job in file.jobs for _, service in job["services"].entries)
    if hit.audit == "unpinned-images" and hit.start_line in {
        service["image"].line for service in services
    }:
        return Severity.INFO
    return min(rule.severity, _SEVERITIES.get(hit.severity, Severity.HIGH))


_BRANCHES = frozenset({"main", "master", "develop", "dev", "trunk", "head", "latest"})
_PUBLISHER = frozenset({"actions", "github"})
_COMMIT = re.compile(r"[0-9a-f]{40}")


@check("workflow-unpinned-action", Severity.MEDIUM, "CWE-829")
def unpinned_action(rule: WorkflowRule, workflows: Workflows) -> Iterator[Finding]:
    """An action is fetched by a tag or branch that its owner can move.

    Moved tags of popular actions have leaked the secrets of thousands of repositories. One
    finding an action, wherever it is used; GitHub's own are told once.

    Title: Action not pinned to a commit

    Low: for a tag, for a branch of GitHub's own actions, and for a branch in jobs that hold no
    secret, may not write and run on no machine of one's own

    Info: for a tag in such jobs, for a branch where only pull requests start them, for tags of
    GitHub's own actions, for actions and workflows of the repository's own owner, and in an action
    that nothing in production code uses

    Remedy: Pin the full commit and keep the version in a comment.

    Reference: https://docs.github.com/en/actions/reference/security/secure-use
    Reference: https://docs.zizmor.sh/audits/#unpinned-uses
    """
    uses: dict[tuple[str, str], list[tuple[WorkflowFile, WorkflowHit]]] = defaultdict(list)
    for file, hits in hits_by_file(workflows, "unpinned-uses"):
        for hit in hits:
            action, _, ref = hit.feature.partition("@")
            if action and not action.startswith(("./", "docker://")) and not _COMMIT.match(ref):
                alone = f"{file.path}\0{hit.start_line}" if hit.ignored else ""
                uses[_group(action, ref), alone].append((file, hit))
    for group in sorted(uses):
        yield _unpinned(rule, group[0], uses[group], workflows.owner)


def _group(action: str, ref: str) -> str:
    """GitHub's own actions by tag are one group, every other action is its own."""
    first_party = action.partition("/")[0] in _PUBLISHER and not _is_branch(ref)
    return "" if first_party else action


def _is_branch(ref: str) -> bool:
    return ref.lower() in _BRANCHES


def _unpinned(
    rule: WorkflowRule,
    action: str,
    uses: Sequence[tuple[WorkflowFile, WorkflowHit]],
    owner: str,
) -> Finding:
    refs = sorted({hit.feature for _, hit in uses})
    branch = any(_is_branch(ref.partition("@")[2]) for ref in refs)
    file, hit = next((one for one in uses if _is_branch(one[1].feature.partition("@")[2])), uses[0])
    count = len({used_in.path for used_in, _ in uses})
    return rule.finding(
        f"{_listed(refs)} (in {_counted(len(uses), 'place')}, {_counted(count, 'file')}) can "
        f"be moved to other code by whoever controls its repository. {rule.remedy}",
        place_of(file, hit),
        title="Action followed by its branch" if branch else rule.title,
        severity=weighed(file, _unpinned_severity(action, uses, owner, is_branch=branch)),
        evidence=action or "actions by GitHub",
        anywhere=True,
    )


def _unpinned_severity(
    action: str,
    uses: Sequence[tuple[WorkflowFile, WorkflowHit]],
    owner: str,
    *,
    is_branch: bool,
) -> Severity:
    # Who may move a tag of the owner's other repositories is of the same house.
    if not action or (owner and action.lower().startswith(f"{owner}/")):
        return Severity.INFO
    reach = {file.path: Reach(file) for file, _ in uses}
    if any(reach[file.path].at(hit.start_line) for file, hit in uses):
        third_party = action.partition("/")[0] not in _PUBLISHER
        return Severity.MEDIUM if is_branch and third_party else Severity.LOW
    # Whoever opens a pull request runs code of his own in what it starts.
    by_strangers = all(file.triggers.keys() == {"pull_request"} for file, _ in uses)
    return Severity.LOW if is_branch and not by_strangers else Severity.INFO


def _listed(refs: Sequence[str]) -> str:
    return ", ".join(refs[:6]) + (f" and {len(refs) - 6} more" if len(refs) > 6 else "")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
