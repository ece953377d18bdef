"""Scans of pages, each as its command makes it.

One child serves every tool; a tool's libraries are loaded when it is first asked for.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from mergegate.core.plans import Tool
from mergegate.host.order import ConsoleFacts, ScanOrder
from mergegate.host.runner.slot.tools import reach
from mergegate.host.scan import Done
from mergegate.sandbox.visit import Device, Visit
from mergegate.site.address import site_address

if TYPE_CHECKING:
    from mergegate.site.audit.lighthouse import Lighthouse
    from mergegate.site.seo.gather import Told


def carry_out(order: ScanOrder, held: ExitStack) -> Done:
    """The result of the tool that is asked for; raises as its command."""
    return Done(_TOOLS[order.tool](order, held))


def _seo(order: ScanOrder, _: ExitStack) -> str:
    from mergegate.site.seo.keywords import keywords_of  # noqa: PLC0415
    from mergegate.site.seo.run import SeoRequest, analyse  # noqa: PLC0415
    from mergegate.site.seo.tools import seo_toolbox  # noqa: PLC0415
    from mergegate.site.seo.wire.result import to_json  # noqa: PLC0415

    competitor = order.request.get("competitorUrl")
    request = SeoRequest(
        visit=_visit(order),
        keywords=keywords_of([order.request.get("keyword", "")]),
        competitor=Visit(url=site_address(competitor)) if competitor else None,
    )
    wanted = bool(order.request.get("renderJs", False))
    console = _told(order.console) if order.console else None
    with seo_toolbox(reach(order), request.visit, render_js=wanted, console=console) as toolbox:
        report = analyse(request, toolbox)
    return to_json(replace(report, id=order.id, created_at=order.created_at))


def _told(console: ConsoleFacts) -> "Told":
    from mergegate.site.seo.facts import QueryRow, SearchConsole  # noqa: PLC0415
    from mergegate.site.seo.gather import Told  # noqa: PLC0415

    rows = tuple(QueryRow(**one) for one in console.facts.get("rows", ()))
    notes = tuple(console.facts.get("notes", ()))
    facts = SearchConsole(**{**console.facts, "rows": rows, "notes": notes})
    return Told(console.url, facts)


def _audit(order: ScanOrder, held: ExitStack) -> str:
    """In the flat shape."""
    from mergegate.site.audit.run import AuditRequest, audit  # noqa: PLC0415
    from mergegate.site.audit.tools import audit_toolbox  # noqa: PLC0415
    from mergegate.site.audit.wire.budget import parse  # noqa: PLC0415
    from mergegate.site.audit.wire.result import to_json  # noqa: PLC0415

    given = order.request.get("budget")
    budget = None if given is None else parse(given)
    visit = replace(_visit(order), device=budget.device if budget else Device.MOBILE)
    with audit_toolbox(reach(order), lighthouse=_lighthouse(held)) as toolbox:
        report = audit(AuditRequest(visit=visit, budget=budget), toolbox)
    return to_json(replace(report, id=order.id, created_at=order.created_at))


@cache
def _lighthouse(held: ExitStack) -> "Lighthouse":
    """One that stays for the next audit, since it takes long to start; raises EngineMissing."""
    from mergegate.site.audit.lighthouse import Lighthouse  # noqa: PLC0415

    return held.enter_context(Lighthouse())


def _browser_test(order: ScanOrder, _: ExitStack) -> str:
    from mergegate.site.browser_test.run import BrowserRequest, browse  # noqa: PLC0415
    from mergegate.site.browser_test.tools import browser_toolbox  # noqa: PLC0415
    from mergegate.site.browser_test.wire.result import to_json  # noqa: PLC0415

    with browser_toolbox(reach(order)) as toolbox:
        report = browse(BrowserRequest(visit=_visit(order)), toolbox)
    return to_json(replace(report, id=order.id, created_at=order.created_at))


def _security_scan(order: ScanOrder, _: ExitStack) -> str:
    from mergegate.site.security.run import SecurityRequest, secure  # noqa: PLC0415
    from mergegate.site.security.tools import security_toolbox  # noqa: PLC0415
    from mergegate.site.security.wire.result import to_json  # noqa: PLC0415

    visit = _visit(order)
    with security_toolbox(reach(order), visit) as toolbox:
        report = secure(SecurityRequest(visit=visit), toolbox)
    return to_json(replace(report, id=order.id, created_at=order.created_at))


def _visit(order: ScanOrder) -> Visit:
    return Visit(url=site_address(order.request["url"]))


_TOOLS: Mapping[Tool, Callable[[ScanOrder, ExitStack], str]] = {
    Tool.SEO: _seo,
    Tool.AUDIT: _audit,
    Tool.BROWSER_TEST: _browser_test,
    Tool.SECURITY_SCAN: _security_scan,
}
