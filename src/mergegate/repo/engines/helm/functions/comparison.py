"""Truth, order and kinds of values."""

from collections.abc import Callable, Mapping

from mergegate.repo.engines.helm.values import UNKNOWN, Undecided, is_open, truth


def _same(one: object, other: object) -> bool:
    if isinstance(one, bool) is not isinstance(other, bool):
        return False
    return one == other


def _equal(first: object, *others: object) -> bool:
    return any(_same(first, one) for one in others)


def _less(one: object, other: object) -> bool:
    return one < other  # type: ignore[operator,no-any-return]


def _kind(value: object) -> str:
    if value is None:
        return "invalid"
    kinds: Mapping[type, str] = {bool: "bool", int: "int", float: "float64", str: "string"}
    return kinds.get(type(value), "slice" if isinstance(value, list) else "map")


def _type(value: object) -> str:
    """Whether a number of a chart's values is whole is not told apart by Helm."""
    types = {"slice": "[]interface {}", "map": "map[string]interface {}", "invalid": "<nil>"}
    kind = _kind(value)
    return types.get(kind, kind)


_NUMBERS = frozenset({"int", "int64", "float64"})


def _is_kind(name: object, value: object) -> bool:
    if value is UNKNOWN:
        raise Undecided
    kind = _kind(value)
    return name == kind or (kind in _NUMBERS and name in _NUMBERS)


def _is_type(name: object, value: object) -> bool:
    if value is UNKNOWN:
        raise Undecided
    return name == _type(value) or _is_kind(name, value)


def _named(name: Callable[[object], str]) -> Callable[[object], str]:
    def told(value: object) -> str:
        if value is UNKNOWN:
            raise Undecided
        return name(value)

    return told


def _not(value: object) -> bool:
    return not truth(value)


def _default(given: object, value: object = None) -> object:
    return value if truth(value) else given


def _coalesce(*values: object) -> object:
    return next((one for one in values if truth(one)), None)


def _ternary(yes: object, no: object, test: object) -> object:
    return yes if truth(test) else no


def _required(message: object, value: object) -> object:
    """Helm stops where it is missing; it is set when the chart is installed."""
    del message
    return UNKNOWN if value is None or value == "" else value


def _fail(message: object) -> str:
    """Helm stops here: the values that people set do not lead here."""
    del message
    return ""


def _length(value: object) -> int:
    if is_open(value):
        raise Undecided
    return len(value)  # type: ignore[arg-type]


def _all(*values: object) -> bool:
    return all(map(truth, values))


def _any(*values: object) -> bool:
    return any(map(truth, values))


KNOWING: Mapping[str, Callable[..., object]] = {
    "eq": _equal,
    "ne": lambda one, other: not _same(one, other),
    "lt": _less,
    "le": lambda one, other: not _less(other, one),
    "gt": lambda one, other: _less(other, one),
    "ge": lambda one, other: not _less(one, other),
    "deepEqual": _same,
}
MOVING: Mapping[str, Callable[..., object]] = {
    "not": _not,
    "empty": _not,
    "default": _default,
    "coalesce": _coalesce,
    "ternary": _ternary,
    "required": _required,
    "fail": _fail,
    "len": _length,
    "all": _all,
    "any": _any,
    "kindOf": _named(_kind),
    "kindIs": _is_kind,
    "typeOf": _named(_type),
    "typeIs": _is_type,
    "typeIsLike": _is_type,
}
