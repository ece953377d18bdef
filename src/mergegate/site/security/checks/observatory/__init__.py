"""The ten tests of MDN's HTTP Observatory, anew: a second opinion on headers, cookies and scripts.

They follow its rules, not its code, and give its names to their results. Where browsers see it
differently, our own checks do too, and a comment here or there says why.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Script
from mergegate.site.security.checks.observatory.answer import (
    cookies_result,
    framing_result,
    is_trusted,
    referrer_result,
    resource_result,
    sharing_result,
    sniffing_result,
    transport_result,
)
from mergegate.site.security.checks.observatory.policy import policy_result
from mergegate.site.security.checks.origins import host, origin, same_site, scheme
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Observatory, ObservatoryTest

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_SECURE = "sri-implemented-and-all-scripts-loaded-securely"
_FROM_BEST_TO_WORST = (
    "sri-implemented-but-external-scripts-not-loaded-securely",
    "sri-not-implemented-but-external-scripts-loaded-securely",
    "sri-not-implemented-and-external-scripts-not-loaded-securely",
)


def redirection_result(facts: SecurityFacts) -> str:
    """Of how a visitor gets from http to https; no list of preloaded hosts is at hand."""
    start = _over_http(facts)
    if start is None or start.final is None:
        return "redirection-not-needed-no-http"
    if scheme(start.final_url) == "https" and not is_trusted(facts):
        return "redirection-invalid-cert"
    route = [answer.url for answer in start.answers]
    if len(route) == 1:
        return "redirection-missing"
    if scheme(route[-1]) != "https":
        return "redirection-not-to-https"
    if scheme(route[1]) == "http":
        return "redirection-not-to-https-on-initial-redirection"
    stays = host(route[0]) == host(route[1])
    return f"redirection-{'to-https' if stays else 'off-host-from-http'}"


def _over_http(facts: SecurityFacts) -> Fetched | None:
    """The page's twin over http; the page itself when that is how it was asked for."""
    if facts.insecure is not None:
        return facts.insecure
    return facts.page if scheme(facts.page.url) == "http" else None


def integrity_result(facts: SecurityFacts) -> str:
    """Of the page's scripts, and whether a hash holds those of others."""
    if facts.page.header("content-type").split(";")[0] not in _HTML:
        return "sri-not-implemented-response-not-html"
    if not facts.document.scripts:
        return "sri-not-implemented-but-no-scripts-loaded"
    home = host(facts.page.final_url)
    files = [(one, same_site(host(one.src), home, facts.site)) for one in facts.document.scripts]
    foreign = [one for one, own in files if not own and origin(one.src)]
    if found := set(_faults(foreign)):
        return max(found, key=_FROM_BEST_TO_WORST.index)
    if any(own and one.integrity and scheme(one.src) == "https" for one, own in files):
        return _SECURE
    if foreign:
        return "sri-implemented-and-external-scripts-loaded-securely"
    return "sri-not-implemented-but-all-scripts-loaded-from-secure-origin"


def _faults(foreign: list[Script]) -> Iterator[str]:
    """The Observatory calls ``//host/x.js`` insecure; on an https page it is fetched over https."""
    for script in foreign:
        secure = scheme(script.src) == "https"
        if script.integrity and not secure:
            yield _FROM_BEST_TO_WORST[0]
        elif not script.integrity:
            yield _FROM_BEST_TO_WORST[1 if secure else 2]


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


__all__ = ["grade", "opinion", "score", "tests"]
_TESTS: Mapping[str, Callable[[SecurityFacts], str]] = MappingProxyType(
    {
        "content-security-policy": policy_result,
        "cookies": cookies_result,
        "cross-origin-resource-sharing": sharing_result,
        "redirection": redirection_result,
        "referrer-policy": referrer_result,
        "strict-transport-security": transport_result,
        "subresource-integrity": integrity_result,
        "x-content-type-options": sniffing_result,
        "x-frame-options": framing_result,
        "cross-origin-resource-policy": resource_result,
    }
)


def tests(facts: SecurityFacts) -> tuple[ObservatoryTest, ...]:
    """All ten, in the Observatory's order."""
    return tuple(outcome(name, result(facts)) for name, result in _TESTS.items())


def opinion(facts: SecurityFacts) -> Observatory | None:
    """What the Observatory would say; None for a page that it cannot reach."""
    if facts.local or facts.page.final is None:
        return None
    taken = tests(facts)
    points = score(taken)
    return Observatory(score=points, grade=grade(points), tests=taken)
