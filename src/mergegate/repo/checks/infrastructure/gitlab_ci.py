"""What GitLab pipelines fetch, run and give away, and what their scripts do."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, floating_images, listed
from mergegate.repo.checks.infrastructure.dialects.gitlab_ci import SCRIPTS, jobs
from mergegate.repo.checks.infrastructure.dialects.steps import filled, variables
from mergegate.repo.facts.documents import MASKED, DocumentFile, DocumentKind, Documents, Node
from mergegate.repo.infrastructure import listed_values

_PIPED = re.compile("|".join(listed_values("piped-download")), re.IGNORECASE | re.MULTILINE)
_PRINTED = re.compile("|".join(listed_values("printed-secret")), re.IGNORECASE | re.MULTILINE)
# Gaps are bounded: a hostile line must not cost the square of its length.
_EVALUATED = re.compile(
    r"\b(eval|(ba|z|da)?sh\s+-c)\b[^\n]{0,300}\$\{?CI_(COMMIT_(MESSAGE|TITLE|DESCRIPTION|AUTHOR|REF_NAME"
    r"|BRANCH)|MERGE_REQUEST_(TITLE|DESCRIPTION|SOURCE_BRANCH_NAME))\b"
)
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_PLAIN_TOKEN = re.compile(r"http://[^\s\"']{0,300}(gitlab-ci-token|\$\{?CI_JOB_TOKEN)")


@check("iac-gitlab-piped-download", Severity.MEDIUM, "CWE-494")
def piped_download(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A job pipes a download into a shell: the other side decides what runs, unverified.

    Title: Download piped into a shell

    Remedy: Download a fixed version, compare its checksum, then run it.

    Reference: https://docs.gitlab.com/ci/pipeline_security/
    """
    yield from _in_scripts(
        documents, rule, _PIPED, "runs a download without looking at it, beside its variables"
    )


