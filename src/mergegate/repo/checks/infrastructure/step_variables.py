"""Commands of a step with the arguments and variables that a Dockerfile gives a value itself."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from mergegate.repo.checks.infrastructure.shell import Command, commands
from mergegate.repo.facts.documents import STEP_BUDGET

_VARIABLE = re.compile(r"\$(?:\{(?P<long>\w+)(?::?-(?P<default>[^{}$]*))?\}|(?P<short>\w+))")


@dataclass(slots=True)
class Values:
    """What variables stand for, until what they stand for is longer than a step may be."""

    known: Mapping[str, str]
    left: int = STEP_BUDGET

    def of(self, word: str) -> str | None:
        """What a word that is one variable comes to; None where that is not known."""
        found = _VARIABLE.fullmatch(word)
        if found is None:
            return None
        value = self.known.get(found["long"] or found["short"]) or found["default"]
        self.left -= len(value or "")
        return value if value and self.left >= 0 else None


def filled_in(found: Iterable[Command], known: Mapping[str, str]) -> Iterator[Command]:
    """The commands, with what variables in the place of a program or of a whole word stand for."""
    values = Values(known)
    for command in found:
        words = tuple(_words(command.words, values))
        into = values.of(command.into) or command.into
        filled = replace(
            command,
            words=words,
            into=(into.split() or [""])[0],
            is_indirect=words != command.words,
        )
        script = values.of(command.program)
        if command.program == "eval":
            script, filled = " ".join(words), replace(filled, words=())
        if script is None:
            yield filled
            continue
        for number, one in enumerate(commands(script)):
            # What stands behind the variable belongs to the first program of its value.
            behind = filled.words if number == 0 else ()
            yield replace(
                one,
                start=command.start,
                words=(*one.words, *behind),
                into=one.into or filled.into,
                before=command.before,
                is_indirect=True,
            )


def _words(words: Iterable[str], values: Values) -> Iterator[str]:
    for word in words:
        value = values.of(word)
        yield from (word,) if value is None else value.split()
