"""Response headers that make browsers careful, each read as browsers read it."""

from collections.abc import Iterator

from mergegate.site.security.checks.headers import hsts, isolation, permissions, referrer, sniffing
from mergegate.site.security.checks.headers.table import judgements
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Flaw

__all__ = ["flaws", "judgements"]


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """Of the headers that have no module of their own."""
    for module in (hsts, sniffing, referrer, permissions, isolation):
        yield from module.flaws(facts)
