"""What is unsafe about a site: pure checks over what a security scan saw of it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from mergegate.site.security.checks import (
    cookies,
    cors,
    csp,
    csrf,
    files,
    framing,
    headers,
    integrity,
    leaks,
    libraries,
    mixed,
    secrets,
    stakes,
    transport,
)
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Flaw

__all__ = ["flaws"]
_CHECKS: tuple[Callable[[SecurityFacts], Iterator[Flaw]], ...] = (
    headers.flaws,
    csp.flaws,
    framing.flaws,
    cors.flaws,
    cookies.flaws,
    csrf.flaws,
    mixed.flaws,
    integrity.flaws,
    secrets.flaws,
    libraries.flaws,
    transport.flaws,
    files.flaws,
    leaks.flaws,
)


def flaws(facts: SecurityFacts) -> tuple[Flaw, ...]:
    """Worst first, then by rule, place and id; what is the same twice is there once, counted.

    Empty for a page that gave no answer: nothing is known of it.
    """
    if facts.page.final is None:
        return ()
    found = (stakes.weighed(one, facts) for check in _CHECKS for one in check(facts))
    return tuple(sorted(_once(found), key=_rank))


def _once(found: Iterable[Flaw]) -> Iterable[Flaw]:
    kept: dict[str, Flaw] = {}
    for one in found:
        earlier = kept.get(one.id)
        count = one.count + (earlier.count if earlier else 0)
        kept[one.id] = replace(earlier or one, count=count)
    return kept.values()


def _rank(one: Flaw) -> tuple[int, str, str, str]:
    return -one.severity, one.rule, one.url, one.id
