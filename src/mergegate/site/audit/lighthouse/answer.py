"""The worker's line as typed values: it has handled hostile pages, so nothing of it is believed."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from mergegate.core.data_table import read_table
from mergegate.core.errors import (
    EngineFailed,
    EngineTimeout,
    MergegateError,
    TargetNotAnalysable,
    TargetUnreachable,
    UsageError,
)
from mergegate.core.strict_json import strict_json
from mergegate.site.audit.budget import Key
from mergegate.site.audit.facts import Area, Mode

Text = Annotated[str, Field(max_length=2000)]
Count = Annotated[int, Field(ge=0, le=2**53)]
Amount = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Fraction = Annotated[float, Field(ge=0, le=1)]
Picture = Annotated[str, Field(max_length=200_000, pattern=r"^data:image/jpeg;base64,[\w+/=]*$")]


class _Said(BaseModel):
    """Strict: a number is no text, an unknown field is an error."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        alias_generator=to_camel,
        regex_engine="rust-regex",
    )


class Reference(_Said):
    """An audit's place in a category."""

    id: Text
    weight: Positive


class Category(_Said):
    """One of the four scores."""

    id: Annotated[Area, Field(strict=False)]
    score: Fraction | None
    refs: tuple[Reference, ...]


class Node(_Said):
    """An element."""

    selector: Text
    snippet: Text
    label: Text


class Row(_Said):
    """One row of an audit."""

    url: Text
    line: Count | None
    column: Count | None
    element: Node | None
    text: Text
    wasted_ms: Amount | None
    wasted_bytes: Count | None
    total_bytes: Count | None
    vendor: Text


class AuditSaid(_Said):
    """One audit."""

    id: Text
    title: Text
    description: Text
    mode: Annotated[Mode, Field(strict=False)]
    score: Fraction | None
    display_value: Text
    explanation: Text
    savings: dict[Text, Amount]
    wasted_bytes: Count
    rows: Count
    details: tuple[Row, ...]
    error: Text


class Metrics(_Said):
    """The figures of a budget; None where Lighthouse could not measure."""

    lcp: Positive | None
    tbt: Positive | None
    cls: Positive | None
    fcp: Positive | None
    transfer_bytes: Count | None
    script_bytes: Count | None
    request_count: Count | None


class Entity(_Said):
    """A third party."""

    name: Text
    category: Text
    homepage: Text
    hosts: tuple[Text, ...]


class Busy(_Said):
    """A third party's time on the main thread."""

    entity: Text
    ms: Positive


class RequestSaid(_Said):
    """One request; ``end_ms`` may lie before its start when it never ended."""

    url: Text
    kind: Text
    status: int
    start_ms: Amount
    end_ms: Amount
    transfer_bytes: Count
    resource_bytes: Count
    priority: Text
    protocol: Text
    entity: Text


class ShareSaid(_Said):
    """What a request adds to a figure."""

    key: Annotated[Key, Field(strict=False)]
    url: Text
    element: Text
    amount: Positive


class FrameSaid(_Said):
    """A picture of the film strip."""

    at_ms: Count
    image: Picture


class Result(_Said):
    """Lighthouse's result, reduced."""

    version: Text
    browser: Text
    final_url: Text
    categories: tuple[Category, ...]
    audits: tuple[AuditSaid, ...]
    metrics: Metrics
    entities: tuple[Entity, ...]
    main_thread: tuple[Busy, ...]
    requests: tuple[RequestSaid, ...]
    shares: tuple[ShareSaid, ...]
    frames: tuple[FrameSaid, ...]
    waited: Fraction
    warnings: tuple[Text, ...]


class Failure(_Said):
    """Why there is no result, in Lighthouse's terms."""

    code: Text
    status: Text
    reason: Text


class Answer(_Said):
    """A result, with what came along."""

    result: Result
    headers: tuple[tuple[str, str], ...]
    probed: str | None
    """JSON."""

    def named_headers(self) -> Mapping[str, tuple[str, ...]]:
        """The headers by name."""
        named = defaultdict[str, tuple[str, ...]](tuple)
        for name, value in self.headers:
            named[name] += (value,)
        return dict(named)

    def probe_said(self) -> object:
        """What the probe returned; None when a page made it unreadable."""
        try:
            return None if self.probed is None else strict_json(self.probed.encode())
        except ValueError:
            return None


