"""Secrets in CloudFormation and SAM templates; what their settings open, ``settings`` tells."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule
from mergegate.repo.facts.documents import MASKED, DocumentKind, Documents, Node

SECTIONS = ("Resources", "Globals")
"""The parts of a template that make or set resources."""
_OF_CUSTOM = "ServiceToken"
"""Names the function behind a custom resource, and is no token."""
_STORES = frozenset({"PARAMETER_STORE", "SECRETS_MANAGER"})
"""Types of a variable whose value is a secret's name in a store, and not the secret."""
_LOGIN = re.compile(r"(?i)(?:user|login)(?:_?(?:name|id))?$")
"""A parameter for the name of a user, which templates hide as well and which is no secret."""


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
        for section in SECTIONS:
            for name, part in root[section].entries:
                for key, given in secrets(section, part):
                    wrong = f"{key} of {name} is given in plain text"
                    yield rule.broken(file, _chosen(given).line, wrong)
        for name, parameter in root["Parameters"].entries:
            default = parameter["Default"]
            is_hidden = parameter["NoEcho"].is_true and not _LOGIN.search(name)
            if is_hidden and default.is_literal and default.text == MASKED:
                wrong = f"The default of the secret parameter {name} is given in plain text"
                yield rule.broken(file, default.line, wrong, Severity.MEDIUM)


def _chosen(value: Node) -> Node:
    """The secret among the values of a choice by a condition; else the value itself."""
    if value.tag != "!If" and value.keys != ("Fn::If",):
        return value
    return next((one for one in value.walk() if one.text == MASKED), value)


def secrets(section: str, part: Node) -> Iterator[tuple[str, Node]]:
    """Each secret in plain text of a part of a section, or the choice that holds it, by name."""
    yield from _secrets(part["Properties"] if section == "Resources" else part)


def _secrets(node: Node) -> Iterator[tuple[str, Node]]:
    is_elsewhere = node["Type"].text in _STORES
    for key, given in node.entries:
        value = _chosen(given)
        if value.text == MASKED and key != _OF_CUSTOM and not is_elsewhere:
            named = node["Name"].text or node["Key"].text
            yield (named if key == "Value" and named else key), given
    for child in node.children:
        yield from _secrets(child)
