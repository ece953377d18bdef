"""The ten tests of MDN's HTTP Observatory, anew: a second opinion on headers, cookies and scripts.

They follow its rules, not its code, and give its names to their results. Where browsers see it
differently, our own checks do too, and a comment here or there says why.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mergegate.site.security.checks.observatory.answer import (
    cookies_result,
    framing_result,
    referrer_result,
    resource_result,
    sharing_result,
    sniffing_result,
    transport_result,
)
from mergegate.site.security.checks.observatory.page import integrity_result, redirection_result
from mergegate.site.security.checks.observatory.policy import policy_result
from mergegate.site.security.checks.observatory.results import grade, outcome, score
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Observatory, ObservatoryTest

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
