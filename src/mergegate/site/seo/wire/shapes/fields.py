"""What the fields of several shapes have in common."""

from typing import Annotated, Any, Literal

from pydantic import Field

Count = Annotated[int, Field(ge=0)]
Figure = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Theme = Literal[
    "indexing",
    "page",
    "content",
    "links",
    "images",
    "social",
    "structured-data",
    "ai-search",
    "trust",
]


def _is_absent(value: object) -> bool:
    return value is None


def _without_default(schema: dict[str, Any]) -> None:
    """What is left out has no value, and so not the null that stands for it in here."""
    schema.pop("default")


def optional(description: str) -> Any:
    """A field that is there or left out, and never null."""
    return Field(
        default=None,
        exclude_if=_is_absent,
        json_schema_extra=_without_default,
        description=description,
    )
