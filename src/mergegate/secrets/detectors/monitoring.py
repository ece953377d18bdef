"""What watches programs and their users: errors, traces, analytics, feature flags."""

from mergegate.core.severity import Confidence
from mergegate.secrets import checksums
from mergegate.secrets.detector import (
    Detector,
    Family,
    Literal,
    Named,
    Nearby,
    Shape,
    public,
    token,
)

MEDIUM = Confidence.MEDIUM

DETECTORS = (
    public(
        "datadog-client-token",
        "Datadog client token",
        "Datadog",
        Shape(
            "pub[0-9a-f]{32}",
            "(?<![_-])pub[0-9a-f]{32}",
            hit="pub<hex:32>",
            near_miss="pub<hex:33>",
        ),
        restrict="It can only send data; watch for data that is not yours.",
        reference="https://docs.datadoghq.com/account_management/api-app-keys/",
    ),
    token(
        "datadog-key",
        "Datadog key",
        "Datadog",
        Named(
            "datadog|(?:^|_)dd_",
            "[0-9a-f]{32}|[0-9a-f]{40}",
            "datadog_api_key = '<hex:32>'",
            "datadog_api_key = '<hex:31>'",
        ),
    ),
    token(
        "dynatrace-token",
        "Dynatrace token",
        "Dynatrace",
        Shape(
            r"dt0[a-z]\d\d\.",
            r"dt0[a-z]\d\d\.[A-Z2-7]{24}\.[A-Z2-7]{64}",
            hit="dt0c01.<base32:24>.<base32:64>",
            near_miss="dt0c01.<base32:24>.<base32:20>",
        ),
    ),
    token(
        "grafana-token",
        "Grafana token",
        "Grafana",
        Shape(
            "glsa_",
            "glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}",
            proof=checksums.has_hex_crc32,
            unproven=MEDIUM,
            hit="glsa_<alnum:32>_<crc32>",
            near_miss="glsa_<alnum:32>_<hex:4>",
        ),
        Shape(
            "glc_eyJ",
            "glc_eyJ[A-Za-z0-9+/]{32,400}={0,3}",
            hit="glc_eyJ<alnum:100>",
            near_miss="glc_eyJ<alnum:20>",
        ),
    ),
    token(
        "launchdarkly-sdk-key",
        "LaunchDarkly server-side SDK key",
        "LaunchDarkly",
        Shape(
            "sdk-[0-9a-f]{8}-",
            "(?<![_-])sdk-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            hit="sdk-<uuid>",
            near_miss="sdk-<hex:8>-<hex:4>",
        ),
    ),
    public(
        "newrelic-browser-key",
        "New Relic browser key",
        "New Relic",
        Shape("NRJS-", "NRJS-[0-9a-f]{19}", hit="NRJS-<hex:19>", near_miss="NRJS-<hex:12>"),
        Nearby(
            "token-literal",
            r"nreum|nr-data\.net",
            ".*",
            'NREUM={licenseKey:"<hex:10>", apiKey: "<hex:32>"}',
            '{licenseKey:"<hex:10>", apiKey: "<hex:32>"}',
        ),
        restrict="It can only send data; watch for data that is not yours.",
        reference="https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
    ),
    token(
        "newrelic-key",
        "New Relic key",
        "New Relic",
        Shape(
            "NRAK- NRII-",
            "NRAK-[A-Z0-9]{27}|NRII-[A-Za-z0-9_-]{32}",
            hit="NRAK-<upper:27>",
            near_miss="NRAK-<upper:12>",
        ),
    ),
    token(
        "pagerduty-key",
        "PagerDuty key",
        "PagerDuty",
        Named(
            "pagerduty|pd_",
            "[A-Za-z0-9+_-]{20}|[0-9a-f]{32}",
            "pagerduty_api_key = '<alnum:20>'",
            "pagerduty_api_key = '<alnum:25>'",
        ),
    ),
    token(
        "posthog-personal-key",
        "PostHog personal API key",
        "PostHog",
        Shape("phx_", "phx_[A-Za-z0-9]{40,50}", hit="phx_<alnum:43>", near_miss="phx_<alnum:20>"),
    ),
    public(
        "posthog-project-key",
        "PostHog project key",
        "PostHog",
        Shape("phc_", "phc_[A-Za-z0-9]{40,50}", hit="phc_<alnum:43>", near_miss="phc_<alnum:20>"),
        restrict="It can only send data; watch for data that is not yours.",
        reference="https://posthog.com/docs/api",
    ),
    public(
        "segment-write-key",
        "Segment write key",
        "Segment",
        Literal(
            "analytics.load(",
            r"analytics\.load\(\s{0,4}[\"'](?P<value>[A-Za-z0-9]{32})[\"']",
            'analytics.load("<alnum:32>")',
            'analytics.load("<alnum:20>")',
        ),
        restrict="It can only send data; watch for data that is not yours.",
        reference="https://segment.com/docs/connections/find-writekey/",
    ),
    public(
        "sentry-dsn",
        "Sentry DSN",
        "Sentry",
        Shape(
            "https?://[0-9a-f]{32}@",
            (
                r"https?://(?P<value>[0-9a-f]{32})@[A-Za-z0-9.-]{3,100}(?::\d{2,5})?/"
                r"(?:[\w-]{1,40}/){0,2}\d{1,20}(?![\w.])"
            ),
            hit="https://<hex:32>@o1234.ingest.sentry.io/5678",
            near_miss="https://<hex:20>@o1234.ingest.sentry.io/5678",
        ),
        restrict="It can only send events; limit the allowed domains of the project.",
        reference="https://docs.sentry.io/concepts/key-terms/dsn-explainer/",
    ),
    Detector(
        id="sentry-dsn-secret",
        title="Sentry DSN with its secret half",
        issuer="Sentry",
        looks=(
            Shape(
                "https?://[0-9a-f]{32}:",
                (
                    r"https?://(?P<value>[0-9a-f]{32}:[0-9a-f]{32})@[A-Za-z0-9.-]{3,100}(?::\d{2,5})?/"
                    r"(?:[\w-]{1,40}/){0,2}\d{1,20}(?![\w.])"
                ),
                hit="https://<hex:32>:<hex:32>@sentry.io/12",
                near_miss="https://<hex:32>:<hex:8>@sentry.io/12",
            ),
        ),
        family=Family.PASSWORD,
        lookalike=True,
    ),
    token(
        "sentry-token",
        "Sentry token",
        "Sentry",
        Shape(
            "sntrys_ sntryu_",
            r"sntrys_eyJ[\w+/=]{80,}|sntryu_[a-f0-9]{64}",
            hit="sntryu_<hex:64>",
            near_miss="sntryu_<hex:20>",
        ),
    ),
)
