"""Strict-Transport-Security, read as RFC 6797 has browsers read it."""

import re
from collections.abc import Iterator, Mapping

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.checks.origins import host, is_address, is_loopback, scheme
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Area, Flaw

HEADER = "Strict-Transport-Security"
_GUIDE = f"https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/{HEADER}"
_RFC = "https://www.rfc-editor.org/rfc/rfc6797"
_GOOD = "max-age=63072000; includeSubDomains"
# Half a year is 15768000 seconds. Many guides and older Helmets say 180 days, as does the HTTP
# Observatory: whoever copied them is not told that they are wrong.
_HALF_A_YEAR_S = 15_552_000
_YEAR_S = 31_536_000
_PART = re.compile(r'([A-Za-z0-9-]+)\s*(?:=\s*("[^"]*"|[^\s";,=]+))?\Z')
_DIGITS = re.compile(r"[0-9]{1,18}\Z")


def _rule(id: str, severity: Severity, title: str, remedy: str, reference: str) -> Rule:
    return Rule(
        id=id,
        area=Area.HEADERS,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe="CWE-319",
        reference=reference,
        header=HEADER,
        fix=_GOOD,
    )


_SEND = f"Send {HEADER}: {_GOOD} once every subdomain answers over https."
_MISSING = _rule("hsts-missing", Severity.HIGH, "No HTTP Strict Transport Security", _SEND, _GUIDE)
_INVALID = _rule(
    "hsts-invalid",
    Severity.HIGH,
    "Strict-Transport-Security cannot be read",
    "Send the header once, its max-age in seconds, its parts separated by semicolons.",
    f"{_RFC}#section-6.1",
)
_OFF = _rule(
    "hsts-switched-off",
    Severity.HIGH,
    "max-age=0 switches HTTP Strict Transport Security off",
    f"Send {HEADER}: {_GOOD} unless the site is about to give https up.",
    f"{_RFC}#section-6.1.1",
)
_SHORT = _rule(
    "hsts-short",
    Severity.MEDIUM,
    "HTTP Strict Transport Security ends within half a year",
    f"Raise max-age to a year or two: {HEADER}: {_GOOD}.",
    _GUIDE,
)
_HOST_ONLY = _rule(
    "hsts-without-subdomains",
    Severity.INFO,
    "HTTP Strict Transport Security leaves out subdomains",
    "Add includeSubDomains once every subdomain answers over https.",
    f"{_RFC}#section-6.1.2",
)
_PRELOAD = _rule(
    "hsts-preload-refused",
    Severity.INFO,
    "The preload list does not take this header",
    "Raise max-age to 31536000 at least and add includeSubDomains, or drop preload.",
    "https://hstspreload.org/#submission-requirements",
)


def applies(facts: SecurityFacts) -> bool:
    """Whether browsers heed it: over https, and for a name that is not an address."""
    url = facts.page.final_url
    return (
        scheme(url) == "https"
        and not facts.local
        and not is_loopback(url)
        and not is_address(host(url))
    )


def holds(facts: SecurityFacts) -> bool:
    """Whether a browser that has been here will use https alone for half a year."""
    read = _read(facts)
    return applies(facts) and read is not None and int(read["max-age"]) >= _HALF_A_YEAR_S


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """None for a page that the header does not apply to."""
    if not applies(facts):
        return
    url, value, read = facts.page.final_url, facts.page.header(HEADER.lower()), _read(facts)
    evidence = f"{HEADER}: {value}"
    if not value:
        message = "Whoever is between visitor and site can keep a first visit on plain http."
        yield flaw(_MISSING, message, url)
    elif read is None:
        message = "Browsers ignore the header: it has no single max-age in seconds."
        yield flaw(_INVALID, message, url, evidence=evidence)
    else:
        yield from _judge(read, url, evidence)


def _judge(read: Mapping[str, str], url: str, evidence: str) -> Iterator[Flaw]:
    seconds = int(read["max-age"])
    if not seconds:
        message = "Browsers forget that the site is to be visited over https."
        yield flaw(_OFF, message, url, evidence=evidence)
    elif seconds < _HALF_A_YEAR_S:
        message = f"Who comes back after {seconds // 86_400} days can be kept on plain http."
        yield flaw(_SHORT, message, url, evidence=evidence)
    elif "includesubdomains" not in read:
        message = "A subdomain over http can set cookies for the whole site."
        yield flaw(_HOST_ONLY, message, url, evidence=evidence)
    if seconds and "preload" in read and ("includesubdomains" not in read or seconds < _YEAR_S):
        message = "preload asks for a place in the list that browsers are shipped with."
        yield flaw(_PRELOAD, message, url, evidence=evidence)


def _read(facts: SecurityFacts) -> Mapping[str, str] | None:
    """Directives by name in small letters, ``max-age`` among them, of the first such header.

    None when browsers ignore it: RFC 6797, 6.1 allows each directive once and wants max-age.
    """
    texts = [part.strip() for part in facts.page.header(HEADER.lower()).split(";")]
    parts = [_PART.match(text) for text in texts if text]
    pairs = [(one[1].lower(), (one[2] or "").strip('"')) for one in parts if one]
    read = dict(pairs)
    clean = len(pairs) == len(parts) == len(read)
    return read if clean and _DIGITS.match(read.get("max-age", "")) else None
