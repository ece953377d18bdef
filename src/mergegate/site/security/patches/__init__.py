"""Remedies as code, in the syntax of what the site is built with.

A check says which header ends a flaw; here it is written down for the server, framework or host
that was recognised. The bare header always stays, last: nobody is left without it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType

from mergegate.site.security.patches.frameworks import FRAMEWORKS, LANGUAGES
from mergegate.site.security.patches.headers import (
    HTTP,
    POLICY,
    SET_COOKIE,
    asked_for,
    cookie,
    fresh,
    header,
    plain,
)
from mergegate.site.security.patches.hosts import HOSTS
from mergegate.site.security.patches.servers import SERVERS
from mergegate.site.security.patches.syntax import Header, Syntax
from mergegate.site.security.report import Flaw, Patch
from mergegate.site.stack.facts import Stack

__all__ = ["localised", "needs_policy", "together"]
SYNTAXES = (*FRAMEWORKS, *HOSTS, *SERVERS, *LANGUAGES)
"""What is nearer to the site's own code first."""
_MOST = 2
"""Products that a remedy is written for."""
_SURE = 50
"""Percent: a technology below that is a guess."""
_SETTINGS: Mapping[str, Callable[[Syntax], str]] = MappingProxyType(
    {
        "server-version": lambda syntax: syntax.server_banner,
        "powered-by": lambda syntax: syntax.powered_by,
        "https-not-enforced": lambda syntax: syntax.redirect,
        "redirect-over-http": lambda syntax: syntax.redirect,
        "tls-old-version": lambda syntax: syntax.protocols,
    }
)
"""Where the code is that ends a flaw of a rule, for rules that are about no header of ours."""
_POLICIES = frozenset(
    {
        *("csp-missing", "csp-report-only", "csp-without-script-src", "csp-wide-script-src"),
        *("csp-unsafe-inline", "csp-unsafe-eval"),
    }
)
"""Rules that a site breaks whose policy has to be made anew; others are mended in their own."""
_SESSION = "session-cookie-"
"""How rules about the cookie of a session begin."""


def needs_policy(flaws: Iterable[Flaw]) -> bool:
    """Whether the site has no content security policy, or none that keeps scripts out."""
    return any(one.rule in _POLICIES for one in flaws)


def localised(
    flaws: Sequence[Flaw], stack: Stack, *, policy: str = "", tags: Mapping[str, str] | None = None
) -> tuple[Flaw, ...]:
    """The same flaws in the same order, each with its remedy in the detected products' syntax.

    ``policy`` is a content security policy made for this page, for one that has none that helps.
    ``tags`` are elements with their integrity, ready to paste, by the id of the flaw they end.
    """
    syntaxes = _detected(stack)
    return tuple(_localised(one, syntaxes, policy, (tags or {}).get(one.id, "")) for one in flaws)


def together(flaws: Iterable[Flaw], stack: Stack) -> tuple[Patch, ...]:
    """All headers that these flaws ask for, as one piece of code a product.

    What a product cannot be told in a fixed line, such as a nonce, the bare form has alone.
    """
    headers = asked_for(flaws)
    bare = "\n".join(f"{name}: {value}" for name, value in headers)
    patches = _nearest(_of_headers(syntax, headers) for syntax in _detected(stack))
    last = (Patch(product=HTTP, code=bare, language="http"),) if headers else ()
    return (*patches, *last)


def _detected(stack: Stack) -> tuple[Syntax, ...]:
    names = {one.name for one in stack.technologies if one.confidence >= _SURE}
    return tuple(one for one in SYNTAXES if one.technologies & names)


def _nearest(patches: Iterable[Patch | None]) -> tuple[Patch, ...]:
    """The first of those that there are."""
    return tuple(islice((one for one in patches if one and one.code), _MOST))


def _localised(one: Flaw, syntaxes: Sequence[Syntax], policy: str, tag: str) -> Flaw:
    if tag:
        return replace(one, patches=(Patch(product="HTML", code=tag, language="html"),))
    bare = _bare(one, policy)
    is_session = one.rule.startswith(_SESSION)
    asked = filter(None, map(header, bare))
    written = [patch for each in asked for patch in _written(each, syntaxes, is_session)]
    return replace(one, patches=(*_settings(one, syntaxes), *written, *bare))


def _bare(one: Flaw, policy: str) -> tuple[Patch, ...]:
    if not (policy and one.rule in _POLICIES):
        return tuple(map(fresh, one.patches))
    return (Patch(product=HTTP, code=f"{POLICY}: {policy}", language="http"),)


def _written(asked: Header, syntaxes: Sequence[Syntax], is_session: bool) -> tuple[Patch, ...]:
    if asked[0] == SET_COOKIE:
        return _nearest(_of_cookie(syntax, asked[1], is_session) for syntax in syntaxes)
    return _nearest(_of_headers(syntax, [asked]) for syntax in syntaxes)


def _of_headers(syntax: Syntax, headers: Sequence[Header]) -> Patch | None:
    """Of those that can be written down safely and never change; None without any."""
    fixed = [one for one in headers if plain(one)]
    if not fixed:
        return None
    return Patch(product=syntax.product, code=syntax.headers(fixed), language=syntax.language)


def _of_cookie(syntax: Syntax, value: str, is_session: bool) -> Patch | None:
    wanted = cookie(value, is_session=is_session)
    if wanted is None or syntax.cookie is None:
        return None
    return Patch(product=syntax.product, code=syntax.cookie(wanted), language=syntax.language)


def _settings(one: Flaw, syntaxes: Sequence[Syntax]) -> tuple[Patch, ...]:
    """What is no header but a setting."""
    setting = _SETTINGS.get(one.rule)
    if setting is None:
        return ()
    return _nearest(
        Patch(product=syntax.product, code=setting(syntax), language=syntax.language)
        for syntax in syntaxes
    )
