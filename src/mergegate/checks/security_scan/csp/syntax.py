"""Where a content security policy does not say what its author meant."""

import re
from collections.abc import Iterator, Sequence

from mergegate.checks.security_scan.csp import rules
from mergegate.checks.security_scan.csp.policy import ContentPolicy
from mergegate.checks.security_scan.flaw import Rule, flaw
from mergegate.model.site.security import Flaw
from mergegate.model.site.words import listed

_SHOWN = 3
_BARE = re.compile(
    r"(?:self|none|unsafe-inline|unsafe-eval|unsafe-hashes|wasm-unsafe-eval|strict-dynamic"
    r"|report-sample|(?:nonce|sha256|sha384|sha512)-.+)\Z",
    re.IGNORECASE,
)
"""Without their quotes browsers take these for hosts."""
_FREE_TEXT = frozenset({"report-uri", "report-to", "sandbox", "trusted-types", "plugin-types"})
_FETCH = (
    *("child-src", "connect-src", "default-src", "fenced-frame-src", "font-src", "frame-src"),
    *("img-src", "manifest-src", "media-src", "object-src", "prefetch-src", "script-src"),
    *("script-src-attr", "script-src-elem", "style-src", "style-src-attr", "style-src-elem"),
    "worker-src",
)
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
    return [
        f"{name} {source}"
        for policy in policies
        for name, sources in policy.directives.items()
        if name not in _FREE_TEXT
        for source in sources
        if _BARE.match(source) or (source.lower() == "'none'" and len(sources) > 1)
    ]
