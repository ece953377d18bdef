"""Remedies as code, in the syntax of what the site is built with.

A check says which header ends a flaw; here it is written down for the server, framework or host
that was recognised. The bare header always stays, last: nobody is left without it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mergegate.checks.security_scan.patches.frameworks import FRAMEWORKS, LANGUAGES
from mergegate.checks.security_scan.patches.headers import (
    HTTP,
    POLICY,
    SET_COOKIE,
    asked_for,
    cookie,
    header,
    plain,
)
from mergegate.checks.security_scan.patches.hosts import HOSTS
from mergegate.checks.security_scan.patches.servers import SERVERS
from mergegate.checks.security_scan.patches.syntax import Header, Syntax
from mergegate.model.facts.stack import Stack
from mergegate.model.site.security import Flaw, Patch

__all__ = ["localised", "together"]
SYNTAXES = (*FRAMEWORKS, *HOSTS, *SERVERS, *LANGUAGES)
"""What is nearer to the site's own code first."""
_MOST = 2
"""Products that a remedy is written for."""
_SURE = 50
"""Percent: a technology below that is a guess."""
_BANNERS = frozenset({"server-version", "powered-by"})
_REDIRECTS = frozenset({"https-not-enforced", "redirect-over-http"})
_PROTOCOLS = frozenset({"tls-old-version"})


def localised(
    flaws: Sequence[Flaw], stack: Stack, *, policy: str = "", tags: Mapping[str, str] | None = None
) -> tuple[Flaw, ...]:
    """The same flaws in the same order, each with its remedy in the detected products' syntax.

    ``policy`` is a content security policy made for this page; it takes the place of any other.
    ``tags`` are elements with their integrity, ready to paste, by the id of the flaw they end.
    """
    syntaxes = _detected(stack)
    return tuple(_localised(one, syntaxes, policy, (tags or {}).get(one.id, "")) for one in flaws)


def together(flaws: Iterable[Flaw], stack: Stack) -> tuple[Patch, ...]:
    """All headers that these flaws ask for, as one piece of code a product."""
    headers = asked_for(flaws)
    bare = "\n".join(f"{name}: {value}" for name, value in headers)
    patches = (_of_headers(syntax, headers) for syntax in _detected(stack))
    last = (Patch(product=HTTP, code=bare, language="http"),) if headers else ()
    return (*(one for one in patches if one), *last)


def _detected(stack: Stack) -> tuple[Syntax, ...]:
    names = {one.name for one in stack.technologies if one.confidence >= _SURE}
    return tuple(one for one in SYNTAXES if one.technologies & names)[:_MOST]


def _localised(one: Flaw, syntaxes: Sequence[Syntax], policy: str, tag: str) -> Flaw:
    if tag:
        return replace(one, patches=(Patch(product="HTML", code=tag, language="html"),))
    bare = _bare(one, policy)
    written = (
        patch for patch in (*_settings(one, syntaxes), *_written(bare, syntaxes)) if patch.code
    )
    return replace(one, patches=(*written, *bare))


def _bare(one: Flaw, policy: str) -> tuple[Patch, ...]:
    """The header of a flaw of the policy is the policy that was made for the page."""
    is_policy = one.rule.startswith("csp-") or any(
        (asked := header(patch)) and asked[0] == POLICY for patch in one.patches
    )
    if not (policy and is_policy):
        return one.patches
    return (Patch(product=HTTP, code=f"{POLICY}: {policy}", language="http"),)


def _written(bare: Sequence[Patch], syntaxes: Sequence[Syntax]) -> Iterator[Patch]:
    for asked in filter(None, map(header, bare)):
        for syntax in syntaxes:
            patch = (
                _of_cookie(syntax, asked)
                if asked[0] == SET_COOKIE
                else _of_headers(syntax, [asked])
            )
            if patch:
                yield patch


def _of_headers(syntax: Syntax, headers: Sequence[Header]) -> Patch | None:
    """None where one of them cannot be written down safely, or changes with each answer."""
    if not headers or not all(map(plain, headers)):
        return None
    return Patch(product=syntax.product, code=syntax.headers(headers), language=syntax.language)


def _of_cookie(syntax: Syntax, asked: Header) -> Patch | None:
    wanted = cookie(asked[1])
    if wanted is None or syntax.cookie is None:
        return None
    return Patch(product=syntax.product, code=syntax.cookie(wanted), language=syntax.language)


def _settings(one: Flaw, syntaxes: Sequence[Syntax]) -> Iterator[Patch]:
    """What is no header but a setting."""
    for syntax in syntaxes:
        code = _setting(one.rule, syntax)
        yield Patch(product=syntax.product, code=code, language=syntax.language)


def _setting(rule: str, syntax: Syntax) -> str:
    """Empty where there is none."""
    if rule in _BANNERS and (syntax in SERVERS) == (rule == "server-version"):
        return syntax.banner
    if rule in _REDIRECTS:
        return syntax.redirect
    return syntax.protocols if rule in _PROTOCOLS else ""
