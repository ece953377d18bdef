"""How an engine's run ended, as every result of the API tells it."""

from mergegate.core.report import EngineRun
from mergegate.core.wire.parts import EngineOut


def engine(run: EngineRun) -> EngineOut:
    """An element of ``engines``."""
    return EngineOut(
        name=run.name,
        version=run.version,
        status=run.status.value,
        duration_ms=run.duration_ms,
        files=run.files,
        reason=run.reason,
        remedy=run.remedy,
    )
