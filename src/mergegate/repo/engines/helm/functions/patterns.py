"""Regular expressions, as far as the time that they take has a bound."""

import re
from collections.abc import Callable, Mapping

from mergegate.repo.engines.helm.functions.texts import text
from mergegate.repo.engines.helm.values import Undecided
from mergegate.repo.engines.patterns import bounded


def _compiled(pattern: str, source: str) -> re.Pattern[str]:
    """The pattern. Raises Undecided where it may take longer than it is worth."""
    compiled = bounded(pattern, source)
    if compiled is None:
        raise Undecided
    return compiled


def _matches(pattern: str, value: object) -> bool:
    return _compiled(pattern, text(value)).search(text(value)) is not None


def _find(pattern: str, value: object) -> str:
    match = _compiled(pattern, text(value)).search(text(value))
    return match[0] if match else ""


def _find_all(pattern: str, value: object, most: int) -> list[object]:
    found = [match[0] for match in _compiled(pattern, text(value)).finditer(text(value))]
    return list(found if most < 0 else found[:most])


def _replace_all(pattern: str, value: object, new: str) -> str:
    template = re.sub(r"\$\{?(\d)\}?", r"\\g<\1>", new.replace("\\", r"\\"))
    return _compiled(pattern, text(value)).sub(template, text(value))


def _replace_literally(pattern: str, value: object, new: str) -> str:
    return _compiled(pattern, text(value)).sub(lambda _: new, text(value))


def _split(pattern: str, value: object, most: int) -> list[object]:
    source = text(value)
    return list(_compiled(pattern, source).split(source, max(0, most - 1) if most > 0 else 0))


_BY_NAME: Mapping[str, Callable[..., object]] = {
    "Match": _matches,
    "Find": _find,
    "FindAll": _find_all,
    "ReplaceAll": _replace_all,
    "ReplaceAllLiteral": _replace_literally,
    "Split": _split,
}
KNOWING: Mapping[str, Callable[..., object]] = {
    **{f"regex{name}": function for name, function in _BY_NAME.items()},
    **{f"mustRegex{name}": function for name, function in _BY_NAME.items()},
    "regexQuoteMeta": lambda value: re.escape(text(value)),
}
