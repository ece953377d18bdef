"""A command line for a shell as the words that it makes of it, where that is certain."""

import re
from collections.abc import Callable, Iterator, Sequence

from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.joined import Constant, Joined, Value

_PLAIN = re.compile(r"[\w\-./=:,@+ ]*")
"""What no shell takes for more than itself."""
_BUILT_IN = frozenset(
    {"alias", "cd", "eval", "exec", "exit", "export", "read", "set", "source", "trap", "ulimit"}
)
_SEVERAL = re.compile(r"(?i).*(?:args?|opts|options|flags|params|cmd|command|cmdline)\W*")
"""Names of values that may well be several words."""


def words(text: Joined, operand: Callable[[Value], str]) -> Sequence[str]:
    """The words as expressions; ``operand`` writes a value.

    Raises UncertainError where a shell is needed, or where a value may be more than one word.
    """
    made = list(_expressions(text, operand))
    program = made[0] if made else ""
    name = program.strip(text.quote)
    if not program.startswith(text.quote) or "=" in name or name in _BUILT_IN or "+" in program:
        raise UncertainError
    return made


def _expressions(text: Joined, operand: Callable[[Value], str]) -> Iterator[str]:
    word: list[str] = []
    constant = ""
    for part in _unquoted(text):
        if isinstance(part, Value):
            if _SEVERAL.fullmatch(text.said(part)):
                raise UncertainError
            if constant:
                word.append(f"{text.quote}{constant}{text.quote}")
            word.append(operand(part))
            constant = ""
            continue
        for piece in re.split(r"( +)", part):
            if not piece.startswith(" "):
                constant += piece
                continue
            yield from _word(text, word, constant)
            word, constant = [], ""
    yield from _word(text, word, constant)


def _word(text: Joined, word: list[str], constant: str) -> Iterator[str]:
    said = [*word, *([f"{text.quote}{constant}{text.quote}"] if constant else [])]
    if said:
        yield text.plus.join(said)


def _unquoted(text: Joined) -> Iterator[str | Value]:
    """The parts, without the quotes that stand around a value alone."""
    parts = text.parts
    closing = ""
    for number, part in enumerate(parts):
        if isinstance(part, Value):
            yield part
            continue
        said = part.text
        if closing:
            said = said.removeprefix(closing)
            closing = ""
        following = parts[number + 2] if number + 2 < len(parts) else None
        for quote in ("'", '\\"'):
            if said.endswith(quote):
                if not (isinstance(following, Constant) and following.text.startswith(quote)):
                    raise UncertainError
                said, closing = said.removesuffix(quote), quote
        if not _PLAIN.fullmatch(said):
            raise UncertainError
        yield said
