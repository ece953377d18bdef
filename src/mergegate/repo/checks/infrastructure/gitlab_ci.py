"""What GitLab pipelines fetch, run and give away."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.rule import OUTSIDE
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, floating_images, listed
from mergegate.repo.checks.infrastructure.gitlab_scripts import jobs
from mergegate.repo.facts.documents import MASKED, DocumentKind, Documents, Node

_DOCS = "https://docs.gitlab.com/ci"
_MOVING_REFS = frozenset({"", "main", "master", "HEAD", "develop", "~latest"})
_SECURITY_JOB = re.compile(
    r"(?i)(^|[-_:. /])(sast|dast|secret[-_]?detection|dependency[-_]?scanning"
    r"|container[-_]?scanning|security[-_]?scan|trivy|semgrep|gitleaks|snyk|mergegate)($|[-_:. /])"
)
_NO_VERIFICATION = {
    "GIT_SSL_NO_VERIFY": frozenset({"1", "true"}),
    "NODE_TLS_REJECT_UNAUTHORIZED": frozenset({"0"}),
    "PYTHONHTTPSVERIFY": frozenset({"0"}),
}


@check(
    "iac-gitlab-unpinned-include",
    "Pipeline part from elsewhere is not pinned",
    Severity.MEDIUM,
    "CWE-829",
    milder={Severity.LOW: "for a project or component at its default branch"},
)
def unpinned_include(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A pipeline includes jobs from another place, at whatever stands there today.

    Who can change that place runs code with this project's variables.

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
    if remote and not entry["integrity"].present:
        return remote, Severity.MEDIUM
    project = entry["project"]
    if project.is_literal and entry["ref"].text in _MOVING_REFS:
        return f"project {project.text}", Severity.LOW
    component, _, version = entry["component"].text.rpartition("@")
    if component and version in _MOVING_REFS:
        return f"component {component}", Severity.LOW
    return "", Severity.LOW


@check(
    "iac-gitlab-floating-image",
    "Job image without a fixed version",
    Severity.LOW,
    "CWE-1357",
    production_only=True,
)
def floating_image(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """Jobs run in images without a tag, or with ``latest``: builds change on their own.

    One finding a file.

    Remedy: Name a version, or better a digest.

    Reference: https://docs.gitlab.com/ci/docker/using_docker_images/
    """
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        holders = [root, root["default"], *(job for _, job in jobs(root))]
        images = [
            _name(image) for one in holders for image in (one["image"], *one["services"].each)
        ]
        names, line = floating_images(images)
        if names and rule.concerns(file):
            wrong = f"Jobs run {names}, whose content can change with any pull"
            yield rule.broken(file, line, wrong)


def _name(image: Node) -> Node:
    return image["name"] if image["name"].present else image


@check(
    "iac-gitlab-security-job-may-fail",
    "Security job may fail unnoticed",
    Severity.LOW,
    "CWE-778",
    confidence=Confidence.MEDIUM,
)
def security_job_may_fail(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A scanner's job is allowed to fail, so what it finds stops nothing.

    One finding a file.

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


@check(
    "iac-gitlab-secret-variable",
    "Secret written into the pipeline",
    Severity.MEDIUM,
    "CWE-798",
    milder={Severity.INFO: f"{OUTSIDE}, and for throw-away passwords of service containers"},
    confidence=Confidence.MEDIUM,
)
def secret_variable(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A variable named like a secret has its value in the pipeline file.

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


@check("iac-gitlab-verification-off", "Certificate check turned off", Severity.MEDIUM, "CWE-295")
def verification_off(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A variable turns certificate checks off for the jobs: downloads can be replaced.

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
