"""X-Frame-Options, read as browsers read it (HTML, 7.7)."""

from collections.abc import Set

from mergegate.site.security.facts import SecurityFacts

HEADER = "X-Frame-Options"
_STOPS = frozenset({"deny", "sameorigin"})
_KNOWN = _STOPS | {"allowall"}


def options(facts: SecurityFacts) -> frozenset[str]:
    """Its different values in small letters; what a ``meta`` element says does not count."""
    answer = facts.page.final
    sent = answer.all(HEADER.lower()) if answer else ()
    words = (word.strip().lower() for value in sent for word in value.split(","))
    return frozenset(word for word in words if word)


def holds(values: Set[str]) -> bool:
    """Whether they keep strangers from framing the page.

    Of several values that differ one known word is enough for browsers to refuse every frame.
    """
    return bool(values & (_STOPS if len(values) == 1 else _KNOWN))


def framers(values: Set[str]) -> str:
    """Who may still frame the page, as frame-ancestors says it; empty when nobody is stopped."""
    if not holds(values):
        return ""
    return "'self'" if values == {"sameorigin"} else "'none'"
