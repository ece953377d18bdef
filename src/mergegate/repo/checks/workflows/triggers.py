"""Workflows that strangers can start, and the input of theirs that the workflows use."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.workflows import PRIVILEGED, WorkflowRule, finding, hits_by_file
from mergegate.repo.checks.workflows.reach import Reach, is_self_hosted
from mergegate.repo.facts.documents import Node, WorkflowFile, WorkflowHit, WorkflowKind, Workflows

_STRANGERS_TEXT = re.compile(
    r"github\.head_ref\b"
    r"|github\.event\.(issue|pull_request|discussion)\.(title|body)\b"
    r"|github\.event\.pull_request\.head\.(ref|label|repo\.default_branch)\b"
    r"|github\.event\.(comment|review|review_comment)\.body\b"
    r"|github\.event\.pages\S*\.page_name\b"
    r"|github\.event\.(head_commit|commits\S*)\.(message|author\.(email|name))\b"
    r"|github\.event\.workflow_run\.(head_branch|display_title|head_commit\.\S+)\b"
)
_OWN_INPUT = re.compile(r"(github\.event\.)?inputs\.")
_OWN_ACTION = re.compile(r"(.*/)?\.github/")
"""Where a repository keeps the actions of its own workflows."""
_WRITERS_TEXT = re.compile(
    r"github\.(ref|ref_name|base_ref|workflow|workflow_ref|job|repository|repository_owner)"
    r"|github\.event\.(release|workflow_dispatch|client_payload|repository|label|milestone)\.[\w.]+"
    r"|github\.event\.(ref|base_ref|workflow|pull_request\.base\.[\w.]+)"
)
"""What people choose who may write to the repository: a fork's branch is ``head_ref``."""
_FOREIGN_HEAD = re.compile(
    r"github\.head_ref\b|github\.event\.pull_request\.head\.(sha|ref)\b"
    r"|github\.event\.workflow_run\.head_(sha|branch|commit\.id)\b"
    r"|refs/pull/.{0,200}/(head|merge)|github\.event\.pull_request\.merge_commit_sha"
)
_FETCHES_HEAD = re.compile(
    r"\bgh pr checkout\b|\bgit (fetch|pull)\b[^\n]{0,200}\bpull/\S{1,200}/(head|merge)"
)
_COMMENT = "issue_comment"
_FOUND_HEAD = re.compile(
    r"steps\.[\w-]+\.outputs\.\S{0,200}?\b(?:\w*head\w*|\w*sha|\w*ref|\w*branch)\b"
)
"""What an earlier step found out of the pull request that a comment stands in."""
_ASKS_WHO = re.compile(
    r"author_association|github\.(?:actor|triggering_actor)\b|\.(?:user|sender)\.login"
    r"|collaborators|getCollaboratorPermission|permission|membership|trusted",
    re.IGNORECASE,
)
"""That a job looks at who has written the comment."""
_DOWNLOADS = re.compile(
    r"^[\w.-]+/[\w./-]*download[\w-]*artifact[\w.-]*@|\bgh run download\b"
    r"|\b(downloadArtifact|listWorkflowRunArtifacts)\b|/artifacts/\S{1,100}/zip\b"
)
WITHOUT_TEXT = re.compile(
    r"github\.event(\.\w+)*\.(\w*_?url|number|\w*_?id|\w*sha|compare|before|after|merged|draft)"
    r"|github\.event\.(pull_request|issue|release|repository|sender|comment|workflow_run)"
    r"|github\.(actor|triggering_actor)"
)
"""What GitHub makes up itself, logins of letters, digits and dashes, and whole objects, of which a
script sees one word."""


@check("workflow-script-injection", Severity.CRITICAL, "CWE-94")
def script_injection(rule: WorkflowRule, workflows: Workflows) -> Iterator[Finding]:
    """Text of an event is pasted into a script or an action's code before it runs.

    ``${{ }}`` is replaced before the shell sees the line, so a pull request's title or a
    branch name can hold commands. It is worst where strangers can start the workflow and it
    holds secrets.

    Title: Event text pasted into a script

    High: in actions and called workflows, and where it is less certain

    Medium: where a stranger's run holds no secrets

    Low: where nobody can tell who chooses the text, and for inputs of an action that others use

    Info: where only people with write access choose it, or the job holds no secret and may not
    write, for inputs of the repository's own workflows and actions, for numbers and addresses that
    GitHub makes, and in an action that nothing in production code uses

    Remedy: Set it in `env:` and use the shell variable in quotes.

    Reference: https://docs.zizmor.sh/audits/#template-injection
    Reference: https://docs.github.com/en/actions/concepts/security/script-injections
    """
    for file, hits in hits_by_file(workflows, "template-injection"):
        reach = Reach(file)
        rated = [(_injection_severity(file, reach, hit), hit) for hit in hits]
        worst, hit = max(rated, key=lambda one: one[0])
        what = f"`${{{{ {hit.feature} }}}}`" if hit.feature else "an expression"
        yield finding(
            file,
            [hit, *(other for other in hits if other is not hit)],
            rule,
            f"{what} is pasted into the script before the shell reads it, so whoever chooses "
            "that text may run commands in the job",
            worst,
        )


def _injection_severity(file: WorkflowFile, reach: Reach, hit: WorkflowHit) -> Severity:
    is_own = file.found.kind is WorkflowKind.WORKFLOW or _OWN_ACTION.match(file.path)
    if is_own and _OWN_INPUT.match(hit.feature):
        return Severity.INFO  # only callers of the same repository and maintainers give it
    if WITHOUT_TEXT.fullmatch(hit.feature) or _WRITERS_TEXT.fullmatch(hit.feature):
        return Severity.INFO
    if not _STRANGERS_TEXT.search(hit.feature):
        gains = hit.severity == "High" and reach.at(hit.start_line)
        return Severity.LOW if gains else Severity.INFO
    if file.found.kind is WorkflowKind.ACTION:
        return Severity.HIGH
    triggers = file.triggers.keys()
    if triggers & PRIVILEGED:
        return Severity.CRITICAL if hit.confidence is Confidence.HIGH else Severity.HIGH
    # A fork's pull_request run holds no secrets, and its author could change the script anyway.
    return Severity.HIGH if "workflow_call" in triggers else Severity.MEDIUM


@check(
    "workflow-untrusted-checkout",
    Severity.HIGH,
    "CWE-829",
    confidence=Confidence.MEDIUM,
    engine="mergegate",
)
def untrusted_checkout(rule: WorkflowRule, workflows: Workflows) -> Iterator[Finding]:
    """A workflow with secrets checks out code of a pull request that nobody has reviewed.

    ``pull_request_target``, ``workflow_run`` and ``issue_comment`` run in the context of the base
    repository. Once the head is checked out, its build scripts run beside the secrets and the
    token. Of comments it is told where nothing asks who wrote them.

    Title: Unreviewed code checked out beside secrets

    Medium: where somebody has to set a label first

    Remedy: Build it in a `pull_request` workflow and leave only the reporting here.

    Reference: https://docs.zizmor.sh/audits/#dangerous-triggers
    Reference: https://securitylab.github.com/resources/github-actions-preventing-pwn-requests/
    """
    for file in workflows.files:
        started_by, steps = _started_by(file), _steps_with_head(file)
        if not started_by or not steps:
            started_by, steps = [_COMMENT], _steps_on_comment(file)
        if not steps:
            continue
        types = file.triggers[started_by[0]]["types"].each
        labelled = [item.text for item in types] == ["labeled"]
        yield rule.finding(
            f"The workflow is started by {' and '.join(started_by)}, runs with the base "
            "repository's secrets and token, and checks out the head of the pull request: "
            f"its author can run code with them. {rule.remedy}",
            Place(file.path, steps[0].line, steps[0].line),
            severity=Severity.MEDIUM if labelled else Severity.HIGH,
        )


def _started_by(file: WorkflowFile) -> list[str]:
    return sorted(file.triggers.keys() & {"pull_request_target", "workflow_run"})


