"""Read where a request wants to go, as every reader would read it, or refuse it.

A host has one spelling here: ASCII, lower case, without a final dot, a number as an address. What
two readers could take for two hosts is refused: octal parts, percent signs, zone names, letters
beyond ASCII. Browsers and httpx send none of these, for they spell a host out before they ask.

A refusal is a status and a reason that repeats nothing of what was sent.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import AddressValueError, IPv4Address, IPv6Address, IPv6Network, ip_network
from pathlib import Path

from mergegate.core.data_table import read_table


class Verdict(StrEnum):
    """How a contact ended."""

    PASSED = "passed"
    """It was let through, and is over or still going on."""
    REFUSED = "refused"
    """The policy forbids it; nothing was dialled."""
    FAILED = "failed"
    """It was allowed, and the other side did not answer or broke the protocol."""
    CUT = "cut"
    """It was let through, and a cap on bytes or time ended it."""


class Lack(StrEnum):
    """Why a request has no answer, as the proxy says it and as its clients see it themselves."""

    NO_NAME = "no-name"
    """The host's name could not be looked up."""
    NO_CONNECTION = "no-connection"
    """No address of the host takes connections."""
    SLOW = "slow"
    BROKEN = "broken"
    """The connection ended early, or what came was not HTTP."""
    BAD_CERTIFICATE = "bad-certificate"
    """No browser accepts it: it has expired, names another host, or signs itself."""
    UNKNOWN_ISSUER = "unknown-issuer"
    """No authority known here has issued it; a browser may know more."""
    FORBIDDEN = "forbidden"
    """A scan may not go there."""
    SPENT = "spent"
    """The scan has asked enough."""
    BUSY = "busy"
    """The proxy has too much to do."""
    TOO_LARGE = "too-large"
    """The site began an answer that is larger than a scan may receive."""
    HEAD_TOO_LARGE = "head-too-large"
    """The same of the answer's head, which browsers do not read either."""


REFUSAL_HEADER = "Mergegate-Refusal"
"""A refusal carries ``lack; reason`` in it; no header of this name passes from a site."""
_LACKS = {
    400: Lack.FORBIDDEN,
    403: Lack.FORBIDDEN,
    408: Lack.SLOW,
    503: Lack.BUSY,
    504: Lack.SLOW,
}


class Refused(Exception):
    """A request that the proxy answers itself; never raised outside this package."""

    def __init__(
        self,
        status: int,
        reason: str,
        verdict: Verdict = Verdict.REFUSED,
        lack: Lack | None = None,
    ) -> None:
        super().__init__(reason)
        self.status = status
        """What the client is told: 400 unreadable, 403 forbidden, 502 broken, 504 too slow."""
        self.reason = reason
        """One clause of our own words, without a full stop."""
        self.verdict = verdict
        self.lack = lack or _LACKS.get(status, Lack.BROKEN)


def unreadable(reason: str) -> Refused:
    """The request cannot be understood in exactly one way."""
    return Refused(400, reason)


def forbidden(reason: str) -> Refused:
    """The policy forbids it."""
    return Refused(403, reason)


def broken(reason: str, lack: Lack = Lack.BROKEN) -> Refused:
    """The other side did not answer as it should."""
    return Refused(502, reason, Verdict.FAILED, lack)


def too_slow(reason: str) -> Refused:
    """The other side did not answer in time."""
    return Refused(504, reason, Verdict.FAILED)


def cut(reason: str, lack: Lack = Lack.BROKEN) -> Refused:
    """A cap ended it."""
    return Refused(502, reason, Verdict.CUT, lack)


Address = IPv4Address | IPv6Address


@dataclass(frozen=True, kw_only=True)
class Forbidden:
    """What no scan may reach; an entry of ``forbidden.toml``."""

    id: str
    reason: str
    """One clause, without a full stop."""
    hosts: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    """Domains, each with every name below it."""
    networks: tuple[str, ...] = ()
    inside: bool = False
    """Whether a destination that its owner named may be there."""


FORBIDDEN = read_table(Path(__file__).with_name("forbidden.toml"), Forbidden)
_NETWORKS = sorted(
    ((ip_network(network), one) for one in FORBIDDEN.values() for network in one.networks),
    key=lambda pair: -pair[0].prefixlen,
)
"""The smallest first."""
_GLOBAL_6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
"""The well-known prefix (RFC 6052); the last 32 bits are the address that is reached."""
_ISATAP = (0x00005EFE, 0x02005EFE)
"""Bits 64 to 95 of an address whose last 32 bits are dialled inside (RFC 5214)."""


def objection(address: Address, *, inside: bool = False) -> str:
    """Why ``address`` may not be dialled; empty when it may.

    ``inside`` lets loopback and private addresses pass, for a destination that its owner named. A
    cloud's metadata, multicast and whatever wraps another address never pass with it.
    """
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            return "it is bound to one network interface"
        if (wrapped := _wrapped(address)) is not None:
            return objection(wrapped)
    listed = next((one for network, one in _NETWORKS if address in network), None)
    if listed is not None:
        return "" if inside and listed.inside else listed.reason
    return _stray(address) if isinstance(address, IPv6Address) else ""


