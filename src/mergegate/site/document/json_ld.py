"""Read what a JSON-LD script says, whatever is in it."""

import json
import math
import re
from collections.abc import Iterable

_OPENINGS = re.compile(r"\s{0,999}(?:<!--|(?://|/\*)?\s{0,9}<!\[CDATA\[\s{0,9}(?:\*/)?)")
_ENDINGS = re.compile(r"(?:-->|(?://|/\*)?\s{0,9}\]\]>\s{0,9}(?:\*/)?)\s{0,999}\Z")
_DEEPEST = 64
"""Levels within each other; whoever walks through it may recurse."""


def parsed(text: str, most: int) -> tuple[object, str]:
    """What ``text`` says, and why it says nothing: a clause, and the line (from 1)."""
    if len(text) > most:
        return None, "it is too long to be read"
    try:
        data: object = json.loads(_bare(text), parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as error:
        return None, f"{error.msg[:1].lower()}{error.msg[1:]} in line {error.lineno}"
    except RecursionError:
        return None, "it is nested too deeply"
    except ValueError:
        return None, "it holds a number that is none in JSON"
    return (None, "it is nested too deeply") if _is_deep(data) else (data, "")


def _bare(text: str) -> str:
    """Without the comment signs that once kept scripts from old browsers; lines stay lines."""
    opening = _OPENINGS.match(text)
    if not opening:
        return text
    ending = _ENDINGS.search(text, max(opening.end(), len(text) - 1_100))
    return "\n" * opening[0].count("\n") + text[opening.end() : ending and ending.start()]


def _refuse(name: str) -> object:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits)
    return number


def _is_deep(data: object) -> bool:
    level: list[object] = [data]
    for _ in range(_DEEPEST):
        level = [inner for one in level for inner in _inner(one)]
        if not level:
            return False
    return True


def _inner(data: object) -> Iterable[object]:
    if isinstance(data, dict):
        return data.values()
    return data if isinstance(data, list) else ()
