"""Every endpoint with what is said of it: what routes requests also writes the reference."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from mergegate.api.bodies import AuditBody, Body, PageBody, RepositoryScanBody, SeoBody
from mergegate.api.operations import Operations
from mergegate.api.problems import Code
from mergegate.api.shapes import Health, RunningScan, Started, UnfinishedRepositoryResult
from mergegate.api.tools import Tools
from mergegate.model.service.tool import Scope
from mergegate.wire.results import RepositoryResult
from mergegate.wire.site.audit_shapes import AuditResult, NestedAuditResult
from mergegate.wire.site.browser_test import BrowserTestResult
from mergegate.wire.site.security_shapes import SecurityScanResult
from mergegate.wire.site.seo_shapes import SeoResult, UnfinishedSeoResult

Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]
Answers = Mapping[int, tuple[type[BaseModel], ...]]
"""Status → what may stand in the body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of the query or a header, all of them text."""

    name: str
    place: str = "query"
    about: str
    required: bool = False
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One method of one path."""

    method: str
    path: str
    endpoint: Endpoint
    name: str
    """Of the operation, unique."""
    summary: str
    about: str = ""
    """Markdown."""
    tag: str
    scope: Scope | None = None
    """What the key must hold; None: no key is asked for."""
    body: type[Body] | None = None
    parameters: tuple[Parameter, ...] = ()
    answers: Answers = field(default_factory=dict)
    media_type: str = "application/json"
    codes: tuple[Code, ...] = ()


