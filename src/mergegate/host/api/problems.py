"""Every error of the API, in the one shape of RFC 9457 (decisions)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Self
from urllib.parse import quote

from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"
REFERENCE = "/api/docs"
"""Where each code is explained."""
_IN_A_PATH = "/:@!$&'()*+,;="
"""What the path of a URI holds unquoted, beside letters, digits and ``-._~`` (RFC 3986)."""


class Code(StrEnum):
    """What went wrong, for machines; stable within a version."""

    status: int
    """The HTTP status that it comes with."""
    phrase: str
    """One phrase for people, the same every time."""

    def __new__(cls, value: str, status: int, phrase: str) -> Self:
        """Make a member that equals its name; :class:`http.HTTPStatus` is made the same way."""
        code = str.__new__(cls, value)
        code._value_ = value
        code.status, code.phrase = status, phrase
        return code

    INVALID_REQUEST = "INVALID_REQUEST", 400, "The request is not valid"
    TARGET_NOT_ALLOWED = "TARGET_NOT_ALLOWED", 400, "This address may not be scanned"
    UNSUPPORTED_BUDGET_VERSION = (
        "UNSUPPORTED_BUDGET_VERSION",
        400,
        "The budget is of another version",
    )
    UNAUTHORIZED = "UNAUTHORIZED", 401, "A valid API key is needed"
    FORBIDDEN = "FORBIDDEN", 403, "The key may not do this"
    NOT_FOUND = "NOT_FOUND", 404, "There is nothing here"
    SCAN_NOT_FOUND = "SCAN_NOT_FOUND", 404, "There is no such scan"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED", 405, "The method does not fit"
    REQUEST_TIMEOUT = "REQUEST_TIMEOUT", 408, "The request took too long to arrive"
    PROVIDER_NOT_CONNECTED = "PROVIDER_NOT_CONNECTED", 409, "The provider is not connected"
    IDEMPOTENCY_CONFLICT = (
        "IDEMPOTENCY_CONFLICT",
        409,
        "The idempotency key was used for another request",
    )
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE", 413, "The body is too large"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE", 415, "The body is no JSON"
    TARGET_UNREACHABLE = "TARGET_UNREACHABLE", 422, "The target does not answer"
    TARGET_NOT_ANALYSABLE = "TARGET_NOT_ANALYSABLE", 422, "The target cannot be analysed"
    SCAN_COOLDOWN = "SCAN_COOLDOWN", 429, "The site was audited a moment ago"
    RATE_LIMITED = "RATE_LIMITED", 429, "Too many requests"
    HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE", 431, "The headers are too large"
    INTERNAL_ERROR = "INTERNAL_ERROR", 500, "Something went wrong here"
    SCAN_FAILED = "SCAN_FAILED", 500, "The scan failed"
    OVERLOADED = "OVERLOADED", 503, "The service is busy"
    SCAN_TIMEOUT = "SCAN_TIMEOUT", 504, "The scan took too long"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong with a request."""

    path: str
    """The field, as ``budget.metrics.lcp``; empty for the body as a whole."""
    message: str


class Refusal(Exception):
    """Ends a request with the answer that it describes."""

    def __init__(
        self,
        code: Code,
        detail: str,
        *,
        mistakes: Sequence[Mistake] = (),
        retry_after_s: float | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        """One sentence; of the request it repeats the names of fields alone."""
        self.mistakes = tuple(mistakes)
        self.retry_after_s = retry_after_s
        """Seconds until it is worth asking again; sent as whole seconds, at least one."""
        self.headers = headers


def invalid(path: str, message: str) -> Refusal:
    """400 for one field."""
    return Refusal(
        Code.INVALID_REQUEST,
        "The request is not valid; `errors` says where.",
        mistakes=[Mistake(path, message)],
    )


def busy(detail: str, retry_after_s: float = 5) -> Refusal:
    """503: the request may be sent again after ``retry_after_s`` seconds."""
    return Refusal(Code.OVERLOADED, detail, retry_after_s=retry_after_s)


def internal_error() -> Refusal:
    """500: the log alone says what went wrong."""
    return Refusal(Code.INTERNAL_ERROR, "This is a mistake of ours; it was noted.")


def answer(refusal: Refusal, instance: str) -> Response:
    """The answer to a request for ``instance``: its path, decoded, without the query."""
    return Response(
        document(refusal, instance), refusal.code.status, headers(refusal), media_type=MEDIA_TYPE
    )


def document(refusal: Refusal, instance: str) -> bytes:
    """The body of the answer, JSON in UTF-8."""
    code = refusal.code
    fields: dict[str, object] = {
        "type": f"{REFERENCE}#{code}",
        "title": code.phrase,
        "status": code.status,
        "detail": refusal.detail,
        "instance": quote(instance, safe=_IN_A_PATH, errors="replace"),
        "code": code.value,
    }
    if refusal.mistakes:
        fields["errors"] = [{"path": one.path, "message": one.message} for one in refusal.mistakes]
    return json.dumps(fields, ensure_ascii=True).encode()


def headers(refusal: Refusal) -> dict[str, str]:
    """The headers beside the media type: ``Retry-After``, ``WWW-Authenticate``, its own."""
    found = dict(refusal.headers)
    if refusal.retry_after_s is not None:
        found["Retry-After"] = str(max(1, -int(-refusal.retry_after_s // 1)))
    if refusal.code is Code.UNAUTHORIZED:
        found["WWW-Authenticate"] = "ApiKey"
    return found
