"""Where an address leads, as far as gathering needs to know."""

import datetime as dt
from ipaddress import ip_address
from urllib.parse import urlsplit

from mergegate.core.web_address import DEFAULT_PORTS
from mergegate.site.address import registered


def host_and_port(url: str) -> tuple[str, int]:
    """Of an address that has been fetched; the host without brackets."""
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or DEFAULT_PORTS.get(parts.scheme, 443)


def is_named(host: str) -> bool:
    """Whether ``host`` is a name that neighbours could have a part of, not an address."""
    try:
        ip_address(host)
    except ValueError:
        return "." in host
    return False


def registered_for(url: str) -> str:
    """The domain that was registered for the host of an address that has been fetched."""
    return registered((urlsplit(url).hostname or "").rstrip("."))


def same_site(one: str, other: str) -> bool:
    """Whether both addresses belong to one registered domain, or to one host without any."""
    return registered_for(one) == registered_for(other)


def plain(url: str) -> str:
    """Without query and fragment, which may hold what nobody should repeat."""
    return url.partition("#")[0].partition("?")[0]


def plain_twin(url: str) -> str:
    """The same address over http; empty for one on a port of its own, whose twin nobody knows."""
    parts = urlsplit(url)
    if parts.scheme != "https" or parts.port not in {None, 443}:
        return ""
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname
    return parts._replace(scheme="http", netloc=host or "", fragment="").geturl()


def stamp(moment: dt.datetime) -> str:
    """ISO 8601 in UTC, to the second."""
    return moment.astimezone(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
