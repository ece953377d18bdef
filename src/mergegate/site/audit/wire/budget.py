"""Budget ⇄ its file and the API's ``perfBudget``; violations → ``budgetViolations``.

A budget is sent by anyone and kept in repositories that anyone may change: it is read strictly.
"""

import json
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import (
    AliasGenerator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from mergegate.core.errors import UnsupportedBudgetVersion, UsageError
from mergegate.core.strict_json import strict_json
from mergegate.core.wire.camel import encodable, mistake
from mergegate.sandbox.visit import Device
from mergegate.site.audit import budget as told
from mergegate.site.audit.budget import Budget, Figures

LARGEST_BYTES = 1 << 20
_LARGEST = 2**53 - 1
"""Beyond it two readers of JSON may read two numbers."""
_WRONG = "this is no performance budget"
_REMEDY = "`mergegate audit URL --save-budget FILE` writes one."


def _shortest(number: float) -> int | float:
    return int(number) if number.is_integer() else number


Number = Annotated[
    float,
    Field(ge=0, le=_LARGEST, allow_inf_nan=False),
    PlainSerializer(_shortest),
]
Count = Annotated[int, Field(ge=0, le=_LARGEST)]
Name = Annotated[str, StringConstraints(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=AliasGenerator(serialization_alias=to_camel, validation_alias=to_camel),
    )


class MetricsOut(_Strict):
    """``metrics`` of a budget: milliseconds, ``cls`` without a unit."""

    lcp: Number
    tbt: Number
    cls: Number
    fcp: Number


class BudgetOut(_Strict):
    """``perfBudget``, and ``budget`` of a request."""

    version: Literal[1]
    device: Literal["mobile", "desktop"]
    metrics: MetricsOut
    transfer_bytes: Count
    script_bytes: Count
    request_count: Count
    vendors: Annotated[tuple[Name, ...], Field(strict=False)]


class ViolationOut(_Strict):
    """An element of ``budgetViolations``."""

    key: str
    limit: Number | str
    actual: Number | str


def read(content: bytes) -> Budget:
    """The budget in a file; raises UsageError that says what is wrong with it."""
    if len(content) > LARGEST_BYTES:
        raise UsageError(f"{_WRONG}: it is larger than {LARGEST_BYTES >> 20} MiB", remedy=_REMEDY)
    try:
        document = strict_json(content)
    except ValueError as error:
        raise UsageError(f"{_WRONG}: it is not valid JSON", remedy=_REMEDY) from error
    return parse(document)


def parse(document: object) -> Budget:
    """The budget in decoded JSON; raises UsageError that names the field, never what it holds.

    Raises UnsupportedBudgetVersion for a budget of another version, or of none.
    """
    if not isinstance(document, dict):
        raise UsageError(f"{_WRONG}: it is no object", remedy=_REMEDY)
    version = document.get("version")
    if type(version) is not int or version != told.VERSION:
        raise UnsupportedBudgetVersion(
            f"the budget is not of version {told.VERSION}, the only one that is read here",
            remedy=_REMEDY,
        )
    try:
        return _budget(BudgetOut.model_validate(document))
    except ValidationError as error:
        raise UsageError(f"{_WRONG}: {mistake(error)}", remedy=_REMEDY) from None


def shape(budget: Budget) -> BudgetOut:
    """``perfBudget`` of a result."""
    limits = budget.limits
    return BudgetOut.model_validate(
        {
            "version": told.VERSION,
            "device": budget.device.value,
            "metrics": {name: getattr(limits, name) for name in MetricsOut.model_fields},
            "transferBytes": limits.transfer_bytes,
            "scriptBytes": limits.script_bytes,
            "requestCount": limits.request_count,
            "vendors": encodable(budget.vendors),
        }
    )


def write(budget: Budget) -> str:
    """The file: indented JSON that a review can read, keys sorted, with a final line break.

    What is not ASCII stands as its escape, so that no name can hide from the review.
    """
    document = shape(budget).model_dump(by_alias=True)
    return json.dumps(document, indent=2, sort_keys=True, allow_nan=False) + "\n"


def violations(found: Iterable[told.Violation]) -> tuple[ViolationOut, ...]:
    """``budgetViolations`` of a result; cause and certainty are told elsewhere."""
    return tuple(
        ViolationOut.model_validate(
            {name: encodable(getattr(one, name)) for name in ViolationOut.model_fields}
        )
        for one in found
    )


def _budget(given: BudgetOut) -> Budget:
    limits = Figures(
        **given.metrics.model_dump(),
        transfer_bytes=given.transfer_bytes,
        script_bytes=given.script_bytes,
        request_count=given.request_count,
    )
    # A merge of two branches may leave a name twice or out of order.
    return Budget(Device(given.device), limits, tuple(sorted(set(given.vendors))))
