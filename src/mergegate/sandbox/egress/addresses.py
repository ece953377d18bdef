"""Which addresses are the public internet: our own table, strict where Python's is lenient.

Python 3.11's ``is_global`` accepts NAT64, 6to4, multicast and the cloud address 168.63.129.16, and
its ``is_private`` misses 100.64.0.0/10. Registries read: IANA IPv4 and IPv6 special-purpose
addresses, RFC 6890, 6052, 8215, 9637.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
_Table = tuple[tuple[IPv4Network | IPv6Network, str], ...]

METADATA = "it is a cloud's metadata address"
_PRIVATE = "it is a private address"
_LOOPBACK = "it is a loopback address"
_SPECIAL = "it is a special-purpose address"
_TUNNEL = "it is a transition address that wraps another one"

_GLOBAL_6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
"""The well-known prefix (RFC 6052); the last 32 bits are the address that is reached."""
_ISATAP = (0x00005EFE, 0x02005EFE)
"""Bits 64 to 95 of an address whose last 32 bits are dialled inside (RFC 5214)."""

_NEVER_4: _Table = (
    (IPv4Network("168.63.129.16/32"), METADATA),
    (IPv4Network("100.100.100.200/32"), METADATA),
    (IPv4Network("192.0.0.192/32"), METADATA),
    (IPv4Network("169.254.0.0/16"), "it is a link-local address, where clouds keep metadata"),
    (IPv4Network("0.0.0.0/8"), "it is an unspecified address"),
    (IPv4Network("192.0.0.0/24"), _SPECIAL),
    (IPv4Network("192.0.2.0/24"), "it is a documentation address"),
    (IPv4Network("198.51.100.0/24"), "it is a documentation address"),
    (IPv4Network("203.0.113.0/24"), "it is a documentation address"),
    (IPv4Network("192.31.196.0/24"), _SPECIAL),
    (IPv4Network("192.52.193.0/24"), _SPECIAL),
    (IPv4Network("192.88.99.0/24"), _TUNNEL),
    (IPv4Network("192.175.48.0/24"), _SPECIAL),
    (IPv4Network("198.18.0.0/15"), "it is a benchmarking address"),
    (IPv4Network("224.0.0.0/4"), "it is a multicast address"),
    (IPv4Network("240.0.0.0/4"), "it is a reserved address"),
)
_INSIDE_4: _Table = (
    (IPv4Network("127.0.0.0/8"), _LOOPBACK),
    (IPv4Network("10.0.0.0/8"), _PRIVATE),
    (IPv4Network("172.16.0.0/12"), _PRIVATE),
    (IPv4Network("192.168.0.0/16"), _PRIVATE),
    (IPv4Network("100.64.0.0/10"), "it is a provider's inner address"),
)
_NEVER_6: _Table = (
    (IPv6Network("fd00:ec2::/32"), METADATA),
    (IPv6Network("fd20:ce::/32"), METADATA),
    (IPv6Network("fd00:42::42/128"), METADATA),
    (IPv6Network("::/128"), "it is an unspecified address"),
    (IPv6Network("fe80::/10"), "it is a link-local address"),
    (IPv6Network("ff00::/8"), "it is a multicast address"),
    # Where its translator keeps the inner address, only its network knows (RFC 8215).
    (IPv6Network("64:ff9b:1::/48"), _TUNNEL),
    (IPv6Network("2002::/16"), _TUNNEL),
    (IPv6Network("2001::/32"), _TUNNEL),
    (IPv6Network("2001::/23"), _SPECIAL),
    (IPv6Network("2001:db8::/32"), "it is a documentation address"),
    (IPv6Network("3fff::/20"), "it is a documentation address"),
    (IPv6Network("2620:4f:8000::/48"), _SPECIAL),
    (IPv6Network("3ffe::/16"), "it is a reserved address"),
)
_INSIDE_6: _Table = (
    (IPv6Network("::1/128"), _LOOPBACK),
    (IPv6Network("fc00::/7"), _PRIVATE),
)


def objection(address: Address, *, inside: bool = False) -> str:
    """Why ``address`` may not be dialled; empty when it may.

    ``inside`` lets loopback and private addresses pass, for a destination that its owner named. A
    cloud's metadata, multicast and whatever wraps another address never pass with it.
    """
    if isinstance(address, IPv4Address):
        return _objection_4(address, inside)
    return _objection_6(address, inside)


def _objection_4(address: IPv4Address, inside: bool) -> str:
    never = _listed(address, _NEVER_4)
    return never or ("" if inside else _listed(address, _INSIDE_4))


def _objection_6(address: IPv6Address, inside: bool) -> str:
    if address.scope_id is not None:
        return "it is bound to one network interface"
    wrapped = _wrapped(address)
    if wrapped is not None:
        return _objection_4(wrapped, inside=False)
    if never := _listed(address, _NEVER_6):
        return never
    if inner := _listed(address, _INSIDE_6):
        return "" if inside else inner
    if address not in _GLOBAL_6:
        return "it is not a global unicast address"
    return _TUNNEL if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP else ""


def _listed(address: Address, table: _Table) -> str:
    return next((reason for network, reason in table if address in network), "")


def _wrapped(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that a packet to ``address`` really reaches, where that is certain."""
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped
