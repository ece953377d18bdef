"""Every error of the API, in the one shape of RFC 9457 (decisions)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from starlette.responses import Response

from mergegate.core.data_table import read_table

MEDIA_TYPE = "application/problem+json"
REFERENCE = "/api/docs"
"""Where each code is explained."""
_IN_A_PATH = "/:@!$&'()*+,;="
"""What the path of a URI holds unquoted, beside letters, digits and ``-._~`` (RFC 3986)."""


class Code(StrEnum):
    """What went wrong, for machines; stable within a version."""

    @staticmethod
    def _generate_next_value_(name: str, *_: object) -> str:
        return name

    INVALID_REQUEST = auto()
    TARGET_NOT_ALLOWED = auto()
    UNSUPPORTED_BUDGET_VERSION = auto()
    UNAUTHORIZED = auto()
    FORBIDDEN = auto()
    NOT_FOUND = auto()
    SCAN_NOT_FOUND = auto()
    METHOD_NOT_ALLOWED = auto()
    REQUEST_TIMEOUT = auto()
    PROVIDER_NOT_CONNECTED = auto()
    IDEMPOTENCY_CONFLICT = auto()
    PAYLOAD_TOO_LARGE = auto()
    UNSUPPORTED_MEDIA_TYPE = auto()
    TARGET_UNREACHABLE = auto()
    TARGET_NOT_ANALYSABLE = auto()
    SCAN_COOLDOWN = auto()
    RATE_LIMITED = auto()
    HEADERS_TOO_LARGE = auto()
    INTERNAL_ERROR = auto()
    SCAN_FAILED = auto()
    OVERLOADED = auto()
    SCAN_TIMEOUT = auto()

    @property
    def status(self) -> int:
        """The HTTP status that it comes with."""
        return _EXPLAINED[self].status

    @property
    def phrase(self) -> str:
        """One phrase for people, the same every time."""
        return _EXPLAINED[self].phrase

    @property
    def remedy(self) -> str:
        """What to do about it; backticks mark code."""
        return _EXPLAINED[self].remedy


@dataclass(frozen=True, slots=True)
class _Explained:
    code: Code
    status: int
    phrase: str
    remedy: str


_EXPLAINED = read_table(Path(__file__).with_name("codes.toml"), _Explained, key="code")
"""Every code has an entry."""


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
    return invalid_request([Mistake(path, message)])


def invalid_request(mistakes: Sequence[Mistake]) -> Refusal:
    """400 for every field at fault."""
    what = "The request is not valid; `errors` says where."
    return Refusal(Code.INVALID_REQUEST, what, mistakes=mistakes)


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


def invalid_key() -> Refusal:
    """401, the same for a key that is missing, unknown, expired or revoked."""
    what = "Send a valid API key in the header X-API-Key of the request."
    return Refusal(Code.UNAUTHORIZED, what)


def scan_not_found() -> Refusal:
    """404, the same for a scan that does not exist and for one that the caller may not see."""
    return Refusal(Code.SCAN_NOT_FOUND, "There is no scan with this identifier for this key.")
