"""Which actions can change under the repository's feet."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.workflows.reading import (
    IDLE,
    WorkflowRule,
    hits_by_file,
    place_of,
    weighed,
)
from mergegate.repo.facts.workflows import WorkflowFile, WorkflowHit, Workflows

_BRANCHES = frozenset({"main", "master", "develop", "dev", "trunk", "head", "latest"})
_PUBLISHER = frozenset({"actions", "github"})
_COMMIT = re.compile(r"[0-9a-f]{40}")


@check(
    "workflow-unpinned-action",
    "Action not pinned to a commit",
    Severity.MEDIUM,
    "CWE-829",
    milder={
        Severity.LOW: "for a tag, and for a branch of GitHub's own actions",
        Severity.INFO: f"for tags of GitHub's own actions, and {IDLE}",
    },
)
def unpinned_action(rule: WorkflowRule, workflows: Workflows) -> Iterator[Finding]:
    """An action is fetched by a tag or branch that its owner can move.

    Moved tags of popular actions have leaked the secrets of thousands of repositories. One
    finding an action, wherever it is used; GitHub's own are told once.

    Remedy: Pin the full commit and keep the version in a comment.

    Reference: https://docs.github.com/en/actions/reference/security/secure-use
    Reference: https://docs.zizmor.sh/audits/#unpinned-uses
    """
    uses: dict[str, list[tuple[WorkflowFile, WorkflowHit]]] = defaultdict(list)
    for file, hits in hits_by_file(workflows, "unpinned-uses"):
        for hit in hits:
            action, _, ref = hit.feature.partition("@")
            if action and not action.startswith(("./", "docker://")) and not _COMMIT.match(ref):
                uses[_group(action, ref)].append((file, hit))
    for group in sorted(uses):
        yield _unpinned(rule, group, uses[group])


def _group(action: str, ref: str) -> str:
    """GitHub's own actions by tag are one group, every other action is its own."""
    first_party = action.partition("/")[0] in _PUBLISHER and not _is_branch(ref)
    return "" if first_party else action


def _is_branch(ref: str) -> bool:
    return ref.lower() in _BRANCHES


def _unpinned(
    rule: WorkflowRule, action: str, uses: Sequence[tuple[WorkflowFile, WorkflowHit]]
) -> Finding:
    refs = sorted({hit.feature for _, hit in uses})
    branch = any(_is_branch(ref.partition("@")[2]) for ref in refs)
    third_party = bool(action) and action.partition("/")[0] not in _PUBLISHER
    file, hit = next((one for one in uses if _is_branch(one[1].feature.partition("@")[2])), uses[0])
    severity = (Severity.MEDIUM if third_party else Severity.LOW) if branch else Severity.LOW
    count = len({used_in.path for used_in, _ in uses})
    return rule.finding(
        f"{_listed(refs)} (in {_counted(len(uses), 'place')}, {_counted(count, 'file')}) can "
        f"be moved to other code by whoever controls its repository. {rule.remedy}",
        place_of(file, hit),
        title="Action followed by its branch" if branch else rule.title,
        severity=weighed(file, severity if action else Severity.INFO),
        evidence=action or "actions by GitHub",
    )


def _listed(refs: Sequence[str]) -> str:
    return ", ".join(refs[:6]) + (f" and {len(refs) - 6} more" if len(refs) > 6 else "")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
