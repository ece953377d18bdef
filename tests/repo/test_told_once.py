"""What two rules tell of one line."""

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Kind, Severity
from mergegate.repo.told_once import told_once

PASSWORD = "terraform-hardcoded-database-password"


def finding(rule: str, severity: Severity, line: int = 3) -> Finding:
    kind = Kind.SECRET if rule.startswith("secret-") else Kind.IAC
    return Finding(
        rule_id=rule,
        title="t",
        message="m",
        severity=severity,
        category=Category.IAC,
        kind=kind,
        place=Place("main.tf", line),
        id=f"{rule}:{line}",
    )


def test_the_graver_of_a_secret_and_its_configuration_stays() -> None:
    literal = finding(PASSWORD, Severity.HIGH)
    assert told_once([finding("secret-password-literal", Severity.MEDIUM), literal]) == (literal,)


def test_a_secret_that_weighs_as_much_stays() -> None:
    for severity in (Severity.HIGH, Severity.CRITICAL):
        secret = finding("secret-aws-secret-key", severity)
        literal = finding("terraform-provider-hardcoded-credentials", Severity.HIGH)
        assert told_once([literal, secret]) == (secret,)


def test_other_lines_and_other_rules_are_told_beside_a_secret() -> None:
    both = (
        finding("secret-password-literal", Severity.MEDIUM),
        finding(PASSWORD, Severity.HIGH, line=4),
        finding("terraform-database-public", Severity.HIGH),
    )
    assert told_once(both) == both
