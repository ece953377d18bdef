"""What the API answers beside the results themselves."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from mergegate.core.wire.camel import Camel, optional
from mergegate.core.wire.parts import ErrorOut
from mergegate.host.api.problems import Code
from mergegate.repo.wire import shapes
from mergegate.site.deployment.wire import SiteOut


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


class RepositoryResult(shapes.RepositoryResult):
    """GET /api/repo/result."""

    site: SiteOut | None = None  # type: ignore[assignment]  # as sections write it


class UnfinishedRepositoryResult(Camel):
    """GET /api/repo/result while a scan runs, or when it failed before anything was seen."""

    id: str
    status: Literal["running", "failed"]
    target: AskedTarget
    error: ErrorOut | SkipJsonSchema[None] = optional("Present when it has failed.")
    created_at: str
    completed_at: str | SkipJsonSchema[None] = optional("Present when it has failed.")
    url: Annotated[
        str | None,
        Field(description="A page that shows the scan to whoever has this link, until it expires."),
    ]


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
