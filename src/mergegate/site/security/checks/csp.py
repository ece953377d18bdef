"""Content Security Policy, judged by directive: all policies of headers and head together."""

import re
from collections.abc import Iterator, Sequence

from mergegate.core.severity import Severity
from mergegate.site.security.checks.content_policy import (
    EVAL,
    HANDLER,
    HEADER,
    OBJECT,
    SCRIPT,
    STYLE,
    ContentPolicy,
    enforced,
    everywhere,
    inline,
    inline_scripts,
    is_proof,
    nonces,
    runs_scripts,
    trusts_loaded,
    watched,
    wide,
    wide_scripts,
)
from mergegate.site.security.checks.flaw import KNOWN, RULES, flaw, header_patch
from mergegate.site.security.checks.framing import framers, options
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.origins import parts, scheme
from mergegate.site.security.report import Flaw, Patch
from mergegate.site.words import listed

_MISSING = RULES["csp-missing"]
_REPORT_ONLY = RULES["csp-report-only"]
_NO_SCRIPTS = RULES["csp-without-script-src"]
_UNSAFE_INLINE = RULES["csp-unsafe-inline"]
_WIDE_SCRIPTS = RULES["csp-wide-script-src"]
_UNSAFE_EVAL = RULES["csp-unsafe-eval"]
_SHORT_NONCE = RULES["csp-short-nonce"]
_BYPASSABLE = RULES["csp-bypassable-host"]
_OBJECTS = RULES["csp-object-src-open"]
_BASE = RULES["csp-base-uri-open"]
_ANCESTORS = RULES["csp-frame-ancestors-missing"]
_FORMS = RULES["csp-form-action-open"]
_STYLES = RULES["csp-unsafe-inline-style"]
_INSECURE = RULES["csp-insecure-source"]
_SYNTAX = RULES["csp-ignored-source"]
_UNKNOWN = RULES["csp-unknown-directive"]
_REPEATED = RULES["csp-repeated-directive"]
_UNHEARD = RULES["csp-ignored-in-meta"]


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """What the policies leave open; one flaw alone where nothing is enforced."""
    policies, url = enforced(facts), facts.page.final_url
    if any(policy.directives for policy in policies):
        yield from _scripts(policies, url)
        yield from _others(policies, url, framers(options(facts)))
    elif reporting := watched(facts):
        # A policy that only reports protects no one: it is missing, and said to be there.
        yield flaw(_REPORT_ONLY, url, evidence=reporting[0].text)
    else:
        yield flaw(_MISSING, url)
    yield from _syntax(policies, url)


_SHORTEST_NONCE = 16
"""Characters. 128 bits are 22 of base64; below 16 it is no more than 96."""