_ID = Parameter(
    name="id",
    about="The identifier of the scan.",
    required=True,
    schema={"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
)
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
_ALWAYS = (Code.INTERNAL_ERROR, Code.OVERLOADED)
_POSTED = (
    *_KEYED,
    Code.REQUEST_TIMEOUT,
    Code.IDEMPOTENCY_CONFLICT,
    Code.PAYLOAD_TOO_LARGE,
    Code.UNSUPPORTED_MEDIA_TYPE,
    *_ALWAYS,
)
_POLLED = (*_KEYED, Code.SCAN_NOT_FOUND, *_ALWAYS)
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


def tool_routes(tools: Tools) -> tuple[Described, ...]:
    """The endpoints of the specification."""
    return (
        *_repository(tools),
        *_seo(tools),
        *_audit(tools),
        *_page(tools),
    )


def _repository(tools: Tools) -> tuple[Described, ...]:
    return (
        Described(
            method="POST",
            path="/api/repo/scan",
            endpoint=tools.start_repository_scan,
            name="startRepositoryScan",
            summary="Start a repository scan",
            about="The account's connection with the provider is what the repository is fetched "
            "with; no token is taken here. An equal scan that waits already is joined.",
            tag="Repository scan",
            scope=Scope.REPO,
            body=RepositoryScanBody,
            parameters=(_IDEMPOTENCY,),
            answers={200: (Started,)},
            codes=(*_POSTED, Code.PROVIDER_NOT_CONNECTED),
        ),
        Described(
            method="GET",
            path="/api/repo/result",
            endpoint=tools.repository_result,
            name="getRepositoryResult",
            summary="Get the result of a repository scan",
            about="Poll until `status` is no longer `running`.",
            tag="Repository scan",
            scope=Scope.REPO,
            parameters=(_ID,),
            answers={200: (RepositoryResult, UnfinishedRepositoryResult)},
            codes=_POLLED,
        ),
    )


def _seo(tools: Tools) -> tuple[Described, ...]:
    return (
        Described(
            method="POST",
            path="/api/seo-optimizer",
            endpoint=tools.start_seo_scan,
            name="startSeoScan",
            summary="Start an SEO scan",
            tag="SEO optimizer",
            scope=Scope.SITE,
            body=SeoBody,
            parameters=(_IDEMPOTENCY,),
            answers={200: (Started,)},
            codes=(*_POSTED, Code.TARGET_NOT_ALLOWED),
        ),
        Described(
            method="GET",
            path="/api/seo-optimizer",
            endpoint=tools.seo_result,
            name="getSeoResult",
            summary="Get the result of an SEO scan",
            about="Poll until `status` is no longer `running`.",
            tag="SEO optimizer",
            scope=Scope.SITE,
            parameters=(_ID,),
            answers={200: (SeoResult, UnfinishedSeoResult)},
            codes=_POLLED,
        ),
    )


def _audit(tools: Tools) -> tuple[Described, ...]:
    return (
        Described(
            method="POST",
            path="/api/audit",
            endpoint=tools.audit,
            name="audit",
            summary="Audit a website",
            about="Answers when the audit is over. On the free plan five audits of a calendar "
            "month in UTC go without waiting; after them the same site, which is its registrable "
            "domain, waits 15 minutes between two.",
            tag="Website audit",
            scope=Scope.SITE,
            body=AuditBody,
            parameters=(_SHAPE, _IDEMPOTENCY),
            answers={200: (AuditResult, NestedAuditResult)},
            codes=(*_POSTED, *_ENDED, Code.UNSUPPORTED_BUDGET_VERSION, Code.SCAN_COOLDOWN),
        ),
        Described(
            method="GET",
            path="/api/audit",
            endpoint=tools.audit_result,
            name="getAudit",
            summary="Get the result of an audit",
            about=_LATER,
            tag="Website audit",
            scope=Scope.SITE,
            parameters=(_ID, _SHAPE),
            answers={200: (AuditResult, NestedAuditResult), 202: (RunningScan,)},
            codes=(*_POLLED, *_ENDED),
        ),
    )


def _page(tools: Tools) -> tuple[Described, ...]:
    test, scan = "/api/browser-test", "/api/security-scan"
    return (
        _synchronous(test, tools.browser_test, "Browser test", BrowserTestResult),
        _later(test, tools.browser_test_result, "Browser test", BrowserTestResult),
        _synchronous(scan, tools.security_scan, "Security scan", SecurityScanResult),
        _later(scan, tools.security_scan_result, "Security scan", SecurityScanResult),
    )


def _synchronous(path: str, endpoint: Endpoint, tag: str, result: type[BaseModel]) -> Described:
    return Described(
        method="POST",
        path=path,
        endpoint=endpoint,
        name=_name("run", tag),
        summary=f"Run a {tag.lower()}",
        about="Answers when it is over.",
        tag=tag,
        scope=Scope.SITE,
        body=PageBody,
        parameters=(_IDEMPOTENCY,),
        answers={200: (result,)},
        codes=(*_POSTED, *_ENDED),
    )


def _later(path: str, endpoint: Endpoint, tag: str, result: type[BaseModel]) -> Described:
    return Described(
        method="GET",
        path=path,
        endpoint=endpoint,
        name=_name("get", tag),
        summary=f"Get the result of a {tag.lower()}",
        about=_LATER,
        tag=tag,
        scope=Scope.SITE,
        parameters=(_ID,),
        answers={200: (result,), 202: (RunningScan,)},
        codes=(*_POLLED, *_ENDED),
    )


def _name(verb: str, tag: str) -> str:
    return verb + tag.title().replace(" ", "")


def operation_routes(operations: Operations) -> tuple[Described, ...]:
    """For operators; without a key."""
    return (
        Described(
            method="GET",
            path="/healthz",
            endpoint=operations.alive,
            name="isAlive",
            summary="Whether the process lives",
            tag="Operations",
            answers={200: (Health,)},
            codes=_ALWAYS,
        ),
        Described(
            method="GET",
            path="/readyz",
            endpoint=operations.ready,
            name="isReady",
            summary="Whether requests should be sent here",
            tag="Operations",
            answers={200: (Health,)},
            codes=_ALWAYS,
        ),
        Described(
            method="GET",
            path="/metrics",
            endpoint=operations.figures,
            name="metrics",
            summary="Figures for Prometheus, where the operator turned them on",
            tag="Operations",
            media_type="text/plain",
            answers={200: ()},
            codes=(Code.NOT_FOUND, *_ALWAYS),
        ),
    )
