"""What a content security policy lets in as script."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from mergegate.site.security.checks.csp import rules
from mergegate.site.security.checks.csp.policy import (
    EVAL,
    HANDLER,
    SCRIPT,
    ContentPolicy,
    everywhere,
    inline_scripts,
    nonces,
    runs_scripts,
    trusts_loaded,
    wide_scripts,
)
from mergegate.site.security.checks.flaw import flaw
from mergegate.site.security.checks.origins import parts
from mergegate.site.security.report import Flaw
from mergegate.site.words import listed

_SHORTEST_NONCE = 16
"""Characters. 128 bits are 22 of base64; below 16 it is no more than 96."""
_FOR_ANYONE: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(("cdnjs.cloudflare.com", "ajax.googleapis.com"), 3),
        **dict.fromkeys(("cdn.jsdelivr.net", "fastly.jsdelivr.net", "*.jsdelivr.net"), 2),
        **dict.fromkeys(("raw.githubusercontent.com", "rawcdn.githack.com"), 2),
        **dict.fromkeys(("unpkg.com", "esm.sh", "esm.run", "cdn.skypack.dev", "ga.jspm.io"), 1),
        **dict.fromkeys(("code.angularjs.org", "storage.googleapis.com", "*.cloudflare.com"), 1),
        **dict.fromkeys(("accounts.google.com", "www.google.com", "maps.googleapis.com"), 1),
        **dict.fromkeys(("*.google.com", "*.googleapis.com", "*.gstatic.com"), 1),
        **dict.fromkeys(("www.youtube.com", "*.amazonaws.com", "*.appspot.com"), 1),
        **dict.fromkeys(("*.azureedge.net", "*.cloudfront.net", "*.firebaseapp.com"), 1),
        **dict.fromkeys(("*.github.io", "*.herokuapp.com", "*.netlify.app", "*.pages.dev"), 1),
        **dict.fromkeys(("*.vercel.app", "*.web.app", "*.workers.dev"), 1),
    }
)
"""Hosts that serve scripts of strangers, old AngularJS or JSONP, and wildcards over such hosts;
and how many folders narrow one down to what its author meant, a package or an interface.

Weichselbaum et al., "CSP Is Dead, Long Live CSP!", 2016, found most allow lists open by them.
"""


def flaws(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    """Worst first; nothing beyond the first where scripts are not restricted at all.

    None where a sandbox keeps every script from running.
    """
    if not all(map(runs_scripts, policies)):
        return
    if all(policy.sources(*SCRIPT) is None for policy in policies):
        yield flaw(
            rules.NO_SCRIPTS,
            "Neither script-src nor default-src is set: the policy does nothing against injected "
            "scripts.",
            url,
            evidence=policies[0].text,
        )
        return
    yield from _inline(policies, url)
    yield from _wide(policies, url)
    yield from _eval(policies, url)
    yield from _nonces(policies, url)
    yield from _bypassable(policies, url)


def _inline(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    if everywhere(policies, SCRIPT, inline_scripts):
        message = "'unsafe-inline' lets every injected script element and event handler run."
        yield flaw(rules.UNSAFE_INLINE, message, url, evidence=_list(policies, SCRIPT))
    elif everywhere(policies, HANDLER, inline_scripts):
        message = "'unsafe-inline' in script-src-attr lets every injected event handler run."
        yield flaw(rules.UNSAFE_INLINE, message, url, evidence=_list(policies, HANDLER))


def _wide(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    if found := everywhere(policies, SCRIPT, wide_scripts):
        message = f"{listed(found)} lets an attacker load a script from a host of their own."
        yield flaw(rules.WIDE_SCRIPTS, message, url, evidence=_list(policies))


def _eval(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    if everywhere(policies, EVAL, _evaluates):
        message = "'unsafe-eval' lets text that reaches eval or new Function run as a script."
        yield flaw(rules.UNSAFE_EVAL, message, url, evidence=_list(policies))


def _evaluates(sources: Sequence[str]) -> list[str]:
    return [one for one in sources if one.lower() == "'unsafe-eval'"]


def _nonces(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    lists = [policy.sources(*SCRIPT) or () for policy in policies]
    short = [one for sources in lists for one in nonces(sources) if len(one) < _SHORTEST_NONCE]
    if short:
        message = f"A nonce of {len(short[0])} characters can be tried out by who injects a script."
        yield flaw(rules.SHORT_NONCE, message, url)


def _bypassable(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    if everywhere(policies, SCRIPT, wide_scripts):
        return
    if found := everywhere(policies, SCRIPT, _for_anyone):
        message = (
            f"{listed(found[:3])} also serves scripts of others, which an injected element can "
            "load to get around the policy."
        )
        yield flaw(rules.BYPASSABLE, message, url, evidence=_list(policies))


def _for_anyone(sources: Sequence[str]) -> list[str]:
    return [] if trusts_loaded(sources) else [one for one in sources if _serves_anyone(one)]


def _serves_anyone(source: str) -> bool:
    split = parts(source if "://" in source else f"https://{source}")
    folders = [name for name in split.path.split("/")[:-1] if name]
    is_file = bool(split.path) and not split.path.endswith("/")
    return not is_file and len(folders) < _FOR_ANYONE.get(split.hostname or "", 0)


def _list(policies: Sequence[ContentPolicy], names: Sequence[str] = SCRIPT) -> str:
    """The list that counts, as it would stand in a policy of its own."""
    name, sources = next(
        (name, policy.directives[name])
        for policy in policies
        for name in names
        if name in policy.directives
    )
    return f"{name} {' '.join(sources)}"
