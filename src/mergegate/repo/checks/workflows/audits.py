"""zizmor's remaining audits: our title, severity and remedy for each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mergegate.core.finding import Finding
from mergegate.core.severity import Aspect, Severity
from mergegate.repo.checks import check, check_of_many
from mergegate.repo.checks.workflows.reading import (
    DOCS,
    PRIVILEGED,
    WorkflowRule,
    finding,
    hits_by_file,
)
from mergegate.repo.facts.workflows import WorkflowHit, Workflows


@dataclass(frozen=True, slots=True)
class _Reading:
    """Our reading of one of zizmor's audits."""

    title: str
    severity: Severity
    wrong: str
    remedy: str
    cwe: str


_AUDITS: Mapping[str, _Reading] = {
    "artipacked": _Reading(
        "Checkout leaves the token on disk",
        Severity.INFO,
        "actions/checkout keeps the job's token in .git/config, where later steps and uploaded "
        "artifacts can pick it up",
        "Set `persist-credentials: false` unless the job pushes.",
        "CWE-522",
    ),
    "bot-conditions": _Reading(
        "Bot check that can be faked",
        Severity.MEDIUM,
        "The condition trusts github.actor, which is whoever caused the last event and not the "
        "author of the change",
        "Compare github.event.pull_request.user.login instead.",
        "CWE-290",
    ),
    "cache-poisoning": _Reading(
        "Release built from a shared cache",
        Severity.INFO,
        "A workflow that publishes restores a cache that less trusted runs may have written",
        "Turn the cache off in release jobs.",
        "CWE-349",
    ),
    "github-env": _Reading(
        "Outside input may reach the environment of later steps",
        Severity.HIGH,
        "A job that strangers can start writes to GITHUB_ENV or GITHUB_PATH, which decides what "
        "later steps execute",
        "Pass values through GITHUB_OUTPUT, and never write text of the event.",
        "CWE-454",
    ),
    "hardcoded-container-credentials": _Reading(
        "Container registry password in the workflow",
        Severity.HIGH,
        "The password of a container registry is written into the workflow, for everyone who "
        "can read the repository",
        "Revoke it and refer to a repository secret.",
        "CWE-798",
    ),
    "insecure-commands": _Reading(
        "Insecure workflow commands enabled",
        Severity.MEDIUM,
        "ACTIONS_ALLOW_UNSECURE_COMMANDS lets anything that is printed to the log set "
        "environment variables and PATH",
        "Remove it and write to GITHUB_ENV or GITHUB_PATH.",
        "CWE-454",
    ),
    "overprovisioned-secrets": _Reading(
        "Step receives every secret",
        Severity.MEDIUM,
        "The whole secrets context is handed over, so a single bad step leaks all of them",
        "Pass the secrets that are needed, each by its name.",
        "CWE-272",
    ),
    "secrets-inherit": _Reading(
        "Called workflow inherits every secret",
        Severity.INFO,
        "`secrets: inherit` gives the called workflow all secrets, needed or not",
        "Name the secrets it needs.",
        "CWE-272",
    ),
    "typosquat-uses": _Reading(
        "Action named almost like a well-known one",
        Severity.MEDIUM,
        "The action's name differs from a well-known one by a slip of the keyboard",
        "Check the owner and correct the name.",
        "CWE-829",
    ),
    "unpinned-images": _Reading(
        "Container image without a fixed version",
        Severity.LOW,
        "The job runs in an image whose tag can be moved to other content",
        "Pin the image by digest, `image@sha256:…`.",
        "CWE-829",
    ),
    "unredacted-secrets": _Reading(
        "Part of a secret may appear in logs",
        Severity.LOW,
        "A field is taken out of a structured secret; GitHub masks only the secret as a whole",
        "Store each value as a secret of its own.",
        "CWE-532",
    ),
    "unsound-condition": _Reading(
        "Condition that is always true",
        Severity.MEDIUM,
        "The block scalar adds a line break to the expression, so the condition holds always",
        "Write the condition with `|-` or `>-`, or without `${{ }}`.",
        "CWE-571",
    ),
    "unsound-contains": _Reading(
        "Condition that a chosen branch name satisfies",
        Severity.MEDIUM,
        "contains() is given a plain string, so any substring of it passes the check",
        'Compare with fromJSON(\'["a", "b"]\') or with ==.',
        "CWE-183",
    ),
    "archived-uses": _Reading(
        "Action that is no longer maintained",
        Severity.LOW,
        "The action's repository is archived: flaws in it will not be repaired",
        "Replace it by a maintained one.",
        "CWE-1104",
    ),
    "obfuscation": _Reading(
        "Needlessly obscure workflow syntax",
        Severity.LOW,
        "The reference or expression is written so that reviewers and tools may misread it",
        "Write it plainly.",
        "CWE-1116",
    ),
    "use-trusted-publishing": _Reading(
        "Package published with a long-lived token",
        Severity.INFO,
        "A stored token publishes the package; if it leaks, anyone can publish",
        "Use the index's trusted publishing.",
        "CWE-522",
    ),
}
_TASTE = frozenset({"self-repository", "superfluous-actions", "anonymous-definition"})
"""Audits of style: no risk follows from them."""
_OWN_CHECK = frozenset(
    {"dangerous-triggers", "excessive-permissions", "template-injection", "unpinned-uses"}
)
_FALLBACK = {"High": Severity.MEDIUM, "Medium": Severity.LOW}


