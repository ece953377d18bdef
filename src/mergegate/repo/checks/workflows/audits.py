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
from mergegate.repo.checks.workflows.triggers import WITHOUT_TEXT
from mergegate.repo.facts.documents import WorkflowFile, WorkflowHit, WorkflowKind, Workflows


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
    low: str = ""
    """When a finding of it is low, where that is not as zizmor rates it."""


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
    Severity.INFO: f"{_AS_ZIZMOR}, for an image of Docker's own, of a service or of a job that "
    "holds no secret and may not write, where a step writes nothing but words of its own, and "
    f"{IDLE}",
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
            milder=_MILDER | ({Severity.LOW: one.low} if one.low else {}),
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

    Info: where the token may only read, or no permissions are stated and no stranger can start
    the workflow

    Remedy: Set `permissions: contents: read` for the workflow and grant more to single jobs.

    Reference: https://docs.zizmor.sh/audits/#excessive-permissions
    """
    for file, hits in hits_by_file(workflows, "excessive-permissions"):
        stated = [hit for hit in hits if "no permissions: block" not in hit.annotation]
        if stated:
            reads = all("read-all" in hit.annotation for hit in stated)
            wrong = f"The job's token may {'read' if reads else 'change'} more than the job needs"
            yield finding(file, stated, rule, wrong, Severity.INFO if reads else None)
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
        habits: list[tuple[WorkflowFile, WorkflowHit]] = []
        for file, found in hits_by_file(workflows, name):
            habits += ((file, hit) for hit in found if _is_habit(file, hit))
            hits = [hit for hit in found if not _is_habit(file, hit)]
            if not hits:
                continue
            rule = _rules()[name] if known else _unknown(name, hits[0])
            if known and known.rated_by_us:
                ours = partial(_ours, rule, file, Reach(file), workflows.owner)
                rated = sorted(hits, key=lambda hit: -ours(hit))
                worst = ours(rated[0])
                yield finding(file, rated, rule, known.wrong, worst)
            else:
                wrong = f"zizmor finds: {hits[0].annotation}"
                yield finding(file, hits, rule, wrong, _rated(hits[0]))
        if habits:
            yield _habit(_rules()[name], habits)


def _is_habit(file: WorkflowFile, hit: WorkflowHit) -> bool:
    """Whether it is the wide token of a GitHub App that ends with the job and reaches no further.

    Without `owner` and `repositories` the action asks for a token for this repository.
    """
    if hit.audit != "github-app" or hit.ignored or "installation permissions" not in hit.annotation:
        return False
    steps = (step for _, job in file.jobs for step in job["steps"].items)
    given = [step["with"] for step in steps if step["uses"].line == hit.start_line]
    return len(given) == 1 and not any(
        given[0][name].present for name in ("owner", "repositories", "skip-token-revoke")
    )


def _habit(rule: WorkflowRule, uses: Sequence[tuple[WorkflowFile, WorkflowHit]]) -> Finding:
    """One finding for the whole repository, placed at the first of ``uses``."""
    file, hit = uses[0]
    others = sorted({f"{one.path}:{at.start_line}" for one, at in uses[1:]})
    also = f" (also at {_listed(others)})" if others else ""
    return rule.finding(
        f"zizmor finds: {hit.annotation}{also}. {rule.remedy}",
        place_of(file, hit),
        severity=weighed(file, Severity.LOW),
        evidence=hit.audit,
        confidence=hit.confidence,
        anywhere=True,
    )


def _ours(
    rule: WorkflowRule, file: WorkflowFile, reach: Reach, owner: str, hit: WorkflowHit
) -> Severity:
    """The rule's severity, but not above zizmor's; a service holds no token and no code."""
    if hit.audit == "unpinned-images" and not reach.at(hit.start_line):
        return Severity.INFO
    if hit.audit == "github-env" and _writes_no_text(file, hit):
        return Severity.INFO
    if hit.audit == "unpinned-images" and (
        _OFFICIAL_OR_OPEN.fullmatch(hit.feature) or _is_of(owner, hit.feature)
    ):
        return Severity.INFO  # who may move a tag of the owner's other images is of the same house
    services = (service for _, job in file.jobs for _, service in job["services"].entries)
    if hit.audit == "unpinned-images" and hit.start_line in {
        service["image"].line for service in services
    }:
        return Severity.INFO
    return min(rule.severity, _SEVERITIES.get(hit.severity, Severity.HIGH))


def _is_of(owner: str, image: str) -> bool:
    """Whether the owner of the repository publishes the image that a line names."""
    known = rf"(?:^|[\s\"'])ghcr\.io/{re.escape(owner)}/"
    return bool(owner) and re.search(known, image, re.IGNORECASE) is not None


_OFFICIAL_OR_OPEN = re.compile(r"[^/]+|.*\$\{\{.*")
"""Images that Docker publishes itself, as GitHub does its actions, and those not known."""
_PLAIN = re.compile(
    rf"\$\{{\{{\s*(?:{WITHOUT_TEXT.pattern}|github\.(?:sha|run_id|run_number))\s*\}}\}}"
    r"|\$\{?GITHUB_(?:ENV|PATH|OUTPUT)\b"
)
"""What nobody chooses the text of."""
_GIVEN = re.compile(
    r"\$\{\{[^}]*\b(?:inputs|steps|github\.(?:event|\w+_ref|ref_name|actor))\b"
    r"|\bGITHUB_(?:HEAD_REF|BASE_REF|REF|REF_NAME|EVENT_PATH|ACTOR)\b"
)
"""What the caller of an action, an earlier step or the event gives."""


def _writes_no_text(file: WorkflowFile, hit: WorkflowHit) -> bool:
    """Whether the step puts nothing but words of its own and numbers of GitHub's anywhere.

    An action, of which nobody knows here what starts it, may put there what its commands say.
    """
    steps = (step for _, job in file.jobs for step in job["steps"].items)
    writing = [step for step in steps if step["run"].line == hit.start_line]
    if len(writing) != 1:
        return False
    run = writing[0]["run"].text
    if file.found.kind is WorkflowKind.ACTION:
        given = (run, *(one.text for _, one in writing[0]["env"].entries))
        return not any(map(_GIVEN.search, given))
    return not re.search(r"[$`]", _PLAIN.sub("", run))


_BRANCHES = frozenset({"main", "master", "develop", "dev", "trunk", "head", "latest"})
_PUBLISHER = frozenset({"actions", "github"})
_ON_A_BRANCH_ALONE = "google/oss-fuzz/"
"""Actions that are published on a branch alone, which their documentation names."""
_COMMIT = re.compile(r"[0-9a-f]{40}")


@check("workflow-unpinned-action", Severity.MEDIUM, "CWE-829")
def unpinned_action(rule: WorkflowRule, workflows: Workflows) -> Iterator[Finding]:
    """An action is fetched by a tag or branch that its owner can move.

    Moved tags of popular actions have leaked the secrets of thousands of repositories. One
    finding an action, wherever it is used; GitHub's own are told once.

    Title: Action not pinned to a commit

    Low: for a tag, for a branch of GitHub's own actions, and for a branch in jobs that hold no
    secret, may not write and run on no machine of one's own

    Info: for a tag in such jobs, for a branch where only pull requests start them, for actions that
    are published on a branch alone, for tags of GitHub's own actions, for actions and workflows of
    the repository's own owner, and in an action that nothing in production code uses

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
    """Placed where it weighs: in a job that holds something, then where a branch is followed."""
    refs = sorted({hit.feature for _, hit in uses})
    branch = any(map(_follows, uses))
    run = [one for one in uses if weighed(one[0], Severity.LOW) is Severity.LOW] or uses
    held = _held(run)
    file, hit = next(filter(_follows, held or run), (held or run)[0])
    count = len({used_in.path for used_in, _ in uses})
    severity = Severity.INFO
    # Who may move a tag of the owner's other repositories is of the same house.
    if action and not (owner and action.lower().startswith(f"{owner}/")):
        severity = _unpinned_severity(action, run, is_held=bool(held), is_branch=branch)
    return rule.finding(
        f"{_listed(refs)} (in {_counted(len(uses), 'place')}, {_counted(count, 'file')}) can "
        f"be moved to other code by whoever controls its repository. {rule.remedy}",
        place_of(file, hit),
        title="Action followed by its branch" if branch else rule.title,
        severity=weighed(file, severity),
        evidence=action or "actions by GitHub",
        anywhere=True,
    )


