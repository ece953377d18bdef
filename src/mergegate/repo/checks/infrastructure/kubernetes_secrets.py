"""Secrets that stand in objects of Kubernetes; those in containers' variables are told there."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, listed
from mergegate.repo.facts.documents import MASKED, DocumentKind, Documents, Node

_NAMES_AN_OBJECT = re.compile(
    r"(?i)(?<!client)(?<!client[_.-])(?<!jwt)(?<!jwt[_.-])secret(?:[_.-]?name)?$"
)
"""Such a key rather says which Secret is meant."""
_LOGIN_IN_ADDRESS = f":{MASKED}@"


@check(
    "iac-kubernetes-secret-in-config-map", Severity.MEDIUM, "CWE-312", confidence=Confidence.MEDIUM
)
def secret_in_config_map(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A ConfigMap holds what is named like a secret, or an address with a password.

    Everyone who reads the repository has it, and more may read ConfigMaps than Secrets.

    Title: Secret in a ConfigMap

    Remedy: Revoke it, and keep it in a Secret that a secret store fills.

    Reference: https://kubernetes.io/docs/concepts/configuration/configmap/
    """
    yield from _told(rule, documents, "ConfigMap", "data")


@check("iac-kubernetes-committed-secret", Severity.MEDIUM, "CWE-798", confidence=Confidence.MEDIUM)
def committed_secret(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A Secret has its content in the manifest, in clear text under `stringData`.

    Everyone who reads the repository has it, and its history keeps it.

    Title: Secret committed with its content

    Remedy: Revoke it, and let a secret store fill it, or commit it sealed.

    Reference: https://kubernetes.io/docs/concepts/security/secrets-good-practices/
    """
    yield from _told(rule, documents, "Secret", "stringData")


def _told(rule: DocumentRule, documents: Documents, kind: str, key: str) -> Iterator[Finding]:
    for file, root in documents.of(DocumentKind.KUBERNETES):
        if root["kind"].text != kind or root["apiVersion"].text != "v1":
            continue
        exposed = [(name, one) for name, one in root[key].entries if _is_exposed(name, one)]
        if exposed and rule.concerns(file):
            names = listed([name for name, _ in exposed])
            label = f"{kind} {root.at('metadata', 'name').text or '?'}"
            wrong = f"{names} of {label} stands in the manifest, for everyone who can read it"
            yield rule.broken(file, exposed[0][1].line, wrong)


def _is_exposed(name: str, value: Node) -> bool:
    if value.text == MASKED:
        return not _NAMES_AN_OBJECT.search(name)
    return _LOGIN_IN_ADDRESS in value.text
