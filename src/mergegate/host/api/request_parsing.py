"""Read body, query and headers of a request, within bounds; an error names the field at fault."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.types import Scope

from mergegate.core.strict_json import strict_json
from mergegate.host.api.problems import Code, Refusal, invalid

LARGEST_BYTES: Final = 1 << 20
_SLOWEST_S = 30.0
"""Seconds from the end of the headers to the end of the body."""
_DRAINED_BYTES, _DRAINED_S = 16 << 20, 2.0
"""What is read and dropped of a body that is too large, so that its answer arrives."""
_JSON = re.compile(r'application/json(?:\s*;\s*charset="?utf-8"?)?', re.IGNORECASE)
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_MOST_PARAMETERS = 20
_LONGEST_PART = 40
OTHER_ROUTE = "other"
_CONTEXT = "mergegate.context"


@dataclass(slots=True)
class RequestContext:
    """What is known of a request while it is answered, for its log line; it holds no secret."""

    request_id: str
    route: str = OTHER_ROUTE
    """The template of the path; ``other`` for paths that have no route."""
    key_id: str | None = None
    scan_id: str | None = None
    code: str | None = None
    """The code of the error that was answered."""
    database_error: str | None = None
    """What the database said when it failed: no statement and no value of one."""


def set_context(scope: Scope, context: RequestContext) -> None:
    """Keep ``context`` with the request."""
    scope[_CONTEXT] = context


def context_of(request: Request) -> RequestContext:
    """The context that the middleware made for ``request``."""
    found: RequestContext = request.scope[_CONTEXT]
    return found


async def document_of(request: Request) -> object:
    """The JSON document of the body; raises Refusal."""
    _check_media_type(request)
    content = await content_of(request)
    try:
        return strict_json(content)
    except ValueError:
        raise invalid(
            "", "the body is no JSON in UTF-8, or holds a key twice or a number beyond JSON"
        ) from None


def query_of(request: Request, known: Mapping[str, re.Pattern[str]]) -> dict[str, str]:
    """The parameters of the query; raises Refusal for one that is unknown, twice or ill-formed.

    ``known``: the name of each → what its value must match.
    """
    pairs = parameters(request)
    found = dict(pairs)
    for name, value in pairs:
        if name not in known:
            raise invalid(ascii(name[:_LONGEST_PART])[1:-1], "there is no such parameter")
        if not known[name].fullmatch(value):
            raise invalid(name, "it is not of the form that is expected here")
    if len(found) != len(pairs):
        raise invalid("query", "a parameter stands twice")
    return found


def parameters(request: Request) -> list[tuple[str, str]]:
    """Name and value of each parameter of the query; raises Refusal for a malformed query."""
    text = request.scope["query_string"].decode("latin-1")
    try:
        return parse_qsl(
            text,
            keep_blank_values=True,
            strict_parsing=bool(text),
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
    except ValueError:
        raise invalid("query", "it cannot be read") from None


def idempotency_key_of(request: Request) -> str | None:
    """``Idempotency-Key``; None without one. Raises Refusal for two, and for an ill-formed one."""
    given = request.headers.getlist("idempotency-key")
    if not given:
        return None
    if len(given) > 1 or not _IDEMPOTENCY_KEY.fullmatch(given[0]):
        raise invalid("Idempotency-Key", "it is not one to 255 visible characters of ASCII")
    return given[0]


def _check_media_type(request: Request) -> None:
    if not _JSON.fullmatch(request.headers.get("content-type", "").strip()):
        raise _unsupported("Send the body as application/json.", {"Accept": "application/json"})
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise _unsupported("Send the body uncompressed.", {"Accept-Encoding": "identity"})


def _unsupported(detail: str, taken: Mapping[str, str]) -> Refusal:
    """415; ``taken`` is the header that says what would be read (RFC 9110, 15.5.16)."""
    return Refusal(Code.UNSUPPORTED_MEDIA_TYPE, detail, headers=taken)


async def content_of(request: Request, most_bytes: int = LARGEST_BYTES) -> bytes:
    """The bytes of the body; raises Refusal for more than ``most_bytes``, and for a slow one.

    Raises ClientDisconnect when the client leaves before its end.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > most_bytes:
        await _drain(request)
        raise _too_large(most_bytes)
    try:
        async with asyncio.timeout(_SLOWEST_S):
            return await _read(request, most_bytes)
    except TimeoutError:
        raise Refusal(
            Code.REQUEST_TIMEOUT,
            f"The body did not arrive within {_SLOWEST_S:.0f} seconds.",
            headers={"Connection": "close"},
        ) from None


async def _read(request: Request, most_bytes: int) -> bytes:
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > most_bytes:
            await _drain(request)
            raise _too_large(most_bytes)
    return bytes(content)


async def _drain(request: Request) -> None:
    """Read on for a while: a connection closed with unread bytes loses the answer."""
    left = _DRAINED_BYTES
    try:
        async with asyncio.timeout(_DRAINED_S):
            while left > 0:
                message = await request.receive()
                left -= len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return
    except TimeoutError:
        return


def _too_large(most_bytes: int) -> Refusal:
    return Refusal(
        Code.PAYLOAD_TOO_LARGE,
        f"A body holds at most {most_bytes >> 20} MiB.",
        headers={"Connection": "close"},
    )
