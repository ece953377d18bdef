"""Numbers: Go's are 64 bits wide."""

import math
import re
from collections.abc import Callable, Mapping
from functools import reduce

_NUMBER = re.compile(r"[+-]?[\d.]+([eE][+-]?\d{1,3})?")

_MOST_PLACES = 30


def whole(value: object) -> int:
    """A value as a whole number; 0 where it is none."""
    if isinstance(value, bool | int):
        return int(value)
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and abs(value) < 2**63 else 0
    if isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,19}(\.0*)?", value):
        return int(value.partition(".")[0])
    return 0


def _decimal(value: object) -> float:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else 0.0
    return float(value) if isinstance(value, bool | int | float) else 0.0


def _fitting(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _divided(one: object, other: object) -> int:
    """Towards zero, as Go divides."""
    quotient = abs(whole(one)) // abs(whole(other))
    return quotient if (whole(one) < 0) is (whole(other) < 0) else -quotient


def _rounded(value: object, places: int, on: float = 0.5) -> float:
    if not 0 <= places <= _MOST_PLACES:
        raise ValueError("there are no such decimals")
    shifted = _decimal(value) * 10**places
    down = math.floor(shifted)
    return float(down + (shifted - down >= on)) / float(10**places)


def _octal(value: object) -> int:
    return int(str(value), 8)


KNOWING: Mapping[str, Callable[..., object]] = {
    "int": whole,
    "int64": whole,
    "atoi": whole,
    "float64": _decimal,
    "toDecimal": _octal,
    "add": lambda *given: _fitting(sum(map(whole, given))),
    "add1": lambda value: _fitting(whole(value) + 1),
    "sub": lambda one, other: _fitting(whole(one) - whole(other)),
    "mul": lambda *given: reduce(lambda one, other: _fitting(one * whole(other)), given, 1),
    "div": _divided,
    "mod": lambda one, other: whole(one) - whole(other) * _divided(one, other),
    "max": lambda *given: max(map(whole, given)),
    "min": lambda *given: min(map(whole, given)),
    "biggest": lambda *given: max(map(whole, given)),
    "add1f": lambda value: _decimal(value) + 1,
    "addf": lambda *given: sum(map(_decimal, given)),
    "subf": lambda first, *given: _decimal(first) - sum(map(_decimal, given)),
    "mulf": lambda *given: math.prod(map(_decimal, given)),
    "divf": lambda first, *given: _decimal(first) / math.prod(map(_decimal, given)),
    "maxf": lambda *given: max(map(_decimal, given)),
    "minf": lambda *given: min(map(_decimal, given)),
    "ceil": lambda value: float(math.ceil(_decimal(value))),
    "floor": lambda value: float(math.floor(_decimal(value))),
    "round": _rounded,
}
