"""Keys and passwords that every visitor gets; those that are meant for browsers told apart."""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks.secrets import RULES
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.facts import ExposedSecret, SecurityFacts
from mergegate.site.security.report import Area, Flaw

_REFERENCE = "https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html"
_REVOKE = (
    "Revoke it where it was issued, keep the new one on the server, and let the page ask the "
    "server for what it needs."
)
_CHECK = "Make sure that it is meant to be public; move what is not behind your server."
_LOOKALIKES = frozenset(
    {
        "alibaba-key-id",
        "artifactory-token",
        "aws-access-key-id",
        "crates-token",
        "mailgun-key",
        "nuget-key",
        "sentry-dsn-secret",
        "tencent-key-id",
        "twilio-key",
    }
)
"""Shapes that digests in scripts may have, and halves that open nothing by themselves."""
_PASSWORDS = frozenset(
    {
        "authorization-header",
        "command-line-password",
        "connection-string",
        "credential-url",
        "kubernetes-secret",
        "login-call",
        "netrc-password",
        "password-literal",
        "sql-password",
        "token-literal",
    }
)
"""Judged by name and context, never by a shape of their own."""
_LOCKED = frozenset(
    {"encrypted-private-key", "java-keystore", "keepass-database", "pkcs12-keystore"}
)
_EVERYWHERE = {
    "mapbox-secret-token": "Mapbox secret token",
    "posthog-personal-key": "PostHog personal API key",
    "supabase-secret-key": "Supabase secret key",
    "launchdarkly-sdk-key": "LaunchDarkly server-side SDK key",
    "sentry-dsn-secret": "Sentry DSN with its secret half",
}
"""Secrets that only the detectors of pages know."""
_INFO, _LOW, _MEDIUM = Severity.INFO, Severity.LOW, Severity.MEDIUM
_HIGH, _CRITICAL = Severity.HIGH, Severity.CRITICAL


_PASSWORD = {
    False: {Confidence.HIGH: _HIGH, Confidence.MEDIUM: _MEDIUM},
    True: {Confidence.HIGH: _MEDIUM, Confidence.MEDIUM: _LOW},
}
"""By whether a page holds it, which may only explain how one is written down; else a script."""


@dataclass(frozen=True, slots=True)
class _Public:
    """A key that its maker means to be seen."""

    title: str
    restrict: str
    """What makes that safe, one sentence."""
    reference: str


_GOOGLE = "https://developers.google.com/maps/api-security-best-practices"
_SUPABASE = "https://supabase.com/docs/guides/api/api-keys"
_PUBLIC = {
    "algolia-key": _Public(
        "Algolia API key",
        "Make sure that it is a search-only key: an admin key can delete every index.",
        "https://www.algolia.com/doc/guides/security/api-keys/",
    ),
    "browser-key": _Public("Key in the page", _CHECK, _REFERENCE),
    "datadog-client-token": _Public(
        "Datadog client token",
        "It can only send data; watch for data that is not yours.",
        "https://docs.datadoghq.com/account_management/api-app-keys/",
    ),
    "firebase-web-key": _Public(
        "Firebase web API key",
        "Let Security Rules and App Check decide who may read and write; the key does not.",
        "https://firebase.google.com/docs/projects/api-keys",
    ),
    "google-api-key": _Public(
        "Google API key",
        "Restrict it to your own sites (HTTP referrers) and to the APIs that the page calls.",
        _GOOGLE,
    ),
    "mapbox-public-token": _Public(
        "Mapbox public token",
        "Restrict it to your own addresses.",
        "https://docs.mapbox.com/accounts/guides/tokens/",
    ),
    "newrelic-browser-key": _Public(
        "New Relic browser key",
        "It can only send data; watch for data that is not yours.",
        "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
    ),
    "posthog-project-key": _Public(
        "PostHog project key",
        "It can only send data; watch for data that is not yours.",
        "https://posthog.com/docs/api",
    ),
    "recaptcha-site-key": _Public(
        "reCAPTCHA site key",
        "Leave the domain check of the key switched on.",
        "https://developers.google.com/recaptcha/docs/domain_validation",
    ),
    "segment-write-key": _Public(
        "Segment write key",
        "It can only send data; watch for data that is not yours.",
        "https://segment.com/docs/connections/find-writekey/",
    ),
    "sentry-dsn": _Public(
        "Sentry DSN",
        "It can only send events; limit the allowed domains of the project.",
        "https://docs.sentry.io/concepts/key-terms/dsn-explainer/",
    ),
    "stripe-publishable-key": _Public(
        "Stripe publishable key",
        "It can only make tokens of payment data; nothing needs to be done.",
        "https://docs.stripe.com/keys",
    ),
    "stripe-test-key": _Public(
        "Stripe secret test key",
        "It moves no money; still take it out, for the live key goes where it stands.",
        "https://docs.stripe.com/keys",
    ),
    "supabase-publishable-key": _Public(
        "Supabase publishable key",
        "Let row level security decide who may read and write, on every table.",
        _SUPABASE,
    ),
}
_CLAIMS = {
    "anon": (_INFO, "Supabase anon key", "Let row level security decide who may read and write."),
    "service_role": (_CRITICAL, "Supabase service_role key", _REVOKE),
    "expiring": (_INFO, "Signed token (JWT) of a visitor", _CHECK),
    "lasting": (_LOW, "Signed token (JWT) that does not soon expire", _CHECK),
}
"""What a signed token says of itself → how bad, what it is, what to do; expired is nothing."""


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """One a value, whatever number of places it stands in."""
    for found in facts.secrets:
        yield from _judged(found)


