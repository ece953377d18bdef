"""The scans of a job that a host carries out; what is made of them is the job's own, as ever."""

from collections.abc import Collection, Mapping

from mergegate.ci.checkout import Checkout
from mergegate.ci.options import Job
from mergegate.core.change import Change, Trigger
from mergegate.core.errors import EngineFailed, UsageError
from mergegate.core.plans import Tool
from mergegate.core.render import source
from mergegate.core.report import Report
from mergegate.core.severity import Aspect
from mergegate.remote.audit import audit_order
from mergegate.remote.command import Remote
from mergegate.remote.host import KEY_VARIABLE, Order, host
from mergegate.remote.scan import RepositoryTarget, branch_with, place, scanned
from mergegate.repo.report.formats import OF_A_SCAN
from mergegate.sandbox.visit import Device, Visit
from mergegate.site.audit.report import AuditReport
from mergegate.site.audit.run import AuditRequest
from mergegate.site.audit.wire.result import read_audit_report
from mergegate.site.browser_test.report import BrowserReport
from mergegate.site.browser_test.wire.result import read_browser_test
from mergegate.site.deployment.run import SiteTools
from mergegate.site.options import COOKIES_VARIABLE, HEADERS_VARIABLE

_KEYS = (KEY_VARIABLE, "INPUT_API-KEY")
_USUAL_PAGES = 5
"""The pages that a host visits unless its operator sets another number (decisions)."""


def host_of(job: Job, environment: Mapping[str, str]) -> Remote:
    """The host that the job names; raises UsageError for settings that it cannot honour."""
    refused = {
        "path": job.path.as_posix() != ".",
        "only": job.aspects != frozenset(Aspect),
        "policy": job.policy is not None,
        "formats": bool(OF_A_SCAN & {*job.formats}),
        "offline": job.offline,
        "site-base-url": bool(job.site_base_url),
        "site-pages": job.site_pages not in {0, _USUAL_PAGES},
    }
    for name, is_set in refused.items():
        if is_set:
            raise UsageError(
                f"{name} cannot be honoured by a host", remedy="Leave it out, or leave api-url out."
            )
    key = next(filter(None, (environment.get(name, "").strip() for name in _KEYS)), "")
    return Remote(host(job.api_url, {KEY_VARIABLE: key}))


def repository_scan(
    here: Checkout, base: str | None, remote: Remote, formats: Collection[str]
) -> Report:
    """The host's report on the change's last commit; raises as :func:`scanned`.

    It knows nothing of the dismissals that were given in comments.
    """
    report, _ = scanned(_asked(here, base), remote, formats)
    return report


def site_tools(remote: Remote, pages: int, environment: Mapping[str, str]) -> SiteTools:
    """Audit and browser test of a site that the host can reach, too; no test for 0 pages."""
    for name in (HEADERS_VARIABLE, COOKIES_VARIABLE):
        if environment.get(name, "").strip():
            raise UsageError(f"{name} opens a site for this job alone, and a host looks at it")
    return SiteTools(
        audit=lambda request: _audit(request, remote),
        test=(lambda visit: _test(visit, remote)) if pages else None,
    )


def _asked(here: Checkout, base: str | None) -> RepositoryTarget:
    """The target as the platform names it; for plain Git as its origin does."""
    change = here.change
    provider: str | None
    if change.provider is None:
        provider, owner, repo = place(here.repository)
    else:
        provider = change.provider.value
        owner, _, repo = change.repository.rpartition("/")
    commit = change.head or here.repository.head()
    return RepositoryTarget(
        owner=owner,
        repo=repo,
        provider=provider,
        branch=_branch(change) or (branch_with(here.repository, commit) if commit else None),
        commit=commit,
        base=base,
        base_date=here.repository.committed_at(base) if base else "",
        web=source.at(here.around.server_url, owner, repo) if change.provider else "",
    )


def _branch(change: Change) -> str:
    """The one that holds the commit; of a push or a schedule it is the branch itself.

    An order in a comment names none.
    """
    is_change = change.trigger in {Trigger.CHANGE, Trigger.COMMENT}
    return change.branch or ("" if is_change else change.base_branch)


def _audit(request: AuditRequest, remote: Remote) -> AuditReport:
    usual = request.budget.device if request.budget else Device.MOBILE
    if request.visit.device is not usual:
        raise UsageError("site-device cannot be honoured by a host", remedy="Leave it out.")
    order = audit_order(request.visit.url, request.budget)
    report, _ = remote.report_on(
        request.visit.url, order, lambda one: read_audit_report(one, request.budget)
    )
    if report.device is not usual:
        raise EngineFailed(f"{remote.host.name} has loaded the page as another device")
    if request.budget and report.violations is None:
        raise EngineFailed(f"{remote.host.name} says nothing of the budget")
    return report


def _test(visit: Visit, remote: Remote) -> BrowserReport:
    order = Order(Tool.BROWSER_TEST, {"url": visit.url})
    return remote.report_on(visit.url, order, read_browser_test)[0]