def _stray(address: IPv6Address) -> str:
    """Why an address of no network that is listed may not be dialled."""
    if address not in _GLOBAL_6:
        return "it is not a global unicast address"
    return FORBIDDEN["tunnel"].reason if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP else ""


def _wrapped(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that a packet to ``address`` really reaches, where that is certain."""
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped


_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""What makes a host an address: its last label looks like this (WHATWG URL, "ends in a number")."""
_PART = re.compile(r"0|[1-9][0-9]*|0x[0-9a-f]+")
"""A leading zero means octal to inet_aton and to browsers, and decimal to others."""
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^\[\]:]*)(?::(?P<port>.*))?", re.DOTALL)
_ABSOLUTE = re.compile(r"http://(?P<authority>[^/?#\\]*)(?P<rest>.*)", re.DOTALL | re.IGNORECASE)
_LONGEST_HOST = 253
_LAST_PORT = 65535
_HTTP = 80


@dataclass(frozen=True)
class Destination:
    """A host in its one spelling, and a port."""

    host: str
    """A name without a final dot, or an address without brackets."""
    port: int
    literal: Address | None = None
    """The host as an address, when it is one."""

    @property
    def authority(self) -> str:
        """The value of a ``Host`` header for http: without the port when that is 80."""
        host = f"[{self.host}]" if isinstance(self.literal, IPv6Address) else self.host
        return host if self.port == _HTTP else f"{host}:{self.port}"


def destination(host: str, port: int) -> Destination:
    """``host``, an IPv6 address with or without brackets, in its one spelling.

    Raises Refused when it has none.
    """
    if not 0 < port <= _LAST_PORT:
        raise unreadable("the port is not a number from 1 to 65535")
    if host.startswith("[") and host.endswith("]"):
        literal: Address | None = _ipv6(host[1:-1])
    elif ":" in host:
        literal = _ipv6(host)
    else:
        name = _name(host)
        literal = _ipv4(name)
        if literal is None:
            return Destination(name, port)
    return Destination(str(literal), port, literal)


def tunnel_target(target: bytes) -> Destination:
    """The target of ``CONNECT``, whose port must be there; raises Refused."""
    host, port = _split(_ascii(target))
    if port is None:
        raise unreadable("the tunnel names no port")
    return destination(host, port)


def request_target(target: bytes) -> tuple[Destination, bytes]:
    """An absolute ``http:`` target as destination and what is asked of it; raises Refused."""
    found = _ABSOLUTE.fullmatch(_ascii(target))
    if found is None:
        raise unreadable("the request does not name an absolute http address")
    host, port = _split(found["authority"])
    rest = found["rest"]
    if rest.startswith("\\") or "#" in rest:
        raise unreadable("the address has a part that no request carries")
    path = rest if rest.startswith("/") else f"/{rest}"
    return destination(host, _HTTP if port is None else port), path.encode("ascii")


def _ascii(target: bytes) -> str:
    try:
        return target.decode("ascii")
    except UnicodeDecodeError as error:
        raise unreadable("the address is not ASCII") from error


def _split(authority: str) -> tuple[str, int | None]:
    found = _AUTHORITY.fullmatch(authority)
    if found is None or "@" in authority or not found["host"]:
        raise unreadable("the address is not a host and a port")
    if found["host"].startswith("["):
        _ipv6(found["host"][1:-1])
    port = found["port"]
    if port is None:
        return found["host"], None
    if not _PORT.fullmatch(port):
        raise unreadable("the port is not a number from 1 to 65535")
    return found["host"], int(port)


def _name(host: str) -> str:
    name = host.lower().removesuffix(".")
    well_formed = host.isascii() and 0 < len(name) <= _LONGEST_HOST
    if not well_formed or not all(_LABEL.fullmatch(label) for label in name.split(".")):
        raise forbidden("the host is not spelled as a plain name or address")
    return name


def _ipv4(name: str) -> IPv4Address | None:
    """A name whose last label is a number must be an address, and in no doubtful spelling."""
    parts = name.split(".")
    if not _NUMBER.fullmatch(parts[-1]):
        return None
    if len(parts) > 4 or not all(_PART.fullmatch(part) for part in parts):
        raise forbidden("the host is an address that can be read in two ways")
    *first, last = (int(part, 16 if part.startswith("0x") else 10) for part in parts)
    if any(part > 255 for part in first) or last >= 256 ** (4 - len(first)):
        raise forbidden("the host is an address that can be read in two ways")
    value = last
    for place, part in enumerate(first):
        value += part << (24 - 8 * place)
    return IPv4Address(value)


def _ipv6(text: str) -> IPv6Address:
    if "%" in text:
        raise forbidden("the address is bound to one network interface")
    try:
        return IPv6Address(text)
    except AddressValueError as error:
        raise forbidden("the host is not spelled as a plain name or address") from error
