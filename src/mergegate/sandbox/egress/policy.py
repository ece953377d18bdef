"""What a scan may reach, and how much of it: the values that the proxy is opened with."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from mergegate.core.errors import UsageError
from mergegate.sandbox.egress.destination import (
    FORBIDDEN,
    Address,
    Destination,
    Refused,
    destination,
    forbidden,
    objection,
)

_MEBIBYTE = 1024 * 1024
_METADATA_HOST = FORBIDDEN["metadata-host"]
_INNER_NAME = FORBIDDEN["inner-name"]
_INNER_ENDINGS = tuple(f".{domain}" for domain in _INNER_NAME.domains)


@dataclass(frozen=True)
class Policy:
    """The public internet on some ports, and single destinations beyond it."""

    ports: frozenset[int] = frozenset({80, 443})
    """Where public hosts may be reached."""
    allowed: frozenset[tuple[str, int]] = field(default_factory=frozenset)
    """Exact hosts and ports that their owner named; their addresses may be private."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "allowed", frozenset(_spelled(self.allowed)))

    def admits(self, to: Destination) -> None:
        """Raises Refused when ``to`` is forbidden before its name is looked up."""
        if to.host in _METADATA_HOST.hosts:
            raise forbidden(_METADATA_HOST.reason)
        if to.literal is not None:
            self.admits_address(to, to.literal)
        if not self._is_named(to):
            self._admits_stranger(to)

    def _forbidden(self, to: Destination, reason: str) -> Refused:
        """``reason``, and where its owner named the host with other ports, which these are."""
        ports = sorted(port for host, port in self.allowed if host == to.host)
        verb = "is" if len(ports) == 1 else "are"
        named = f"; of this host {' and '.join(map(str, ports))} alone {verb} allowed"
        return forbidden(f"{reason}{'' if self._is_named(to) or not ports else named}")

    def admits_address(self, to: Destination, address: Address) -> None:
        """Raises Refused when ``address``, one answer for the host of ``to``, is forbidden."""
        reason = objection(address, inside=self._is_named(to))
        if reason:
            raise self._forbidden(to, reason)

    def _is_named(self, to: Destination) -> bool:
        return (to.host, to.port) in self.allowed

    def _admits_stranger(self, to: Destination) -> None:
        if to.port not in self.ports:
            raise self._forbidden(to, "this port is not open to scans")
        if to.literal is None and _is_inner(to.host):
            raise self._forbidden(to, _INNER_NAME.reason)


@dataclass(frozen=True)
class Caps:
    """How much one scan may take; sizes in bytes on the wire, times in seconds."""

    response_bytes: int = 64 * _MEBIBYTE
    """One plain response, its head included."""
    request_bytes: int = 16 * _MEBIBYTE
    """One plain request, its head included."""
    tunnel_bytes: int = 256 * _MEBIBYTE
    """One tunnel, each way: it carries many requests."""
    scan_bytes: int = 1024 * _MEBIBYTE
    """All that a scan sends and receives."""
    head_bytes: int = 64 * 1024
    """The head of one request or response."""
    connections_at_once: int = 256
    connections: int = 10_000
    """Client connections in all."""
    requests: int = 50_000
    """Requests and tunnels in all."""
    hosts: int = 1_000
    """Names looked up in all."""
    answers: int = 64
    """Addresses that one name may have."""
    lookup_s: float = 5.0
    connect_s: float = 10.0
    """Time to connect, for all addresses of a host together."""
    head_s: float = 15.0
    """Time for the head of a request, from its first byte."""
    idle_s: float = 60.0
    """Time without a byte in either direction, in a request, a tunnel or between requests."""
    total_s: float = 600.0
    """Time for one request or one tunnel."""


def _spelled(allowed: Iterable[tuple[str, int]]) -> Iterable[tuple[str, int]]:
    for host, port in allowed:
        try:
            to = destination(host, port)
        except Refused as error:
            raise UsageError(
                f"a host that scans may reach cannot be read: {error.reason}",
                remedy="Name it as a plain host or address, and a port.",
            ) from error
        if to.host in _METADATA_HOST.hosts or (
            to.literal is not None and objection(to.literal, inside=True)
        ):
            raise UsageError("a host that scans may reach can never be reached by one")
        yield to.host, to.port


def _is_inner(host: str) -> bool:
    return "." not in host or host.endswith(_INNER_ENDINGS)


PUBLIC = Policy()
"""What a server's scans may reach: global unicast addresses, ports 80 and 443."""