def _steps_with_head(file: WorkflowFile) -> list[Node]:
    return [step for step in _steps(file) if _takes_head(step)]


def _steps_on_comment(file: WorkflowFile) -> list[Node]:
    """The steps that check out a pull request because anybody wrote a comment in it."""
    if _COMMENT not in file.triggers:
        return []
    jobs = [job for _, job in file.jobs]
    if any(_ASKS_WHO.search(one.text) for job in jobs for one in _decisions(job)):
        return []
    return [step for job in jobs for step in job["steps"].items if _takes_commented(step)]


def _decisions(job: Node) -> Iterator[Node]:
    """Where a job says whether it goes on."""
    yield from (job["if"], job["environment"], job["environment"]["name"])
    for step in job["steps"].items:
        yield from (step["if"], step["uses"], step["run"], step.at("with", "script"))


def _takes_commented(step: Node) -> bool:
    ref = step.at("with", "ref").text if step["uses"].text.startswith("actions/checkout@") else ""
    return _takes_head(step) or _FOUND_HEAD.search(ref) is not None


def _steps(file: WorkflowFile) -> Iterator[Node]:
    return (step for _, job in file.jobs for step in job["steps"].items)


def _takes_head(step: Node) -> bool:
    if step["uses"].text.startswith("actions/checkout@"):
        return _FOREIGN_HEAD.search(step.at("with", "ref").text) is not None
    return _FETCHES_HEAD.search(step["run"].text) is not None


@check("workflow-dangerous-trigger", Severity.LOW, "CWE-829")
def dangerous_trigger(rule: WorkflowRule, workflows: Workflows) -> Iterator[Finding]:
    """A workflow is started by an event that gives strangers' changes secrets and a token.

    ``pull_request_target`` and ``workflow_run`` are sound while no foreign code, text or file is
    used; a later edit easily changes that. Where foreign code is checked out already, that is told
    instead.

    Title: Workflow trigger that is easily misused

    Info: where nothing of the change is used

    Remedy: Use `pull_request` where no secrets are needed; else never use the head's code, text
    or artifacts here.

    Reference: https://docs.zizmor.sh/audits/#dangerous-triggers
    """
    for file, hits in hits_by_file(workflows, "dangerous-triggers"):
        if _started_by(file) and _steps_with_head(file):
            continue
        takes = any(_takes_artifact(step) for step in _steps(file))
        why = (
            "it downloads an artifact, which the change's own code may have made"
            if takes
            else "nothing of the change is used now, which a later edit easily alters"
        )
        wrong = (
            "The workflow runs with secrets and a token that may write, on an event that a "
            f"stranger can cause; {why}"
        )
        yield finding(file, hits, rule, wrong, Severity.LOW if takes else Severity.INFO)


def _takes_artifact(step: Node) -> bool:
    return _DOWNLOADS.search(step["uses"].text or step["run"].text or "") is not None


@check(
    "workflow-self-hosted-runner",
    Severity.LOW,
    "CWE-829",
    milder={},
    confidence=Confidence.MEDIUM,
    engine="mergegate",
)
def self_hosted_runner(rule: WorkflowRule, workflows: Workflows) -> Iterator[Finding]:
    """Pull requests run on a machine of one's own.

    In a public repository a fork's code then runs on that machine and may stay there for the
    next job.

    Title: Pull requests run on a self-hosted runner

    Remedy: Use hosted or one-time runners for pull requests.

    Reference: https://docs.github.com/en/actions/reference/security/secure-use
    """
    for file in workflows.files:
        public = sorted(file.triggers.keys() & {"pull_request", "pull_request_target"})
        own = [name for name, job in file.jobs if is_self_hosted(job["runs-on"])]
        if not public or not own:
            continue
        line = file.found.root.at("jobs", own[0], "runs-on").line
        yield rule.finding(
            f"Pull requests start {', '.join(own)} on a self-hosted machine; in a public "
            f"repository their code can stay there and watch later jobs. {rule.remedy}",
            Place(file.path, line, line),
        )
