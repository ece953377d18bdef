"""The worker's line as typed values: it has handled hostile pages, so nothing of it is believed."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from mergegate.core.errors import EngineFailed
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
