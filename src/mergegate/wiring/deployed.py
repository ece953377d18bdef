"""What the check of a change's site works with: an audit and a browser test, by one policy."""

from collections.abc import Callable

from mergegate.audit import AuditRequest, audit
from mergegate.browse import BrowserRequest, browse
from mergegate.deployed import SiteTools
from mergegate.gather.journey import Bounds
from mergegate.model.site.audit import AuditReport
from mergegate.model.site.browser_test import BrowserReport
from mergegate.sandbox.egress import Lookup, Policy, system_lookup
from mergegate.sandbox.web.visit import Visit
from mergegate.wiring.auditing import audit_toolbox
from mergegate.wiring.browsing import browser_toolbox


def site_tools(policy: Policy, *, pages: int, lookup: Lookup = system_lookup) -> SiteTools:
    """Both tools, each opened when it is used; no browser test where ``pages`` is 0."""
    return SiteTools(
        audit=_audit(policy, lookup),
        test=_test(policy, pages) if pages else None,
    )


def _audit(policy: Policy, lookup: Lookup) -> Callable[[AuditRequest], AuditReport]:
    def run(request: AuditRequest) -> AuditReport:
        with audit_toolbox(policy, lookup=lookup) as toolbox:
            return audit(request, toolbox)

    return run


def _test(policy: Policy, pages: int) -> Callable[[Visit], BrowserReport]:
    def run(visit: Visit) -> BrowserReport:
        with browser_toolbox(policy, bounds=Bounds(pages=pages)) as toolbox:
            return browse(BrowserRequest(visit=visit), toolbox)

    return run
