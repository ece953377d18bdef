"""Passwords and tokens in the addresses of a text: ``scheme://user:password@host``."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from mergegate.core.severity import Confidence
from mergegate.secrets import filters
from mergegate.secrets.names import QUOTED_ONLY
from mergegate.secrets.prefilter import literal_places
from mergegate.secrets.source import Hit, Source

_USERINFO = re.compile(
    r"://(?P<user>[^\s:/?#\"'`<>\\|,;()\[\]]{0,100}):(?P<password>[^\s\"'`<>\\/]{1,200}?)@"
    r"(?P<host>\[[0-9a-fA-F:]{2,40}\]|[\w.-]{1,200}|\$\{?\w{1,60}\}?)"
    r"(?![\w.@-])"
)
_TOKEN_AS_USER = re.compile(
    r"://(?P<password>[A-Za-z0-9_-]{32,100}):?(?:x-oauth-basic)?@(?P<host>[\w.-]{3,200})"
)
_DATA_SOURCE = re.compile(r"(?<![\w.:-])[\w.-]{1,60}:(?P<password>[^\s\"'`@/:(){}$%]{3,100})$")
"""What stands before ``@tcp(`` in Go's name of a data source of MySQL, which has no scheme."""
_PROTOCOLS = ("@tcp(", "@unix(")
_SCHEME = re.compile(r"(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}$")
_LOCAL = re.compile(
    r"localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[.*|host\.docker\.internal"
    r"|(?:[\w-]+\.)*(?:example|invalid|test|local|localdomain|localhost)"
    r"|(?:[a-z]+\.)?(?:host|server|domain|site|company|proxy)(?:name)?(?:\.(?:com|org|tld))?"
    r"|(?:[\w-]+\.)*(?:foo|bar|your|my)[a-z-]*\.(?:com|org|tld)"
)

_EXAMPLE = re.compile(r"(?:[\w-]+\.)*example(?:\.(?:com|org|net|edu))?")


def addresses(source: Source) -> Iterator[Hit]:
    """Every address that carries a password, unless it plainly stands for another."""
    done = 0
    for place in literal_places(source.lower, "://"):
        if place < done:
            continue
        match = _USERINFO.match(source.text, place) or _TOKEN_AS_USER.match(source.text, place)
        scheme = _SCHEME.search(source.lower, max(0, place - 22), place)
        if match is None or scheme is None:
            continue
        done = match.end()
        lenient = scheme.group() in {"http", "https"} or source.suffix in QUOTED_ONLY
        worth = _worth(match, lenient=lenient)
        if worth:
            yield Hit(*match.span("password"), *worth, rank=5)
    for sign in _PROTOCOLS:
        for place in literal_places(source.lower, sign):
            low = max(0, place - 200)
            named = _DATA_SOURCE.search(source.text[low:place])
            if named and not _is_plain(named["password"]):
                start, end = named.span("password")
                yield Hit(low + start, low + end, "connection-string", Confidence.HIGH, rank=5)


def _is_plain(password: str) -> bool:
    return filters.is_common(password) or filters.is_placeholder(password)


def _is_strong(password: str) -> bool:
    mixed = len(password) >= 8 and filters.classes(password) == 4
    return filters.is_random(password) or (mixed and not filters.is_common(password))


def _worth(match: re.Match[str], *, lenient: bool) -> tuple[str, Confidence] | None:
    password = unquote(match["password"])
    if filters.is_placeholder(password) or "{" in password or password.startswith(("$", ":")):
        return None
    if match.re is _TOKEN_AS_USER:
        return ("credential-url", Confidence.HIGH) if filters.is_random(password) else None
    user, host = match["user"].lower(), match["host"].lower()
    port = password.isdigit() and len(password) < 6
    if len(password) < 3 or user.startswith(("$", "{", "<", "%")) or port:
        return None
    return _judged(user, password, host, lenient=lenient)


def _judged(user: str, password: str, host: str, *, lenient: bool) -> tuple[str, Confidence] | None:
    simple = filters.is_common(password) or password.lower() == user
    inside = "." not in host
    if _EXAMPLE.fullmatch(host):
        return None if simple else ("local-credential-url", Confidence.LOW)
    if _LOCAL.fullmatch(host) or (inside and not _is_strong(password)):
        return "local-credential-url", Confidence.LOW
    if inside and not simple and not filters.is_random(password):
        return "credential-url", Confidence.MEDIUM
    if simple:
        weak = inside or lenient
        return "local-credential-url", (Confidence.LOW if weak else Confidence.MEDIUM)
    return "credential-url", (Confidence.HIGH if len(password) >= 8 else Confidence.MEDIUM)
