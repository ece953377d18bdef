"""What Kubernetes workloads run, and the secrets that stand in them; the rest is in entries."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, floating_images, listed
from mergegate.repo.checks.infrastructure.workloads import workloads
from mergegate.repo.facts.documents import MASKED, Documents, Node

_SECRET_NAME = re.compile(r"(?i)(passw(or)?d|secret|token|api_?key|private_?key|credential)")


@check("iac-kubernetes-floating-image", Severity.LOW, "CWE-1357", production_only=True)
def floating_image(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A container's image has no tag, or ``latest``: each pull may bring something else.

    One finding a workload.

    Title: Image without a fixed version

    Remedy: Name a version, or better a digest.

    Reference: https://kubernetes.io/docs/concepts/containers/images/
    """
    for workload in workloads(documents):
        names, line = floating_images(one.spec["image"] for one in workload.containers)
        if names and rule.concerns(workload.file):
            wrong = f"{workload.label} runs {names}, whose content can change with any pull"
            yield rule.broken(workload.file, line, wrong)


@check("iac-kubernetes-secret-in-env", Severity.MEDIUM, "CWE-798", confidence=Confidence.MEDIUM)
def secret_in_env(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """An environment variable named like a secret has its value in the manifest.

    Everyone who reads the repository or the resource has it.

    Title: Secret written into a manifest

    Remedy: Revoke it, store it in a Secret and refer to it with `valueFrom.secretKeyRef`.

    Reference: https://kubernetes.io/docs/concepts/configuration/secret/
    """
    for container in (one for each in workloads(documents) for one in each.containers):
        exposed = [entry for entry in container.spec["env"].items if _holds_secret(entry)]
        if exposed:
            names = listed([entry["name"].text for entry in exposed])
            where = f"container {container.name} in {container.workload.label}"
            wrong = (
                f"{names} of {where} is given in plain text, for everyone who can read the manifest"
            )
            yield rule.broken(container.workload.file, exposed[0]["value"].line, wrong)


def _holds_secret(entry: Node) -> bool:
    return entry["value"].text == MASKED and bool(_SECRET_NAME.search(entry["name"].text))
