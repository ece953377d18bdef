"""What GitLab pipelines fetch, run and give away."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.rule import OUTSIDE
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure.gitlab_scripts import jobs
from mergegate.repo.checks.infrastructure.reading import (
    ELSEWHERE,
    NEVER,
    DocumentRule,
    is_floating_image,
    listed,
)
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

_INCLUDE = DocumentRule(
    id="iac-gitlab-unpinned-include",
    title="Pipeline part from elsewhere is not pinned",
    severity=Severity.MEDIUM,
    milder={**ELSEWHERE, Severity.LOW: "for a project or component at its default branch"},
    remedy="Give `ref:` a commit or protected tag (`integrity:` for a remote file).",
    cwe=("CWE-829",),
    references=(f"{_DOCS}/pipeline_security/",),
)


@check(_INCLUDE)
def unpinned_include(documents: Documents) -> Iterator[Finding]:
    """A pipeline includes jobs from another place, at whatever stands there today.

    Who can change that place runs code with this project's variables.
    """
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        for entry in root["include"].each:
            source, severity = _moving(entry)
            if source:
                yield _INCLUDE.broken(
                    file,
                    entry.line,
                    f"The pipeline includes {source}, which can change without a commit here",
                    severity,
                )


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


_FLOATING = DocumentRule(
    id="iac-gitlab-floating-image",
    title="Job image without a fixed version",
    severity=Severity.LOW,
    milder=NEVER,
    remedy="Name a version, or better a digest.",
    cwe=("CWE-1357",),
    references=(f"{_DOCS}/docker/using_docker_images/",),
)


@check(_FLOATING)
def floating_image(documents: Documents) -> Iterator[Finding]:
    """Jobs run in images without a tag, or with ``latest``: builds change on their own.

    One finding a file.
    """
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        holders = [root, root["default"], *(job for _, job in jobs(root))]
        images = [
            _name(image) for one in holders for image in (one["image"], *one["services"].each)
        ]
        floating = [image for image in images if is_floating_image(image.text)]
        if floating and _FLOATING.concerns(file):
            names = listed(sorted({image.text for image in floating}))
            yield _FLOATING.broken(
                file, floating[0].line, f"Jobs run {names}, whose content can change with any pull"
            )


def _name(image: Node) -> Node:
    return image["name"] if image["name"].present else image


_LENIENT = DocumentRule(
    id="iac-gitlab-security-job-may-fail",
    title="Security job may fail unnoticed",
    severity=Severity.LOW,
    remedy="Remove `allow_failure: true`, and waive single findings instead.",
    cwe=("CWE-778",),
    references=(f"{_DOCS}/yaml/#allow_failure",),
    confidence=Confidence.MEDIUM,
)


@check(_LENIENT)
def security_job_may_fail(documents: Documents) -> Iterator[Finding]:
    """A scanner's job is allowed to fail, so what it finds stops nothing.

    One finding a file.
    """
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        lenient = [
            (name, job["allow_failure"])
            for name, job in jobs(root)
            if _SECURITY_JOB.search(name) and job["allow_failure"].is_true and job["script"].present
        ]
        if lenient:
            yield _LENIENT.broken(
                file,
                lenient[0][1].line,
                f"{listed([name for name, _ in lenient])} may fail, so what it finds stops nothing",
            )


_VARIABLE = DocumentRule(
    id="iac-gitlab-secret-variable",
    title="Secret written into the pipeline",
    severity=Severity.MEDIUM,
    milder={Severity.INFO: f"{OUTSIDE}, and for throw-away passwords of service containers"},
    remedy="Revoke it and store it as a masked, protected CI/CD variable.",
    cwe=("CWE-798",),
    references=(f"{_DOCS}/variables/",),
    confidence=Confidence.MEDIUM,
)


@check(_VARIABLE)
def secret_variable(documents: Documents) -> Iterator[Finding]:
    """A variable named like a secret has its value in the pipeline file."""
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        for holder in (root, *(job for _, job in jobs(root))):
            for name, value in holder["variables"].entries:
                text = value["value"].text if value["value"].present else value.text
                if text == MASKED:
                    throw_away = name.startswith(("POSTGRES_", "MYSQL_", "MARIADB_", "MONGO_"))
                    yield _VARIABLE.broken(
                        file,
                        value.line,
                        f"{name} is given in plain text, for everyone who can read the repository",
                        Severity.INFO if throw_away else Severity.MEDIUM,
                    )


_UNVERIFIED = DocumentRule(
    id="iac-gitlab-verification-off",
    title="Certificate check turned off",
    severity=Severity.MEDIUM,
    remedy="Remove the variable, and install the missing certificate authority.",
    cwe=("CWE-295",),
    references=(
        f"{_DOCS}/variables/",
        "https://docs.gitlab.com/ci/pipeline_security/",
    ),
)


@check(_UNVERIFIED)
def verification_off(documents: Documents) -> Iterator[Finding]:
    """A variable turns certificate checks off for the jobs: downloads can be replaced."""
    for file, root in documents.of(DocumentKind.GITLAB_CI):
        for holder in (root, *(job for _, job in jobs(root))):
            for name, value in holder["variables"].entries:
                if value.text.lower() in _NO_VERIFICATION.get(name, ()):
                    yield _UNVERIFIED.broken(
                        file,
                        value.line,
                        f"{name}={value.text} lets anyone on the way replace what is downloaded",
                    )
