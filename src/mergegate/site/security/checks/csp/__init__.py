"""Content Security Policy, judged by directive: all policies of headers and head together."""

from collections.abc import Iterator

from mergegate.site.security.checks.csp import others, rules, scripts, syntax
from mergegate.site.security.checks.csp.policy import (
    HEADER,
    ContentPolicy,
    enforced,
    parse,
    watched,
)
from mergegate.site.security.checks.flaw import flaw
from mergegate.site.security.checks.framing import framers, options
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Flaw

__all__ = ["HEADER", "ContentPolicy", "enforced", "flaws", "parse", "watched"]


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """What the policies leave open; one flaw alone where nothing is enforced."""
    policies, url = enforced(facts), facts.page.final_url
    if not any(policy.directives for policy in policies):
        yield _none(facts, url)
    else:
        yield from scripts.flaws(policies, url)
        yield from others.flaws(policies, url, framers(options(facts)))
    yield from syntax.flaws(policies, url)


def _none(facts: SecurityFacts, url: str) -> Flaw:
    """A policy that only reports protects nobody: it is missing, and said to be there."""
    if reporting := watched(facts):
        return flaw(
            rules.REPORT_ONLY,
            "Content-Security-Policy-Report-Only stops nothing, and no policy is enforced.",
            url,
            evidence=reporting[0].text,
        )
    return flaw(
        rules.MISSING,
        "Nothing limits which scripts run on the page: one injected piece of HTML is enough to "
        "act as the visitor.",
        url,
    )
