"""Cross-Origin-Opener-, -Embedder- and -Resource-Policy: what shares a process and a handle."""

from collections.abc import Iterator

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.checks.origins import is_trustworthy
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Area, Flaw

OPENER = "Cross-Origin-Opener-Policy"
EMBEDDER = "Cross-Origin-Embedder-Policy"
RESOURCE = "Cross-Origin-Resource-Policy"
_OPENERS = frozenset(
    {"same-origin", "same-origin-allow-popups", "noopener-allow-popups", "same-origin-plus-coep"}
)
_EMBEDDERS = frozenset({"require-corp", "credentialless", "unsafe-none"})
_RESOURCES = frozenset({"same-origin", "same-site", "cross-origin"})


def _rule(id: str, header: str, title: str, remedy: str, fix: str) -> Rule:
    return Rule(
        id=id,
        area=Area.HEADERS,
        severity=Severity.LOW,
        title=title,
        remedy=remedy,
        cwe="CWE-693",
        reference=f"https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/{header}",
        header=header,
        fix=fix,
    )


_NO_OPENER = _rule(
    "coop-missing",
    OPENER,
    "Windows of other sites keep a handle on this one",
    f"Send {OPENER}: same-origin, or same-origin-allow-popups where sign-in opens a window.",
    "same-origin",
)
_BAD_OPENER = _rule(
    "coop-invalid",
    OPENER,
    "Cross-Origin-Opener-Policy has no known value",
    f"Send {OPENER}: same-origin.",
    "same-origin",
)
_BAD_EMBEDDER = _rule(
    "coep-invalid",
    EMBEDDER,
    "Cross-Origin-Embedder-Policy has no known value",
    f"Send {EMBEDDER}: require-corp, or drop the header.",
    "require-corp",
)
_NO_RESOURCE = _rule(
    "corp-missing",
    RESOURCE,
    "Other sites may load this page's answer into their process",
    f"Send {RESOURCE}: same-origin, or same-site where your other hosts need it.",
    "same-origin",
)
_BAD_RESOURCE = _rule(
    "corp-invalid",
    RESOURCE,
    "Cross-Origin-Resource-Policy has no known value",
    f"Send {RESOURCE}: same-origin, same-site or cross-origin.",
    "same-origin",
)


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """COEP is no flaw to be without: it is for pages that ask to be isolated."""
    if is_trustworthy(facts.page.final_url):
        yield from _opener(facts)
        yield from _embedder(facts)
    yield from _resource(facts)


def _opener(facts: SecurityFacts) -> Iterator[Flaw]:
    url, value = facts.page.final_url, _token(facts, OPENER)
    if value in {"", "unsafe-none"}:
        message = "A window that opened this page, or was opened by it, can send it elsewhere."
        yield flaw(_NO_OPENER, message, url, evidence=value and f"{OPENER}: {value}")
    elif value not in _OPENERS:
        message = "Browsers take an unknown value for unsafe-none."
        yield flaw(_BAD_OPENER, message, url, evidence=f"{OPENER}: {value}")


def _embedder(facts: SecurityFacts) -> Iterator[Flaw]:
    value = _token(facts, EMBEDDER)
    if value and value not in _EMBEDDERS:
        message = "Browsers take an unknown value for unsafe-none: the page is not isolated."
        evidence = f"{EMBEDDER}: {value}"
        yield flaw(_BAD_EMBEDDER, message, facts.page.final_url, evidence=evidence)


def _resource(facts: SecurityFacts) -> Iterator[Flaw]:
    url, value = facts.page.final_url, facts.page.header(RESOURCE.lower()).strip()
    if not value:
        message = "A page of another site can load it, where timing attacks read what it holds."
        yield flaw(_NO_RESOURCE, message, url)
    elif value not in _RESOURCES:
        message = "Browsers ignore any other value, and compare letter by letter."
        yield flaw(_BAD_RESOURCE, message, url, evidence=f"{RESOURCE}: {value}")


def _token(facts: SecurityFacts, name: str) -> str:
    """The value without parameters such as ``report-to`` (a structured item, RFC 9651)."""
    return facts.page.header(name.lower()).split(";")[0].strip()
