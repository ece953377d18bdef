"""Subresource integrity of scripts and style sheets that come from other people's hosts."""

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from mergegate.site.facts.document import Document
from mergegate.site.security.checks.flaw import KNOWN, RULES, Rule, flaw
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.origins import host, names_version, origin, path, same_site, scheme
from mergegate.site.security.report import Flaw

_MOST = 50
_HASH = re.compile(r"(sha256|sha384|sha512)-([A-Za-z0-9+/_-]{1,100}={0,2})(?:\?[\x21-\x7e]*)?\Z")
_BYTES: Mapping[str, int] = MappingProxyType({"sha256": 32, "sha384": 48, "sha512": 64})
_URL_SAFE = str.maketrans("-_", "+/")
"""Browsers take both alphabets of base64."""
_JAVASCRIPT = frozenset(
    {"", "module", "text/javascript", "application/javascript", "application/x-javascript"}
)
_MISSING = RULES["sri-missing"]
_MALFORMED = RULES["sri-malformed"]
_OPAQUE = RULES["sri-without-crossorigin"]
_TAKEN_OVER = RULES["hijacked-script-host"]


@dataclass(frozen=True, slots=True)
class _File:
    url: str
    kind: str
    integrity: str
    crossorigin: str | None
    selector: str


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """What the markup loads as it was sent: a script has to check what it adds at run time."""
    page = facts.page.final_url
    own = {"", origin(page)}
    foreign = (one for one in _files(facts.document) if origin(one.url) not in own)
    yield from islice((found for one in foreign for found in _judge(one, page, facts.site)), _MOST)


def _files(document: Document) -> Iterator[_File]:
    for script in document.scripts:
        if script.src and script.type in _JAVASCRIPT:
            yield _File(script.src, "script", script.integrity, script.crossorigin, script.selector)
    for link in document.linked("stylesheet"):
        yield _File(link.href, "style sheet", link.integrity, link.crossorigin, link.selector)


def _judge(file: _File, page: str, site: str) -> Iterator[Flaw]:
    if _is_among(KNOWN["hijacked-hosts"], host(file.url)):
        yield _flaw(_TAKEN_OVER, file, page)
    elif not file.integrity.strip():
        yield from _without(file, page, site)
    elif not any(_is_hash(one) for one in file.integrity.split()):
        yield _flaw(_MALFORMED, file, page, f' integrity="{file.integrity}"')
    elif file.crossorigin is None:
        yield _flaw(_OPAQUE, file, page, f' integrity="{file.integrity}"')


def _without(file: _File, page: str, site: str) -> Iterator[Flaw]:
    """Not for hosts of one's own, nor over http, which is worse and said elsewhere."""
    name = host(file.url)
    own = same_site(name, host(page), site)
    if scheme(file.url) != "https" or own or _changes(name):
        return
    pin = "" if names_version(file.url) else " Name a version in its address first."
    yield _flaw(_MISSING, file, page, remedy=f"{_MISSING.remedy}{pin}")


def _changes(name: str) -> bool:
    return name not in KNOWN["versioned-scripts"] and _is_among(KNOWN["changing-scripts"], name)


def _is_among(names: Set[str], name: str) -> bool:
    """Whether it is one of ``names``, or below one."""
    labels = name.split(".")
    return any(".".join(labels[at:]) in names for at in range(len(labels)))


def _is_hash(text: str) -> bool:
    """Subresource Integrity, 3.3: a known algorithm, and base64 of its length."""
    found = _HASH.match(text)
    if found is None:
        return False
    try:
        return len(a2b_base64(found[2].translate(_URL_SAFE))) == _BYTES[found[1]]
    except Error:
        return False


def _flaw(rule: Rule, file: _File, page: str, attribute: str = "", *, remedy: str = "") -> Flaw:
    where = f"{origin(file.url)}{path(file.url)}"
    tag = f'<script src="{where}"' if file.kind == "script" else f'<link href="{where}"'
    return flaw(
        rule,
        page,
        rule.said(kind=file.kind, host=host(file.url)),
        key=where,
        selector=file.selector,
        evidence=f"{tag}{attribute}>",
        remedy=remedy,
    )
