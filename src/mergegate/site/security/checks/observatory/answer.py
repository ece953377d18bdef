"""The Observatory's tests of headers and cookies, the content security policy among them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from mergegate.site.security.checks.content_policy import HEADER, NOT_IN_META
from mergegate.site.security.checks.hsts import HALF_A_YEAR_S
from mergegate.site.security.facts import CorsAnswer, SecurityFacts, SentCookie
from mergegate.site.security.origins import scheme

_SHORTEST = 6
_MAY_REPEAT = frozenset({"report-uri", "report-to"})
_BROAD = frozenset(
    {
        *("ftp:", "http:", "https:", "*", "http://*", "http://*.*", "https://*", "https://*.*"),
    }
)
_INLINE = frozenset({"'unsafe-inline'", "data:"})
_PROOFS = ("'sha256-", "'sha384-", "'sha512-", "'nonce-")
_STRICT = "'strict-dynamic'"
_IN_CLEAR = ("http:", "ftp:")
_PASSIVE = ("img-src", "media-src")
_SELF = frozenset({"'self'", "'unsafe-inline'"})
_ANYTHING = frozenset({"*"})
_NOTHING = frozenset({"'none'"})

Lists = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Policies:
    """The policies combined: a source counts when the first two have it, as in the Observatory."""

    lists: Lists = field(default_factory=lambda: MappingProxyType({}))
    repeated: bool = False
    valid: bool = True


def policy_result(facts: SecurityFacts) -> str:
    """Such as ``csp-implemented-with-no-unsafe``."""
    sent, written = _texts(facts)
    together = _combine([*sent, *written])
    if not together.valid:
        return "csp-header-invalid"
    heard = [name for name in _combine(written).lists if name not in NOT_IN_META]
    if not _combine(sent).lists and not heard:
        answer = facts.page.final
        watching = answer is not None and answer.first(f"{HEADER}-report-only".lower())
        return "csp-not-implemented" + ("-but-reporting-enabled" if watching else "")
    found = _judge(together.lists, scheme(facts.page.final_url) == "https")
    if together.repeated and found in _WITH_A_WORD_ON_REPEATS:
        return "csp-implemented-but-duplicate-directives"
    return found


def frames_limited(facts: SecurityFacts) -> bool:
    """Whether a policy limits who may frame the page.

    Only headers count: the Observatory believes frame-ancestors in a ``meta`` element too, where
    browsers ignore it (HTML, 4.2.5.3).
    """
    sent, written = _texts(facts)
    return _combine([*sent, *written]).valid and "frame-ancestors" in _combine(sent).lists


def _texts(facts: SecurityFacts) -> tuple[list[str], list[str]]:
    """The policies of headers and of ``meta``; commas split headers, as in the Observatory."""
    answer = facts.page.final
    values = answer.all(HEADER.lower()) if answer else ()
    sent = [text for value in values for text in value.split(",") if text.strip()]
    metas = [one for one in facts.document.metas if one.kind == "http-equiv"]
    return sent, [one.content for one in metas if one.name == HEADER.lower() and one.content]


def _combine(texts: Sequence[str]) -> _Policies:
    lists: dict[str, frozenset[str]] = {}
    repeated, valid = False, all(len(text.strip()) >= _SHORTEST for text in texts)
    for number, text in enumerate(texts):
        seen, twice = _read(text)
        repeated |= bool(twice)
        valid &= twice <= _MAY_REPEAT
        for name, sources in seen.items():
            lists[name] = sources if number == 0 else _shared(lists.get(name), sources)
    return _Policies(MappingProxyType(lists), repeated, valid)


def _shared(earlier: frozenset[str] | None, sources: frozenset[str]) -> frozenset[str]:
    return (earlier & sources if earlier else frozenset()) or _NOTHING


def _read(text: str) -> tuple[dict[str, frozenset[str]], set[str]]:
    """Lists by directive, the first of each, and the names that are repeated."""
    lists: dict[str, frozenset[str]] = {}
    twice: set[str] = set()
    for name, *sources in filter(None, (part.lower().split() for part in text.split(";"))):
        twice |= {name} & lists.keys()
        lists.setdefault(name, frozenset(sources) or _NOTHING)
    return lists, twice


def _judge(lists: Lists, secure: bool) -> str:
    scripts = _without_inline(_list(lists, "script-src"))
    strict = _STRICT in scripts
    if strict and not _proved(scripts):
        return "csp-header-invalid"
    scripts = frozenset(one for one in scripts if not _overruled(one)) if strict else scripts
    styles = _without_inline(_list(lists, "style-src"))
    if scripts & (_BROAD | _INLINE) or _list(lists, "object-src") & _BROAD:
        return "csp-implemented-with-unsafe-inline"
    if secure and _in_clear(_active(lists, scripts)):
        return "csp-implemented-with-insecure-scheme"
    if "'unsafe-eval'" in scripts | styles:
        return "csp-implemented-with-unsafe-eval"
    return _judge_rest(lists, styles, secure)


def _judge_rest(lists: Lists, styles: frozenset[str], secure: bool) -> str:
    passive = frozenset[str]().union(*(_list(lists, name, frozenset()) for name in _PASSIVE))
    if secure and _in_clear(passive):
        return "csp-implemented-with-insecure-scheme-in-passive-content-only"
    if styles & (_BROAD | _INLINE):
        return "csp-implemented-with-unsafe-inline-in-style-src-only"
    if lists.get("default-src") == _NOTHING:
        return "csp-implemented-with-no-unsafe-default-src-none"
    return "csp-implemented-with-no-unsafe"


def _list(lists: Lists, name: str, without: frozenset[str] = _ANYTHING) -> frozenset[str]:
    return lists.get(name) or lists.get("default-src") or without


def _active(lists: Lists, scripts: frozenset[str]) -> frozenset[str]:
    others = (lists[name] for name in lists if name not in {*_PASSIVE, "script-src"})
    return scripts.union(*others)


def _in_clear(sources: frozenset[str]) -> bool:
    return any(one.startswith(_IN_CLEAR) for one in sources)


def _proved(sources: frozenset[str]) -> bool:
    return any(one.startswith(_PROOFS) for one in sources)


def _without_inline(sources: frozenset[str]) -> frozenset[str]:
    return sources - {"'unsafe-inline'"} if _proved(sources) else sources


def _overruled(source: str) -> bool:
    """What browsers that know ``'strict-dynamic'`` do not look at."""
    return source in _SELF or source.startswith(tuple(_BROAD))


_WITH_A_WORD_ON_REPEATS = frozenset(
    {
        "csp-implemented-with-no-unsafe",
        "csp-implemented-with-no-unsafe-default-src-none",
        "csp-implemented-with-unsafe-inline-in-style-src-only",
        "csp-implemented-with-insecure-scheme-in-passive-content-only",
    }
)


_AGE = re.compile(r"\s*([+-]?\d{1,18})")
_PRIVATE = frozenset(
    {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
)
_UNSAFE = frozenset(
    {"origin", "origin-when-cross-origin", "unsafe-url", "no-referrer-when-downgrade"}
)
_RESOURCE = frozenset({"same-site", "same-origin", "cross-origin"})
_FROM_BEST_TO_WORST = (
    "cookies-without-secure-flag-but-protected-by-hsts",
    "cookies-without-secure-flag",
    "cookies-session-without-secure-flag-but-protected-by-hsts",
    "cookies-samesite-flag-invalid",
    "cookies-anticsrf-without-samesite-flag",
    "cookies-session-without-httponly-flag",
    "cookies-session-without-secure-flag",
)


def _sent(facts: SecurityFacts, name: str) -> str:
    """The header's value; values that were sent several times are joined by commas."""
    answer = facts.page.final
    return ", ".join(answer.all(name)) if answer else ""


