"""Check which origins may frame the page: frame-ancestors, else X-Frame-Options."""

from collections.abc import Iterator, Set

from mergegate.site.security.checks.content_policy import enforced, wide
from mergegate.site.security.checks.flaw import RULES, flaw
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Flaw

HEADER = "X-Frame-Options"
_STOPS = frozenset({"deny", "sameorigin"})
_KNOWN = _STOPS | {"allowall"}


def options(facts: SecurityFacts) -> frozenset[str]:
    """The header's different values in small letters; ``meta`` elements do not count."""
    answer = facts.page.final
    sent = answer.all(HEADER.lower()) if answer else ()
    words = (word.strip().lower() for value in sent for word in value.split(","))
    return frozenset(word for word in words if word)


def holds(values: Set[str]) -> bool:
    """Whether they keep strangers from framing the page.

    Where several values differ, one known word is enough for browsers to refuse every frame.
    """
    return bool(values & (_STOPS if len(values) == 1 else _KNOWN))


def framers(values: Set[str]) -> str:
    """The frame-ancestors sources that these values amount to; empty when they stop no origin."""
    if not holds(values):
        return ""
    return "'self'" if values == {"sameorigin"} else "'none'"


_MISSING = RULES["framing-missing"]
_OPEN = RULES["framing-open"]
_INVALID = RULES["framing-invalid"]
_CONFLICT = RULES["framing-conflict"]


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """At most one flaw; X-Frame-Options is ignored where frame-ancestors is sent."""
    url = facts.page.final_url
    lists = [policy.sources("frame-ancestors") for policy in enforced(facts)]
    said = [sources for sources in lists if sources is not None]
    if not said:
        yield from _by_option(facts, url)
    elif all(wide(sources) for sources in said):
        yield flaw(_OPEN, url, evidence=f"frame-ancestors {' '.join(said[0])}", patches=())


def _by_option(facts: SecurityFacts, url: str) -> Iterator[Flaw]:
    sent = options(facts)
    evidence = f"{HEADER}: {', '.join(sorted(sent))}"
    if not sent:
        yield flaw(_MISSING, url, _MISSING.said(why=_why(facts)))
    elif not holds(sent):
        yield flaw(_INVALID, url, evidence=evidence)
    elif len(sent) > 1:
        yield flaw(_CONFLICT, url, evidence=evidence)


def _why(facts: SecurityFacts) -> str:
    in_meta = any(
        meta.kind == "http-equiv" and meta.name == HEADER.lower() for meta in facts.document.metas
    )
    return "X-Frame-Options in a meta element does nothing" if in_meta else "Nothing is sent"
