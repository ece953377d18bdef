"""Read the address of a page as a person typed it, and say what a scan of it may reach.

There is one spelling of an address from here on, so that what was checked is what is dialled.
"""

import re
from collections.abc import Iterable
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, quote, urlsplit

import httpx

from mergegate.core.errors import TargetNotAllowed, UsageError
from mergegate.core.web_address import DEFAULT_PORTS
from mergegate.sandbox.egress.destination import Destination, Refused, destination
from mergegate.sandbox.egress.policy import PUBLIC, Policy

if TYPE_CHECKING:
    from tldextract import TLDExtract

LONGEST = 2048
"""Characters; more than any browser's address bar is filled with by hand."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))", re.IGNORECASE)
"""A word before a colon, unless what follows is a port: ``localhost:3000`` has no scheme."""
_UNSAFE = re.compile(
    r"[\x00-\x20\x7f-\xa0\\\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""What readers of addresses drop, turn round or take for something else."""
_HOST_AND_PORT = re.compile(r"(?P<host>\[[^\[\]]*\]|[^\[\]:/@]+)(?::(?P<port>[1-9][0-9]{0,4}))?")
_AUTHORITY = re.compile(r"(?:\[[^\[\]]*\]|[^\[\]:]*)(?::[0-9]+)?")
_KEPT = "%/:@!$&'()*+,;=~[]|"
"""What Chromium leaves as it is in a path, beside letters, digits, ``-``, ``.`` and ``_``."""
_INNER = (".home.arpa", ".internal", ".lan", ".local", ".localhost", ".test")
_REMEDY = "Give an address such as https://example.org/page."


def site_address(text: str) -> str:
    """The one spelling of ``text``: http or https, host in ASCII, no usual port, no fragment.

    An address without a scheme is https, or http when its host is of this machine. Raises
    UsageError, which repeats nothing of ``text``: it may hold a password.
    """
    given = text.strip(" ")
    if not given:
        raise _wrong("it is empty")
    if len(given) > LONGEST:
        raise _wrong(f"it is longer than {LONGEST} characters")
    if _UNSAFE.search(given):
        raise _wrong("it holds a space, a backslash or a character that cannot be seen")
    parts = _split(_with_scheme(given))
    to = _destination(parts)
    address = f"{parts.scheme}://{_authority(to, parts.scheme)}{_rest(parts)}"
    if len(address) > LONGEST:
        raise _wrong(f"it is longer than {LONGEST} characters when spelled out")
    return address


def registered(host: str) -> str:
    """The domain that ``host`` belongs to, as ``example.co.uk``; an address is its own.

    An IPv4 address that is written as IPv6 is the IPv4 one. By the public suffix list, its private
    half included: neighbours under ``github.io`` are strangers. The list is the one that came with
    tldextract.
    """
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        found = _suffixes()(host)
        if found.suffix:
            return found.top_domain_under_public_suffix or host
        # An unlisted top-level domain counts as one suffix (the list's prevailing rule ``*``).
        return ".".join(host.split(".")[-2:])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped) if mapped else host


def is_local(url: str) -> bool:
    """Whether it stands on this machine or in a private network.

    No authority issues a trusted certificate for such a host, and no search engine reaches it.
    """
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(_INNER)


@cache
def _suffixes() -> "TLDExtract":
    """Reads the list once; only the site tools come with it."""
    from tldextract import TLDExtract  # noqa: PLC0415 - of the extra `site`

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def policy_for(*addresses: str, also: Iterable[tuple[str, int]] = ()) -> Policy:
    """The public internet, and beyond it exactly the hosts and ports of ``addresses`` and ``also``.

    For a person at the command line, who may name any host of their own; the addresses are in
    their one spelling. Raises TargetNotAllowed for a host that no scan may ever reach.
    """
    named = {(to.host, to.port) for to in map(_destination, map(urlsplit, addresses))}
    try:
        return Policy(ports=PUBLIC.ports, allowed=frozenset(named.union(also)))
    except UsageError as error:
        raise TargetNotAllowed("this is an address that no scan may reach") from error


def host_and_port(text: str) -> tuple[tuple[str, int], ...]:
    """``HOST:PORT``, or ``HOST`` for both usual ports, as ``policy_for`` takes them in ``also``.

    An IPv6 address stands in brackets. Raises UsageError.
    """
    found = _HOST_AND_PORT.fullmatch(text)
    if found is None or len(text) > LONGEST or _UNSAFE.search(text):
        raise _wrong_host("it is neither HOST nor HOST:PORT")
    ports = (int(found["port"]),) if found["port"] else tuple(DEFAULT_PORTS.values())
    try:
        return tuple((destination(_ascii(found["host"]), port).host, port) for port in ports)
    except Refused as error:
        raise _wrong_host(error.reason) from error


def _with_scheme(given: str) -> str:
    if _SCHEME.match(given):
        return given
    bare = given.removeprefix("//")
    host = re.split(r"[/?#]", bare, maxsplit=1)[0].rsplit(":", 1)[0].lower()
    return f"{'http' if _is_here(host) else 'https'}://{bare}"


def _is_here(host: str) -> bool:
    """Whether ``host`` is this machine, for which no certificate is issued."""
    return host in {"localhost", "127.0.0.1", "[::1]"} or host.endswith(".localhost")


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        # Both are worked out when they are asked for.
        _, _ = parts.port, parts.hostname
    except ValueError as error:
        raise _wrong("its host or port cannot be read") from error
    if parts.scheme not in DEFAULT_PORTS:
        raise _wrong("it is neither http nor https")
    if not text[len(parts.scheme) :].startswith("://"):
        raise _wrong("its scheme is not followed by two slashes")
    if "@" in parts.netloc:
        raise _wrong(
            "it holds a user name or password",
            "Send credentials by --header or --cookie; both go to the site's own origin alone.",
        )
    if not _AUTHORITY.fullmatch(parts.netloc):
        raise _wrong("its host or port cannot be read")
    return parts


def _destination(parts: SplitResult) -> Destination:
    if not parts.hostname:
        raise _wrong("it names no host")
    port = DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
    return _reachable(parts.hostname, port)


def _reachable(host: str, port: int) -> Destination:
    try:
        return destination(_ascii(host), port)
    except Refused as error:
        raise _wrong(f"of its host or port: {error.reason}") from error


def _ascii(host: str) -> str:
    """``host`` as it is looked up; browsers spell a name beyond ASCII in the same way."""
    if host.isascii():
        return host
    try:
        return httpx.URL(f"https://{host}").raw_host.decode("ascii")
    except (httpx.InvalidURL, UnicodeError) as error:
        raise _wrong("its host is no name that can be looked up") from error


def _authority(to: Destination, scheme: str) -> str:
    host = f"[{to.host}]" if isinstance(to.literal, IPv6Address) else to.host
    return host if to.port == DEFAULT_PORTS[scheme] else f"{host}:{to.port}"


def _rest(parts: SplitResult) -> str:
    """Path and query as Chromium sends them, so that a report names what was asked for."""
    path = quote(parts.path or "/", safe=_KEPT)
    query = quote(parts.query, safe=f"{_KEPT}?`{{}}^").replace("'", "%27")
    return f"{path}?{query}" if query else path


def _wrong(why: str, remedy: str = _REMEDY) -> UsageError:
    return UsageError(f"this is no address of a page that can be visited: {why}", remedy=remedy)


def _wrong_host(why: str) -> UsageError:
    return UsageError(
        f"this is no host that can be named: {why}", remedy="Write it as HOST or HOST:PORT."
    )
