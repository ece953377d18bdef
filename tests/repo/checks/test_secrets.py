from dataclasses import replace

import pytest

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Confidence, Kind, Severity
from mergegate.core.tree import Reason, Role, Skipped, Tree
from mergegate.repo.checks import all_checks
from mergegate.repo.checks.secrets import RULES, secrets, secrets_in_history
from mergegate.secrets.found import FileSecrets, PastSecret, SecretMatch, Secrets, SecretsFile

EMPTY = Tree(())
HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW


def match(detector: str, confidence: Confidence = HIGH) -> SecretMatch:
    return SecretMatch(
        detector=detector,
        line=3,
        start_column=5,
        end_column=45,
        masked="ghp_****",
        identity="c0ffee" * 5,
        confidence=confidence,
    )


def found(one: SecretMatch, role: Role = Role.SOURCE) -> list[Finding]:
    return list(secrets(Secrets((SecretsFile("app.py", role, FileSecrets((one,))),))))


@pytest.mark.parametrize(
    ("detector", "confidence", "severity"),
    [
        ("github-token", HIGH, Severity.CRITICAL),
        ("github-token", MEDIUM, Severity.HIGH),
        ("aws-access-key-id", MEDIUM, Severity.HIGH),
        ("private-key", HIGH, Severity.CRITICAL),
        ("encrypted-private-key", HIGH, Severity.MEDIUM),
        ("password-literal", HIGH, Severity.HIGH),
        ("password-literal", MEDIUM, Severity.MEDIUM),
        ("password-literal", LOW, Severity.LOW),
        ("password-hash", MEDIUM, Severity.MEDIUM),
        ("default-password", LOW, Severity.INFO),
        ("default-password", MEDIUM, Severity.LOW),
        ("google-api-key", LOW, Severity.INFO),
        ("jwt", LOW, Severity.INFO),
    ],
)
def test_severity_in_production_code(
    detector: str, confidence: Confidence, severity: Severity
) -> None:
    assert [finding.severity for finding in found(match(detector, confidence))] == [severity]


@pytest.mark.parametrize("detector", ["github-token", "private-key"])
def test_a_long_line_or_a_header_of_a_generator_makes_no_key_milder(detector: str) -> None:
    (finding,) = found(match(detector), Role.GENERATED)
    assert finding.severity is Severity.CRITICAL


def test_other_places_of_the_same_value_are_counted() -> None:
    (finding,) = found(replace(match("github-token"), more=7))
    assert "and at 7 more places of this file" in finding.message


@pytest.mark.parametrize("detector", ["connection-string", "credential-url"])
def test_a_password_and_what_it_opens_are_told_in_documentation_too(detector: str) -> None:
    assert [one.severity for one in found(match(detector), Role.DOCS)] == [Severity.MEDIUM]
    assert found(match(detector, MEDIUM), Role.DOCS) == []
    assert found(match(detector), Role.TEST) == []
    assert found(match("password-literal"), Role.DOCS) == []


@pytest.mark.parametrize("role", [Role.TEST, Role.DOCS, Role.EXAMPLE, Role.VENDORED])
def test_outside_production_code_little_is_left(role: Role) -> None:
    assert [f.severity for f in found(match("github-token"), role)] == [Severity.MEDIUM]
    assert [f.severity for f in found(match("github-token", MEDIUM), role)] == [Severity.INFO]
    assert [f.severity for f in found(match("private-key"), role)] == [Severity.INFO]
    assert found(match("password-literal"), role) == []


def test_finding_says_what_to_do_first_and_carries_no_value() -> None:
    finding = found(match("github-token"))[0]
    assert finding.rule_id == "secret-github-token"
    assert (finding.kind, finding.category) == (Kind.SECRET, Category.SECURITY)
    assert finding.evidence == "c0ffee" * 5
    assert "CWE-798" in finding.cwe
    assert "ghp_****" in finding.message
    assert "Revoke or change it at GitHub first" in finding.message
    assert "Git history" in finding.message


def test_secret_that_was_removed_again_is_still_reported() -> None:
    past = PastSecret("d" * 40, "app.py", Role.SOURCE, match("github-token"))
    finding = next(iter(secrets_in_history(Secrets(history=(past, past)), EMPTY)))
    assert finding.severity is Severity.CRITICAL
    assert "commit dddddddddddd" in finding.message
    assert "later removed" in finding.message
    assert finding.place.start_line == 0


def test_of_a_file_that_is_not_searched_now_nobody_says_that_it_was_removed() -> None:
    past = PastSecret("d" * 40, "app.py", Role.SOURCE, match("github-token"))
    grown = Tree((), (Skipped("app.py", "larger than 5 MiB", 6 << 20, Reason.SIZE),))
    (finding,) = secrets_in_history(Secrets(history=(past,)), grown)
    assert "removed" not in finding.message
    assert "the file as it is now was not searched" in finding.message


def test_secret_of_a_message_stands_in_no_file() -> None:
    past = PastSecret("d" * 40, "", Role.SOURCE, match("github-token"))
    finding = next(iter(secrets_in_history(Secrets(history=(past,)), EMPTY)))
    assert "in the message of commit dddddddddddd" in finding.message
    assert finding.place == Place()


def test_secret_of_history_is_told_once() -> None:
    past = PastSecret("d" * 40, "app.py", Role.SOURCE, match("github-token"))
    again = replace(past, commit="e" * 40)
    assert len(list(secrets_in_history(Secrets(history=(past, again)), EMPTY))) == 1


def test_secret_that_still_stands_is_not_told_twice() -> None:
    standing = SecretsFile("app.py", Role.SOURCE, FileSecrets((match("github-token"),)))
    past = PastSecret("d" * 40, "old.py", Role.SOURCE, match("github-token"))
    assert list(secrets_in_history(Secrets((standing,), (past,)), EMPTY)) == []


def test_every_rule_explains_itself() -> None:
    for detector, rule in RULES.items():
        assert rule.id == f"secret-{detector}"
        assert rule.message.endswith(".")
    assert {"secrets", "secrets-in-history"} <= {check.id for check in all_checks()}
