"""What the readers of the site tools' results share: bytes of a host, read as one shape.

What is known is read strictly; a field that is not known was added by a later release and left out.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from mergegate.errors import UsageError
from mergegate.model.report import EngineRun, EngineStatus
from mergegate.model.strict_json import strict_json
from mergegate.wire.camel import mistake
from mergegate.wire.shapes import EngineOut

LARGEST_BYTES = 64 << 20
MOST_ELEMENTS = 100_000
"""Of one list: far beyond what a scan writes."""
_LONGEST_REASON = 200
"""Characters; it may repeat what the result holds."""

S = TypeVar("S", bound=BaseModel)
R = TypeVar("R")


def read_as(content: bytes, shape: type[S], build: Callable[[S], R], what: str) -> R:
    """The report that ``build`` makes of ``content``, which has ``shape``.

    ``what`` names the tool. Raises UsageError that says what is wrong, in plain ASCII.
    """
    wrong = f"this is no result of {what}"
    document = _document(content, wrong)
    try:
        return build(shape.model_validate(document, extra="ignore"))
    except ValidationError as error:
        raise UsageError(f"{wrong}: {mistake(error)}") from None
    except (ValueError, KeyError) as error:
        raise UsageError(f"{wrong}: {ascii(str(error)[:_LONGEST_REASON])[1:-1]}") from None


def engine_runs(given: Iterable[EngineOut]) -> tuple[EngineRun, ...]:
    """How each engine's run ended; raises ValueError for an ending that there is not."""
    return tuple(
        EngineRun(**one.model_dump(exclude={"status"}), status=EngineStatus(one.status))
        for one in given
    )


def _document(content: bytes, wrong: str) -> dict[str, object]:
    if len(content) > LARGEST_BYTES:
        raise UsageError(f"{wrong}: it is larger than {LARGEST_BYTES >> 20} MiB")
    try:
        document = strict_json(content)
    except ValueError as error:
        raise UsageError(f"{wrong}: it is not valid JSON") from error
    if not isinstance(document, dict):
        raise UsageError(f"{wrong}: it is no object")
    if not _is_bounded(document):
        raise UsageError(f"{wrong}: a list in it holds more than {MOST_ELEMENTS:,} elements")
    return document


def _is_bounded(document: object) -> bool:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        if isinstance(value, dict | list) and len(value) > MOST_ELEMENTS:
            return False
    return True
