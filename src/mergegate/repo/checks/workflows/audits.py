"""zizmor's remaining audits: our title, severity and remedy for each."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

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


def _audit(
    name: str, title: str, severity: Severity, *, wrong: str, remedy: str, cwe: str
) -> WorkflowRule:
    """Our reading of one of zizmor's audits; ``wrong`` has no full stop."""
    return WorkflowRule(
        id=f"workflow-{name}",
        title=title,
        explanation=f"{wrong}.",
        remedy=remedy,
        severity=severity,
        cwe=(cwe,),
        references=(f"{DOCS}{name}",),
    )


def _named(*rules: WorkflowRule) -> Mapping[str, WorkflowRule]:
    """The rules by the names of their audits."""
    return {rule.id.removeprefix("workflow-"): rule for rule in rules}


_RATED_BY_US = _named(
    _audit(
        "artipacked",
        "Checkout leaves the token on disk",
        Severity.INFO,
        wrong="actions/checkout keeps the job's token in .git/config, where later steps and "
        "uploaded artifacts can pick it up",
        remedy="Set `persist-credentials: false` unless the job pushes.",
        cwe="CWE-522",
    ),
    _audit(
        "bot-conditions",
        "Bot check that can be faked",
        Severity.MEDIUM,
        wrong="The condition trusts github.actor, which is whoever caused the last event "
        "and not the author of the change",
        remedy="Compare github.event.pull_request.user.login instead.",
        cwe="CWE-290",
    ),
    _audit(
        "cache-poisoning",
        "Release built from a shared cache",
        Severity.INFO,
        wrong="A workflow that publishes restores a cache that less trusted runs may have written",
        remedy="Turn the cache off in release jobs.",
        cwe="CWE-349",
    ),
    _audit(
        "github-env",
        "Outside input may reach the environment of later steps",
        Severity.HIGH,
        wrong="A job that strangers can start writes to GITHUB_ENV or GITHUB_PATH, which "
        "decides what later steps execute",
        remedy="Pass values through GITHUB_OUTPUT, and never write text of the event.",
        cwe="CWE-454",
    ),
    _audit(
        "hardcoded-container-credentials",
        "Container registry password in the workflow",
        Severity.HIGH,
        wrong="The password of a container registry is written into the workflow, for "
        "everyone who can read the repository",
        remedy="Revoke it and refer to a repository secret.",
        cwe="CWE-798",
    ),
    _audit(
        "insecure-commands",
        "Insecure workflow commands enabled",
        Severity.MEDIUM,
        wrong="ACTIONS_ALLOW_UNSECURE_COMMANDS lets anything that is printed to the log set "
        "environment variables and PATH",
        remedy="Remove it and write to GITHUB_ENV or GITHUB_PATH.",
        cwe="CWE-454",
    ),
    _audit(
        "overprovisioned-secrets",
        "Step receives every secret",
        Severity.MEDIUM,
        wrong="The whole secrets context is handed over, so a single bad step leaks all of them",
        remedy="Pass the secrets that are needed, each by its name.",
        cwe="CWE-272",
    ),
    _audit(
        "secrets-inherit",
        "Called workflow inherits every secret",
        Severity.INFO,
        wrong="`secrets: inherit` gives the called workflow all secrets, needed or not",
        remedy="Name the secrets it needs.",
        cwe="CWE-272",
    ),
    _audit(
        "typosquat-uses",
        "Action named almost like a well-known one",
        Severity.MEDIUM,
        wrong="The action's name differs from a well-known one by a slip of the keyboard",
        remedy="Check the owner and correct the name.",
        cwe="CWE-829",
    ),
    _audit(
        "unpinned-images",
        "Container image without a fixed version",
        Severity.LOW,
        wrong="The job runs in an image whose tag can be moved to other content",
        remedy="Pin the image by digest, `image@sha256:…`.",
        cwe="CWE-829",
    ),
    _audit(
        "unredacted-secrets",
        "Part of a secret may appear in logs",
        Severity.LOW,
        wrong="A field is taken out of a structured secret; GitHub masks only the secret as "
        "a whole",
        remedy="Store each value as a secret of its own.",
        cwe="CWE-532",
    ),
    _audit(
        "unsound-condition",
        "Condition that is always true",
        Severity.MEDIUM,
        wrong="The block scalar adds a line break to the expression, so the condition holds always",
        remedy="Write the condition with `|-` or `>-`, or without `${{ }}`.",
        cwe="CWE-571",
    ),
    _audit(
        "unsound-contains",
        "Condition that a chosen branch name satisfies",
        Severity.MEDIUM,
        wrong="contains() is given a plain string, so any substring of it passes the check",
        remedy='Compare with fromJSON(\'["a", "b"]\') or with ==.',
        cwe="CWE-183",
    ),
    _audit(
        "archived-uses",
        "Action that is no longer maintained",
        Severity.LOW,
        wrong="The action's repository is archived: flaws in it will not be repaired",
        remedy="Replace it by a maintained one.",
        cwe="CWE-1104",
    ),
    _audit(
        "obfuscation",
        "Needlessly obscure workflow syntax",
        Severity.LOW,
        wrong="The reference or expression is written so that reviewers and tools may misread it",
        remedy="Write it plainly.",
        cwe="CWE-1116",
    ),
    _audit(
        "use-trusted-publishing",
        "Package published with a long-lived token",
        Severity.INFO,
        wrong="A stored token publishes the package; if it leaks, anyone can publish",
        remedy="Use the index's trusted publishing.",
        cwe="CWE-522",
    ),
)
_RATED_BY_ZIZMOR = _named(
    _audit(
        "adhoc-packages",
        "Ad-hoc installation of packages",
        Severity.INFO,
        wrong="A step installs packages by name, outside of any lock file, so that each run "
        "takes whatever is newest",
        remedy="Install them from a lock file that is committed.",
        cwe="CWE-1357",
    ),
    _audit(
        "concurrency-limits",
        "Insufficient job-level concurrency limits",
        Severity.INFO,
        wrong="Runs that a later one has overtaken go on, at the cost of runners and "
        "sometimes over the later one's result",
        remedy="Set `concurrency:` with a group for each branch.",
        cwe="CWE-400",
    ),
    _audit(
        "github-app",
        "Dangerous use of GitHub App tokens",
        Severity.MEDIUM,
        wrong="The token of a GitHub App may do all that its installation may, or outlives the job",
        remedy="Name the permissions and repositories that are needed, and let it be revoked.",
        cwe="CWE-272",
    ),
    _audit(
        "insecure-url-scheme",
        "Use of an insecure scheme within a URL",
        Severity.MEDIUM,
        wrong="Something is fetched without encryption, so that anyone on the way can replace it",
        remedy="Use https.",
        cwe="CWE-319",
    ),
    _audit(
        "misfeature",
        "Usage of GitHub Actions misfeatures",
        Severity.INFO,
        wrong="The workflow uses something that GitHub Actions offers and that breaks "
        "easily or cannot be analysed",
        remedy="Do it in a plain step instead.",
        cwe="CWE-1177",
    ),
    _audit(
        "undocumented-permissions",
        "Permissions without explanatory comments",
        Severity.INFO,
        wrong="Nothing says why the job's token may do what it may, so that nobody dares to "
        "take it away",
        remedy="Write the reason beside each permission.",
        cwe="CWE-1059",
    ),
    _audit(
        "unpinned-tools",
        "Action installs an unpinned external tool",
        Severity.LOW,
        wrong="The action installs whatever version of a tool is newest",
        remedy="Give the action a version to install.",
        cwe="CWE-829",
    ),
    _audit(
        "unsound-ternary",
        "Unsound pseudo-ternary expression",
        Severity.INFO,
        wrong="The expression's first value counts as false, so that it always gives the second",
        remedy="Swap the two values and turn the condition round.",
        cwe="CWE-670",
    ),
)
"""Found by its pedantic persona; a finding keeps its words and, a step milder, its severity."""
_TASTE = frozenset({"self-repository", "superfluous-actions", "anonymous-definition"})
"""Audits of style: no risk follows from them."""
_OWN_CHECK = frozenset(
    {"dangerous-triggers", "excessive-permissions", "template-injection", "unpinned-uses"}
)
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


