"""Every endpoint with what is said of it: what routes requests also writes the reference."""

from functools import partial

from pydantic import BaseModel

from mergegate.core.plans import Scope
from mergegate.host.api.bodies import AuditBody, PageBody, RepositoryScanBody, SeoBody
from mergegate.host.api.described import Described, Endpoint, Parameter
from mergegate.host.api.operations import Operations
from mergegate.host.api.problems import Code
from mergegate.host.api.shapes import Health, RunningScan, Started, UnfinishedRepositoryResult
from mergegate.host.api.tools import Tools
from mergegate.repo.wire.shapes import RepositoryResult
from mergegate.site.audit.wire.result import AuditResult, NestedAuditResult
from mergegate.site.browser_test.wire.result import BrowserTestResult
from mergegate.site.security.wire.result import SecurityScanResult
from mergegate.site.seo.wire.result import SeoResult, UnfinishedSeoResult

ID = Parameter(
    name="id",
    about="The identifier of the scan.",
    required=True,
    schema={"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
)
"""Of the query."""
_SHAPE = Parameter(
    name="shape",
    about="`nested` for the nested shape; `Accept: application/json; shape=nested` does the same.",
    schema={"type": "string", "enum": ["flat", "nested"], "default": "flat"},
)
_IDEMPOTENCY = Parameter(
    name="Idempotency-Key",
    place="header",
    about="The same key and body give the first answer for 24 hours, and start nothing.",
    schema={"type": "string", "pattern": "^[!-~]{1,255}$"},
)
_KEYED = (Code.INVALID_REQUEST, Code.UNAUTHORIZED, Code.FORBIDDEN, Code.RATE_LIMITED)
_ALWAYS = (
    Code.REQUEST_TIMEOUT,
    Code.HEADERS_TOO_LARGE,
    Code.INTERNAL_ERROR,
    Code.OVERLOADED,
)
_POSTED = (
    *_KEYED,
    Code.IDEMPOTENCY_CONFLICT,
    Code.PAYLOAD_TOO_LARGE,
    Code.UNSUPPORTED_MEDIA_TYPE,
    *_ALWAYS,
)
POLLED = (*_KEYED, Code.SCAN_NOT_FOUND, *_ALWAYS)
"""What is answered whenever a scan is named."""
_ENDED = (
    Code.TARGET_NOT_ALLOWED,
    Code.TARGET_UNREACHABLE,
    Code.TARGET_NOT_ANALYSABLE,
    Code.SCAN_FAILED,
    Code.SCAN_TIMEOUT,
)
_LATER = (
    "The result of a scan whose caller left: a synchronous scan goes on without its caller. "
    "202 while it runs; a scan that failed answers the error that its caller would have got."
)
_start = partial(Described, method="POST", parameters=(_IDEMPOTENCY,), answers={200: (Started,)})
_poll = partial(
    Described,
    method="GET",
    about="Poll until `status` is no longer `running`.",
    parameters=(ID,),
    codes=POLLED,
)
_ask_later = partial(
    Described, method="GET", about=_LATER, scope=Scope.SITE, codes=(*POLLED, *_ENDED)
)
_probe = partial(Described, method="GET", tag="Operations", answers={200: (Health,)}, codes=_ALWAYS)


def tool_routes(tools: Tools) -> tuple[Described, ...]:
    """The endpoints of the specification."""
    return (
        *_repository(tools),
        *_seo(tools),
        *_audit(tools),
        *_pages(tools),
    )


def _repository(tools: Tools) -> tuple[Described, ...]:
    tag, scope = "Repository scan", Scope.REPO
    return (
        _start(
            path="/api/repo/scan",
            endpoint=tools.start_repository_scan,
            name="startRepositoryScan",
            summary="Start a repository scan",
            about="The account's connection with the provider is what the repository is fetched "
            "with; no token is taken here. An equal scan that waits already is joined.",
            tag=tag,
            scope=scope,
            body=RepositoryScanBody,
            codes=(*_POSTED, Code.PROVIDER_NOT_CONNECTED),
        ),
        _poll(
            path="/api/repo/result",
            endpoint=tools.repository_result,
            name="getRepositoryResult",
            summary="Get the result of a repository scan",
            tag=tag,
            scope=scope,
            answers={200: (RepositoryResult, UnfinishedRepositoryResult)},
        ),
    )


def _seo(tools: Tools) -> tuple[Described, ...]:
    path, tag, scope = "/api/seo-optimizer", "SEO optimizer", Scope.SITE
    return (
        _start(
            path=path,
            endpoint=tools.start_seo_scan,
            name="startSeoScan",
            summary="Start an SEO scan",
            tag=tag,
            scope=scope,
            body=SeoBody,
            codes=(*_POSTED, Code.TARGET_NOT_ALLOWED),
        ),
        _poll(
            path=path,
            endpoint=tools.seo_result,
            name="getSeoResult",
            summary="Get the result of an SEO scan",
            tag=tag,
            scope=scope,
            answers={200: (SeoResult, UnfinishedSeoResult)},
        ),
    )


def _audit(tools: Tools) -> tuple[Described, ...]:
    path, tag, scope = "/api/audit", "Website audit", Scope.SITE
    return (
        Described(
            method="POST",
            path=path,
            endpoint=tools.audit,
            name="audit",
            summary="Audit a website",
            about="Answers when the audit is over. On the free plan five audits of a calendar "
            "month in UTC go without waiting; after them the same site, which is its registrable "
            "domain, waits 15 minutes between two.",
            tag=tag,
            scope=scope,
            body=AuditBody,
            parameters=(_SHAPE, _IDEMPOTENCY),
            answers={200: (AuditResult, NestedAuditResult)},
            codes=(*_POSTED, *_ENDED, Code.UNSUPPORTED_BUDGET_VERSION, Code.SCAN_COOLDOWN),
        ),
        _ask_later(
            path=path,
            endpoint=tools.audit_result,
            name="getAudit",
            summary="Get the result of an audit",
            tag=tag,
            parameters=(ID, _SHAPE),
            answers={200: (AuditResult, NestedAuditResult), 202: (RunningScan,)},
        ),
    )


def _pages(tools: Tools) -> tuple[Described, ...]:
    test, scan = tools.browser_test, tools.security_scan
    test_later, scan_later = tools.browser_test_result, tools.security_scan_result
    return (
        *_page("Browser test", test, test_later, BrowserTestResult),
        *_page("Security scan", scan, scan_later, SecurityScanResult),
    )


def _page(
    tag: str, now: Endpoint, later: Endpoint, result: type[BaseModel]
) -> tuple[Described, ...]:
    """Of a tool whose path and names follow from what it is called."""
    path, name = f"/api/{tag.lower().replace(' ', '-')}", tag.title().replace(" ", "")
    return (
        Described(
            method="POST",
            path=path,
            endpoint=now,
            name=f"run{name}",
            summary=f"Run a {tag.lower()}",
            about="Answers when it is over.",
            tag=tag,
            scope=Scope.SITE,
            body=PageBody,
            parameters=(_IDEMPOTENCY,),
            answers={200: (result,)},
            codes=(*_POSTED, *_ENDED),
        ),
        _ask_later(
            path=path,
            endpoint=later,
            name=f"get{name}",
            summary=f"Get the result of a {tag.lower()}",
            tag=tag,
            parameters=(ID,),
            answers={200: (result,), 202: (RunningScan,)},
        ),
    )


def operation_routes(operations: Operations) -> tuple[Described, ...]:
    """For operators; without a key."""
    return (
        _probe(
            path="/healthz",
            endpoint=operations.alive,
            name="isAlive",
            summary="Whether the process lives",
        ),
        _probe(
            path="/readyz",
            endpoint=operations.ready,
            name="isReady",
            summary="Whether requests should be sent here",
        ),
        _probe(
            path="/metrics",
            endpoint=operations.figures,
            name="metrics",
            summary="Figures for Prometheus, where the operator turned them on",
            media_type="text/plain",
            answers={200: ()},
            codes=(Code.NOT_FOUND, *_ALWAYS),
        ),
    )
