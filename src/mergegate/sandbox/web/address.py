"""Which addresses may be asked for, where a redirect leads, and why one has no answer.

The reasons are in our own words: nothing of what a site sent is repeated.
"""

import contextlib
import ssl
from typing import TypeAlias

import h11
import httpx

from mergegate.core.web_address import DEFAULT_PORTS
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


Origin: TypeAlias = tuple[str, str, int]
"""Scheme, host in ASCII, port."""


def read(address: str, longest: int) -> httpx.URL:
    """``address`` without its fragment; raises Unanswered when it must not be requested."""
    if len(address) > longest:
        raise Unanswered("the address is too long")
    try:
        url = _bare(httpx.URL(address))
    except (httpx.InvalidURL, ValueError) as error:
        raise Unanswered("the address cannot be read") from error
    reason = objection(url)
    if reason:
        raise Unanswered(reason)
    return url


def following(url: httpx.URL, location: str, longest: int) -> httpx.URL:
    """Where ``location`` leads from ``url``; raises Unanswered."""
    if len(location) > longest:
        raise Unanswered("it redirects to an address that is too long")
    target = None
    with contextlib.suppress(httpx.InvalidURL, ValueError):
        target = _bare(url.join(location))
    if target is None:
        raise Unanswered("it redirects to an address that cannot be read")
    reason = objection(target)
    if reason:
        astray = target.scheme not in DEFAULT_PORTS
        raise Unanswered(f"it redirects: {reason}", refused=astray)
    return target


def origin(url: httpx.URL) -> Origin:
    """Where ``url`` leads, for credentials and for pacing."""
    host = url.raw_host.decode("ascii").lower().removesuffix(".")
    return url.scheme, host, url.port or DEFAULT_PORTS.get(url.scheme, 0)


def _bare(url: httpx.URL) -> httpx.URL:
    """Without its fragment, and with a path: an address is spelled in one way."""
    return url.copy_with(raw_path=url.raw_path, fragment=None)


def objection(url: httpx.URL) -> str:
    """Why ``url`` must not be requested; empty when it may be."""
    if url.scheme not in DEFAULT_PORTS:
        return "it is not a web address"
    if not url.host:
        return "the address has no host"
    if url.userinfo:
        return "it carries a name and a password"
    return ""
