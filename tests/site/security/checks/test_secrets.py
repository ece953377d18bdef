"""Secrets and public keys: what was found, and exactly what is said of it."""

from typing import Any

import pytest

from mergegate.core.severity import Confidence
from mergegate.site.security.checks import secrets
from mergegate.site.security.facts import ExposedSecret
from tests.site.security.checks.seen import PAGE, facts, told

HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW


def exposed(detector: str, confidence: Confidence = HIGH, **fields: Any) -> ExposedSecret:
    given: dict[str, Any] = {"url": PAGE, "kind": "html", "identity": "1f2e", "masked": "****"}
    return ExposedSecret(detector=detector, confidence=confidence, **{**given, **fields})


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (exposed("stripe-key"), [("secret-stripe-key", "critical")]),
        (exposed("github-token"), [("secret-github-token", "critical")]),
        (exposed("github-token", MEDIUM), [("secret-github-token", "high")]),
        (exposed("private-key"), [("secret-private-key", "critical")]),
        (exposed("encrypted-private-key"), [("secret-encrypted-private-key", "medium")]),
        (exposed("supabase-secret-key"), [("secret-supabase-secret-key", "critical")]),
        (exposed("sentry-dsn-secret"), [("secret-sentry-dsn-secret", "low")]),
        (exposed("twilio-key", MEDIUM), [("secret-twilio-key", "low")]),
        (exposed("aws-access-key-id", MEDIUM), [("secret-aws-access-key-id", "low")]),
        (exposed("credential-url"), [("secret-credential-url", "medium")]),
        (exposed("credential-url", kind="script"), [("secret-credential-url", "high")]),
        (exposed("token-literal", kind="source-map"), [("secret-token-literal", "high")]),
        (exposed("password-literal", MEDIUM, kind="script"),
         [("secret-password-literal", "medium")]),
        (exposed("password-literal", LOW, kind="script"), []),
        (exposed("password-literal", MEDIUM), [("secret-password-literal", "low")]),
        (exposed("password-literal", LOW), []),
        (exposed("token-literal"), [("secret-token-literal", "medium")]),
        (exposed("jwt", claim="anon"), [("token-anon", "info")]),
        (exposed("jwt", claim="service_role"), [("secret-jwt", "critical")]),
        (exposed("jwt", LOW, claim="expired"), []),
        (exposed("jwt", LOW, claim="expiring"), [("token-expiring", "info")]),
        (exposed("jwt", LOW, claim="lasting"), [("token-lasting", "low")]),
        (exposed("google-api-key", LOW), [("public-google-api-key", "info")]),
        (exposed("firebase-web-key"), [("public-firebase-web-key", "info")]),
        (exposed("sentry-dsn"), [("public-sentry-dsn", "info")]),
        (exposed("stripe-publishable-key"), [("public-stripe-publishable-key", "info")]),
        (exposed("stripe-test-key", LOW), [("public-stripe-test-key", "info")]),
        (exposed("mapbox-public-token"), [("public-mapbox-public-token", "info")]),
        (exposed("algolia-key"), [("public-algolia-key", "info")]),
        (exposed("recaptcha-site-key"), [("public-recaptcha-site-key", "info")]),
        (exposed("browser-key", LOW), [("public-browser-key", "info")]),
    ],
)  # fmt: skip
def test_a_value_is(found: ExposedSecret, expected: list[tuple[str, str]]) -> None:
    assert told(secrets.flaws(facts(secrets=(found,)))) == expected


def test_a_flaw_says_where_it_stands_and_shows_the_mask_alone() -> None:
    map_ = "https://www.example.org/a.js.map"
    found = exposed(
        "stripe-key",
        url=map_,
        kind="source-map",
        name="src/pay.ts",
        line=7,
        label="secret",
        masked="sk_l****",
        count=3,
    )
    (flaw,) = secrets.flaws(facts(secrets=(found,)))
    assert flaw.title == "Stripe live key in a source map"
    assert flaw.evidence == "src/pay.ts:7: secret: sk_l****"
    assert (flaw.url, flaw.line, flaw.count) == (map_, 0, 3)
    assert (flaw.cwe, flaw.owasp) == ("CWE-798", "A07:2025 Authentication Failures")
    assert "Revoke it" in flaw.remedy


def test_two_values_of_one_kind_are_two_flaws() -> None:
    both = (exposed("stripe-key"), exposed("stripe-key", identity="3d4c"))
    assert len({one.id for one in secrets.flaws(facts(secrets=both))}) == 2
