"""A security scan, as ``mergegate security-scan`` makes it."""

from dataclasses import replace

from mergegate.host.order import ScanOrder
from mergegate.host.runner.slot.tools import reach
from mergegate.host.runner.slot.warm import Warm
from mergegate.host.scan import Done
from mergegate.sandbox.visit import Visit
from mergegate.site.address import site_address
from mergegate.site.security.run import SecurityRequest, secure
from mergegate.site.security.tools import security_toolbox
from mergegate.site.security.wire.result import to_json


def carry_out(order: ScanOrder, _: Warm) -> Done:
    """Raises as :func:`mergegate.site.security.run.secure`."""
    visit = Visit(url=site_address(order.request["url"]))
    with security_toolbox(reach(order), visit) as toolbox:
        report = secure(SecurityRequest(visit=visit), toolbox)
    return Done(to_json(replace(report, id=order.id, created_at=order.created_at)))
