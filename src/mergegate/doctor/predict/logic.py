"""Conditions of CI files, answered yes, no or unknown."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias


class _Unknown:
    """What only the run itself can tell."""


UNKNOWN: Final = _Unknown()
Known: TypeAlias = "str | bool | None"
Value: TypeAlias = "Known | _Unknown"
Look: TypeAlias = Callable[[str], Value]
"""A variable's value by its name."""
Ask: TypeAlias = Callable[[str], Value]
"""What a function without known arguments answers, by its name in lower case."""

_LONGEST, _DEEPEST = 4000, 40
_TOKEN = re.compile(
    r"\s*(?:(?P<op>&&|\|\||==|!=|=~|!~|<=|>=|[()!<>,])"
    r"|(?P<text>'(?:[^']|'')*'|\"[^\"]*\")"
    r"|(?P<regex>/(?:[^/\\]|\\.)*/i?)"
    r"|(?P<word>[$\w.*\[\]'-]+))"
)


class _Puzzled(Exception):
    """The condition is written in a way that is not understood."""


@dataclass(frozen=True, slots=True)
class Language:
    """What differs between the platforms."""

    look: Look
    ask: Ask = lambda _: UNKNOWN
    ignores_case: bool = False


def holds(condition: str, language: Language) -> bool | None:
    """Whether ``condition`` is true; None where that is not known before the run."""
    if len(condition) > _LONGEST:
        return None
    try:
        reader = _Reader(_tokens(condition), language)
        value = reader.whole()
    except _Puzzled:
        return None
    return _truth(value)


def _tokens(condition: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    place = 0
    text = condition.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            raise _Puzzled
        found.append((match.lastgroup, match[match.lastgroup]))
        place = match.end()
    return found


def _truth(value: Value) -> bool | None:
    return None if isinstance(value, _Unknown) else bool(value)


def _of(truth: bool | None) -> Value:
    return UNKNOWN if truth is None else truth


class _Reader:
    """Recursive descent: or, and, not, comparison, value."""

    def __init__(self, tokens: list[tuple[str, str]], language: Language) -> None:
        self._tokens = tokens
        self._language = language
        self._depth = 0

    def whole(self) -> Value:
        value = self._either()
        if self._tokens:
            raise _Puzzled
        return value

    def _either(self) -> Value:
        value = self._both()
        while self._takes("||"):
            left, right = _truth(value), _truth(self._both())
            value = _of(True if left or right else None if None in {left, right} else False)
        return value

    def _both(self) -> Value:
        value = self._denied()
        while self._takes("&&"):
            left, right = _truth(value), _truth(self._denied())
            no = left is False or right is False
            value = _of(False if no else None if None in {left, right} else True)
        return value

    def _denied(self) -> Value:
        if not self._takes("!"):
            return self._compared()
        self._deeper()
        truth = _truth(self._denied())
        return _of(None if truth is None else not truth)

    def _compared(self) -> Value:
        left = self._value()
        for sign in ("==", "!="):
            if self._takes(sign):
                return self._same(left, self._value(), wanted=sign == "==")
        if any(self._takes(sign) for sign in ("=~", "!~", "<", ">", "<=", ">=")):
            self._value()
            # GitLab: nothing matches a variable that is not set.
            return False if left is None else UNKNOWN
        return left

    def _same(self, left: Value, right: Value, *, wanted: bool) -> Value:
        if isinstance(left, _Unknown) or isinstance(right, _Unknown):
            return UNKNOWN
        if self._language.ignores_case and isinstance(left, str) and isinstance(right, str):
            left, right = left.lower(), right.lower()
        return (left == right) is wanted

    def _value(self) -> Value:
        if self._takes("("):
            self._deeper()
            value = self._either()
            self._expect(")")
            return value
        kind, text = self._next()
        if kind == "text":
            return text[1:-1]
        if kind == "regex":
            return UNKNOWN
        if kind != "word":
            raise _Puzzled
        if self._takes("("):
            return self._called(text.lower())
        return self._named(text)

    def _called(self, name: str) -> Value:
        bare = self._takes(")")
        if not bare:
            self._deeper()
            self._either()
            while self._takes(","):
                self._either()
            self._expect(")")
        return self._language.ask(name) if bare else UNKNOWN

    def _named(self, name: str) -> Value:
        literals: dict[str, Known] = {"true": True, "false": False, "null": None}
        return literals[name] if name in literals else self._language.look(name)

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Puzzled

    def _next(self) -> tuple[str, str]:
        if not self._tokens:
            raise _Puzzled
        return self._tokens.pop(0)

    def _takes(self, sign: str) -> bool:
        if self._tokens and self._tokens[0] == ("op", sign):
            self._tokens.pop(0)
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            raise _Puzzled
