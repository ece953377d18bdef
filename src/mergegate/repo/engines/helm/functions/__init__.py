"""The functions that templates call: Go's own, those of Sprig, and Helm's.

Each is in one of three tables: those that need to know all that they are given, those that move
values about without looking at them, and those that write a text around one.
"""

import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import yaml

from mergegate.repo.engines.helm.functions import (
    collections,
    comparison,
    encodings,
    numbers,
    patterns,
    texts,
    versions,
)
from mergegate.repo.engines.helm.values import (
    TEXT_BUDGET,
    UNKNOWN,
    Undecided,
    is_open,
    walk,
)
from mergegate.repo.engines.terraform.values import Budget, Spent

MISSING: Final = object()
"""The answer for a function that is not known here."""
_KNOWING: Mapping[str, Callable[..., object]] = {
    **comparison.KNOWING,
    **collections.KNOWING,
    **encodings.KNOWING,
    **numbers.KNOWING,
    **patterns.KNOWING,
    **texts.KNOWING,
    **versions.KNOWING,
}
_MOVING: Mapping[str, Callable[..., object]] = {**collections.MOVING, **comparison.MOVING}
_WRITING: Mapping[str, Callable[..., object]] = {
    **collections.WRITING,
    **texts.WRITING,
    **encodings.WRITING,
}
_CHANGING = frozenset(
    {"set", "unset", "merge", "mergeOverwrite", "mustMerge", "mustMergeOverwrite"}
)
"""What changes the map that it is given."""
_NEVER_KNOWN = frozenset(
    {
        *("lookup", "now", "getHostByName", "env", "expandenv", "randAlphaNum", "randAlpha"),
        *("randNumeric", "randAscii", "randBytes", "randInt", "uuidv4", "shuffle", "genPrivateKey"),
        *("genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey"),
        *("genSignedCert", "genSignedCertWithKey", "buildCustomCert", "derivePassword"),
        *("htpasswd", "bcrypt", "encryptAES", "decryptAES", "date", "dateInZone", "date_in_zone"),
        *("dateModify", "date_modify", "mustDateModify", "toDate", "mustToDate", "ago", "htmlDate"),
        *("htmlDateInZone", "unixEpoch", "duration", "durationRound", "fromToml", "toToml"),
        *("js", "html", "urlquery", "call"),
    }
)
_WRONG = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    re.error,
    yaml.YAMLError,
)
"""What a function raises that is given what it does not take: Helm then stops."""


BY_EVALUATOR = frozenset({"and", "include", "or", "tpl"})
"""Functions that evaluate what they are given, or another template."""


def names() -> frozenset[str]:
    """The functions whose outcome is known where what they are given is."""
    return BY_EVALUATOR.union(_KNOWING, _MOVING, _WRITING, _CHANGING)


def call(name: str, given: Sequence[object], budget: Budget, *, doubtful: bool = False) -> object:
    """What a function makes of what it is given; UNKNOWN where that is not decided.

    In a branch of which it is ``doubtful`` whether it is taken, no map is changed but to what is
    not known. Raises Spent.
    """
    if name in _NEVER_KNOWN:
        return UNKNOWN
    budget.spend()
    try:
        if name in _CHANGING:
            return _changed(name, given, budget, doubtful)
        return _answer(name, given, budget)
    except (Undecided, *_WRONG):
        return UNKNOWN


def _answer(name: str, given: Sequence[object], budget: Budget) -> object:
    if function := _KNOWING.get(name):
        if any(is_open(part) for one in given for part in walk(one, budget)):
            return UNKNOWN
    elif function := _WRITING.get(name):
        _paid(given, budget)
    elif (function := _MOVING.get(name)) is None:
        return MISSING
    return _bounded(function(*given), budget)


def _paid(given: Sequence[object], budget: Budget) -> None:
    """Raises Spent where what is given stands for more than a template may look at."""
    for one in given:
        deque(walk(one, budget), maxlen=0)


def _bounded(answer: object, budget: Budget) -> object:
    if isinstance(answer, str):
        if len(answer) > TEXT_BUDGET:
            raise Spent
        budget.spend(len(answer) // 64)
    elif isinstance(answer, dict | list):
        budget.spend(len(answer))
    return answer


def _changed(name: str, given: Sequence[object], budget: Budget, doubtful: bool) -> object:
    first = given[0]
    if not isinstance(first, dict):
        return UNKNOWN
    _paid(given, budget)
    if doubtful:
        keys = [given[1]] if "erge" not in name else [key for one in given[1:] for key in one]  # type: ignore[attr-defined]
        first.update((str(key), UNKNOWN) for key in keys)
        return first
    return collections.CHANGING[name](*given)
