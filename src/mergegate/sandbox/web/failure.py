"""Why an address has no answer, in our own words: nothing of what a site sent is repeated."""

import ssl

import h11
import httpx

from mergegate.sandbox.egress.destination import REFUSAL_HEADER, Lack

_TRUST = {
    9: "its certificate is not valid yet",
    10: "its certificate has expired",
    18: "its certificate vouches for itself",
    62: "its certificate names another host",
    64: "its certificate names another address",
}
"""OpenSSL's codes (x509_vfy.h) of what no browser accepts. An unknown issuer is not among them:
browsers fetch certificates that a server forgets to send."""
_REFUSALS = {
    Lack.NO_NAME: "there is no host with this name",
    Lack.TOO_LARGE: "it answers with more than is read",
}
"""What is said in the place of the proxy's own words."""
HUNG_UP = "it hangs up, or does not answer in HTTP"
BROKEN_OFF = "the connection breaks off"


class Unanswered(Exception):
    """There is no answer; never leaves this package and those that build on it."""

    def __init__(self, reason: str, lack: Lack = Lack.FORBIDDEN, *, refused: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        """One clause, without a full stop."""
        self.lack = lack
        self.refused = refused
        """Whether a scan may not go there."""


def refusal(headers: httpx.Headers) -> Unanswered | None:
    """What the proxy refuses by an answer of its own; None when the answer is a site's."""
    told, _, reason = headers.get(REFUSAL_HEADER, "").partition("; ")
    if not told:
        return None
    lack = Lack(told)
    return Unanswered(_REFUSALS.get(lack, reason), lack, refused=lack is Lack.FORBIDDEN)


def unanswered(error: Exception) -> Unanswered:
    """What ``error``, raised on the way to a site, means."""
    match error:
        case ssl.SSLCertVerificationError():
            return _untrusted(error.verify_code)
        case ssl.SSLError():
            return Unanswered("no secure connection comes about", Lack.BROKEN)
        case TimeoutError():
            return Unanswered("it does not answer in time", Lack.SLOW)
        case h11.RemoteProtocolError():
            return Unanswered(HUNG_UP, Lack.BROKEN)
        case OSError():
            return Unanswered(BROKEN_OFF, Lack.BROKEN)
    return Unanswered("the address cannot be asked for")


def _untrusted(code: int) -> Unanswered:
    if reason := _TRUST.get(code):
        return Unanswered(reason, Lack.BAD_CERTIFICATE)
    return Unanswered("nobody known here vouches for its certificate", Lack.UNKNOWN_ISSUER)
