"""A website audit, as ``mergegate audit`` makes it."""

from dataclasses import replace

from mergegate.host.order import ScanOrder
from mergegate.host.runner.slot.tools import reach
from mergegate.host.runner.slot.warm import Warm
from mergegate.host.scan import Done
from mergegate.sandbox.visit import Device, Visit
from mergegate.site.address import site_address
from mergegate.site.audit.budget import (
    Budget,
)
from mergegate.site.audit.run import AuditRequest, audit
from mergegate.site.audit.tools import audit_toolbox
from mergegate.site.audit.wire.budget import parse
from mergegate.site.audit.wire.result import to_json


def carry_out(order: ScanOrder, warm: Warm) -> Done:
    """The flat shape; raises as :func:`mergegate.site.audit.run.audit`."""
    given = order.request.get("budget")
    budget = None if given is None else parse(given)
    visit = Visit(url=site_address(order.request["url"]), device=_device(budget))
    with audit_toolbox(reach(order), lighthouse=warm.lighthouse()) as toolbox:
        report = audit(AuditRequest(visit=visit, budget=budget), toolbox)
    return Done(to_json(replace(report, id=order.id, created_at=order.created_at)))


def _device(budget: Budget | None) -> Device:
    return budget.device if budget else Device.MOBILE
