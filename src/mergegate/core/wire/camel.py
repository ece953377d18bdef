"""What all results of the API share: camelCase names, no unknown field, only text that is UTF-8.

One class describes an object of JSON, writes it and reads it. A field has the name and the value of
an attribute of a dataclass of the model; in JSON it is named in camelCase, or by its ``alias``. A
shape that is much like the dataclass names it by ``of=``, and declares what differs.
"""

from collections.abc import Collection
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Unpack, get_args, get_origin, get_type_hints

from pydantic import (
    AliasGenerator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel

_MOST_PARTS = 6
T = TypeVar("T")


class Camel(BaseModel):
    """A part of a result; made of a value of the model, or of JSON by either spelling of names."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=AliasGenerator(serialization_alias=to_camel, validation_alias=to_camel),
        populate_by_name=True,
        defer_build=True,
    )

    def __init_subclass__(
        cls, of: type | None = None, but: Collection[str] = (), **how: Unpack[ConfigDict]
    ) -> None:
        """``of`` is a dataclass whose fields, ``but`` for some, are the first of this shape.

        They keep their order and types, an enumeration's members by their words; what a class
        annotates itself counts. A nested dataclass has a shape of its own: the class names it.
        """
        super().__init_subclass__(**how)
        if of is not None:
            hints = get_type_hints(of)
            taken = {one.name: _told(hints[one.name]) for one in fields(of) if one.name not in but}
            cls.__annotations__ = taken | get_annotations(cls)

    @classmethod
    def _fields_of(cls, value: Any) -> dict[str, Any]:
        """Field → attribute of ``value`` of that name, if it has one; of a tuple the next item.

        A class whose fields are made in another way overrides this, and :meth:`_made`.
        """
        if isinstance(value, tuple):
            return dict(zip(cls.model_fields, value, strict=True))
        return {name: getattr(value, name) for name in cls.model_fields if hasattr(value, name)}

    def _made(self) -> dict[str, Any]:
        """What a dataclass holds that is no field's value as it stands."""
        return {}

    def build(self, kind: type[T], /, **more: Any) -> T:
        """``kind``, a dataclass or a type of tuple, of the fields of this and of ``more``.

        Raises ValueError for a word that is none of its enumeration.
        """
        names = type(self).model_fields.keys()
        if get_origin(kind) is tuple:
            return tuple(getattr(self, name) for name in names)  # type: ignore[return-value]
        made, hints = self._made() | more, _hints(kind)  # type: ignore[arg-type]
        plain = [name for name in hints if name in names and name not in made]
        return kind(**{name: _built(getattr(self, name), hints[name]) for name in plain}, **made)

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, given: object) -> object:
        """Half a surrogate pair, as a hostile lock file may name a package, is no UTF-8."""
        if is_dataclass(given) or isinstance(given, tuple):
            given = cls._fields_of(given)
        if not isinstance(given, dict):
            return given
        return {name: encodable(value) for name, value in given.items()}


def optional(description: str | None = None, alias: str | None = None) -> Any:
    """A field that is there or left out, and never null."""
    return Field(
        default=None,
        alias=alias,
        exclude_if=lambda value: value is None,
        json_schema_extra=_without_default,
        description=description,
    )


def _without_default(schema: dict[str, Any]) -> None:
    """What is left out has no value, and so not the null that stands for it in here."""
    schema.pop("default")


def mistake(error: ValidationError) -> str:
    """The first mistake and where; the name of an unknown field is hostile, so in plain ASCII."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(ascii(str(part)[:40])[1:-1] for part in first["loc"][:_MOST_PARTS])
    return f"{where or 'the text'}: {first['msg']}"


def encodable(value: object) -> object:
    """``value`` with every half of a surrogate pair, also in a tuple, as its escape.

    A member of an enumeration becomes its ``label``, or else its value.
    """
    if isinstance(value, Enum):
        value = getattr(value, "label", value.value)
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, tuple):
        return tuple(map(encodable, value))
    return value


def _told(hint: Any) -> Any:
    """The type in JSON of a field of a dataclass."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Literal[tuple(getattr(one, "label", one.value) for one in hint)]
    return hint


@cache
def _hints(kind: type) -> dict[str, Any]:
    return {one.name: one.type for one in fields(kind)}


def _built(value: Any, hint: Any) -> Any:
    """``value`` of a shape, as a field of a dataclass holds it that is annotated with ``hint``."""
    if isinstance(hint, UnionType):
        hint = next(one for one in get_args(hint) if one is not NoneType)
    if isinstance(value, Camel):
        return value.build(hint)
    if isinstance(value, tuple):
        return get_origin(hint)(_built(one, get_args(hint)[0]) for one in value)
    if isinstance(value, str) and issubclass(hint, Enum):
        return getattr(hint, "named", hint)(value)
    return value
