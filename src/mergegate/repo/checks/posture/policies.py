"""What a change does to the policy that later changes are judged by."""

from collections.abc import Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.posture import RiskRule
from mergegate.repo.facts.policy import PolicyFiles


@check("policy-changed", Severity.MEDIUM, "CWE-284")
def policy_changed(rule: RiskRule, policies: PolicyFiles) -> Iterator[Finding]:
    """The change edits, adds or removes the policy that later changes are judged by.

    It is judged by the base's own: what it loosens holds once it is merged. The message names each
    thing that passes from then on. One finding a file, and told whatever parts are scanned.

    Title: The policy is changed

    Info: where nothing is loosened

    Remedy: Let somebody who answers for the policy agree to it.

    Reference: https://slsa.dev/spec/v1.0/threats
    """
    for file in policies.files:
        if file.loosened:
            yield rule.finding(
                f"Once merged, {'; '.join(file.loosened)}. Until then the base's policy rules."
                f" {rule.remedy}",
                Place(file.path),
                title="The policy is loosened",
                evidence="; ".join((file.path, *file.loosened)),
            )
        elif file.is_changed:
            yield rule.finding(
                "It lets nothing pass that the base's does not. Until the change is merged, the"
                " base's policy rules.",
                Place(file.path),
                severity=Severity.INFO,
                evidence=file.path,
            )


@check(
    "policy-mistake",
    Severity.HIGH,
    without_cwe="It keeps a decision from being followed, and opens nothing by itself.",
    category=Category.QUALITY,
)
def policy_mistake(rule: RiskRule, policies: PolicyFiles) -> Iterator[Finding]:
    """A policy says something that cannot be followed: a mistake, a rule or path that is not there.

    What was decided does not hold then, and nobody is told; a policy that cannot be read ends every
    scan of the branch with an error.

    Title: Mistake in the policy

    Low: where the base's policy says it too, as after a path was removed

    Remedy: Correct it or take it out; `mergegate policy` checks the file.

    Reference: https://cwe.mitre.org/data/definitions/1068.html
    """
    for file in policies.files:
        for fault in file.faults:
            yield rule.finding(
                f"{fault.what[:1].upper()}{fault.what[1:]}. {rule.remedy}",
                Place(file.path, fault.line, fault.line),
                severity=Severity.HIGH if fault.is_brought else Severity.LOW,
                evidence=f"{file.path}: {fault.name or fault.what}",
            )
