"""Knowledge kept as data: TOML files with one table an entry, read into frozen values."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum, IntEnum
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
_Reader = Callable[[Any], Any]
"""Turns what TOML says into a value; raises _Unfit."""


class _Unfit(ValueError):
    """What TOML says is no value of the type that is wanted."""

    def __init__(self, reason: str, *field: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.field = field
        """Where in the entry, outermost first."""


def read_table(file: Path, row: type[T], key: str = "id") -> Mapping[str, T]:
    """The entries of ``file`` in its order, by the names of their tables.

    ``row`` is a dataclass; its field ``key`` is the name, unless ``key`` is empty. A tuple is
    written as a list, a member of an enum by its value (of an IntEnum by its name in small
    letters), a nested dataclass as a table or as text that its ``parse`` reads, a function by its
    full name (a :class:`Named`). Raises ValueError that names file, entry and field where an entry
    does not fit: such a file is a mistake of ours.
    """
    return joined(parsed({file.name: file.read_bytes()}), row, key)


def read_tables(folder: Path, row: type[T], key: str = "id") -> Mapping[str, T]:
    """The entries of every TOML file in ``folder``, in order of the files' names.

    Raises ValueError as ``read_table`` does, and when a name stands in two files.
    """
    files = {file.name: file.read_bytes() for file in sorted(folder.glob("*.toml"))}
    return joined(parsed(files), row, key)


def parsed(files: Mapping[str, bytes]) -> Mapping[str, Mapping[str, Any]]:
    """What the files say, by the names that their contents are given by."""
    return {name: tomllib.loads(text.decode()) for name, text in files.items()}


def joined(said: Mapping[str, Mapping[str, Any]], row: type[T], key: str = "id") -> Mapping[str, T]:
    """The entries of files that are parsed, as ``read_tables`` gives and refuses them."""
    wanted: Any = row
    read = _reader(wanted)
    entries: dict[str, T] = {}
    for file, tables in said.items():
        if twice := entries.keys() & tables.keys():
            raise ValueError(f"{file}: {', '.join(sorted(twice))}: in another file, too")
        for name, entry in tables.items():
            try:
                named = {key: name} if key else {}
                entries[name] = read(named | entry if isinstance(entry, dict) else entry)
            except _Unfit as unfit:
                where = ".".join((name, *unfit.field))
                raise ValueError(f"{file}: {where}: {unfit.reason}") from unfit
    return entries


def read_lists(file: Path) -> Mapping[str, tuple[str, ...]]:
    """The lists of texts in ``file``, by name: each an array, or one text of words.

    Raises ValueError that names file and list.
    """
    read, found = _reader(tuple[str, ...]), {}
    for name, said in tomllib.loads(file.read_text("utf-8")).items():
        try:
            found[name] = read(said.split() if isinstance(said, str) else said)
        except _Unfit as unfit:
            raise ValueError(f"{file.name}: {name}: {unfit.reason}") from unfit
    return found


@cache
def _reader(wanted: Any) -> _Reader:
    """What reads values of the type ``wanted``, made once a type."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin is UnionType:
        return _reader(next(one for one in arguments if one is not type(None)))
    if origin is tuple:
        return _tuple_reader(wanted, arguments)
    if origin is Mapping:
        return _mapping_reader(wanted, *map(_reader, arguments))
    if is_dataclass(wanted):
        return _row_reader(wanted)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return _member_reader(wanted)
    return _function if origin is Callable else _plain_reader(wanted)


@dataclass(frozen=True, slots=True)
class Named:
    """A function by its full name, looked up when it is first called: most commands call few."""

    name: str

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        """What the function answers; raises ValueError where there is no such function."""
        return self.found()(*arguments, **more)

    def found(self) -> Callable[..., Any]:
        """The function itself; raises ValueError."""
        return _resolved(self.name)


@cache
def _resolved(name: str) -> Callable[..., Any]:
    try:
        found = resolve_name(name)
    except (AttributeError, ImportError, ValueError) as error:
        raise ValueError(f"{name!r} is no function") from error
    if not callable(found):
        raise ValueError(f"{name!r} is no function")
    return cast("Callable[..., Any]", found)


def _function(said: Any) -> Named:
    if not isinstance(said, str) or not all(map(str.isidentifier, said.split("."))):
        raise _Unfit(f"{said!r} is no function")
    return Named(said)


def _plain_reader(wanted: Any) -> _Reader:
    def read(said: Any) -> Any:
        if type(said) is not wanted:
            raise _Unfit(f"{said!r} is no {wanted}")
        return said

    return read


def _tuple_reader(wanted: Any, kinds: tuple[Any, ...]) -> _Reader:
    many = kinds[-1] is Ellipsis
    readers = tuple(_reader(kind) for kind in kinds if kind is not Ellipsis)
    first = readers[0]

    def read(said: Any) -> Any:
        if not isinstance(said, list) or (not many and len(said) != len(readers)):
            raise _Unfit(f"{said!r} is no {wanted}")
        if many:
            return tuple([first(value) for value in said])
        return tuple([one(value) for one, value in zip(readers, said, strict=True)])

    return read


def _mapping_reader(wanted: Any, read_key: _Reader, read_value: _Reader) -> _Reader:
    def read(said: Any) -> Any:
        if not isinstance(said, dict):
            raise _Unfit(f"{said!r} is no {wanted}")
        return {read_key(key): read_value(value) for key, value in said.items()}

    return read


def _row_reader(row: Any) -> _Reader:
    hints = get_type_hints(row)
    readers = {one.name: _reader(hints[one.name]) for one in fields(row) if one.init}
    needed = {
        one.name
        for one in fields(row)
        if one.init and one.default is MISSING and one.default_factory is MISSING
    }

    parse = getattr(row, "parse", None)

    def read(said: Any) -> Any:
        if isinstance(said, str) and parse:
            return _parsed(said, parse)
        if not isinstance(said, dict):
            raise _Unfit(f"{said!r} is no {row}")
        if wrong := (said.keys() - readers.keys()) or (needed - said.keys()):
            raise _Unfit(f"unknown or missing {', '.join(sorted(wrong))}")
        values = {}
        for name, value in said.items():
            try:
                values[name] = readers[name](value)
            except _Unfit as unfit:
                raise _Unfit(unfit.reason, name, *unfit.field) from unfit
        return row(**values)

    return read


def _parsed(said: str, parse: _Reader) -> Any:
    try:
        return parse(said)
    except ValueError as error:
        raise _Unfit(str(error)) from error


def _member_reader(wanted: type[Enum]) -> _Reader:
    members: Mapping[str, Enum] = {
        one.name.lower() if issubclass(wanted, IntEnum) else one.value: one for one in wanted
    }

    def read(said: Any) -> Any:
        if not isinstance(said, str) or said not in members:
            raise _Unfit(f"{said!r} is no {wanted.__name__}")
        return members[said]

    return read
