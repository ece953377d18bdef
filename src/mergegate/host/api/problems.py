"""Every error that the API answers, in the one shape of RFC 9457 (decisions)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from urllib.parse import quote

from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"
REFERENCE = "/api/docs"
"""Where each code is explained."""
_IN_A_PATH = "/:@!$&'()*+,;="
"""What stands in the path of a URI as it is, beside letters, digits and ``-._~`` (RFC 3986)."""


class Code(StrEnum):
    """What went wrong, for machines; stable within a version."""

    INVALID_REQUEST = "INVALID_REQUEST"
    TARGET_NOT_ALLOWED = "TARGET_NOT_ALLOWED"
    UNSUPPORTED_BUDGET_VERSION = "UNSUPPORTED_BUDGET_VERSION"
    UNAUTHORIZED = "UNAUTHORIZED"
    FORBIDDEN = "FORBIDDEN"
    NOT_FOUND = "NOT_FOUND"
    SCAN_NOT_FOUND = "SCAN_NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    REQUEST_TIMEOUT = "REQUEST_TIMEOUT"
    PROVIDER_NOT_CONNECTED = "PROVIDER_NOT_CONNECTED"
    IDEMPOTENCY_CONFLICT = "IDEMPOTENCY_CONFLICT"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    TARGET_UNREACHABLE = "TARGET_UNREACHABLE"
    TARGET_NOT_ANALYSABLE = "TARGET_NOT_ANALYSABLE"
    SCAN_COOLDOWN = "SCAN_COOLDOWN"
    RATE_LIMITED = "RATE_LIMITED"
    HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    SCAN_FAILED = "SCAN_FAILED"
    OVERLOADED = "OVERLOADED"
    SCAN_TIMEOUT = "SCAN_TIMEOUT"

    @property
    def status(self) -> int:
        """The HTTP status that it comes with."""
        return _KNOWN[self][0]

    @property
    def phrase(self) -> str:
        """One phrase for people, the same every time."""
        return _KNOWN[self][1]


_KNOWN: Mapping[Code, tuple[int, str]] = MappingProxyType(
    {
        Code.INVALID_REQUEST: (400, "The request is not valid"),
        Code.TARGET_NOT_ALLOWED: (400, "This address may not be scanned"),
        Code.UNSUPPORTED_BUDGET_VERSION: (400, "The budget is of another version"),
        Code.UNAUTHORIZED: (401, "A valid API key is needed"),
        Code.FORBIDDEN: (403, "The key may not do this"),
        Code.NOT_FOUND: (404, "There is nothing here"),
        Code.SCAN_NOT_FOUND: (404, "There is no such scan"),
        Code.METHOD_NOT_ALLOWED: (405, "The method does not fit"),
        Code.REQUEST_TIMEOUT: (408, "The request took too long to arrive"),
        Code.PROVIDER_NOT_CONNECTED: (409, "The provider is not connected"),
        Code.IDEMPOTENCY_CONFLICT: (409, "The idempotency key was used for another request"),
        Code.PAYLOAD_TOO_LARGE: (413, "The body is too large"),
        Code.UNSUPPORTED_MEDIA_TYPE: (415, "The body is no JSON"),
        Code.TARGET_UNREACHABLE: (422, "The target does not answer"),
        Code.TARGET_NOT_ANALYSABLE: (422, "The target cannot be analysed"),
        Code.SCAN_COOLDOWN: (429, "The site was audited a moment ago"),
        Code.RATE_LIMITED: (429, "Too many requests"),
        Code.HEADERS_TOO_LARGE: (431, "The headers are too large"),
        Code.INTERNAL_ERROR: (500, "Something went wrong here"),
        Code.SCAN_FAILED: (500, "The scan failed"),
        Code.OVERLOADED: (503, "The service is busy"),
        Code.SCAN_TIMEOUT: (504, "The scan took too long"),
    }
)


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong with a request."""

    path: str
    """Of the field, as ``budget.metrics.lcp``; empty for the body as a whole."""
    message: str


class Refusal(Exception):
    """The request ends here, with this answer."""

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
        """One sentence; it repeats nothing of the request but the names of fields."""
        self.mistakes = tuple(mistakes)
        self.retry_after_s = retry_after_s
        """When it is worth asking again; told in whole seconds, at least one."""
        self.headers = headers


def invalid(path: str, message: str) -> Refusal:
    """400 for one field."""
    return Refusal(
        Code.INVALID_REQUEST,
        "The request is not valid; `errors` says where.",
        mistakes=[Mistake(path, message)],
    )


def busy(detail: str, retry_after_s: float = 5) -> Refusal:
    """503: another time, or another host."""
    return Refusal(Code.OVERLOADED, detail, retry_after_s=retry_after_s)


def mistaken() -> Refusal:
    """500: what went wrong is for the log alone."""
    return Refusal(Code.INTERNAL_ERROR, "This is a mistake of ours; it was noted.")


def answer(refusal: Refusal, instance: str) -> Response:
    """The answer to a request for ``instance``: its path, decoded, without the query."""
    return Response(
        document(refusal, instance), refusal.code.status, headers(refusal), media_type=MEDIA_TYPE
    )


def document(refusal: Refusal, instance: str) -> bytes:
    """The body in UTF-8."""
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
    """What goes with the body: when to ask again, which credentials."""
    found = dict(refusal.headers)
    if refusal.retry_after_s is not None:
        found["Retry-After"] = str(max(1, -int(-refusal.retry_after_s // 1)))
    if refusal.code is Code.UNAUTHORIZED:
        found["WWW-Authenticate"] = "ApiKey"
    return found
