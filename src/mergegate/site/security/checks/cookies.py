"""Flags and prefixes of cookies, judged by what each cookie is for."""

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

from mergegate.core.severity import Confidence, Severity
from mergegate.site.security.checks import hsts
from mergegate.site.security.checks.flaw import RULES, Rule, flaw, header_patch, pattern
from mergegate.site.security.facts import SecurityFacts, SentCookie
from mergegate.site.security.origins import is_loopback, scheme
from mergegate.site.security.report import Flaw, Patch


class Use(StrEnum):
    """Why a cookie is set."""

    SESSION = "session"
    """It signs its holder in, or lets them go on as the visitor."""
    CSRF = "csrf"
    """Proof against request forgery; scripts often have to read it."""
    OTHER = "other"
    """Analytics, preferences, load balancers, and what is not known."""


_NOT_SESSION = pattern("cookies-of-others")
_NOT_ANYWHERE = pattern("words-of-others")
_PREFIX = re.compile(r"__(?:Host|Secure)-", re.IGNORECASE)
_SESSION = pattern("session-cookies")
_CSRF = re.compile(r"csrf|xsrf|antiforgery|requestverification", re.IGNORECASE)


def use(cookie: SentCookie) -> Use:
    """The use of a cookie by its name alone: a value is never kept.

    Names of analytics come first: ``_hjSession_1`` and ``ai_session`` are no sessions.
    """
    bare = _PREFIX.sub("", cookie.name[:200])
    if _CSRF.search(bare):
        return Use.CSRF
    if _NOT_SESSION.match(bare) or _NOT_ANYWHERE.search(bare):
        return Use.OTHER
    return Use.SESSION if _SESSION.fullmatch(bare) else Use.OTHER


_SESSION_SECURE = RULES["session-cookie-without-secure"]
_SESSION_HTTP_ONLY = RULES["session-cookie-without-httponly"]
_BY_SCRIPT = RULES["session-cookie-by-script"]
_SESSION_SAME_SITE = RULES["session-cookie-without-samesite"]
_SESSION_CROSS_SITE = RULES["session-cookie-samesite-none"]
_SESSION_DOMAIN = RULES["session-cookie-for-subdomains"]
_SECURE = RULES["cookie-without-secure"]
_SAME_SITE = RULES["cookie-samesite-invalid"]
_NONE_INSECURE = RULES["cookie-samesite-none-without-secure"]
_PARTITIONED = RULES["cookie-partitioned-without-secure"]
_PREFIX_BROKEN = RULES["cookie-prefix-broken"]
_KNOWN = frozenset({"strict", "lax", "none"})


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """Judges each cookie as it was set last; one that is being deleted is none."""
    kept = {(one.name, one.domain, one.path): one for one in facts.cookies}
    for cookie in kept.values():
        if cookie.max_age_s is None or cookie.max_age_s > 0:
            yield from _judge(cookie, facts)


def _judge(cookie: SentCookie, facts: SecurityFacts) -> Iterator[Flaw]:
    refused = list(_refused(cookie))
    yield from refused
    if not refused and _over_tls(cookie, facts) and not cookie.secure:
        yield _without_secure(cookie, hsts.holds(facts))
    if cookie.same_site and cookie.same_site.lower() not in _KNOWN:
        yield _flaw(_SAME_SITE, cookie)
    if use(cookie) is Use.SESSION:
        yield from _session(cookie)


def _refused(cookie: SentCookie) -> Iterator[Flaw]:
    """Why browsers throw it away (Cookies: HTTP State Management Mechanism, 6265bis, 5.7)."""
    if cookie.same_site.lower() == "none" and not cookie.secure:
        yield _flaw(_NONE_INSECURE, cookie)
    elif cookie.partitioned and not cookie.secure:
        yield _flaw(_PARTITIONED, cookie)
    name = cookie.name.lower()
    alone = not cookie.domain and cookie.path == "/"
    if name.startswith(("__secure-", "__host-")) and not cookie.secure:
        yield _flaw(_PREFIX_BROKEN, cookie, "The prefix promises Secure, which is not there.")
    elif name.startswith("__host-") and not alone:
        yield _flaw(_PREFIX_BROKEN, cookie, "__Host- promises Path=/ and no Domain.")


def _over_tls(cookie: SentCookie, facts: SecurityFacts) -> bool:
    """Without TLS, Secure would only lose the cookie: then it is the transport that is wrong."""
    where = cookie.set_by or facts.page.final_url
    return scheme(where) == "https" and not facts.local and not is_loopback(where)


def _without_secure(cookie: SentCookie, protected: bool) -> Flaw:
    """HSTS keeps browsers that know it off http; a first visit, and other hosts, it does not."""
    after = " Only HTTP Strict Transport Security keeps it from that." if protected else ""
    message = f"One request over http is enough to show the cookie to all on the way.{after}"
    if use(cookie) is Use.SESSION:
        severity = Severity.MEDIUM if protected else None
        return _flaw(_SESSION_SECURE, cookie, message, severity)
    return _flaw(_SECURE, cookie, message, Severity.INFO if protected else None)


def _session(cookie: SentCookie) -> Iterator[Flaw]:
    site = cookie.same_site.lower()
    if cookie.by_script:
        yield _flaw(_BY_SCRIPT, cookie)
    elif not cookie.http_only:
        yield _flaw(_SESSION_HTTP_ONLY, cookie)
    if not site:
        yield _flaw(_SESSION_SAME_SITE, cookie)
    if site == "none" and cookie.secure:
        yield _flaw(_SESSION_CROSS_SITE, cookie)
    if cookie.domain:
        message = f"Every host under {cookie.domain.lstrip('.')} gets the session."
        yield _flaw(_SESSION_DOMAIN, cookie, message)


def _flaw(
    rule: Rule, cookie: SentCookie, message: str = "", severity: Severity | None = None
) -> Flaw:
    sure = Confidence.HIGH if use(cookie) is not Use.SESSION else Confidence.MEDIUM
    return flaw(
        rule,
        cookie.set_by,
        message,
        key=cookie.name,
        evidence=f"Set-Cookie: {_line(cookie)}",
        severity=severity,
        confidence=sure,
        patches=() if cookie.by_script else (_patch(cookie),),
    )


def _patch(cookie: SentCookie) -> Patch:
    """The header that ends all its flaws: scripts keep a token against forgery in their reach."""
    session, host_only = use(cookie) is Use.SESSION, cookie.name.lower().startswith("__host-")
    site = cookie.same_site if cookie.same_site.lower() in _KNOWN else "Lax"
    better = replace(
        cookie,
        secure=True,
        http_only=cookie.http_only or session,
        same_site=site,
        domain="" if host_only else cookie.domain,
        path="/" if host_only else cookie.path,
    )
    return header_patch("Set-Cookie", _line(better))


def _line(cookie: SentCookie) -> str:
    """The header that set it, without the value."""
    flags = (
        (f"Domain={cookie.domain}", bool(cookie.domain)),
        (f"Path={cookie.path}", bool(cookie.path)),
        (f"Max-Age={cookie.max_age_s}", cookie.max_age_s is not None),
        ("Secure", cookie.secure),
        ("HttpOnly", cookie.http_only),
        (f"SameSite={cookie.same_site}", bool(cookie.same_site)),
        ("Partitioned", cookie.partitioned),
    )
    return "; ".join([f"{cookie.name}=…", *(text for text, there in flags if there)])
