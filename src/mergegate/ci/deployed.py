"""What the check of a change's site works with: an audit and a browser test, by one policy."""

from collections.abc import Callable

from mergegate.sandbox.egress.dialer import Lookup, system_lookup
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.report import AuditReport
from mergegate.site.audit.run import AuditRequest, audit
from mergegate.site.audit.tools import audit_toolbox
from mergegate.site.browser_test.journey.isolated import Bounds
from mergegate.site.browser_test.report import BrowserReport
from mergegate.site.browser_test.run import BrowserRequest, browse
from mergegate.site.browser_test.tools import browser_toolbox
from mergegate.site.deployment.run import SiteTools


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
