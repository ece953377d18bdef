"""Understand the way out where it answers in the place of a site (``sandbox/egress``)."""

import asyncio

import h11
import httpx

from mergegate.sandbox.web.failure import Unanswered

_OPENING = b"Not let through: "
_STATUSES = frozenset({400, 403, 408, 502, 503, 504, 505})
_HEAD = {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
"""What it sends; a site that sends the same, and the same words, calls itself unreachable."""
_REASONS = {
    "the host's name could not be resolved": "there is no host with this name",
    "the response is larger than a scan may receive": "it answers with more than is read",
}
_BY_STATUS = {
    403: "a scan may not go there",
    408: "it does not answer in time",
    502: "the host cannot be reached",
    503: "the scan asks for too much at once",
    504: "it does not answer in time",
}
_FORBIDDEN = frozenset({400, 403})
_MOST_BYTES = 4096


def is_refusal(status: int, headers: httpx.Headers) -> bool:
    """Whether a plain answer may be the way out's own, by its head; HEAD brings no more."""
    return status in _STATUSES and all(headers.get(name) == said for name, said in _HEAD.items())


def refused(status: int, body: bytes | None) -> Unanswered | None:
    """What the way out means; None when ``body`` shows a site speaking.

    Without a body, as HEAD brings none, the status has to do.
    """
    if body and not body.startswith(_OPENING):
        return None
    words = (body or b"").removeprefix(_OPENING)[:200].decode("ascii", "replace")
    said = words.strip().removesuffix(".")
    reason = _REASONS.get(said) or _plain(said) or _BY_STATUS.get(status, _BY_STATUS[502])
    return Unanswered(reason, refused=status in _FORBIDDEN)


async def no_tunnel(proxy: httpx.URL, url: httpx.URL) -> Unanswered:
    """Why the way out opens no tunnel to ``url``: it is asked once more, for httpx does not say."""
    netloc = url.netloc.decode("ascii")
    authority = netloc if url.port else f"{netloc}:443"
    reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
    try:
        return await _asked(reader, writer, authority)
    finally:
        writer.transport.abort()


async def _asked(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, authority: str
) -> Unanswered:
    http = h11.Connection(h11.CLIENT)
    ask = h11.Request(method="CONNECT", target=authority, headers=[("Host", authority)])
    writer.write(http.send(ask) or b"")
    status, words = 502, b""
    while len(words) < _MOST_BYTES:
        event = http.next_event()
        if event is h11.NEED_DATA:
            http.receive_data(await reader.read(_MOST_BYTES))
        elif isinstance(event, h11.Response):
            status = event.status_code
        elif isinstance(event, h11.Data):
            words += event.data
        else:
            break
    return refused(status, words) or Unanswered(_BY_STATUS[502])


def _plain(words: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in words)
