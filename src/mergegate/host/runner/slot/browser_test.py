"""A browser test, as ``mergegate browser-test`` makes it."""

from dataclasses import replace

from mergegate.host.order import ScanOrder
from mergegate.host.runner.slot.tools import reach
from mergegate.host.runner.slot.warm import Warm
from mergegate.host.scan import Done
from mergegate.sandbox.visit import Visit
from mergegate.site.address import site_address
from mergegate.site.browser_test.run import BrowserRequest, browse
from mergegate.site.browser_test.tools import browser_toolbox
from mergegate.site.browser_test.wire.result import to_json


def carry_out(order: ScanOrder, _: Warm) -> Done:
    """Raises as :func:`mergegate.site.browser_test.run.browse`."""
    visit = Visit(url=site_address(order.request["url"]))
    with browser_toolbox(reach(order)) as toolbox:
        report = browse(BrowserRequest(visit=visit), toolbox)
    return Done(to_json(replace(report, id=order.id, created_at=order.created_at)))
