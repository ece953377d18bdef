"""Response headers that make browsers careful, each read as browsers read it."""

from collections.abc import Iterator

from mergegate.checks.security_scan.headers import (
    hsts,
    isolation,
    permissions,
    referrer,
    sniffing,
)
from mergegate.checks.security_scan.headers.table import judgements
from mergegate.model.facts.web_security import SecurityFacts
from mergegate.model.site.security import Flaw

__all__ = ["flaws", "judgements"]


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """Of the headers that have no module of their own."""
    for module in (hsts, sniffing, referrer, permissions, isolation):
        yield from module.flaws(facts)
