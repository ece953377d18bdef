"""An SEO analysis, as ``mergegate seo`` makes it."""

from dataclasses import replace

from mergegate.host.order import ScanOrder
from mergegate.host.runner.slot.tools import reach
from mergegate.host.runner.slot.warm import Warm
from mergegate.host.scan import Done
from mergegate.sandbox.visit import Visit
from mergegate.site.address import site_address
from mergegate.site.seo.run import SeoRequest, analyse, keywords_of
from mergegate.site.seo.tools import seo_toolbox
from mergegate.site.seo.wire.result import to_json


def carry_out(order: ScanOrder, _: Warm) -> Done:
    """Raises as :func:`mergegate.site.seo.run.analyse`."""
    request, wanted = _request(order), bool(order.request.get("renderJs", False))
    with seo_toolbox(reach(order), request.visit, render_js=wanted) as toolbox:
        report = analyse(request, toolbox)
    return Done(to_json(replace(report, id=order.id, created_at=order.created_at)))


def _request(order: ScanOrder) -> SeoRequest:
    competitor = order.request.get("competitorUrl")
    return SeoRequest(
        visit=Visit(url=site_address(order.request["url"])),
        keywords=keywords_of([order.request.get("keyword", "")]),
        competitor=Visit(url=site_address(competitor)) if competitor else None,
    )
