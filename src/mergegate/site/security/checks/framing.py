"""Who may show the page in a frame: frame-ancestors, else X-Frame-Options."""

from collections.abc import Iterator, Set

from mergegate.core.severity import Severity
from mergegate.site.security.checks.csp.policy import enforced, wide
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Area, Flaw

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


_REFERENCE = "https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html"
_MDN = "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Frame-Options"
_REMEDY = (
    "Send frame-ancestors 'self' in the Content-Security-Policy, and X-Frame-Options for old "
    "browsers."
)


def _rule(id: str, severity: Severity, title: str, reference: str, remedy: str = _REMEDY) -> Rule:
    return Rule(
        id=id,
        area=Area.HEADERS,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe="CWE-1021",
        reference=reference,
        header=HEADER,
        fix="SAMEORIGIN",
    )


_MISSING = _rule(
    "framing-missing", Severity.HIGH, "Any site may show the page in a frame", _REFERENCE
)
_OPEN = _rule("framing-open", Severity.HIGH, "frame-ancestors allows every site", _REFERENCE)
_INVALID = _rule("framing-invalid", Severity.HIGH, "X-Frame-Options has no effect", _MDN)
_CONFLICT = _rule(
    "framing-conflict",
    Severity.LOW,
    "X-Frame-Options contradicts itself",
    "https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header",
    "Send X-Frame-Options once, with DENY or SAMEORIGIN.",
)
_WITH_IT = "which lets it lay the page, invisible, under the visitor's clicks"


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """At most one; X-Frame-Options is not looked at where frame-ancestors is sent."""
    url = facts.page.final_url
    lists = [policy.sources("frame-ancestors") for policy in enforced(facts)]
    said = [sources for sources in lists if sources is not None]
    if not said:
        yield from _by_option(facts, url)
    elif all(wide(sources) for sources in said):
        evidence = f"frame-ancestors {' '.join(said[0])}"
        message = f"The policy lets any site frame the page, {_WITH_IT}."
        yield flaw(_OPEN, message, url, evidence=evidence, patches=())


def _by_option(facts: SecurityFacts, url: str) -> Iterator[Flaw]:
    sent = options(facts)
    evidence = f"{HEADER}: {', '.join(sorted(sent))}"
    if not sent:
        yield flaw(_MISSING, _missing(facts), url)
    elif not holds(sent):
        message = f"Browsers know DENY and SAMEORIGIN only: any site may frame it, {_WITH_IT}."
        yield flaw(_INVALID, message, url, evidence=evidence)
    elif len(sent) > 1:
        message = "Browsers take values that differ for DENY, whatever was meant."
        yield flaw(_CONFLICT, message, url, evidence=evidence)


def _missing(facts: SecurityFacts) -> str:
    in_meta = any(
        meta.kind == "http-equiv" and meta.name == HEADER.lower() for meta in facts.document.metas
    )
    why = "X-Frame-Options in a meta element does nothing" if in_meta else "Nothing is sent"
    return f"{why}: any site may show the page in a frame, {_WITH_IT}."
