"""The parts that the results of several tools share (service specification, decisions)."""

from typing import Annotated, Literal

from pydantic import Field

from mergegate.core.wire.camel import Camel

Severity = Literal["critical", "high", "medium", "low", "info"]
Points = Annotated[int, Field(ge=0, le=100)]


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
