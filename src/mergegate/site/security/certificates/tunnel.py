"""One TLS handshake with a server, through a tunnel of the way out."""

import contextlib
import socket
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit

PATIENCE_S = 6.0
"""What a server that means well gets by with."""
_MOST_HEAD = 4096
_OPEN = b"200"


class NoTunnel(Exception):
    """The way out does not lead there, or nobody answers; says why in our own words."""

    def __init__(self, reason: str, *, refused: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.refused = refused
        """Whether it may not lead there."""


@contextlib.contextmanager
def shaken(
    host: str, port: int, proxy: str, context: ssl.SSLContext, patience_s: float
) -> Iterator[ssl.SSLSocket]:
    """The connection after its handshake; raises NoTunnel, ssl.SSLError or OSError.

    ``patience_s`` is for the tunnel, and again for the handshake as a whole.
    """
    # IP addresses are no server names (RFC 6066, 3), Python leaves them out itself.
    with (
        _tunnel(host, port, proxy, patience_s) as line,
        context.wrap_socket(line, server_hostname=host) as secured,
    ):
        yield secured


@contextlib.contextmanager
def _tunnel(host: str, port: int, proxy: str, patience_s: float) -> Iterator[socket.socket]:
    way = urlsplit(proxy)
    authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    with socket.create_connection((way.hostname, way.port or 80), patience_s) as line:
        line.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode("ascii"))
        status = _head(line).split(b" ", 2)[1:2]
        if status != [_OPEN]:
            refused = status == [b"403"]
            reason = "a scan may not go there" if refused else "the host cannot be reached"
            raise NoTunnel(reason, refused=refused)
        yield line


def _head(line: socket.socket) -> bytes:
    """The head of the proxy's answer; a server speaks only after us, so nothing follows it."""
    head = b""
    while b"\r\n\r\n" not in head and len(head) < _MOST_HEAD:
        piece = line.recv(_MOST_HEAD)
        if not piece:
            break
        head += piece
    return head
