"""A security scan, as ``mergegate security-scan`` makes it."""

from dataclasses import replace

from mergegate.cli.slot.tools import reach
from mergegate.cli.slot.warm import Warm
from mergegate.model.service.order import ScanOrder
from mergegate.model.service.scan import Done
from mergegate.sandbox.web.visit import Visit
from mergegate.secure import SecurityRequest, secure
from mergegate.wire.site.security import to_json
from mergegate.wiring.securing import security_toolbox
from mergegate.world.site_address import site_address


def carry_out(order: ScanOrder, _: Warm) -> Done:
    """Raises as :func:`mergegate.secure.secure`."""
    visit = Visit(url=site_address(order.request["url"]))
    with security_toolbox(reach(order), visit) as toolbox:
        report = secure(SecurityRequest(visit=visit), toolbox)
    return Done(to_json(replace(report, id=order.id, created_at=order.created_at)))