@check("iac-gitlab-printed-secret", Severity.MEDIUM, "CWE-532", confidence=Confidence.MEDIUM)
def printed_secret(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A job writes a token or password to its log; masking is best effort.

    Output that goes into a pipe or file is left alone.

    Title: Job prints a secret

    Remedy: Pass it on standard input or in a file, and rotate it if the job has run.

    Reference: https://docs.gitlab.com/ci/jobs/ci_job_token/
    Reference: https://docs.gitlab.com/ci/variables/#mask-a-cicd-variable
    """
    yield from _in_scripts(documents, rule, _PRINTED, "prints a secret to its log")


@check("iac-gitlab-token-in-plain-http", Severity.MEDIUM, "CWE-319")
def token_in_plain_http(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A job sends its token over plain HTTP, where anyone on the way can read it.

    Title: Job token sent unencrypted

    Remedy: Use https.

    Reference: https://docs.gitlab.com/ci/jobs/ci_job_token/
    """
    yield from _in_scripts(documents, rule, _PLAIN_TOKEN, "sends its token over plain HTTP")


@check("iac-gitlab-script-injection", Severity.HIGH, "CWE-94", confidence=Confidence.MEDIUM)
def script_injection(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A job evaluates a commit message, branch name or merge request title as shell code.

    Its author then runs commands beside the job's variables.

    Title: Commit text evaluated as code

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
    for key in SCRIPTS:
        for command in job[key].walk():
            if command.text and pattern.search(command.text):
                return command
    return None


_MOVING_REFS = frozenset({"", "main", "master", "HEAD", "develop", "~latest"})
_COMMIT = re.compile(r"/[0-9a-f]{40}/")
_SECURITY_JOB = re.compile(
    r"(?i)(^|[-_:. /])(sast|dast|secret[-_]?detection|dependency[-_]?scanning"
    r"|container[-_]?scanning|security[-_]?scan|trivy|semgrep|gitleaks|snyk|mergegate)($|[-_:. /])"
)
_NO_VERIFICATION = {
    "GIT_SSL_NO_VERIFY": frozenset({"1", "true"}),
    "NODE_TLS_REJECT_UNAUTHORIZED": frozenset({"0"}),
    "PYTHONHTTPSVERIFY": frozenset({"0"}),
}


@check("iac-gitlab-unpinned-include", Severity.MEDIUM, "CWE-829")
def unpinned_include(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A pipeline includes jobs from another place, at whatever stands there today.

    Who can change that place runs code with this project's variables.

    Title: Pipeline part from elsewhere is not pinned

    Low: for a component at its default branch

    Info: for a project at its default branch, which lies on the same server and has an owner there

    Remedy: Give `ref:` a commit or protected tag (`integrity:` for a remote file).

    Reference: https://docs.gitlab.com/ci/pipeline_security/
    """
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        for entry in root["include"].each:
            source, severity = _moving(entry)
            if source:
                wrong = f"The pipeline includes {source}, which can change without a commit here"
                yield rule.broken(file, entry.line, wrong, severity)


def _moving(entry: Node) -> tuple[str, Severity]:
    remote = entry["remote"].text or (entry.text if "://" in entry.text else "")
    if remote and not entry["integrity"].present and not _COMMIT.search(remote):
        return remote, Severity.MEDIUM
    project = entry["project"]
    if project.is_literal and entry["ref"].text in _MOVING_REFS:
        return f"project {project.text}", Severity.INFO
    component, _, version = entry["component"].text.rpartition("@")
    if component and version in _MOVING_REFS:
        return f"component {component}", Severity.LOW
    return "", Severity.LOW


@check("iac-gitlab-floating-image", Severity.LOW, "CWE-1357", production_only=True)
def floating_image(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """Jobs run in images without a tag, or with ``latest``: builds change on their own.

    One finding a file.

    Title: Job image without a fixed version

    Remedy: Name a version, or better a digest.

    Reference: https://docs.gitlab.com/ci/docker/using_docker_images/
    """
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        given = dict(variables(root["variables"]))
        holders = [root, root["default"], *(job for _, job in jobs(root))]
        images = [
            filled(_name(image), _VARIABLE, {**given, **dict(variables(one["variables"]))})
            for one in holders
            for image in (one["image"], *one["services"].each)
        ]
        names, line = floating_images(images)
        if names and rule.concerns(file):
            wrong = f"Jobs run {names}, whose content can change with any pull"
            yield rule.broken(file, line, wrong)


def _name(image: Node) -> Node:
    return image["name"] if image["name"].present else image


@check("iac-gitlab-security-job-may-fail", Severity.LOW, "CWE-778", confidence=Confidence.MEDIUM)
def security_job_may_fail(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A scanner's job is allowed to fail, so what it finds stops nothing.

    One finding a file.

    Title: Security job may fail unnoticed

    Remedy: Remove `allow_failure: true`, and waive single findings instead.

    Reference: https://docs.gitlab.com/ci/yaml/#allow_failure
    """
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        lenient = [
            (name, job["allow_failure"])
            for name, job in jobs(root)
            if _SECURITY_JOB.search(name) and job["allow_failure"].is_true and job["script"].present
        ]
        if lenient:
            wrong = (
                f"{listed([name for name, _ in lenient])} may fail, so what it finds stops nothing"
            )
            yield rule.broken(file, lenient[0][1].line, wrong)


@check("iac-gitlab-secret-variable", Severity.MEDIUM, "CWE-798", confidence=Confidence.MEDIUM)
def secret_variable(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A variable named like a secret has its value in the pipeline file.

    Title: Secret written into the pipeline

    Info: outside production code, and for throw-away passwords of service containers

    Remedy: Revoke it and store it as a masked, protected CI/CD variable.

    Reference: https://docs.gitlab.com/ci/variables/
    """
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        for holder in (root, *(job for _, job in jobs(root))):
            for name, value in holder["variables"].entries:
                text = value["value"].text if value["value"].present else value.text
                if text == MASKED:
                    throw_away = name.startswith(("POSTGRES_", "MYSQL_", "MARIADB_", "MONGO_"))
                    wrong = (
                        f"{name} is given in plain text, for everyone who can read the repository"
                    )
                    severity = Severity.INFO if throw_away else Severity.MEDIUM
                    yield rule.broken(file, value.line, wrong, severity)


@check("iac-gitlab-verification-off", Severity.MEDIUM, "CWE-295")
def verification_off(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A variable turns certificate checks off for the jobs: downloads can be replaced.

    Title: Certificate check turned off

    Remedy: Remove the variable, and install the missing certificate authority.

    Reference: https://docs.gitlab.com/ci/variables/
    Reference: https://docs.gitlab.com/ci/pipeline_security/
    """
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        for holder in (root, *(job for _, job in jobs(root))):
            for name, value in holder["variables"].entries:
                if value.text.lower() in _NO_VERIFICATION.get(name, ()):
                    wrong = f"{name}={value.text} lets anyone on the way replace what is downloaded"
                    yield rule.broken(file, value.line, wrong)
