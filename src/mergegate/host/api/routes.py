"""Every operation of the API: the table that routes requests and makes the reference."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from mergegate.core.data_table import read_table
from mergegate.core.plans import Tool
from mergegate.host.api.authentication import scope_of
from mergegate.host.api.handlers import Handlers
from mergegate.host.api.openapi import Json, Operation
from mergegate.host.api.problems import Code
from mergegate.host.api.responses import (
    EndedScan,
    FailedRepositoryResult,
    Health,
    RepositoryResult,
    RunningRepositoryResult,
    RunningScan,
    Started,
)
from mergegate.host.api.scan_requests import BODIES
from mergegate.site.audit.wire.result import AuditResult, NestedAuditResult
from mergegate.site.browser_test.wire.result import BrowserTestResult
from mergegate.site.security.wire.result import SecurityScanResult
from mergegate.site.seo.wire.result import SeoResult, UnfinishedSeoResult

_PARAMETERS: Mapping[str, Json] = tomllib.loads(
    Path(__file__).with_name("parameters.toml").read_text("utf-8")
)
_ID, _ID_OR_KEY = _PARAMETERS["id"], _PARAMETERS["id-or-key"]
_SHAPE, _IDEMPOTENCY = _PARAMETERS["shape"], _PARAMETERS["idempotency-key"]
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
_NAMED = (*_KEYED, Code.SCAN_NOT_FOUND, *_ALWAYS)
"""Whenever the request names a scan."""
_ENDED = (
    Code.TARGET_NOT_ALLOWED,
    Code.TARGET_UNREACHABLE,
    Code.TARGET_NOT_ANALYSABLE,
    Code.SCAN_FAILED,
    Code.SCAN_TIMEOUT,
)
_POLL = "Poll until `status` is no longer `running`."
_LATER = (
    "The result of a scan whose caller left: a synchronous scan goes on without its caller. "
    "202 while it runs; a scan that failed answers the error that its caller would have got."
)
_CANCEL = (
    "A scan that is not over ends as failed with the error `CANCELLED`, and nobody works on it any "
    "more; one that is over stays what it is. Either way the answer says what became of it. Who "
    "joined an equal scan has joined this one. What was counted of a plan stays counted, unlike "
    "that of an audit that fails by itself."
)


_RESULTS: Mapping[Tool, tuple[type[BaseModel], ...]] = {
    Tool.REPOSITORY: (RepositoryResult, RunningRepositoryResult, FailedRepositoryResult),
    Tool.SEO: (SeoResult, UnfinishedSeoResult),
    Tool.AUDIT: (AuditResult, NestedAuditResult),
    Tool.BROWSER_TEST: (BrowserTestResult,),
    Tool.SECURITY_SCAN: (SecurityScanResult,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _ToolApi:
    """What the three operations of a tool are made from, POST, GET and DELETE: a table's entry."""

    tool: Tool
    path: str
    result_path: str = ""
    tag: str
    noun: str
    names: tuple[str, str]
    summary: str
    about: str = ""
    is_synchronous: bool = True
    codes: tuple[Code, ...] = ()

    @property
    def parameters(self) -> tuple[Json, ...]:
        """The parameters of the query, of POST and GET alike."""
        return (_SHAPE,) if self.tool is Tool.AUDIT else ()

    def operations(self, handlers: Handlers) -> tuple[Operation, Operation]:
        """POST and GET."""
        waits, results = self.is_synchronous, _RESULTS[self.tool]
        start, poll = (handlers.run, handlers.result) if waits else (handlers.start, handlers.poll)
        post = self._operation(
            "POST",
            start,
            name=self.names[0],
            summary=self.summary,
            about=self.about,
            body=BODIES[self.tool],
            parameters=(*self.parameters, _IDEMPOTENCY),
            answers={200: results if waits else (Started,)},
            codes=(*_POSTED, *(_ENDED if waits else ()), *self.codes),
        )
        get = self._operation(
            "GET",
            poll,
            path=self.result_path or self.path,
            name=self.names[1],
            summary=f"Get the result of {self.noun}",
            about=_LATER if waits else _POLL,
            parameters=(_ID, *self.parameters),
            answers={200: results, **({202: (RunningScan,)} if waits else {})},
            codes=(*_NAMED, *(_ENDED if waits else ())),
        )
        return post, get

    def cancel(self, handlers: Handlers) -> Operation:
        """DELETE, which the specification does not have."""
        return self._operation(
            "DELETE",
            handlers.cancel,
            name="cancel" + self.noun.partition(" ")[2].title().replace(" ", ""),
            summary=f"Cancel {self.noun}",
            about=_CANCEL,
            parameters=(_ID_OR_KEY,),
            answers={200: (EndedScan,)},
            codes=_NAMED,
        )

    def _operation(self, method: str, handler: Callable[..., Any], **more: Any) -> Operation:
        shared = {"path": self.path, "tag": self.tag, "scope": scope_of(self.tool)}
        bound = partial(handler, tool=self.tool)
        return Operation(method=method, handler=bound, **(shared | more))


_TOOLS = read_table(Path(__file__).with_name("operations.toml"), _ToolApi, key="tool").values()


def operations(handlers: Handlers) -> tuple[Operation, ...]:
    """All of them, in the order of the reference."""
    return (
        *(operation for tool in _TOOLS for operation in tool.operations(handlers)),
        *(tool.cancel(handlers) for tool in _TOOLS),
        *_probes(handlers),
    )


def _probes(handlers: Handlers) -> tuple[Operation, ...]:
    """For operators; they need no key."""
    probe = partial(
        Operation, method="GET", tag="Operations", answers={200: (Health,)}, codes=_ALWAYS
    )
    pages = (
        ("/healthz", handlers.alive, "isAlive", "Whether the process lives"),
        ("/readyz", handlers.ready, "isReady", "Whether requests should be sent here"),
    )
    return (
        *(probe(path=it[0], handler=it[1], name=it[2], summary=it[3]) for it in pages),
        probe(
            path="/metrics",
            handler=handlers.metrics,
            name="metrics",
            summary="Figures for Prometheus, where the operator turned them on",
            media_type="text/plain",
            answers={200: ()},
            codes=(Code.NOT_FOUND, *_ALWAYS),
        ),
    )
