"""Refuse addresses that no scan may visit, before anything is queued or counted.

What can be told without asking anyone is told here; a name that leads inward, or a redirect that
does, is found out by the scan's own way out.
"""

import re
from urllib.parse import urlsplit

from mergegate.core.errors import UsageError
from mergegate.host.api.problems import Code, Mistake, Refusal, invalid
from mergegate.sandbox.egress import Policy
from mergegate.sandbox.egress.destination import destination
from mergegate.sandbox.egress.refusal import Refused
from mergegate.site.address import registered, site_address

_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")
_PORTS = {"http": 80, "https": 443}


def target(text: str, field: str, policy: Policy) -> str:
    """The one spelling of an address; raises Refusal. ``field`` is where it stands in the body."""
    scheme = _SCHEME.match(text)
    if scheme is None:
        raise invalid(field, "it is no address that begins with http:// or https://")
    if scheme[1].lower() not in _PORTS:
        raise _refused(field, "its scheme is neither http nor https")
    try:
        address = site_address(text)
        _admit(address, policy)
    except UsageError as error:
        raise _refused(field, error.what.rpartition(": ")[2]) from None
    except Refused as refused:
        raise _refused(field, refused.reason) from None
    return address


def site_of(address: str) -> str:
    """The registrable domain of an address in its one spelling: ``example.co.uk``."""
    return registered(urlsplit(address).hostname or "")


def _admit(address: str, policy: Policy) -> None:
    parts = urlsplit(address)
    policy.admits(destination(parts.hostname or "", parts.port or _PORTS[parts.scheme]))


def _refused(field: str, why: str) -> Refusal:
    told = Mistake(field, f"the address is refused: {why}")
    return Refusal(Code.TARGET_NOT_ALLOWED, f"The address is refused: {why}.", mistakes=[told])
