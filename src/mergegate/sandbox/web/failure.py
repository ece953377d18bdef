"""Why an address has no answer, in our own words: nothing of what a site sent is repeated."""

import ssl
from collections.abc import Iterator

import httpx

_TRUST = {
    9: "its certificate is not valid yet",
    10: "its certificate has expired",
    18: "its certificate vouches for itself",
    62: "its certificate names another host",
    64: "its certificate names another address",
}
"""OpenSSL's codes (x509_vfy.h)."""

_UNKNOWN = "nobody known here vouches for its certificate"


class Unanswered(Exception):
    """There is no answer; never leaves this package."""

    def __init__(self, reason: str, *, refused: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        """One clause, without a full stop."""
        self.refused = refused
        """Whether the way out does not lead there."""


def unanswered(error: Exception) -> Unanswered:
    """What ``error``, raised on the way to a site, means."""
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                return Unanswered(_TRUST.get(cause.verify_code, _UNKNOWN))
            case ssl.SSLError():
                return Unanswered("no secure connection comes about")
            case TimeoutError() | httpx.TimeoutException():
                return Unanswered("it does not answer in time")
            case httpx.RemoteProtocolError():
                return Unanswered("it hangs up, or does not answer in HTTP")
    if isinstance(error, OSError | httpx.NetworkError):
        return Unanswered("the connection breaks off")
    return Unanswered("the address cannot be asked for")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """``error`` and what led to it."""
    seen = set[int]()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__