def _rule(name: str, reading: _Reading) -> WorkflowRule:
    return WorkflowRule(
        id=f"workflow-{name}",
        title=reading.title,
        explanation=f"{reading.wrong}.",
        remedy=reading.remedy,
        severity=reading.severity,
        cwe=(reading.cwe,),
        references=(f"{DOCS}{name}",),
    )


_RULES = {name: _rule(name, reading) for name, reading in sorted(_AUDITS.items())}


def _unknown(name: str, hit: WorkflowHit) -> WorkflowRule:
    """What a newer zizmor finds, in its own words and one step milder."""
    return WorkflowRule(
        id=f"workflow-{name}",
        title=hit.description[:1].upper() + hit.description[1:],
        remedy=f"See {DOCS}{name}.",
        severity=_FALLBACK.get(hit.severity, Severity.INFO),
        without_cwe="zizmor names none.",
        references=(f"{DOCS}{name}",),
    )


_PERMISSIONS = WorkflowRule(
    id="workflow-permissions",
    title="Workflow token with wide permissions",
    severity=Severity.LOW,
    milder={
        Severity.INFO: "where no permissions are stated and no stranger can start the workflow"
    },
    remedy="Set `permissions: contents: read` for the workflow and grant more to single jobs.",
    cwe=("CWE-272",),
    references=(f"{DOCS}excessive-permissions",),
)


@check(_PERMISSIONS)
def permissions(workflows: Workflows) -> Iterator[Finding]:
    """A job's token may do more than the job needs.

    A bad dependency or action in the job inherits all that the token may do. A missing
    ``permissions:`` block weighs less than a wide one, since new repositories give read access by
    default.
    """
    for file, hits in hits_by_file(workflows, "excessive-permissions"):
        stated = [hit for hit in hits if "no permissions: block" not in hit.annotation]
        if stated:
            wrong = "The job's token may change more than the job needs"
            yield finding(file, stated, _PERMISSIONS, wrong)
        else:
            exposed = bool(file.triggers.keys() & PRIVILEGED)
            wrong = "The job's token has whatever the repository's default allows"
            severity = Severity.LOW if exposed else Severity.INFO
            missing = finding(file, hits, _PERMISSIONS, wrong, severity)
            yield replace(missing, title="No token permissions set")


@check_of_many("workflow-audit", Aspect.IAC, _RULES.values)
def audit(workflows: Workflows) -> Iterator[Finding]:
    """zizmor's other audits of workflows and actions, one finding an audit and file.

    Among them credentials in plain text, writes to GITHUB_ENV, conditions that are always
    true, secrets passed on whole, caches in release jobs.
    """
    names = {hit.audit for file in workflows.files for hit in file.found.hits} - _OWN_CHECK - _TASTE
    for name in sorted(names):
        for file, hits in hits_by_file(workflows, name):
            if name in _AUDITS:
                yield finding(file, hits, _RULES[name], _AUDITS[name].wrong)
            else:
                wrong = f"zizmor finds: {hits[0].annotation}"
                yield finding(file, hits, _unknown(name, hits[0]), wrong)
