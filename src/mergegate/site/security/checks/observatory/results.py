"""What the ten tests can say, what each result is worth, and which of them passes.

Names and points are those of MDN's HTTP Observatory, algorithm version 4, so that both can be laid
side by side; the tests are written anew.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from mergegate.site.security.report import ObservatoryTest

_PERFECT = 100
_CURVE = 90
"""Points below 100 count from here on; extra points only if they end here or above."""
_GRADES = (
    *((100, "A+"), (90, "A"), (85, "A-"), (80, "B+"), (70, "B"), (65, "B-"), (60, "C+")),
    *((50, "C"), (45, "C-"), (40, "D+"), (30, "D"), (25, "D-")),
)

_CSP = "csp-implemented-"
_COOKIES = "cookies-"
_CORS = "cross-origin-resource-sharing-"
_REDIRECTION = "redirection-"
_REFERRER = "referrer-policy-"
_HSTS = "hsts-"
_SRI = "sri-"
_SNIFFING = "x-content-type-options-"
_FRAMING = "x-frame-options-"
_RESOURCE = "corp-"

_PASSING: Mapping[str, int] = MappingProxyType(
    {
        f"{_CSP}with-no-unsafe-default-src-none": 10,
        f"{_CSP}with-no-unsafe": 5,
        f"{_CSP}with-unsafe-inline-in-style-src-only": 0,
        f"{_CSP}with-insecure-scheme-in-passive-content-only": -10,
        f"{_CSP}but-duplicate-directives": 0,
        f"{_COOKIES}secure-with-httponly-sessions-and-samesite": 5,
        f"{_COOKIES}secure-with-httponly-sessions": 0,
        f"{_COOKIES}not-found": 0,
        f"{_CORS}not-implemented": 0,
        f"{_CORS}implemented-with-public-access": 0,
        f"{_CORS}implemented-with-restricted-access": 0,
        f"{_REDIRECTION}to-https": 0,
        f"{_REDIRECTION}not-needed-no-http": 0,
        f"{_REFERRER}private": 5,
        f"{_REFERRER}not-implemented": 0,
        f"{_HSTS}implemented-max-age-at-least-six-months": 0,
        f"{_SRI}implemented-and-all-scripts-loaded-securely": 5,
        f"{_SRI}implemented-and-external-scripts-loaded-securely": 5,
        f"{_SRI}not-implemented-response-not-html": 0,
        f"{_SRI}not-implemented-but-no-scripts-loaded": 0,
        f"{_SRI}not-implemented-but-all-scripts-loaded-from-secure-origin": 0,
        f"{_SNIFFING}nosniff": 0,
        f"{_FRAMING}implemented-via-csp": 5,
        f"{_FRAMING}sameorigin-or-deny": 0,
        f"{_FRAMING}allow-from-origin": 0,
        f"{_RESOURCE}implemented-with-same-origin": 10,
        f"{_RESOURCE}implemented-with-same-site": 10,
        f"{_RESOURCE}implemented-with-cross-origin": 0,
        f"{_RESOURCE}not-implemented": 0,
    }
)
_FAILING: Mapping[str, int] = MappingProxyType(
    {
        f"{_CSP}with-unsafe-eval": -10,
        f"{_CSP}with-unsafe-inline": -20,
        f"{_CSP}with-insecure-scheme": -20,
        "csp-header-invalid": -25,
        "csp-not-implemented": -25,
        "csp-not-implemented-but-reporting-enabled": -25,
        f"{_COOKIES}without-secure-flag-but-protected-by-hsts": -5,
        f"{_COOKIES}session-without-secure-flag-but-protected-by-hsts": -10,
        f"{_COOKIES}without-secure-flag": -20,
        f"{_COOKIES}samesite-flag-invalid": -20,
        f"{_COOKIES}anticsrf-without-samesite-flag": -20,
        f"{_COOKIES}session-without-httponly-flag": -30,
        f"{_COOKIES}session-without-secure-flag": -40,
        f"{_CORS}implemented-with-universal-access": -50,
        f"{_REDIRECTION}off-host-from-http": -5,
        f"{_REDIRECTION}not-to-https-on-initial-redirection": -10,
        f"{_REDIRECTION}not-to-https": -20,
        f"{_REDIRECTION}missing": -20,
        f"{_REDIRECTION}invalid-cert": -20,
        f"{_REFERRER}unsafe": -5,
        f"{_REFERRER}header-invalid": -5,
        f"{_HSTS}implemented-max-age-less-than-six-months": -10,
        f"{_HSTS}not-implemented": -20,
        f"{_HSTS}header-invalid": -20,
        f"{_HSTS}not-implemented-no-https": -20,
        f"{_HSTS}invalid-cert": -20,
        f"{_SRI}not-implemented-but-external-scripts-loaded-securely": -5,
        f"{_SRI}implemented-but-external-scripts-not-loaded-securely": -20,
        f"{_SRI}not-implemented-and-external-scripts-not-loaded-securely": -50,
        f"{_SNIFFING}not-implemented": -5,
        f"{_SNIFFING}header-invalid": -5,
        f"{_FRAMING}not-implemented": -20,
        f"{_FRAMING}header-invalid": -20,
        f"{_RESOURCE}header-invalid": -5,
    }
)


def outcome(name: str, result: str) -> ObservatoryTest:
    """The test with what its result is worth; raises KeyError for a result that is none."""
    worth = _FAILING.get(result)
    passed = worth is None
    return ObservatoryTest(name, result, passed, _PASSING[result] if worth is None else worth)


def score(tests: Sequence[ObservatoryTest]) -> int:
    """From 0; above 100 by extra points, which count from 90 points on."""
    lost = sum(one.modifier for one in tests if one.modifier < 0)
    gained = sum(one.modifier for one in tests if one.modifier > 0)
    plain = _PERFECT + lost
    return max(0, plain + gained if plain >= _CURVE else plain)


def grade(points: int) -> str:
    """``A+`` to ``F``."""
    return next((letter for least, letter in _GRADES if points >= least), "F")
