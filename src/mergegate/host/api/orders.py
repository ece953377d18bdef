"""What a request asks for, ready to be queued."""

import datetime as dt
import secrets
from dataclasses import dataclass

from mergegate.core.plans import PREFIXES, Lane, Tool
from mergegate.host.api.bodies import AuditBody, PageBody, RepositoryScanBody, SeoBody, canonical
from mergegate.host.api.targets import site_of, target
from mergegate.sandbox.egress import Policy
from mergegate.site.identifier import RANDOM_BYTES, identifier


@dataclass(frozen=True, slots=True)
class Order:
    """A scan that nobody has accepted yet."""

    tool: Tool
    lane: Lane
    request: str
    """Canonical JSON."""
    joinable: bool = True
    """Whether a scan that asks for the same and waits may stand for it."""
    site: str | None = None
    """What a cooldown is counted for; None where there is none."""


def repository(body: RepositoryScanBody, provider: str | None = None) -> Order:
    """``provider`` is the account's; left out, it is found when the order is accepted."""
    fields = body.fields() | ({} if provider is None else {"provider": provider})
    return Order(Tool.REPOSITORY, Lane.REPOSITORY, canonical(fields))


def seo(body: SeoBody, policy: Policy) -> Order:
    """Raises Refusal for an address that may not be visited."""
    fields = body.fields() | {"url": target(body.url, "url", policy)}
    if body.competitor_url is not None:
        fields["competitorUrl"] = target(body.competitor_url, "competitorUrl", policy)
    return Order(Tool.SEO, Lane.BROWSER if body.render_js else Lane.LIGHT, canonical(fields))


def audit(body: AuditBody, policy: Policy) -> Order:
    """Every audit is a measurement of its own, and counts as one; raises Refusal."""
    url = target(body.url, "url", policy)
    fields = body.fields() | {"url": url}
    return Order(Tool.AUDIT, Lane.WAITED, canonical(fields), joinable=False, site=site_of(url))


def page(body: PageBody, tool: Tool, policy: Policy) -> Order:
    """A browser test or a security scan; raises Refusal."""
    fields = body.fields() | {"url": target(body.url, "url", policy)}
    return Order(tool, Lane.WAITED, canonical(fields))


def new_id(tool: Tool, now: dt.datetime) -> str:
    """An identifier that nobody can guess, and that sorts by time."""
    return identifier(PREFIXES[tool], now, secrets.token_bytes(RANDOM_BYTES))
