"""What of a message's head goes on to the next connection, and what belonged to the last one.

No ``Via`` is added: sites answer proxies differently, and a scan measures what a visitor gets.
"""

import h11

from mergegate.sandbox.egress.destination import Destination
from mergegate.sandbox.egress.refusal import broken, unreadable

_Head = h11.Request | h11.Response | h11.InformationalResponse
_Headers = list[tuple[bytes, bytes]]

_OF_ONE_CONNECTION = frozenset(
    {
        b"connection",
        b"http2-settings",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
_SWITCH: _Headers = [(b"Connection", b"Upgrade"), (b"Upgrade", b"websocket")]
_CHUNKED = (b"Transfer-Encoding", b"chunked")
_PROXY_WANTS_PASSWORD = 407


def has_body(request: h11.Request) -> bool:
    """Whether bytes follow the head; raises Refused when its length can be read in two ways."""
    lengths = _values(request, b"content-length")
    chunked = bool(_values(request, b"transfer-encoding"))
    if chunked and (lengths or request.http_version < b"1.1"):
        raise unreadable("the request has two lengths")
    return chunked or any(int(length) > 0 for length in lengths)


def onward(request: h11.Request, to: Destination, path: bytes) -> h11.Request:
    """The request as the site gets it; whatever ``Host`` said, it names the checked host."""
    headers = [(b"Host", to.authority.encode("ascii")), *_kept(request, b"host")]
    if _values(request, b"transfer-encoding"):
        headers.append(_CHUNKED)
    if wants_websocket(request):
        headers += _SWITCH
    return h11.Request(method=request.method, target=path, headers=headers)


def backward(response: h11.Response) -> h11.Response:
    """The response as the client gets it; raises Refused when none should."""
    if response.status_code == _PROXY_WANTS_PASSWORD:
        raise broken("the site answers as if it were the proxy")
    dropped = b"content-length" if _values(response, b"transfer-encoding") else b""
    return h11.Response(
        status_code=response.status_code,
        reason=response.reason,
        headers=_kept(response, dropped),
    )


def hint(response: h11.InformationalResponse) -> h11.InformationalResponse:
    """A response before the response."""
    return h11.InformationalResponse(
        status_code=response.status_code, reason=response.reason, headers=_kept(response)
    )


def switch(response: h11.InformationalResponse) -> h11.InformationalResponse:
    """The site's consent to speak WebSocket; raises Refused when it speaks something else."""
    if [value.lower() for value in _values(response, b"upgrade")] != [b"websocket"]:
        raise broken("the site switches to a protocol that nobody asked for")
    return h11.InformationalResponse(
        status_code=response.status_code,
        reason=response.reason,
        headers=_kept(response) + _SWITCH,
    )


def announced_bytes(response: h11.Response) -> int:
    """How long the body says it is; 0 when it does not say."""
    lengths = _values(response, b"content-length")
    return int(lengths[0]) if lengths else 0


def wants_websocket(request: h11.Request) -> bool:
    """Other upgrades (h2c) are not passed on, so the site stays with HTTP/1.1."""
    asks = b"upgrade" in _tokens(request, b"connection")
    return asks and _tokens(request, b"upgrade") == {b"websocket"}


def _kept(head: _Head, *dropped: bytes) -> _Headers:
    connection = _OF_ONE_CONNECTION | _tokens(head, b"connection") - {b"content-length"}
    gone = connection.union(dropped)
    return [(raw, value) for raw, value in head.headers.raw_items() if raw.lower() not in gone]


def _tokens(head: _Head, name: bytes) -> frozenset[bytes]:
    return frozenset(
        token.strip().lower() for value in _values(head, name) for token in value.split(b",")
    )


def _values(head: _Head, name: bytes) -> list[bytes]:
    return [value for found, value in head.headers if found == name]