def _all_rules() -> Iterator[WorkflowRule]:
    yield from _RATED_BY_US.values()
    yield from _RATED_BY_ZIZMOR.values()


@check(
    "workflow-permissions",
    "Workflow token with wide permissions",
    Severity.LOW,
    "CWE-272",
    milder={
        Severity.INFO: "where no permissions are stated and no stranger can start the workflow"
    },
)
def permissions(rule: WorkflowRule, workflows: Workflows) -> Iterator[Finding]:
    """A job's token may do more than the job needs.

    A bad dependency or action in the job inherits all that the token may do. A missing
    ``permissions:`` block weighs less than a wide one, since new repositories give read access by
    default.

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


@check_of_many("workflow-audit", Aspect.IAC, _all_rules)
def audit(workflows: Workflows) -> Iterator[Finding]:
    """zizmor's other audits of workflows and actions, one finding an audit and file.

    Among them credentials in plain text, writes to GITHUB_ENV, conditions that are always
    true, secrets passed on whole, caches in release jobs.
    """
    names = {hit.audit for file in workflows.files for hit in file.found.hits} - _OWN_CHECK - _TASTE
    for name in sorted(names):
        for file, hits in hits_by_file(workflows, name):
            if name in _RATED_BY_US:
                rule = _RATED_BY_US[name]
                yield finding(file, hits, rule, rule.explanation.removesuffix("."))
            else:
                rule = _RATED_BY_ZIZMOR.get(name) or _unknown(name, hits[0])
                wrong = f"zizmor finds: {hits[0].annotation}"
                yield finding(file, hits, rule, wrong, _rated(hits[0]))
