"""Response headers that make browsers careful, each read as browsers read it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from mergegate.core.severity import Severity
from mergegate.site.security.checks import content_policy, csp, framing, hsts
from mergegate.site.security.checks.flaw import KNOWN, RULES, flaw, shown
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.origins import is_trustworthy
from mergegate.site.security.report import Flaw, HeaderJudgement
from mergegate.site.words import cut, listed

_NO_SNIFFING = RULES["nosniff-missing"]
_SNIFFING_INVALID = RULES["nosniff-invalid"]
_NO_REFERRER = RULES["referrer-policy-missing"]
_REFERRER_INVALID = RULES["referrer-policy-invalid"]
_REFERRER_WHOLE = RULES["referrer-policy-unsafe"]
_REFERRER_DOWNGRADE = RULES["referrer-policy-downgrade"]
_NO_PERMISSIONS = RULES["permissions-policy-missing"]
_PERMISSIONS_OLD = RULES["permissions-policy-old-name"]
_PERMISSIONS_INVALID = RULES["permissions-policy-invalid"]
_PERMISSIONS_WIDE = RULES["permissions-policy-wide"]
_NO_OPENER = RULES["coop-missing"]
_OPENER_INVALID = RULES["coop-invalid"]
_EMBEDDER_INVALID = RULES["coep-invalid"]
_NO_RESOURCE = RULES["corp-missing"]
_RESOURCE_INVALID = RULES["corp-invalid"]

SNIFFING = "X-Content-Type-Options"
REFERRER = "Referrer-Policy"
PERMISSIONS = "Permissions-Policy"
_FEATURES = "Feature-Policy"
OPENER = "Cross-Origin-Opener-Policy"
EMBEDDER = "Cross-Origin-Embedder-Policy"
RESOURCE = "Cross-Origin-Resource-Policy"


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """What is wrong with HSTS and with the headers that have no module of their own."""
    yield from hsts.flaws(facts)
    yield from _sniffing(facts)
    yield from _referrer(facts)
    yield from _permissions(facts)
    yield from _isolation(facts)


def _sniffing(facts: SecurityFacts) -> Iterator[Flaw]:
    """The first value counts (Fetch, 3.6): ``nosniff, nosniff`` is as good as one."""
    url, value = facts.page.final_url, facts.page.header(SNIFFING.lower())
    if not value:
        yield flaw(_NO_SNIFFING, url)
    elif value.split(",")[0].strip().lower() != "nosniff":
        yield flaw(_SNIFFING_INVALID, url, evidence=f"{SNIFFING}: {value}")


_USUAL = "strict-origin-when-cross-origin"
_WHOLE = frozenset({"unsafe-url", "no-referrer-when-downgrade"})
"""Send whole addresses to other sites."""
_DOWNGRADE = frozenset({"origin", "origin-when-cross-origin"})
_REFERRERS = _WHOLE | _DOWNGRADE | {"no-referrer", "same-origin", "strict-origin", _USUAL}
_OLD_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "never": "no-referrer",
        "default": _USUAL,
        "always": "unsafe-url",
        "origin-when-crossorigin": "origin-when-cross-origin",
    }
)
"""Words that a ``meta`` element may still use (HTML, 4.2.5.1)."""


def _referrer(facts: SecurityFacts) -> Iterator[Flaw]:
    """At most one flaw, of the policy that takes effect."""
    url, said = facts.page.final_url, _referrer_words(facts)
    known = [word for word in said if word in _REFERRERS]
    evidence = f"{REFERRER}: {', '.join(said)}"
    if not said:
        yield flaw(_NO_REFERRER, url)
    elif not known:
        yield flaw(_REFERRER_INVALID, url, evidence=evidence)
    elif known[-1] in _WHOLE:
        yield flaw(_REFERRER_WHOLE, url, _REFERRER_WHOLE.said(policy=known[-1]), evidence=evidence)
    elif known[-1] in _DOWNGRADE:
        message = _REFERRER_DOWNGRADE.said(policy=known[-1])
        yield flaw(_REFERRER_DOWNGRADE, url, message, evidence=evidence)


def _referrer_words(facts: SecurityFacts) -> list[str]:
    """Every word in small letters, those of the page last: the last known one counts."""
    answer = facts.page.final
    sent = answer.all(REFERRER.lower()) if answer else ()
    metas = [
        meta.content
        for meta in facts.document.metas
        if meta.kind == "name" and meta.name == "referrer"
    ]
    words = [word.strip().lower() for value in sent for word in value.split(",")]
    written = [content.strip().lower() for content in metas]
    return [word for word in (*words, *(_OLD_WORDS.get(one, one) for one in written)) if word]


_MOST = 8 * 1024
_ITEM = r'(?:\*|"[^"\\,()]{0,500}"|[a-z][a-z0-9-]*)'
_PARAMETERS = r"(?:;\s*[a-z][a-z0-9_-]*(?:=[^,;\s]+)?)*"
_MEMBER = re.compile(
    rf"([a-z*][a-z0-9_.*-]*)(?:=({_ITEM}|\(\s*(?:{_ITEM}(?:\s+{_ITEM})*)?\s*\)|\?[01]))?{_PARAMETERS}\Z"
)
"""A member of a dictionary of RFC 9651, as far as Permissions-Policy uses them."""


def _permissions(facts: SecurityFacts) -> Iterator[Flaw]:
    """At most one flaw; none for a page over http, where browsers offer none of these features."""
    url = facts.page.final_url
    if not is_trustworthy(url):
        return
    answer = facts.page.final
    value = ", ".join(answer.all(PERMISSIONS.lower()) if answer else ())[:_MOST]
    if value.strip():
        yield from _permitted(value, url)
    elif old := facts.page.header(_FEATURES.lower()):
        yield flaw(_PERMISSIONS_OLD, url, evidence=f"{_FEATURES}: {old}")
    else:
        yield flaw(_NO_PERMISSIONS, url)


def _permitted(value: str, url: str) -> Iterator[Flaw]:
    members = [_MEMBER.match(part.strip(" \t")) for part in value.split(",")]
    evidence = f"{PERMISSIONS}: {value}"
    if not all(members):
        yield flaw(_PERMISSIONS_INVALID, url, evidence=evidence)
        return
    wide = [
        one[1]
        for one in members
        if one and one[1] in KNOWN["powerful-features"] and one[2] in {"*", "(*)"}
    ]
    if wide:
        message = _PERMISSIONS_WIDE.said(features=listed(wide))
        yield flaw(_PERMISSIONS_WIDE, url, message, evidence=evidence)


_OPENERS = frozenset(
    {"same-origin", "same-origin-allow-popups", "noopener-allow-popups", "same-origin-plus-coep"}
)
_EMBEDDERS = frozenset({"require-corp", "credentialless", "unsafe-none"})
_RESOURCES = frozenset({"same-origin", "same-site", "cross-origin"})


def _isolation(facts: SecurityFacts) -> Iterator[Flaw]:
    """COEP is no flaw to be without: it is for pages that ask to be isolated."""
    url = facts.page.final_url
    if is_trustworthy(url):
        opener, embedder = _token(facts, OPENER), _token(facts, EMBEDDER)
        if opener in {"", "unsafe-none"}:
            yield flaw(_NO_OPENER, url, evidence=opener and f"{OPENER}: {opener}")
        elif opener not in _OPENERS:
            yield flaw(_OPENER_INVALID, url, evidence=f"{OPENER}: {opener}")
        if embedder and embedder not in _EMBEDDERS:
            yield flaw(_EMBEDDER_INVALID, url, evidence=f"{EMBEDDER}: {embedder}")
    resource = facts.page.header(RESOURCE.lower()).strip()
    if not resource:
        yield flaw(_NO_RESOURCE, url)
    elif resource not in _RESOURCES:
        yield flaw(_RESOURCE_INVALID, url, evidence=f"{RESOURCE}: {resource}")


def _token(facts: SecurityFacts, name: str) -> str:
    """The value without parameters such as ``report-to`` (a structured item, RFC 9651)."""
    return facts.page.header(name.lower()).split(";")[0].strip()


_VALUE = 300
_GOOD, _WEAK, _MISSING, _NOT_NEEDED = "good", "weak", "missing", "not needed"


def judgements(facts: SecurityFacts) -> tuple[HeaderJudgement, ...]:
    """One line for each security header, sent or not, in a fixed order: what it is worth."""
    isolated = list(_isolation(facts))
    table = {
        hsts.HEADER: hsts.flaws(facts),
        content_policy.HEADER: csp.flaws(facts),
        framing.HEADER: framing.flaws(facts),
        SNIFFING: _sniffing(facts),
        REFERRER: _referrer(facts),
        PERMISSIONS: _permissions(facts),
        OPENER: (one for one in isolated if one.rule.startswith("coop")),
        EMBEDDER: (one for one in isolated if one.rule.startswith("coep")),
        RESOURCE: (one for one in isolated if one.rule.startswith("corp")),
    }
    return tuple(_judge(name, list(found), facts) for name, found in table.items())


def _judge(name: str, found: Sequence[Flaw], facts: SecurityFacts) -> HeaderJudgement:
    value, worst = _value(name, facts), max((one.severity for one in found), default=Severity.INFO)
    if found and not value:
        verdict = _MISSING
    elif worst > Severity.INFO:
        verdict = _WEAK
    else:
        verdict = _GOOD if value else _NOT_NEEDED
    note = found[0].message if found else _note(name, value, facts)
    return HeaderJudgement(name=name, value=cut(shown(value), _VALUE), verdict=verdict, note=note)


def _value(name: str, facts: SecurityFacts) -> str:
    """The header's value as sent; for a policy in the page its text, as browsers enforce it too."""
    answer = facts.page.final
    sent = ", ".join(answer.all(name.lower())) if answer else ""
    if sent or name != content_policy.HEADER:
        return sent
    return ", ".join(policy.text for policy in content_policy.enforced(facts))


_NOTES: Mapping[str, str] = MappingProxyType(
    {
        hsts.HEADER: "Browsers heed it over https, for a name that is not of this machine.",
        framing.HEADER: "frame-ancestors of the Content Security Policy takes its place.",
        EMBEDDER: "It is for pages that ask to be isolated.",
        REFERRER: "The page sets it in a meta element.",
    }
)
"""Notes on why a header that was not sent is not missing."""
_OVER_HTTP = "It does nothing for a page over http."


def _note(name: str, value: str, facts: SecurityFacts) -> str:
    if value:
        return ""
    over_http = "" if is_trustworthy(facts.page.final_url) else _OVER_HTTP
    return _NOTES.get(name, over_http)
