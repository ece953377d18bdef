"""Keys that their makers mean to be seen in a page, and secrets that only stand in scripts.

Sources are the makers' own pages: Stripe "API keys" (publishable), Google "API security best
practices", Sentry "DSN", Mapbox "Access tokens" (pk, sk), PostHog "Project API key", Datadog "RUM
client token", Supabase "API keys" (publishable, secret), reCAPTCHA "Site key", Segment "Write key",
Algolia "Search-only API key", New Relic "Browser license key", LaunchDarkly "Keys".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.prefilter import literal_places
from mergegate.secrets.source import Hit, Source

_RANK = 20
"""Above every detector of repositories: a DSN is an address with a password to those."""
_NEAR = 400
_LONGEST = 600


@dataclass(frozen=True, slots=True)
class _Shape:
    """A key with a shape of its own, tried where ``literal`` stands."""

    detector: str
    literal: str
    pattern: re.Pattern[str]


def _shape(detector: str, literal: str, pattern: str) -> _Shape:
    return _Shape(detector, literal, re.compile(rf"(?<![A-Za-z0-9_-])(?:{pattern})(?![A-Za-z0-9])"))


_DSN_HOST = r"[A-Za-z0-9.-]{3,100}(?::\d{2,5})?/(?:[\w-]{1,40}/){0,2}\d{1,20}"
_SHAPES = (
    _shape("stripe-publishable-key", "pk_live_", r"pk_live_[0-9A-Za-z]{16,247}"),
    _shape("stripe-publishable-key", "pk_test_", r"pk_test_[0-9A-Za-z]{16,247}"),
    _shape("mapbox-public-token", "pk.eyJ", r"pk\.eyJ[\w-]{20,300}\.[\w-]{16,60}"),
    _shape("mapbox-secret-token", "sk.eyJ", r"sk\.eyJ[\w-]{20,300}\.[\w-]{16,60}"),
    _shape("posthog-project-key", "phc_", r"phc_[A-Za-z0-9]{40,50}"),
    _shape("posthog-personal-key", "phx_", r"phx_[A-Za-z0-9]{40,50}"),
    _shape("datadog-client-token", "pub", r"pub[0-9a-f]{32}"),
    _shape("newrelic-browser-key", "NRJS-", r"NRJS-[0-9a-f]{19}"),
    _shape("supabase-publishable-key", "sb_publishable_", r"sb_publishable_[\w-]{20,60}"),
    _shape("supabase-secret-key", "sb_secret_", r"sb_secret_[\w-]{20,60}"),
    _shape("launchdarkly-sdk-key", "sdk-", r"sdk-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
)
_DSN = re.compile(
    rf"://(?P<value>[0-9a-f]{{32}})(?P<private>:[0-9a-f]{{32}})?@{_DSN_HOST}(?![\w.])"
)
_RECAPTCHA = re.compile(r"(?<![\w-])6L[\w-]{38}(?![\w-])")
_SITE_KEY = re.compile(
    r"site_?-?key|recaptcha/(?:api|enterprise)\.js\?[^\"'\s]{0,80}render=$", re.IGNORECASE
)
_ANALYTICS = re.compile(r"analytics\.load\(\s{0,4}[\"'](?P<value>[A-Za-z0-9]{32})[\"']")


def browser_keys(source: Source) -> Iterator[Hit]:
    """Every key whose shape or surroundings tell whose it is."""
    for shape in _SHAPES:
        for place in literal_places(source.text, shape.literal):
            match = shape.pattern.match(source.text, place, place + _LONGEST)
            if match and not _is_made_up(match.group()):
                yield Hit(*match.span(), shape.detector, Confidence.HIGH, _RANK)
    yield from _data_source_names(source)
    yield from _site_keys(source)
    for place in literal_places(source.text, "analytics.load("):
        match = _ANALYTICS.match(source.text, place)
        if match:
            yield Hit(*match.span("value"), "segment-write-key", Confidence.HIGH, _RANK)


def of_maker(source: Source, hit: Hit) -> str:
    """The detector of a key without a shape of its own, by who is named close by; else empty."""
    low, value = max(0, hit.start - _NEAR), source.text[hit.start : hit.end]
    around = source.lower[low : hit.end + _NEAR]
    if hit.detector == "google-api-key":
        return "firebase-web-key" if "authdomain" in around or "firebaseapp" in around else ""
    if "algolia" in around and re.fullmatch(r"[0-9a-f]{32}", value):
        return "algolia-key"
    if "nreum" in around or "nr-data.net" in around:
        return "newrelic-browser-key"
    return ""


def _data_source_names(source: Source) -> Iterator[Hit]:
    """Sentry's: the part before the @ is public, one after a colon (the form of old) is not."""
    for place in literal_places(source.text, "://"):
        match = _DSN.match(source.text, place, place + _LONGEST)
        if match:
            detector = "sentry-dsn-secret" if match["private"] else "sentry-dsn"
            end = match.end("private") if match["private"] else match.end("value")
            yield Hit(match.start("value"), end, detector, Confidence.HIGH, _RANK)


def _site_keys(source: Source) -> Iterator[Hit]:
    """Site key and secret look alike: what it is called tells."""
    for place in literal_places(source.text, "6L"):
        match = _RECAPTCHA.match(source.text, place)
        if match and _SITE_KEY.search(source.text[max(0, place - 120) : place]):
            yield Hit(*match.span(), "recaptcha-site-key", Confidence.HIGH, _RANK)


def _is_made_up(value: str) -> bool:
    return filters.is_placeholder(value) or filters.is_repetitive(value)