def _follows(use: tuple[WorkflowFile, WorkflowHit]) -> bool:
    return _is_branch(use[1].feature.partition("@")[2])


def _held(
    uses: Sequence[tuple[WorkflowFile, WorkflowHit]],
) -> Sequence[tuple[WorkflowFile, WorkflowHit]]:
    """Those in jobs that hold a secret, may write or make what is released."""
    reach = {file.path: Reach(file) for file, _ in uses}
    return [(file, hit) for file, hit in uses if reach[file.path].at(hit.start_line)]


def _unpinned_severity(
    action: str,
    uses: Sequence[tuple[WorkflowFile, WorkflowHit]],
    *,
    is_held: bool,
    is_branch: bool,
) -> Severity:
    if action.startswith(_ON_A_BRANCH_ALONE):
        return Severity.INFO
    if is_held:
        third_party = action.partition("/")[0] not in _PUBLISHER
        return Severity.MEDIUM if is_branch and third_party else Severity.LOW
    # Whoever opens a pull request runs code of his own in what it starts.
    by_strangers = all(file.triggers.keys() == {"pull_request"} for file, _ in uses)
    return Severity.LOW if is_branch and not by_strangers else Severity.INFO


def _listed(refs: Sequence[str]) -> str:
    return ", ".join(refs[:6]) + (f" and {len(refs) - 6} more" if len(refs) > 6 else "")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
