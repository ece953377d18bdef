"""The parts that the results of several tools share (service specification, decisions)."""

from collections.abc import Callable, Iterable
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from mergegate.core.errors import UsageError
from mergegate.core.report import EngineRun
from mergegate.core.strict_json import foreign_json
from mergegate.core.wire.camel import Camel, mistake

Severity = Literal["critical", "high", "medium", "low", "info"]
Points = Annotated[int, Field(ge=0, le=100)]
Gaps = Annotated[
    tuple[str, ...],
    Field(
        description="What was asked for and could not be judged. While there is any, the scan is "
        "incomplete, and the absence of findings proves nothing."
    ),
]


class EngineOut(Camel):
    """How one engine's run ended."""

    name: str
    version: str
    status: str
    duration_ms: int
    files: int
    reason: str
    remedy: str


class VerdictOut(Camel):
    """A gate with its reasons and the way out."""

    gate: Literal["passed", "failed", "incomplete"]
    reasons: tuple[str, ...]
    way_out: tuple[str, ...]


class ErrorOut(Camel):
    """Why the scan failed."""

    code: str
    detail: str


_LONGEST_REASON = 200
"""Characters; it may repeat what the result holds."""

S = TypeVar("S", bound=BaseModel)
R = TypeVar("R")


def read_as(
    content: bytes,
    shape: type[S],
    build: Callable[[S], R],
    what: str,
    *,
    extra: Literal["ignore", "forbid"] = "ignore",
) -> R:
    """The report that ``build`` makes of ``content``, which has ``shape``.

    ``what`` names the tool, ``extra`` says what becomes of a field that is not known. Raises
    UsageError that says what is wrong, in plain ASCII.
    """
    wrong = f"this is no result of {what}"
    try:
        document = _document(content)
        return build(shape.model_validate(document, extra=extra, by_alias=True, by_name=False))
    except ValidationError as error:
        raise UsageError(f"{wrong}: {mistake(error)}") from None
    except (ValueError, KeyError, OverflowError) as error:
        raise UsageError(f"{wrong}: {ascii(str(error)[:_LONGEST_REASON])[1:-1]}") from None


def engine_runs(given: Iterable[EngineOut]) -> tuple[EngineRun, ...]:
    """How each engine's run ended; raises ValueError for an ending that there is not, or for none.

    What no engine has looked at is not clean.
    """
    runs = tuple(one.build(EngineRun) for one in given)
    if not runs:
        raise ValueError("it names no engine")
    return runs


def _document(content: bytes) -> dict[str, object]:
    document = foreign_json(content)
    if not isinstance(document, dict):
        raise ValueError("it is no object")
    return document