class _Failed(_Said):
    error: Failure


_LINE = TypeAdapter[Answer | _Failed](Answer | _Failed)


def read(line: bytes) -> Answer | Failure:
    """Raises EngineFailed when it is not what the worker was written to say."""
    try:
        said = _LINE.validate_json(line)
    except ValidationError as error:
        where = ".".join(str(step) for step in error.errors(include_input=False)[0]["loc"])
        raise EngineFailed(f"Lighthouse's answer cannot be understood at {where[:100]}") from error
    return said.error if isinstance(said, _Failed) else said


LATE = "LATE"
"""The worker's own code, for a run that it gave up."""
GONE = "BROWSER_GONE"
"""Its code for a run whose browser talks to it no more."""
_OPEN_IT = "Open the address in a browser of your own to see."
_ANSWERS = "Check the address, and that the site is up."
_PAGE = "Give the address of a page."
_PROTECTED = "Give the headers or cookies that open the page, or another address."
_SERVER = "The site has to answer with a page before it can be audited."
_WAIT = "Try again later, or less often."


@dataclass(frozen=True, slots=True)
class _Known:
    """What Lighthouse's code for a page that cannot be audited means."""

    code: str
    what: str
    answers: bool = False
    """Whether the page was there, and there was nothing to analyse."""
    remedy: str = _ANSWERS
    """What to do about a page that was not there."""


_KNOWN = read_table(Path(__file__).with_name("failures.toml"), _Known, key="code")
_REDIRECTS = "net::ERR_TOO_MANY_REDIRECTS"
_ABORTED = "net::ERR_ABORTED"
_NET_ERROR = re.compile(r"net::ERR_[A-Z0-9_]{1,60}")
_MIME_TYPE = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,60}")
_STATUS = re.compile(r"[1-5][0-9]{2}")


def refuse(failure: Failure) -> MergegateError:
    """The error to raise; nothing of the page is in it but a status, a type or Chromium's code."""
    status = _STATUS.fullmatch(failure.status)
    if failure.code == "ERRORED_DOCUMENT_REQUEST" and status:
        return _errored(int(status[0]))
    if failure.code == LATE:
        return too_late()
    if failure.code == "COOKIE_REFUSED":
        return UsageError("the browser refuses a cookie", remedy="Check its name and value.")
    known = _KNOWN.get(failure.code)
    if known and known.answers:
        return TargetNotAnalysable(known.what + _why(failure), remedy=_OPEN_IT)
    if known:
        return _unloaded(failure, known)
    return EngineFailed(
        f"Lighthouse failed{_named(failure.code)}", remedy="Run the audit again; then report it."
    )


def too_late() -> EngineTimeout:
    """The page, or Lighthouse over it, took longer than allowed."""
    return EngineTimeout(
        "Lighthouse did not answer in time",
        remedy="The page may never come to rest; run the audit again to see.",
    )


def _unloaded(failure: Failure, known: _Known) -> MergegateError:
    if failure.code == "FAILED_DOCUMENT_REQUEST" and _ABORTED in failure.reason:
        return TargetNotAnalysable(
            "the address answers with a file to save, or with nothing", remedy=_PAGE
        )
    if _REDIRECTS in failure.reason:
        return TargetUnreachable("the address redirects without an end", remedy=_OPEN_IT)
    return TargetUnreachable(known.what + _why(failure), remedy=known.remedy)


def _errored(status: int) -> TargetNotAnalysable:
    remedy = {401: _PROTECTED, 403: _PROTECTED, 404: _ANSWERS, 429: _WAIT}.get(status, _SERVER)
    return TargetNotAnalysable(f"the site answered {status} instead of a page", remedy=remedy)


def _why(failure: Failure) -> str:
    found = _NET_ERROR.search(failure.reason) or _MIME_TYPE.fullmatch(failure.reason)
    return f" ({found[0]})" if found else ""


def _named(code: str) -> str:
    return f" ({code})" if re.fullmatch(r"[A-Za-z_]{1,60}", code) else ""
