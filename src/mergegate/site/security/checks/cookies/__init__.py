"""Flags and prefixes of cookies, judged by what each cookie is for."""

from collections.abc import Iterator
from dataclasses import replace

from mergegate.core.severity import Confidence, Severity
from mergegate.site.security.checks.cookies import rules
from mergegate.site.security.checks.cookies.names import Use, use
from mergegate.site.security.checks.flaw import Rule, flaw, header_patch
from mergegate.site.security.checks.headers import hsts
from mergegate.site.security.checks.origins import is_loopback, scheme
from mergegate.site.security.facts import SecurityFacts, SentCookie
from mergegate.site.security.report import Flaw, Patch

__all__ = ["Use", "flaws", "use"]
_KNOWN = frozenset({"strict", "lax", "none"})


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """Of each cookie as it was set last; one that is being deleted is none."""
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
        message = "Browsers take an unknown value for none at all."
        yield _flaw(rules.SAME_SITE, cookie, message)
    if use(cookie) is Use.SESSION:
        yield from _session(cookie)


def _refused(cookie: SentCookie) -> Iterator[Flaw]:
    """Why browsers throw it away (Cookies: HTTP State Management Mechanism, 6265bis, 5.7)."""
    if cookie.same_site.lower() == "none" and not cookie.secure:
        message = "What relies on the cookie does not work."
        yield _flaw(rules.NONE_INSECURE, cookie, message)
    elif cookie.partitioned and not cookie.secure:
        message = "What relies on the cookie does not work."
        yield _flaw(rules.PARTITIONED, cookie, message)
    name = cookie.name.lower()
    alone = not cookie.domain and cookie.path == "/"
    if name.startswith(("__secure-", "__host-")) and not cookie.secure:
        yield _flaw(rules.PREFIX, cookie, "The prefix promises Secure, which is not there.")
    elif name.startswith("__host-") and not alone:
        yield _flaw(rules.PREFIX, cookie, "__Host- promises Path=/ and no Domain.")


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
        return _flaw(rules.SESSION_SECURE, cookie, message, severity)
    return _flaw(rules.SECURE, cookie, message, Severity.INFO if protected else None)


def _session(cookie: SentCookie) -> Iterator[Flaw]:
    site = cookie.same_site.lower()
    if cookie.by_script:
        message = "An injected script takes the session along with the cookie."
        yield _flaw(rules.BY_SCRIPT, cookie, message)
    elif not cookie.http_only:
        message = "An injected script takes the session along with the cookie."
        yield _flaw(rules.SESSION_HTTP_ONLY, cookie, message)
    if not site:
        message = "Not every browser takes that for Lax: the cookie may go with forged requests."
        yield _flaw(rules.SESSION_SAME_SITE, cookie, message)
    if site == "none" and cookie.secure:
        message = "Requests that other sites make carry the session."
        yield _flaw(rules.SESSION_CROSS_SITE, cookie, message)
    if cookie.domain:
        message = f"Every host under {cookie.domain.lstrip('.')} gets the session."
        yield _flaw(rules.SESSION_DOMAIN, cookie, message)


def _flaw(rule: Rule, cookie: SentCookie, message: str, severity: Severity | None = None) -> Flaw:
    sure = Confidence.HIGH if use(cookie) is not Use.SESSION else Confidence.MEDIUM
    return flaw(
        rule,
        message,
        cookie.set_by,
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
