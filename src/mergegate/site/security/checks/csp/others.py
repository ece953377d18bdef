"""What a content security policy leaves open besides scripts."""

from collections.abc import Iterator, Sequence

from mergegate.core.severity import Severity
from mergegate.site.security.checks.csp import rules
from mergegate.site.security.checks.csp.policy import (
    HEADER,
    OBJECT,
    SCRIPT,
    STYLE,
    ContentPolicy,
    everywhere,
    inline,
    nonces,
    trusts_loaded,
    wide,
)
from mergegate.site.security.checks.flaw import flaw, header_patch
from mergegate.site.security.checks.origins import scheme
from mergegate.site.security.report import Flaw, Patch

_BASE = ("base-uri",)
_ACTION = ("form-action",)
_ANCESTORS = ("frame-ancestors",)
_OVER_HTTP = ("http:", "ws:", "ftp:")
_LONGEST = 2000
"""Characters of a policy that is still worth handing back whole."""


def flaws(policies: Sequence[ContentPolicy], url: str, framers: str) -> Iterator[Flaw]:
    """``framers`` are those X-Frame-Options lets frame the page; empty when it stops nobody."""
    patches = improved(policies, framers or "'self'")
    yield from _objects(policies, url, patches)
    yield from _base(policies, url, patches)
    if framers:
        yield from _ancestors(policies, url, patches)
    yield from _insecure(policies, url)
    if _open(policies, _ACTION):
        message = "A form that is injected, or changed, may send what is typed to any host."
        yield flaw(rules.FORMS, message, url, evidence=policies[0].text)
    if everywhere(policies, STYLE, inline):
        message = "Injected styles can hide and imitate parts of the page, and read attributes."
        yield flaw(rules.STYLES, message, url, evidence=policies[0].text)


def _open(policies: Sequence[ContentPolicy], names: Sequence[str]) -> bool:
    """Whether no policy restricts ``names``, or only to everything."""
    lists = [policy.sources(*names) for policy in policies]
    return all(sources is None or wide(sources) for sources in lists)


def _objects(
    policies: Sequence[ContentPolicy], url: str, patches: tuple[Patch, ...]
) -> Iterator[Flaw]:
    if _open(policies, OBJECT):
        message = "Injected object and embed elements may load documents from any host."
        yield flaw(rules.OBJECTS, message, url, evidence=policies[0].text, patches=patches)


def _base(
    policies: Sequence[ContentPolicy], url: str, patches: tuple[Patch, ...]
) -> Iterator[Flaw]:
    """By nonce, or loaded by one that is trusted, a script may come from any base: worse then."""
    if not _open(policies, _BASE):
        return
    lists = [policy.sources(*SCRIPT) or () for policy in policies]
    trusted = any(nonces(sources) or trusts_loaded(sources) for sources in lists)
    message = "An injected base element changes where every relative address leads" + (
        ", those of trusted scripts among them." if trusted else "."
    )
    severity = Severity.MEDIUM if trusted else Severity.LOW
    text = policies[0].text
    yield flaw(rules.BASE, message, url, evidence=text, severity=severity, patches=patches)


def _ancestors(
    policies: Sequence[ContentPolicy], url: str, patches: tuple[Patch, ...]
) -> Iterator[Flaw]:
    """Without X-Frame-Options either the page can be framed, which is a flaw of its own."""
    if all(policy.sources(*_ANCESTORS) is None for policy in policies):
        message = "The policy has no frame-ancestors, which takes the place of X-Frame-Options."
        yield flaw(rules.ANCESTORS, message, url, evidence=policies[0].text, patches=patches)


def _insecure(policies: Sequence[ContentPolicy], url: str) -> Iterator[Flaw]:
    if scheme(url) != "https":
        return
    names = dict.fromkeys(name for policy in policies for name in policy.directives)
    lists = {name: everywhere(policies, (name,), _over_http) for name in names}
    found = [f"{name} {' '.join(sources)}" for name, sources in lists.items() if sources]
    if found:
        message = "On an https page a source over http is either blocked or not what was meant."
        yield flaw(rules.INSECURE, message, url, evidence="; ".join(found))


def _over_http(sources: Sequence[str]) -> list[str]:
    """Beside ``'strict-dynamic'`` they are there for browsers that do not know it."""
    found = [one for one in sources if one.lower().startswith(_OVER_HTTP)]
    return [] if trusts_loaded(sources) else found


def improved(policies: Sequence[ContentPolicy], framers: str) -> tuple[Patch, ...]:
    """The policy that is sent, with what it leaves open closed; empty where it takes more."""
    sent = next((policy for policy in policies if not policy.in_meta), None)
    if sent is None or len(sent.text) > _LONGEST:
        return ()
    closed = {"object-src": (OBJECT, "'none'"), "base-uri": (_BASE, "'self'")}
    added = [
        f"{name} {value}"
        for name, (names, value) in closed.items()
        if _open(policies, names) and name not in sent.directives
    ]
    if all(policy.sources(*_ANCESTORS) is None for policy in policies):
        added.append(f"frame-ancestors {framers}")
    if not added:
        return ()
    return (header_patch(HEADER, "; ".join([sent.text.rstrip("; "), *added])),)