def is_trusted(facts: SecurityFacts) -> bool:
    """Whether a client that checks certificates gets to the page."""
    tls = facts.tls
    expired = tls is not None and tls.days_left is not None and tls.days_left < 0
    return tls is None or (tls.trusted is not False and tls.name_matches and not expired)


def transport_result(facts: SecurityFacts) -> str:
    """Tests Strict-Transport-Security; no list of preloaded hosts is at hand, and none is asked."""
    if scheme(facts.page.final_url) != "https":
        return "hsts-not-implemented-no-https"
    if not is_trusted(facts):
        return "hsts-invalid-cert"
    value = _sent(facts, "strict-transport-security").lower()
    if not value:
        return "hsts-not-implemented"
    parts = [part.strip() for part in value.split(";")]
    ages = [_AGE.match(part[8:]) for part in parts if part.startswith("max-age=")]
    last = ages[-1] if ages else None
    # The Observatory lets an age that is no number pass; browsers ignore such a header.
    if last is None or "," in value:
        return "hsts-header-invalid"
    enough = int(last[1]) >= HALF_A_YEAR_S
    return f"hsts-implemented-max-age-{'at-least' if enough else 'less-than'}-six-months"


def referrer_result(facts: SecurityFacts) -> str:
    """Tests Referrer-Policy, the header's and the page's."""
    named = ("name", "referrer")
    metas = [one.content for one in facts.document.metas if (one.kind, one.name) == named]
    said = ", ".join([*filter(None, [_sent(facts, "referrer-policy")]), *metas[-1:]])
    if not said:
        return "referrer-policy-not-implemented"
    words = [word.strip().lower() for word in said.split(",")]
    known = [word for word in words if word in _PRIVATE | _UNSAFE]
    if not known:
        return "referrer-policy-header-invalid"
    return f"referrer-policy-{'private' if known[-1] in _PRIVATE else 'unsafe'}"


