"""A scan that comes back, from what the API would take for a single one."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import UsageError
from mergegate.core.plans import Lane, Tool
from mergegate.core.strict_json import strict_json
from mergegate.host.api import orders
from mergegate.host.api.bodies import AuditBody, PageBody, RepositoryScanBody, SeoBody
from mergegate.host.api.orders import Order
from mergegate.host.api.problems import Refusal
from mergegate.host.api.reading import checked
from mergegate.host.store import connections
from mergegate.sandbox.egress import Policy

_Reader = Callable[[object, str, Policy], Order]
_REMEDY = "It is the body of the API's POST: `docs/api.md` describes it."


async def scheduled(
    conn: AsyncConnection, account_id: str, tool: Tool, body: str, policy: Policy
) -> Order:
    """``body``, JSON as the API takes it, as an order of the lane where nobody waits for it.

    Raises UsageError for what the API would refuse.
    """
    provider = ""
    try:
        document = strict_json(body.encode())
        if tool is Tool.REPOSITORY:
            asked = checked(document, RepositoryScanBody)
            provider = asked.provider or await _only_provider(conn, account_id)
        return _unhurried(_READERS[tool](document, provider, policy))
    except Refusal as refusal:
        raise UsageError(_said(refusal), remedy=_REMEDY) from refusal
    except ValueError as error:
        raise UsageError("the request is no JSON", remedy=_REMEDY) from error


async def _only_provider(conn: AsyncConnection, account_id: str) -> str:
    found = await connections.listed(conn, account_id)
    if len(found) != 1:
        raise UsageError(
            f"the account has {len(found)} connections: the request must name a provider",
            remedy="`mergegate connections list` shows them.",
        )
    return found[0].provider


def _repository(document: object, provider: str, _: Policy) -> Order:
    return orders.repository(checked(document, RepositoryScanBody), provider)


def _page(tool: Tool) -> _Reader:
    return lambda document, _, policy: orders.page(checked(document, PageBody), tool, policy)


_READERS: Mapping[Tool, _Reader] = MappingProxyType(
    {
        Tool.REPOSITORY: _repository,
        Tool.SEO: lambda document, _, policy: orders.seo(checked(document, SeoBody), policy),
        Tool.AUDIT: lambda document, _, policy: orders.audit(checked(document, AuditBody), policy),
        Tool.BROWSER_TEST: _page(Tool.BROWSER_TEST),
        Tool.SECURITY_SCAN: _page(Tool.SECURITY_SCAN),
    }
)
SCHEDULABLE = tuple(_READERS)
"""What can come back by a timetable."""


def _unhurried(order: Order) -> Order:
    """Slots of callers who hold the line are theirs alone."""
    if order.lane is not Lane.WAITED:
        return order
    lane = Lane.LIGHT if order.tool is Tool.SECURITY_SCAN else Lane.BROWSER
    return replace(order, lane=lane)


def _said(refusal: Refusal) -> str:
    faults = [f"{one.path}: {one.message}" for one in refusal.mistakes]
    return "; ".join(faults) or refusal.detail.rstrip(".")
