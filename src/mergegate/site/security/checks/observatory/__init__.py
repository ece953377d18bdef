"""The ten tests of MDN's HTTP Observatory, anew: a second opinion on headers, cookies and scripts.

They follow its rules, not its code, and give its names to their results. Where browsers see it
differently, our own checks do too, and a comment here or there says why.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from mergegate.core.data_table import read_table
from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Script
from mergegate.site.security.checks.observatory.answer import (
    cookies_result,
    framing_result,
    is_trusted,
    policy_result,
    referrer_result,
    resource_result,
    sharing_result,
    sniffing_result,
    transport_result,
)
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.origins import host, origin, same_site, scheme
from mergegate.site.security.report import Observatory, ObservatoryTest

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_SECURE = "sri-implemented-and-all-scripts-loaded-securely"
_FROM_BEST_TO_WORST = (
    "sri-implemented-but-external-scripts-not-loaded-securely",
    "sri-not-implemented-but-external-scripts-loaded-securely",
    "sri-not-implemented-and-external-scripts-not-loaded-securely",
)


def redirection_result(facts: SecurityFacts) -> str:
    """Tests how a visitor gets from http to https; no list of preloaded hosts is at hand."""
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
    """Tests whether a hash holds the scripts of other hosts."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Results:
    """What a test can come to, and what that gains or loses."""

    test: str
    passing: Mapping[str, int]
    failing: Mapping[str, int] = field(default_factory=dict)


_RESULTS = read_table(Path(__file__).with_name("results.toml"), _Results, "test")


def outcome(name: str, result: str) -> ObservatoryTest:
    """The test with what its result is worth; raises KeyError for a result that is none."""
    known = _RESULTS[name]
    passed = result in known.passing
    worth = (known.passing if passed else known.failing)[result]
    return ObservatoryTest(name, result, passed, worth)


def score(tests: Sequence[ObservatoryTest]) -> int:
    """The score from 0 up; extra points, which count from 90 on, may raise it above 100."""
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
    """The ten tests, in the Observatory's order."""
    return tuple(outcome(name, result(facts)) for name, result in _TESTS.items())


def opinion(facts: SecurityFacts) -> Observatory | None:
    """What the Observatory would say; None for a page that it cannot reach."""
    if facts.local or facts.page.final is None:
        return None
    taken = tests(facts)
    points = score(taken)
    return Observatory(score=points, grade=grade(points), tests=taken)
