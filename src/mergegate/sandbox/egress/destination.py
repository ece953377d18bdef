"""Read where a request wants to go, as every reader would read it, or not at all.

A host has one spelling here: ASCII, lower case, without a final dot, a number as an address. What
two readers could take for two hosts is refused: octal parts, percent signs, zone names, letters
beyond ASCII. Browsers and httpx send none of these, for they spell a host out before they ask.
"""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from mergegate.sandbox.egress.addresses import Address
from mergegate.sandbox.egress.refusal import forbidden, unreadable

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
        """As a ``Host`` header has it for http: without the port when that is 80."""
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
