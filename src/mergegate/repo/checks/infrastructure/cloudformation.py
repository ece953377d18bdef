"""Secrets in CloudFormation and SAM templates; what their settings open, ``settings`` tells."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule
from mergegate.repo.facts.documents import MASKED, DocumentKind, Documents, Node

_OF_CUSTOM = "ServiceToken"
"""Names the function behind a custom resource, and is no token."""
_STORES = frozenset({"PARAMETER_STORE", "SECRETS_MANAGER"})
"""Of a variable whose value is the name of a secret, where it is kept."""


@check(
    "iac-cloudformation-secret-in-template", Severity.HIGH, "CWE-798", confidence=Confidence.MEDIUM
)
def secret_in_template(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A password stands in a resource, or as the default of a parameter.

    Everyone who reads the template has it.

    Title: Secret written into a template

    Medium: for a parameter's default, which the deployment may override

    Remedy: Revoke it and use `{{resolve:secretsmanager:…}}` or ManageMasterUserPassword.

    Reference: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
    """
    for file, root in documents.of(DocumentKind.CLOUDFORMATION):
        for section in ("Resources", "Globals"):
            for name, part in root[section].entries:
                properties = part["Properties"] if section == "Resources" else part
                for key, value in _secrets(properties):
                    wrong = f"{key} of {name} is given in plain text"
                    yield rule.broken(file, value.line, wrong)
        for name, parameter in root["Parameters"].entries:
            default = parameter["Default"]
            if parameter["NoEcho"].is_true and default.is_literal and default.text == MASKED:
                wrong = f"The default of the secret parameter {name} is given in plain text"
                yield rule.broken(file, default.line, wrong, Severity.MEDIUM)


def _chosen(value: Node) -> Node:
    """The secret among the values of a choice by a condition; else the value itself."""
    if value.tag != "!If" and value.keys != ("Fn::If",):
        return value
    return next((one for one in value.walk() if one.text == MASKED), value)


def _secrets(node: Node) -> Iterator[tuple[str, Node]]:
    """Each value that is a secret in plain text, with the name that tells it."""
    is_elsewhere = node["Type"].text in _STORES
    for key, given in node.entries:
        value = _chosen(given)
        if value.text == MASKED and key != _OF_CUSTOM and not is_elsewhere:
            named = node["Name"].text or node["Key"].text
            yield (named if key == "Value" and named else key), value
    for child in node.children:
        yield from _secrets(child)
