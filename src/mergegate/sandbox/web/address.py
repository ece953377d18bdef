"""Read addresses: what may be asked for, and where a redirect leads."""

import contextlib
from typing import TypeAlias

import httpx

from mergegate.core.web_address import DEFAULT_PORTS
from mergegate.sandbox.web.failure import Unanswered

Origin: TypeAlias = tuple[str, str, int]
"""Scheme, host in ASCII, port."""


def read(address: str, longest: int) -> httpx.URL:
    """``address`` without its fragment; raises Unanswered when nobody should ask for it."""
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
        raise Unanswered(f"it redirects: {reason}")
    return target


def origin(url: httpx.URL) -> Origin:
    """Where ``url`` leads, for credentials and for pacing."""
    host = url.raw_host.decode("ascii").lower().removesuffix(".")
    return url.scheme, host, url.port or DEFAULT_PORTS.get(url.scheme, 0)


def _bare(url: httpx.URL) -> httpx.URL:
    """Without its fragment, and with a path: an address is spelled in one way."""
    return url.copy_with(raw_path=url.raw_path, fragment=None)


def objection(url: httpx.URL) -> str:
    """Why nobody should ask for ``url``; empty when one may."""
    if url.scheme not in DEFAULT_PORTS:
        return "it is not a web address"
    if not url.host:
        return "the address has no host"
    if url.userinfo:
        return "it carries a name and a password"
    return ""
