"""Knowledge kept as data: a TOML file with one table an entry, read into frozen values."""

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum, IntEnum
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def read_table(file: Path, row: type[T], key: str = "id") -> Mapping[str, T]:
    """The entries of ``file`` in its order, by the names of their tables.

    ``row`` is a dataclass; its field ``key`` is the name. A tuple is written as a list, a member of
    an enum by its value (of an IntEnum by its name in small letters), a nested dataclass as a
    table. Raises ValueError that names file, entry and field where an entry does not fit: such a
    file is a mistake of ours.
    """
    entries = tomllib.loads(file.read_text("utf-8"))
    return {
        name: _value({key: name, **entry}, row, f"{file.name}: {name}")
        for name, entry in entries.items()
    }


def _value(said: Any, wanted: Any, where: str) -> Any:
    """``said`` as a value of the type ``wanted``."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin is UnionType:
        wanted = next(one for one in arguments if one is not type(None))
        return _value(said, wanted, where)
    if origin is tuple and isinstance(said, list):
        kinds = arguments[:1] * len(said) if arguments[-1] is Ellipsis else arguments
        return tuple(_value(one, kind, where) for one, kind in zip(said, kinds, strict=True))
    if origin is Mapping and isinstance(said, dict):
        of_key, of_value = arguments
        return {_value(k, of_key, where): _value(v, of_value, where) for k, v in said.items()}
    if is_dataclass(wanted) and isinstance(said, dict):
        return _row(said, wanted, where)
    if isinstance(wanted, type) and issubclass(wanted, Enum) and isinstance(said, str):
        return _member(said, wanted, where)
    if isinstance(wanted, type) and type(said) is wanted:
        return said
    raise ValueError(f"{where}: {said!r} is no {wanted}")


def _row(said: Mapping[str, Any], row: Any, where: str) -> Any:
    hints = _hints(row)
    needed = {
        one.name
        for one in fields(row)
        if one.init and one.default is MISSING and one.default_factory is MISSING
    }
    if wrong := (said.keys() - hints.keys()) or (needed - said.keys()):
        raise ValueError(f"{where}: unknown or missing {', '.join(sorted(wrong))}")
    return row(**{k: _value(v, hints[k], f"{where}.{k}") for k, v in said.items()})


@cache
def _hints(row: type) -> Mapping[str, Any]:
    return get_type_hints(row)


def _member(said: str, wanted: type[Enum], where: str) -> Enum:
    try:
        return wanted[said.upper()] if issubclass(wanted, IntEnum) else wanted(said)
    except (KeyError, ValueError) as error:
        raise ValueError(f"{where}: {said!r} is no {wanted.__name__}") from error
