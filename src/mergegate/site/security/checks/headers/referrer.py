"""Referrer-Policy, of the header and of the page."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Area, Flaw

HEADER = "Referrer-Policy"
_GOOD = "strict-origin-when-cross-origin"
_WHOLE = frozenset({"unsafe-url", "no-referrer-when-downgrade"})
"""Send whole addresses to other sites."""
_DOWNGRADE = frozenset({"origin", "origin-when-cross-origin"})
_KNOWN = _WHOLE | _DOWNGRADE | {"no-referrer", "same-origin", "strict-origin", _GOOD}
_OLD: Mapping[str, str] = MappingProxyType(
    {
        "never": "no-referrer",
        "default": _GOOD,
        "always": "unsafe-url",
        "origin-when-crossorigin": "origin-when-cross-origin",
    }
)
"""Words that a ``meta`` element may still use (HTML, 4.2.5.1)."""


def _rule(id: str, severity: Severity, title: str) -> Rule:
    return Rule(
        id=id,
        area=Area.HEADERS,
        severity=severity,
        title=title,
        remedy=f"Send {HEADER}: {_GOOD}, or a stricter one.",
        cwe="CWE-200",
        reference=f"https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/{HEADER}",
        header=HEADER,
        fix=_GOOD,
    )


_MISSING = _rule("referrer-policy-missing", Severity.LOW, "No Referrer-Policy")
_INVALID = _rule("referrer-policy-invalid", Severity.LOW, "Referrer-Policy has no known value")
_UNSAFE = _rule(
    "referrer-policy-unsafe", Severity.LOW, "Other sites get the whole address of the page"
)
# The Observatory calls these unsafe too; what they give away over http is a host name.
_LAX = _rule("referrer-policy-downgrade", Severity.INFO, "Sites over http get the name of the site")


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """At most one, of the policy that counts in the end."""
    url, said = facts.page.final_url, _said(facts)
    known = [word for word in said if word in _KNOWN]
    evidence = f"{HEADER}: {', '.join(said)}"
    if not said:
        message = f"What other sites learn is left to the browser; today's send {_GOOD}."
        yield flaw(_MISSING, message, url)
    elif not known:
        message = "Browsers skip values that they do not know, and use their own policy."
        yield flaw(_INVALID, message, url, evidence=evidence)
    elif known[-1] in _WHOLE:
        message = f"{known[-1]} sends path and query to other sites, with whatever stands in them."
        yield flaw(_UNSAFE, message, url, evidence=evidence)
    elif known[-1] in _DOWNGRADE:
        message = f"{known[-1]} names the site to others over http, for all on the way to read."
        yield flaw(_LAX, message, url, evidence=evidence)


def _said(facts: SecurityFacts) -> list[str]:
    """Every word in small letters, those of the page last: the last known one counts."""
    answer = facts.page.final
    sent = answer.all(HEADER.lower()) if answer else ()
    metas = [meta.content for meta in facts.document.metas if _is_policy(meta.kind, meta.name)]
    words = [word.strip().lower() for value in sent for word in value.split(",")]
    written = [content.strip().lower() for content in metas]
    return [word for word in (*words, *(_OLD.get(one, one) for one in written)) if word]


def _is_policy(kind: str, name: str) -> bool:
    return kind == "name" and name == "referrer"
