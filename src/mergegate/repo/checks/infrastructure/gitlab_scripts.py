"""What the scripts of GitLab pipelines do with downloads, tokens and other people's text."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node

_KEYWORDS = frozenset(
    {
        *("stages", "include", "variables", "workflow", "image", "services", "cache", "spec"),
        *("before_script", "after_script", "pages:deploy"),
    }
)


def jobs(root: Node) -> Iterator[tuple[str, Node]]:
    """Name and content of each job, hidden ones included; keywords are left out."""
    for name, job in root.entries:
        if name not in _KEYWORDS and job.keys:
            yield name, job


_DOCS = "https://docs.gitlab.com/ci"
# Gaps are bounded: a hostile line must not cost the square of its length.
_PIPED = re.compile(
    r"\b(curl|wget)\b[^|;&\n]{0,300}https?://[^|;&\n]{0,300}\|\s*(sudo\s+(-\S+\s+)*)?"
    r"(ba|z|da|k)?sh\b|\b(ba|z|da)?sh\s+(-c\s+\"\$|<)\(\s*(curl|wget)\b"
)
_PRINTED = re.compile(
    r"\b(echo|printf)\b[^|;&>\n]{0,300}\$\{?(CI_JOB_TOKEN|CI_REGISTRY_PASSWORD|CI_DEPLOY_PASSWORD"
    r"|[A-Z_]{0,60}(_TOKEN|PASSWORD|_SECRET|PRIVATE_KEY))\b\}?[^|;&>\n]{0,300}$",
    re.MULTILINE,
)
_EVALUATED = re.compile(
    r"\b(eval|(ba|z|da)?sh\s+-c)\b[^\n]{0,300}\$\{?CI_(COMMIT_(MESSAGE|TITLE|DESCRIPTION|AUTHOR|REF_NAME"
    r"|BRANCH)|MERGE_REQUEST_(TITLE|DESCRIPTION|SOURCE_BRANCH_NAME))\b"
)
_PLAIN_TOKEN = re.compile(r"http://[^\s\"']{0,300}(gitlab-ci-token|\$\{?CI_JOB_TOKEN)")


@check("iac-gitlab-piped-download", "Download piped into a shell", Severity.MEDIUM, "CWE-494")
def piped_download(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A job pipes a download into a shell: the other side decides what runs, unverified.

    Remedy: Download a fixed version, compare its checksum, then run it.

    Reference: https://docs.gitlab.com/ci/pipeline_security/
    """
    yield from _in_scripts(
        documents, rule, _PIPED, "runs a download without looking at it, beside its variables"
    )


@check(
    "iac-gitlab-printed-secret",
    "Job prints a secret",
    Severity.MEDIUM,
    "CWE-532",
    confidence=Confidence.MEDIUM,
)
def printed_secret(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A job writes a token or password to its log; masking is best effort.

    Output that goes into a pipe or file is left alone.

    Remedy: Pass it on standard input or in a file, and rotate it if the job has run.

    Reference: https://docs.gitlab.com/ci/jobs/ci_job_token/
    Reference: https://docs.gitlab.com/ci/variables/#mask-a-cicd-variable
    """
    yield from _in_scripts(documents, rule, _PRINTED, "prints a secret to its log")


@check("iac-gitlab-token-in-plain-http", "Job token sent unencrypted", Severity.MEDIUM, "CWE-319")
def token_in_plain_http(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A job sends its token over plain HTTP, where anyone on the way can read it.

    Remedy: Use https.

    Reference: https://docs.gitlab.com/ci/jobs/ci_job_token/
    """
    yield from _in_scripts(documents, rule, _PLAIN_TOKEN, "sends its token over plain HTTP")


@check(
    "iac-gitlab-script-injection",
    "Commit text evaluated as code",
    Severity.HIGH,
    "CWE-94",
    confidence=Confidence.MEDIUM,
)
def script_injection(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A job evaluates a commit message, branch name or merge request title as shell code.

    Its author then runs commands beside the job's variables.

    Remedy: Use the variable in double quotes as an argument, without eval or `sh -c`.

    Reference: https://docs.gitlab.com/ci/pipeline_security/
    """
    yield from _in_scripts(
        documents, rule, _EVALUATED, "evaluates text that the author of a change chooses"
    )


def _in_scripts(
    documents: Documents, rule: DocumentRule, pattern: re.Pattern[str], does: str
) -> Iterator[Finding]:
    """One finding a job whose script has a line of that pattern."""
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        for name, job in [("the pipeline", root), *jobs(root)]:
            line = _matching_line(job, pattern)
            if line:
                yield _job_finding(rule, file, name, line, does)


def _job_finding(
    rule: DocumentRule, file: DocumentFile, name: str, line: Node, does: str
) -> Finding:
    command = " ".join(line.text.split())
    shown = command if len(command) <= 80 else f"{command[:77]}…"
    return rule.broken(file, line.line, f"{name} {does}: {shown}")


def _matching_line(job: Node, pattern: re.Pattern[str]) -> Node | None:
    for key in ("before_script", "script", "after_script"):
        for command in job[key].walk():
            if command.text and pattern.search(command.text):
                return command
    return None
