"""Read the parts of addresses, without raising for hostile ones, and tell which share a site."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from mergegate.core import web_address

_NOTHING = urlsplit("")
_VERSION = re.compile(r"[@/-]v?\d+\.\d+")
_PORTS = {**web_address.DEFAULT_PORTS, "ws": 80, "wss": 443}


def parts(url: str) -> SplitResult:
    """``url`` split; the parts of an empty one when it cannot be read."""
    try:
        split = urlsplit(url.strip())
        split.port  # noqa: B018 - a port that is no number is only found out when it is asked for
    except ValueError:
        return _NOTHING
    return split


def scheme(url: str) -> str:
    """The scheme in small letters; empty for an address without one."""
    return parts(url).scheme


def host(url: str) -> str:
    """The host in small letters, without port and brackets; empty when there is none."""
    return parts(url).hostname or ""


def path(url: str) -> str:
    """The path without its query, which may hold a secret."""
    return parts(url).path


def names_version(url: str) -> bool:
    """Whether its path does; a file whose address names none changes there."""
    return bool(_VERSION.search(path(url)))


def plain(url: str) -> str:
    """The address without query and fragment."""
    return url.partition("#")[0].partition("?")[0]


def origin(url: str) -> str:
    """Scheme, host and port as browsers serialise them; empty for what has no such origin."""
    return web_address.origin(url.strip(), _PORTS)


def is_address(name: str) -> bool:
    """Whether a host is an IP address, which HSTS and cookie domains do not apply to."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(url: str) -> bool:
    """Whether browsers trust it without TLS (Secure Contexts, 3.1: this machine alone)."""
    name = host(url)
    if is_address(name):
        return ip_address(name).is_loopback
    return name == "localhost" or name.endswith(".localhost")


def is_trustworthy(url: str) -> bool:
    """Whether a page there is a secure context: https, or on the visitor's own machine."""
    return scheme(url) == "https" or is_loopback(url)


def same_site(name: str, home: str, site: str) -> bool:
    """Whether one party runs the host and the page at ``home``, as far as its name tells.

    ``site`` is the domain that was registered for ``home`` (``SecurityFacts.site``); without it
    ``home`` alone is its own.
    """
    return bool(name) and (name in {home, site} or bool(site and name.endswith(f".{site}")))


def host_and_port(url: str) -> tuple[str, int]:
    """The host, without brackets, and the port of an address that has been fetched."""
    split = urlsplit(url)
    return split.hostname or "", split.port or web_address.DEFAULT_PORTS.get(split.scheme, 443)


def is_named(host: str) -> bool:
    """Whether ``host`` is a name that neighbours could have a part of, not an address."""
    return "." in host and not is_address(host)


def plain_twin(url: str) -> str:
    """The same address over http; empty for one on a port of its own, whose twin is not known."""
    split = urlsplit(url)
    if split.scheme != "https" or split.port not in {None, 443}:
        return ""
    host = f"[{split.hostname}]" if split.hostname and ":" in split.hostname else split.hostname
    return split._replace(scheme="http", netloc=host or "", fragment="").geturl()
