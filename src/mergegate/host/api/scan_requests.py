"""What a request asks to be scanned: a checked body, with addresses that scans may visit.

Addresses are refused here before anything is queued or counted, as far as that can be told without
asking anyone; a name that leads inward, or a redirect that does, is found out by the scan's proxy.
"""

import datetime as dt
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import urlsplit

from mergegate.core.errors import UsageError
from mergegate.core.plans import PREFIXES, Lane, Tool
from mergegate.core.web_address import DEFAULT_PORTS
from mergegate.host.api.problems import Code, Mistake, Refusal, invalid
from mergegate.host.api.request_bodies import (
    AuditBody,
    Body,
    PageBody,
    RepositoryScanBody,
    SeoBody,
    canonical,
)
from mergegate.host.api.request_parsing import checked
from mergegate.sandbox.egress.destination import Refused, destination
from mergegate.sandbox.egress.policy import Policy
from mergegate.site.address import registered, site_address
from mergegate.site.level import RANDOM_BYTES, identifier

BODIES: Mapping[Tool, type[Body]] = MappingProxyType(
    {
        Tool.REPOSITORY: RepositoryScanBody,
        Tool.SEO: SeoBody,
        Tool.AUDIT: AuditBody,
        Tool.BROWSER_TEST: PageBody,
        Tool.SECURITY_SCAN: PageBody,
    }
)
"""The body of each tool's POST; a tool that is not here is not for clients."""
_ADDRESSES = ("url", "competitorUrl")
_LANES = {Tool.REPOSITORY: Lane.REPOSITORY, Tool.SEO: Lane.LIGHT}
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """A scan that is not accepted yet."""

    tool: Tool
    lane: Lane
    request: str
    """Canonical JSON."""
    joinable: bool = True
    """Whether a waiting scan with the same request may stand for it."""
    site: str | None = None
    """The site that a cooldown counts for; None where there is no cooldown."""


def scan_request(tool: Tool, document: object, policy: Policy) -> ScanRequest:
    """The scan that ``document``, a body of ``tool``'s POST, asks for.

    Raises Refusal for a body that is not valid, and for an address that no scan may visit.
    """
    fields = checked(document, BODIES[tool]).fields()
    for name in _ADDRESSES:
        if name in fields:
            fields[name] = target(fields[name], name, policy)
    lane = Lane.BROWSER if fields.get("renderJs") else _LANES.get(tool, Lane.WAITED)
    if tool is Tool.AUDIT:  # each is a measurement of its own, and counts as one
        return ScanRequest(tool, lane, canonical(fields), False, site_of(fields["url"]))
    return ScanRequest(tool, lane, canonical(fields))


def new_id(tool: Tool, now: dt.datetime) -> str:
    """A new identifier, which cannot be guessed and sorts by time."""
    return identifier(PREFIXES[tool], now, secrets.token_bytes(RANDOM_BYTES))


def target(text: str, field: str, policy: Policy) -> str:
    """The one spelling of an address; raises Refusal. ``field`` is where it stands in the body."""
    scheme = _SCHEME.match(text)
    if scheme is None:
        raise invalid(field, "it is no address that begins with http:// or https://")
    if scheme[1].lower() not in DEFAULT_PORTS:
        raise _refused(field, "its scheme is neither http nor https")
    try:
        address = site_address(text)
        parts = urlsplit(address)
        policy.admits(destination(parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]))
    except UsageError as error:
        raise _refused(field, error.what.rpartition(": ")[2]) from None
    except Refused as refused:
        raise _refused(field, refused.reason) from None
    return address


def site_of(address: str) -> str:
    """The registrable domain of an address in its one spelling: ``example.co.uk``."""
    return registered(urlsplit(address).hostname or "")


def _refused(field: str, why: str) -> Refusal:
    told = Mistake(field, f"the address is refused: {why}")
    return Refusal(Code.TARGET_NOT_ALLOWED, f"The address is refused: {why}.", mistakes=[told])