def _judged(found: ExposedSecret) -> Iterator[Flaw]:
    if found.detector in _PUBLIC:
        yield _meant(found, _PUBLIC[found.detector])
    elif found.detector == "jwt":
        yield from _token(found)
    elif (severity := _severity(found)) is not None:
        yield _leak(found, severity, _title(found.detector))


def _severity(found: ExposedSecret) -> Severity | None:
    """None: in a page it is more likely an example than a secret."""
    certain = found.confidence is Confidence.HIGH
    if found.detector in _PASSWORDS:
        return _PASSWORD[found.kind == "html"].get(found.confidence)
    if found.detector in _LOCKED:
        return _MEDIUM
    if found.detector in _LOOKALIKES or found.confidence is Confidence.LOW:
        return _LOW
    return _CRITICAL if certain else _HIGH


def _title(detector: str) -> str:
    known = RULES.get(detector)
    return _EVERYWHERE.get(detector) or (known.title if known else "Secret")


def _leak(found: ExposedSecret, severity: Severity, title: str, remedy: str = _REVOKE) -> Flaw:
    rule = _rule(f"secret-{found.detector}", severity, f"{title} in {_where(found)}", remedy)
    message = (
        f"{title} stands in {_where(found)}: every visitor, and every robot that looks for such "
        "keys, has it."
    )
    return _flaw(rule, message, found, found.confidence)


def _meant(found: ExposedSecret, public: _Public) -> Flaw:
    title = f"{public.title} in {_where(found)}"
    rule = _rule(f"public-{found.detector}", _INFO, title, public.restrict, public.reference)
    message = f"{public.title}: it is made to be seen, as long as it can do no more than it should."
    if found.detector == "browser-key":
        message = "A key stands in what visitors get; many such keys are made for that, not all."
    return _flaw(rule, message, found, found.confidence)


def _token(found: ExposedSecret) -> Iterator[Flaw]:
    if found.claim not in _CLAIMS:
        return
    severity, title, remedy = _CLAIMS[found.claim]
    if severity is _CRITICAL:
        yield _leak(found, severity, title, remedy)
        return
    rule = _rule(f"token-{found.claim}", severity, f"{title} in {_where(found)}", remedy)
    message = f"{title} stands in {_where(found)}: whoever gets the page can use it, too."
    yield _flaw(rule, message, found, Confidence.MEDIUM)


def _rule(
    id: str, severity: Severity, title: str, remedy: str, reference: str = _REFERENCE
) -> Rule:
    return Rule(
        id=id.replace("_", "-"),
        area=Area.SECRETS,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe="CWE-798",
        reference=reference,
    )


def _flaw(rule: Rule, message: str, found: ExposedSecret, confidence: Confidence) -> Flaw:
    return flaw(
        rule,
        message,
        found.url,
        key=found.identity,
        evidence=_evidence(found),
        confidence=confidence,
        line=0 if found.name else found.line,
        count=found.count,
    )


def _evidence(found: ExposedSecret) -> str:
    """Name and mask; for a file of a source map that file and the line in it."""
    named = f"{found.label}: {found.masked}" if found.label else found.masked
    of_map = found.kind == "source-map" and found.name
    return f"{found.name}:{found.line}: {named}" if of_map else named


def _where(found: ExposedSecret) -> str:
    match found.kind:
        case "script":
            return "a script"
        case "source-map":
            return "a source map"
    return "the page"
