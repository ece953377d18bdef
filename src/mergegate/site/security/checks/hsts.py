"""Strict-Transport-Security, read as RFC 6797 has browsers read it."""

import re
from collections.abc import Iterator, Mapping

from mergegate.site.security.checks.flaw import RULES, flaw
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.origins import host, is_address, is_loopback, scheme
from mergegate.site.security.report import Flaw

HEADER = "Strict-Transport-Security"
# Half a year is 15768000 seconds. Many guides and older Helmets say 180 days, as does the HTTP
# Observatory: those who copied them are not told that they are wrong.
HALF_A_YEAR_S = 15_552_000
_YEAR_S = 31_536_000
_PART = re.compile(r'([A-Za-z0-9-]+)\s*(?:=\s*("[^"]*"|[^\s";,=]+))?\Z')
_DIGITS = re.compile(r"[0-9]{1,18}\Z")


_MISSING = RULES["hsts-missing"]
_INVALID = RULES["hsts-invalid"]
_OFF = RULES["hsts-switched-off"]
_SHORT = RULES["hsts-short"]
_HOST_ONLY = RULES["hsts-without-subdomains"]
_PRELOAD = RULES["hsts-preload-refused"]


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
    return applies(facts) and read is not None and int(read["max-age"]) >= HALF_A_YEAR_S


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """Flaws of the header; none for a page that it does not apply to."""
    if not applies(facts):
        return
    url, value, read = facts.page.final_url, facts.page.header(HEADER.lower()), _read(facts)
    evidence = f"{HEADER}: {value}"
    if not value:
        yield flaw(_MISSING, url)
    elif read is None:
        yield flaw(_INVALID, url, evidence=evidence)
    else:
        yield from _judge(read, url, evidence)


def _judge(read: Mapping[str, str], url: str, evidence: str) -> Iterator[Flaw]:
    seconds = int(read["max-age"])
    if not seconds:
        yield flaw(_OFF, url, evidence=evidence)
    elif seconds < HALF_A_YEAR_S:
        yield flaw(_SHORT, url, _SHORT.said(days=seconds // 86_400), evidence=evidence)
    elif "includesubdomains" not in read:
        yield flaw(_HOST_ONLY, url, evidence=evidence)
    if seconds and "preload" in read and ("includesubdomains" not in read or seconds < _YEAR_S):
        yield flaw(_PRELOAD, url, evidence=evidence)


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
