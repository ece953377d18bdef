"""The answers about one scan: the bytes that its worker wrote, or its state in these shapes."""

import json
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from mergegate import __version__
from mergegate.core.errors import Failed
from mergegate.core.plans import Tool
from mergegate.core.wire.camel import Camel, optional
from mergegate.core.wire.parts import EngineOut, ErrorOut
from mergegate.host.api.problems import Code, Refusal
from mergegate.host.scan import Scan, moment
from mergegate.host.store.usage import AuditsLeft
from mergegate.repo.wire import shapes
from mergegate.secrets.places import shown_name
from mergegate.site.audit.wire.result import NestedAuditResult
from mergegate.site.deployment.wire import SiteOut
from mergegate.site.seo.wire.result import UnfinishedSeoResult


class Started(Camel):
    """The answer to a scan that was accepted."""

    scan_id: Annotated[str, Field(description="Ask for the result with it.")]


class RunningScan(Camel):
    """A scan of a synchronous tool whose caller left, while it runs."""

    id: str
    status: Literal["running"]


class EndedScan(Camel):
    """The answer to DELETE: what became of the scan, by it or before it."""

    id: str
    status: Annotated[
        Literal["completed", "done", "failed"],
        Field(description="As the result says it; `failed` with the error `CANCELLED` by this."),
    ]
    error: ErrorOut | SkipJsonSchema[None] = optional("Present when it has failed.")
    created_at: str
    completed_at: str


class AskedTarget(Camel):
    """What was asked for; the fields are those of the request."""

    provider: str
    owner: str
    repo: str
    branch: str | SkipJsonSchema[None] = optional("Left out: the default branch.")
    commit: str | SkipJsonSchema[None] = optional("Present when one was asked for.")
    base: str | SkipJsonSchema[None] = optional("Present when one was asked for.")


_NONE = Field(max_length=0)


class RepositoryResult(shapes.RepositoryResult):
    """GET /api/repo/result."""

    site: SiteOut | None = None  # type: ignore[assignment]  # as sections write it


Link = Annotated[
    str | None,
    Field(description="A page that shows the scan to whoever has this link, until it expires."),
]


class RunningRepositoryResult(Camel):
    """GET /api/repo/result while a scan runs."""

    id: str
    status: Literal["running"]
    target: AskedTarget
    created_at: str
    url: Link


class FailedRepositoryResult(Camel):
    """GET /api/repo/result when a scan failed before anything was seen: whoever asks, no pass."""

    id: str
    status: Literal["failed"]
    score: Annotated[int, Field(ge=0, le=0, description="Nothing was seen that speaks for it.")]
    quality_gate: Literal["failed"]
    issues: Annotated[tuple[shapes.FindingOut, ...], _NONE]
    fixes: Annotated[tuple[shapes.FixOut, ...], _NONE]
    risk_findings: Annotated[tuple[shapes.FindingOut, ...], _NONE]
    dependency_vulns: Annotated[tuple[shapes.VulnerabilityOut, ...], _NONE]
    ai_summary: str
    summary_source: Literal["template"]
    target: AskedTarget
    score_breakdown: Annotated[tuple[shapes.DeductionOut, ...], _NONE]
    engines: Annotated[tuple[EngineOut, ...], _NONE]
    suppressed: Annotated[tuple[shapes.SuppressionOut, ...], _NONE]
    error: ErrorOut
    created_at: str
    completed_at: str
    url: Link
    tool_version: str


class MistakeOut(Camel):
    """An element of ``errors``."""

    path: Annotated[str, Field(description="`budget.metrics.lcp`; empty for the body as a whole.")]
    message: str


class Problem(Camel):
    """Any error (RFC 9457), in `application/problem+json`."""

    type: Annotated[str, Field(description="Where the code is explained.")]
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: str
    instance: Annotated[str, Field(description="The path that was asked for.")]
    code: Code
    errors: tuple[MistakeOut, ...] | SkipJsonSchema[None] = optional(
        "Present with `INVALID_REQUEST` and `TARGET_NOT_ALLOWED` where a field is at fault."
    )


class Health(Camel):
    """GET /healthz and /readyz."""

    status: Literal["ok"]


_URL = '\n  "url": null'
"""As the worker writes it: strings hold no line ends, and deeper fields are indented more."""
_SCORE = "Score"
_NESTED = tuple(one.serialization_alias or "" for one in NestedAuditResult.model_fields.values())
_CODES = frozenset(
    {
        Code.TARGET_NOT_ALLOWED,
        Code.TARGET_UNREACHABLE,
        Code.TARGET_NOT_ANALYSABLE,
        Code.SCAN_TIMEOUT,
    }
)
"""Codes of failed scans that blame the target; with all others the host is to blame."""


def _asked(scan: Scan) -> AskedTarget:
    """As the result will name it: what is a secret in a branch's name is not shown."""
    asked = json.loads(scan.request)
    branch = {"branch": shown_name(asked["branch"])} if asked.get("branch") else {}
    return AskedTarget.model_validate(asked | branch)


