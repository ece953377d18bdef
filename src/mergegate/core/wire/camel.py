"""What all results of the API share: camelCase names, no unknown field, only text that is UTF-8."""

from pydantic import AliasGenerator, BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.alias_generators import to_camel

_MOST_PARTS = 6


class Camel(BaseModel):
    """A part of a result; built and read by either spelling of its names."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=AliasGenerator(serialization_alias=to_camel, validation_alias=to_camel),
        populate_by_name=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _encodable(cls, fields: object) -> object:
        """Half a surrogate pair, as a hostile lock file may name a package, is no UTF-8."""
        if not isinstance(fields, dict):
            return fields
        return {name: encodable(value) for name, value in fields.items()}


def mistake(error: ValidationError) -> str:
    """The first mistake and where; the name of an unknown field is hostile, so in plain ASCII."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(ascii(str(part)[:40])[1:-1] for part in first["loc"][:_MOST_PARTS])
    return f"{where or 'the text'}: {first['msg']}"


def encodable(value: object) -> object:
    """``value`` with every half of a surrogate pair, also in a tuple, as its escape."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, tuple):
        return tuple(map(encodable, value))
    return value