def _scripts(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    """Worst first; nothing beyond the first where scripts are not restricted at all.

    None where a sandbox keeps every script from running.
    """
    if not all(map(runs_scripts, policies)):
        return
    if all(policy.sources(*SCRIPT) is None for policy in policies):
        yield flaw(_NO_SCRIPTS, url, evidence=policies[0].text)
        return
    yield from _inline(policies, url)
    evidence, anywhere = _list(policies), everywhere(policies, SCRIPT, wide_scripts)
    if anywhere:
        message = _WIDE_SCRIPTS.said(found=listed(anywhere))
        yield flaw(_WIDE_SCRIPTS, url, message, evidence=evidence)
    if everywhere(policies, EVAL, _evaluates):
        yield flaw(_UNSAFE_EVAL, url, evidence=evidence)
    lists = [policy.sources(*SCRIPT) or () for policy in policies]
    short = [one for sources in lists for one in nonces(sources) if len(one) < _SHORTEST_NONCE]
    if short:
        yield flaw(_SHORT_NONCE, url, _SHORT_NONCE.said(length=len(short[0])))
    if not anywhere and (found := everywhere(policies, SCRIPT, _for_anyone)):
        yield flaw(_BYPASSABLE, url, _BYPASSABLE.said(found=listed(found[:3])), evidence=evidence)


def _inline(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    if everywhere(policies, SCRIPT, inline_scripts):
        message = "'unsafe-inline' lets every injected script element and event handler run."
        yield flaw(_UNSAFE_INLINE, url, message, evidence=_list(policies))
    elif everywhere(policies, HANDLER, inline_scripts):
        message = "'unsafe-inline' in script-src-attr lets every injected event handler run."
        yield flaw(_UNSAFE_INLINE, url, message, evidence=_list(policies, HANDLER))


def _list(policies: Sequence[ContentPolicy], names: Sequence[str] = SCRIPT) -> str:
    """The list that counts, as it would stand in a policy of its own."""
    name, sources = next(
        (name, policy.directives[name])
        for policy in policies
        for name in names
        if name in policy.directives
    )
    return f"{name} {' '.join(sources)}"


def _evaluates(sources: Sequence[str]) -> list[str]:
    return [one for one in sources if one.lower() == "'unsafe-eval'"]


_FOR_ANYONE = {host: most for most in (1, 2, 3) for host in KNOWN[f"scripts-of-anyone-{most}"]}
"""How many folders narrow a host down to what its author meant."""


def _for_anyone(sources: Sequence[str]) -> list[str]:
    return [] if trusts_loaded(sources) else [one for one in sources if _serves_anyone(one)]


def _serves_anyone(source: str) -> bool:
    split = parts(source if "://" in source else f"https://{source}")
    folders = [name for name in split.path.split("/")[:-1] if name]
    is_file = bool(split.path) and not split.path.endswith("/")
    return not is_file and len(folders) < _FOR_ANYONE.get(split.hostname or "", 0)


_BASE_URI = ("base-uri",)
_FORM_ACTION = ("form-action",)
_FRAME_ANCESTORS = ("frame-ancestors",)
_OVER_HTTP = ("http:", "ws:", "ftp:")
_LONGEST = 2000
"""Characters of a policy that is still worth handing back whole."""


def _others(policies: Sequence[ContentPolicy], url: str, framers: str) -> Iterator[Flaw]:
    """``framers`` are those X-Frame-Options lets frame the page; empty when it stops no one."""
    patches, text = _improved(policies, framers or "'self'"), policies[0].text
    if _open(policies, OBJECT):
        yield flaw(_OBJECTS, url, evidence=text, patches=patches)
    yield from _base(policies, url, patches)
    # Without X-Frame-Options either the page can be framed, which is a flaw of its own.
    if framers and all(policy.sources(*_FRAME_ANCESTORS) is None for policy in policies):
        yield flaw(_ANCESTORS, url, evidence=text, patches=patches)
    yield from _insecure(policies, url)
    if _open(policies, _FORM_ACTION):
        yield flaw(_FORMS, url, evidence=text)
    if everywhere(policies, STYLE, inline):
        yield flaw(_STYLES, url, evidence=text)


def _open(policies: Sequence[ContentPolicy], names: Sequence[str]) -> bool:
    """Whether no policy restricts ``names``, or only to everything."""
    lists = [policy.sources(*names) for policy in policies]
    return all(sources is None or wide(sources) for sources in lists)


def _base(
    policies: Sequence[ContentPolicy], url: str, patches: tuple[Patch, ...]
) -> Iterator[Flaw]:
    """A flaw where base-uri is open; worse where a nonce or a loader makes scripts trusted."""
    if not _open(policies, _BASE_URI):
        return
    lists = [policy.sources(*SCRIPT) or () for policy in policies]
    trusted = any(nonces(sources) or trusts_loaded(sources) for sources in lists)
    message = "An injected base element changes where every relative address leads" + (
        ", those of trusted scripts among them." if trusted else "."
    )
    severity = Severity.MEDIUM if trusted else Severity.LOW
    text = policies[0].text
    yield flaw(_BASE, url, message, evidence=text, severity=severity, patches=patches)


def _insecure(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    if scheme(url) != "https":
        return
    names = dict.fromkeys(name for policy in policies for name in policy.directives)
    lists = {name: everywhere(policies, (name,), _over_http) for name in names}
    found = [f"{name} {' '.join(sources)}" for name, sources in lists.items() if sources]
    if found:
        yield flaw(_INSECURE, url, evidence="; ".join(found))


def _over_http(sources: Sequence[str]) -> list[str]:
    """The sources over http; none beside ``'strict-dynamic'``, where they serve older browsers."""
    found = [one for one in sources if one.lower().startswith(_OVER_HTTP)]
    return [] if trusts_loaded(sources) else found


def _improved(policies: Sequence[ContentPolicy], framers: str) -> tuple[Patch, ...]:
    """The policy that is sent, with what it leaves open closed; empty where it takes more."""
    sent = next((policy for policy in policies if not policy.in_meta), None)
    if sent is None or len(sent.text) > _LONGEST:
        return ()
    closed = {"object-src": (OBJECT, "'none'"), "base-uri": (_BASE_URI, "'self'")}
    added = [
        f"{name} {value}"
        for name, (names, value) in closed.items()
        if _open(policies, names) and name not in sent.directives
    ]
    if all(policy.sources(*_FRAME_ANCESTORS) is None for policy in policies):
        added.append(f"frame-ancestors {framers}")
    if not added:
        return ()
    return (header_patch(HEADER, "; ".join([sent.text.rstrip("; "), *added])),)


_SHOWN = 3
_BARE = re.compile(
    r"(?:self|none|unsafe-inline|unsafe-eval|unsafe-hashes|wasm-unsafe-eval|strict-dynamic"
    r"|report-sample|(?:nonce|sha256|sha384|sha512)-.+)\Z",
    re.IGNORECASE,
)
"""Keywords that browsers take for hosts when they are written without quotes."""
_LISTS = KNOWN["csp-fetch-directives"] | KNOWN["csp-other-lists"]
_DIRECTIVES = _LISTS | KNOWN["csp-other-directives"]


def _syntax(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    """Flaws of policies that do not say what their author meant; at most one a rule."""
    wrong = {
        _SYNTAX: _ignored(policies),
        _UNKNOWN: [
            name for policy in policies for name in policy.directives if name not in _DIRECTIVES
        ],
        _REPEATED: [name for policy in policies for name in policy.repeated],
        _UNHEARD: [name for policy in policies for name in policy.unheard],
    }
    for rule, found in wrong.items():
        if found:
            named = listed(list(dict.fromkeys(found))[:_SHOWN])
            yield flaw(rule, url, rule.said(found=named), evidence=" ".join(found))


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
    unknown = quoted and source.lower() not in KNOWN["csp-keywords"] and not is_proof(source)
    return unknown or _BARE.match(source) is not None