def sniffing_result(facts: SecurityFacts) -> str:
    """Tests X-Content-Type-Options."""
    value = _sent(facts, "x-content-type-options")
    if not value:
        return "x-content-type-options-not-implemented"
    good = value.strip().lower() == "nosniff"
    return f"x-content-type-options-{'nosniff' if good else 'header-invalid'}"


def framing_result(facts: SecurityFacts) -> str:
    """Tests X-Frame-Options, whose place frame-ancestors takes."""
    if frames_limited(facts):
        return "x-frame-options-implemented-via-csp"
    value = _sent(facts, "x-frame-options").strip().lower()
    if not value:
        return "x-frame-options-not-implemented"
    if value in {"deny", "sameorigin"}:
        return "x-frame-options-sameorigin-or-deny"
    # It passes there; no browser of today heeds it, so our own check calls it framing-invalid.
    known = value.startswith("allow-from")
    return f"x-frame-options-{'allow-from-origin' if known else 'header-invalid'}"


def resource_result(facts: SecurityFacts) -> str:
    """Tests Cross-Origin-Resource-Policy."""
    value = _sent(facts, "cross-origin-resource-policy").strip().lower()
    if not value:
        return "corp-not-implemented"
    if value in _RESOURCE:
        return f"corp-implemented-with-{value}"
    return "corp-header-invalid"


def sharing_result(facts: SecurityFacts) -> str:
    """Tests what a stranger's origin was answered."""
    asked = next((one for one in facts.cors if one.kind == "stranger"), None)
    start = "cross-origin-resource-sharing"
    if asked is None or not asked.allow_origin.strip():
        return f"{start}-not-implemented"
    return f"{start}-implemented-with-{_access(asked)}-access"


def _access(asked: CorsAnswer) -> str:
    """The Observatory, 1.4.8, does not find the origin that it sent, and never says universal."""
    if asked.allow_origin.strip() == "*":
        return "public"
    echoed = asked.allow_origin == asked.origin and asked.allow_credentials
    return "universal" if echoed else "restricted"


def cookies_result(facts: SecurityFacts) -> str:
    """The worst of what the cookies of the answers show; those that scripts set are not seen."""
    cookies = [one for one in facts.cookies if not one.by_script and _is_kept(one)]
    if not cookies:
        return "cookies-not-found"
    protected = transport_result(facts) == "hsts-implemented-max-age-at-least-six-months"
    found = {result for one in cookies for result in _faults(one, protected)}
    if found:
        return max(found, key=_FROM_BEST_TO_WORST.index)
    everywhere = all(_same_site(one) for one in cookies)
    return "cookies-secure-with-httponly-sessions" + ("-and-samesite" if everywhere else "")


def _is_kept(cookie: SentCookie) -> bool:
    """Not what a client refuses for its prefix, nor a load balancer's that is out of reach."""
    host_only = cookie.secure and not cookie.domain and cookie.path == "/"
    kept = cookie.secure if cookie.name.startswith("__Secure-") else True
    kept &= host_only if cookie.name.startswith("__Host-") else True
    return kept and cookie.name != "heroku-session-affinity"


def _faults(cookie: SentCookie, protected: bool) -> Iterator[str]:
    name, site = cookie.name.lower(), cookie.same_site.strip().lower()
    session = "login" in name or "sess" in name
    tail = "-but-protected-by-hsts" if protected else ""
    if (site and not _same_site(cookie)) or (site == "none" and not cookie.secure):
        yield "cookies-samesite-flag-invalid"
    if "csrf" in name and not _same_site(cookie):
        yield "cookies-anticsrf-without-samesite-flag"
    if not cookie.secure:
        yield f"cookies-without-secure-flag{tail}"
    if session and not cookie.secure:
        yield f"cookies-session-without-secure-flag{tail}"
    if session and not cookie.http_only:
        yield "cookies-session-without-httponly-flag"


def _same_site(cookie: SentCookie) -> str:
    """``lax``, ``strict`` or ``none``; empty for any other word."""
    site = cookie.same_site.strip().lower()
    return site if site in {"lax", "strict", "none"} else ""
