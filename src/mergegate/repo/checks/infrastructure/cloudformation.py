"""Secrets in CloudFormation and SAM templates; what their settings open, ``settings`` tells."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule
from mergegate.repo.facts.documents import MASKED, DocumentKind, Documents


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
        for name, resource in root["Resources"].entries:
            for key, value in resource["Properties"].entries:
                if value.text == MASKED:
                    wrong = f"{key} of {name} is given in plain text"
                    yield rule.broken(file, value.line, wrong)
        for name, parameter in root["Parameters"].entries:
            default = parameter["Default"]
            if parameter["NoEcho"].is_true and default.is_literal and default.text == MASKED:
                wrong = f"The default of the secret parameter {name} is given in plain text"
                yield rule.broken(file, default.line, wrong, Severity.MEDIUM)
