"""Where a content security policy does not say what its author meant."""

import re
from collections.abc import Iterator, Sequence

from mergegate.site.security.checks.csp import rules
from mergegate.site.security.checks.csp.policy import ContentPolicy, is_proof
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.report import Flaw
from mergegate.site.words import listed

_SHOWN = 3
_BARE = re.compile(
    r"(?:self|none|unsafe-inline|unsafe-eval|unsafe-hashes|wasm-unsafe-eval|strict-dynamic"
    r"|report-sample|(?:nonce|sha256|sha384|sha512)-.+)\Z",
    re.IGNORECASE,
)
"""Without their quotes browsers take these for hosts."""
_KEYWORDS = frozenset(
    {
        *("'none'", "'self'", "'unsafe-inline'", "'unsafe-eval'", "'strict-dynamic'"),
        *("'unsafe-hashes'", "'report-sample'", "'wasm-unsafe-eval'", "'trusted-types-eval'"),
        *("'unsafe-allow-redirects'", "'inline-speculation-rules'", "'report-sha256'"),
        *("'report-sha384'", "'report-sha512'", "'unsafe-webtransport-hashes'"),
    }
)
"""CSP Level 3, 2.3.1, with those of speculation rules, navigate-to and WebTransport."""
_FETCH = (
    *("child-src", "connect-src", "default-src", "fenced-frame-src", "font-src", "frame-src"),
    *("img-src", "manifest-src", "media-src", "object-src", "prefetch-src", "script-src"),
    *("script-src-attr", "script-src-elem", "style-src", "style-src-attr", "style-src-elem"),
    "worker-src",
)
_LISTS = frozenset({*_FETCH, "base-uri", "form-action", "frame-ancestors"})
_KNOWN = frozenset(
    {
        *_FETCH,
        *("base-uri", "block-all-mixed-content", "form-action", "frame-ancestors", "navigate-to"),
        *("plugin-types", "referrer", "reflected-xss", "report-to", "report-uri", "sandbox"),
        *("require-sri-for", "require-trusted-types-for", "trusted-types", "webrtc"),
        *("upgrade-insecure-requests", "disown-opener"),
    }
)
"""Of CSP Level 3 and its neighbours, with those that were once there: old, and harmless."""


def flaws(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    """At most one a rule."""
    yield from _said(rules.SYNTAX, _ignored(policies), "Browsers ignore {}.", url)
    unknown = [name for policy in policies for name in policy.directives if name not in _KNOWN]
    yield from _said(rules.UNKNOWN, unknown, "Browsers skip {}, with all it lists.", url)
    repeated = [name for policy in policies for name in policy.repeated]
    yield from _said(rules.REPEATED, repeated, "Browsers drop the second {}.", url)
    unheard = [name for policy in policies for name in policy.unheard]
    yield from _said(rules.UNHEARD, unheard, "In a meta element browsers ignore {}.", url)


def _said(rule: Rule, found: Sequence[str], message: str, url: str) -> Iterator[Flaw]:
    if found:
        named = listed(list(dict.fromkeys(found))[:_SHOWN])
        yield flaw(rule, message.format(named), url, evidence=" ".join(found))


def _ignored(policies: Sequence[ContentPolicy]) -> list[str]:
    found = [
        f"{name} {source}"
        for policy in policies
        for name, sources in policy.directives.items()
        if name in _LISTS
        for source in sources
        if _means_nothing(source) or (source.lower() == "'none'" and len(sources) > 1)
    ]
    return [*(part for policy in policies for part in policy.foreign), *found]


def _means_nothing(source: str) -> bool:
    """A keyword without its quotes, or something in quotes that is no keyword, nonce or hash."""
    quoted = source.startswith("'")
    unknown = quoted and source.lower() not in _KEYWORDS and not is_proof(source)
    return unknown or _BARE.match(source) is not None
