"""Subresource integrity of scripts and style sheets that come from other people's hosts."""

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from mergegate.core.severity import Severity
from mergegate.site.facts.document import Document
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.checks.origins import host, origin, path, same_site, scheme
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Area, Flaw

_MDN = "https://developer.mozilla.org/en-US/docs/Web/Security/Defenses/Subresource_Integrity"
_MOST = 50
_HASH = re.compile(r"(sha256|sha384|sha512)-([A-Za-z0-9+/_-]{1,100}={0,2})(?:\?[\x21-\x7e]*)?\Z")
_BYTES: Mapping[str, int] = MappingProxyType({"sha256": 32, "sha384": 48, "sha512": 64})
_URL_SAFE = str.maketrans("-_", "+/")
"""Browsers take both alphabets of base64."""
_VERSION = re.compile(r"[@/-]v?\d+\.\d+")
_JAVASCRIPT = frozenset(
    {"", "module", "text/javascript", "application/javascript", "application/x-javascript"}
)
_CHANGING = frozenset(
    {
        *("googletagmanager.com", "google-analytics.com", "google.com", "googleapis.com"),
        *("gstatic.com", "googlesyndication.com", "doubleclick.net", "recaptcha.net"),
        *("stripe.com", "paypal.com", "braintreegateway.com", "adyen.com", "klarna.com"),
        *("youtube.com", "vimeo.com", "facebook.net", "twitter.com", "x.com", "linkedin.com"),
        *("licdn.com", "pinterest.com", "tiktok.com", "instagram.com", "bing.com", "clarity.ms"),
        *("hcaptcha.com", "challenges.cloudflare.com", "cloudflareinsights.com", "hotjar.com"),
        *("intercom.io", "intercomcdn.com", "hs-scripts.com", "hubspot.com", "hsforms.net"),
        *("segment.com", "amplitude.com", "mixpanel.com", "posthog.com", "plausible.io"),
        *("usefathom.com", "matomo.cloud", "sentry-cdn.com", "newrelic.com", "nr-data.net"),
        *("datadoghq-browser-agent.com", "fullstory.com", "crisp.chat", "zdassets.com"),
        *("typekit.net", "fontawesome.com", "cookielaw.org", "cookiebot.com", "onetrust.com"),
        *("usercentrics.eu", "disqus.com", "addthis.com", "algolia.net"),
        *("auth0.com", "okta.com", "clerk.accounts.dev", "shopify.com", "paddle.com"),
        *("optimizely.com", "vwo.com", "yandex.ru", "mailchimp.com", "calendly.com"),
    }
)
"""Vendors that change a script without changing its address: no hash holds for long."""
_VERSIONED_THERE = frozenset({"ajax.googleapis.com", "storage.googleapis.com"})
"""Hosts under those names whose files stay as they are."""
_HIJACKED = frozenset(
    {"bootcdn.net", "bootcss.com", "polyfill.io", "staticfile.net", "staticfile.org"}
)
"""Found in 2024 to serve malicious scripts, as their new owners wanted."""


def _rule(id: str, severity: Severity, title: str, remedy: str) -> Rule:
    return Rule(
        id=id,
        area=Area.INTEGRITY,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe="CWE-353",
        reference=_MDN,
    )


_MISSING = _rule(
    "sri-missing",
    Severity.LOW,
    "A file of another host is taken as it comes",
    'Add integrity="sha384-…" and crossorigin="anonymous", or serve the file yourself.',
)
_MALFORMED = _rule(
    "sri-malformed",
    Severity.LOW,
    "An integrity attribute has no effect",
    "Write it as sha384-, then the hash in base64; several are separated by blanks.",
)
_OPAQUE = _rule(
    "sri-without-crossorigin",
    Severity.LOW,
    "A browser cannot check a file's integrity",
    'Add crossorigin="anonymous" to the element.',
)
_TAKEN_OVER = Rule(
    id="hijacked-script-host",
    area=Area.INTEGRITY,
    severity=Severity.HIGH,
    title="A file comes from a host that served malicious scripts",
    remedy="Remove the element: today's browsers need no polyfill, and other hosts have the rest.",
    cwe="CWE-829",
    reference="https://sansec.io/research/polyfill-supply-chain-attack",
)


@dataclass(frozen=True, slots=True)
class _File:
    url: str
    kind: str
    integrity: str
    crossorigin: str | None
    selector: str


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """Of the markup as it was sent: what a script adds at run time, it has to check itself."""
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
    if _is_among(_HIJACKED, host(file.url)):
        message = f"The owners of {host(file.url)} were found to send visitors to fraud by it."
        yield _flaw(_TAKEN_OVER, file, page, message)
    elif not file.integrity.strip():
        yield from _without(file, page, site)
    elif not any(_is_hash(one) for one in file.integrity.split()):
        message = "No browser knows such a hash, so the file is taken as it comes."
        yield _flaw(_MALFORMED, file, page, message, f' integrity="{file.integrity}"')
    elif file.crossorigin is None:
        message = f"Without crossorigin browsers refuse the {file.kind} of another origin."
        yield _flaw(_OPAQUE, file, page, message, f' integrity="{file.integrity}"')


def _without(file: _File, page: str, site: str) -> Iterator[Flaw]:
    """Not for hosts of one's own, nor over http, which is worse and said elsewhere."""
    name = host(file.url)
    own = same_site(name, host(page), site)
    if scheme(file.url) != "https" or own or _changes(name):
        return
    message = f"Whoever can change the {file.kind} on {name} can act on this page."
    pin = "" if _VERSION.search(path(file.url)) else " Name a version in its address first."
    yield _flaw(_MISSING, file, page, message, remedy=f"{_MISSING.remedy}{pin}")


def _changes(name: str) -> bool:
    return name not in _VERSIONED_THERE and _is_among(_CHANGING, name)


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


def _flaw(
    rule: Rule, file: _File, page: str, message: str, attribute: str = "", *, remedy: str = ""
) -> Flaw:
    where = f"{origin(file.url)}{path(file.url)}"
    tag = f'<script src="{where}"' if file.kind == "script" else f'<link href="{where}"'
    return flaw(
        rule,
        message,
        page,
        key=where,
        selector=file.selector,
        evidence=f"{tag}{attribute}>",
        remedy=remedy,
    )