def repository(scan: Scan, url: str | None) -> bytes:
    """The repository scan result resource; ``url`` is the page that shows it, if there is one."""
    outcome = scan.outcome
    if outcome is not None and outcome.result is not None:
        return _with_url(outcome.result, url).encode()
    target, began = _asked(scan), moment(scan.created_at)
    if (error := _error(scan)) is None:
        return _json(
            RunningRepositoryResult(
                id=scan.id, status="running", target=target, created_at=began, url=url
            )
        )
    return _json(_unseen(scan, target, error, url))


def _unseen(
    scan: Scan, target: AskedTarget, error: ErrorOut, url: str | None
) -> FailedRepositoryResult:
    return FailedRepositoryResult(
        id=scan.id,
        status="failed",
        score=0,
        quality_gate="failed",
        issues=(),
        fixes=(),
        risk_findings=(),
        dependency_vulns=(),
        ai_summary=f"Nothing was scanned. {error.detail}",
        summary_source="template",
        target=target,
        score_breakdown=(),
        engines=(),
        suppressed=(),
        error=error,
        created_at=moment(scan.created_at),
        completed_at=moment(scan.finished_at or scan.created_at),
        url=url,
        tool_version=__version__,
    )


def seo(scan: Scan) -> bytes:
    """The SEO scan result resource."""
    outcome = scan.outcome
    if outcome is not None and outcome.result is not None:
        return outcome.result.encode()
    return _json(
        UnfinishedSeoResult(
            id=scan.id,
            status="running" if outcome is None else "failed",
            url=json.loads(scan.request)["url"],
            error=_error(scan),
            created_at=moment(scan.created_at),
        )
    )


def running(scan: Scan) -> bytes:
    """A scan of a synchronous tool that has not ended."""
    return _json(RunningScan(id=scan.id, status="running"))


def ended(scan: Scan) -> bytes:
    """How a scan has ended, whatever its tool."""
    done: Literal["done", "completed"] = "done" if scan.tool is Tool.SEO else "completed"
    return _json(
        EndedScan(
            id=scan.id,
            status="failed" if isinstance(scan.outcome, Failed) else done,
            error=_error(scan),
            created_at=moment(scan.created_at),
            completed_at=moment(scan.finished_at or scan.created_at),
        )
    )


def waited(scan: Scan) -> bytes:
    """The result of a synchronous tool; raises Refusal when the scan runs or has failed."""
    outcome = scan.outcome
    if outcome is None:
        raise unfinished(scan.tool, scan.id)
    if isinstance(outcome, Failed):
        raise _failure(outcome)
    return outcome.result.encode()


def nested(flat: bytes) -> bytes:
    """The nested shape of an audit from the flat one: fields of the same name, and the scores."""
    given = json.loads(flat)
    scores = {
        name.removesuffix(_SCORE): value for name, value in given.items() if name.endswith(_SCORE)
    }
    fields = {name: scores if name == "scores" else given[name] for name in _NESTED}
    return (json.dumps(fields, indent=2, ensure_ascii=False) + "\n").encode()


AUDIT_HEADERS: Mapping[str, str] = {
    "X-Audits-Limit": "The audits without waiting that the plan has in a calendar month in UTC.",
    "X-Audits-Remaining": "How many of them are left; one that fails is given back.",
    "X-Audits-Reset": "Seconds until the month is over.",
}
"""Name → what it tells; on answers to POST /api/audit, where the plan sets a limit."""


def audits_left(found: AuditsLeft) -> Mapping[str, str]:
    """The headers that tell it."""
    figures = (found.most, found.left, found.renewed_in_s)
    return dict(zip(AUDIT_HEADERS, map(str, figures), strict=True))


def unfinished(tool: Tool, scan_id: str) -> Refusal:
    """The caller's time limit has passed, and the scan has not ended."""
    return Refusal(
        Code.SCAN_TIMEOUT,
        f"The scan is not over yet; ask for its result with the id {scan_id}.",
        headers=_place(tool, scan_id),
    )


def abandoned(tool: Tool, scan_id: str) -> Refusal:
    """The process stops before the scan has ended; another one goes on with it."""
    return Refusal(
        Code.OVERLOADED,
        f"This process is stopping; ask for the result with the id {scan_id}.",
        retry_after_s=2,
        headers=_place(tool, scan_id),
    )


def _place(tool: Tool, scan_id: str) -> dict[str, str]:
    """The header that says where the result will be."""
    return {"Location": f"/api/{tool}?id={scan_id}"}


def _failure(failed: Failed) -> Refusal:
    known = failed.code in _CODES
    return Refusal(Code[failed.code] if known else Code.SCAN_FAILED, failed.detail)


def _error(scan: Scan) -> ErrorOut | None:
    failed = scan.outcome
    if not isinstance(failed, Failed):
        return None
    return ErrorOut(code=failed.code, detail=failed.detail)


def _with_url(result: str, url: str | None) -> str:
    """Put the link of today in its place; every other byte is the worker's."""
    if url is None:
        return result
    before, mark, after = result.rpartition(_URL)
    if not mark:
        return json.dumps(json.loads(result) | {"url": url}, ensure_ascii=False)
    return f"{before}{_URL.removesuffix('null')}{json.dumps(url)}{after}"


def _json(shape: BaseModel) -> bytes:
    return f"{shape.model_dump_json(by_alias=True, indent=2)}\n".encode()
