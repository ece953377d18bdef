"""Commands of a shell script, each a program with its words; nothing of it is expanded or run."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from posixpath import basename

_TOKEN = re.compile(
    r"""(?P<blank>[^\S\n]+|\\\n)
    |(?P<comment>(?<![^\s;&|(])\#[^\n]*)
    |(?P<redirect>(?:\d+|&)?(?:>>?|<{1,3})[&|]?)
    |(?P<mark>&&|\|[|&]?|;;?|[&()`\n])
    |(?P<word>(?:'[^']*'|"(?:[^"\\]|\\.)*"|\$?\{[^}\s]{0,200}\}|\\[^\n]|[^\s'"\\;&|()<>`])+)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTED = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)", re.DOTALL)
_ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=")
_KEYWORDS = frozenset({"!", "{", "if", "then", "elif", "else", "do", "while", "until", "time"})
_IN_FRONT = frozenset({"sudo", "env", "exec", "command", "nohup", "nice", "eatmydata", "xargs"})
"""Programs that run the one that is named behind their options."""
_SHELLS = frozenset({"sh", "bash", "ash", "dash", "zsh"})
_DEEPEST = 8
"""Scripts within one another: what stands behind ``sh -c``."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program, and what it is called with."""

    program: str
    """Without its folder."""
    words: tuple[str, ...]
    """What stands behind it, without quotes and redirections."""
    start: int
    """Where in the script it begins."""
    before: tuple[str, ...] = ()
    """What stands before it: assignments, and the programs that run it."""
    into: str = ""
    """The program that reads what it writes."""
    writes: tuple[str, ...] = ()
    """The files that its output goes to."""
    is_indirect: bool = False
    """Whether a part of it stands elsewhere, as the value of a variable."""


@dataclass(slots=True)
class _Open:
    """A command that is being read."""

    closes: str = ""
    """The mark that ends the substitution that it stands in."""
    words: list[str] = field(default_factory=list)
    start: int = -1
    writes: list[str] = field(default_factory=list)
    awaited: str = ""
    """The redirection whose file comes next."""

    def take(self, word: str, at: int) -> None:
        """A further word, which may be the file of a redirection."""
        if not self.awaited:
            self.start = at if self.start < 0 else self.start
            self.words.append(word)
        elif ">" in self.awaited and not _is_stream(self.awaited, word):
            self.writes.append(word)
        self.awaited = ""


def _is_stream(redirect: str, word: str) -> bool:
    """Whether the output goes to another stream, as with ``2>&1``, and not to a file."""
    return redirect.endswith("&") and (word.isdecimal() or word == "-")


def commands(script: str, depth: int = 0) -> Iterator[Command]:
    """Every command of the script in order of their ends; those of a pipe know the next."""
    waiting: Command | None = None
    for read, mark in _simple(script):
        command = _command(read.words, read.start, read.writes)
        if command is None:
            continue
        if waiting is not None:
            yield replace(waiting, into=command.program)
        waiting = command if mark.startswith("|") and mark != "||" else None
        if waiting is None:
            yield command
        yield from _inner(command, depth)
    if waiting is not None:
        yield waiting


def called(words: Sequence[str]) -> Iterator[Command]:
    """The command that a list of words is, and those of the script that it may be called with."""
    if command := _command(list(words), 0, ()):
        yield command
        yield from _inner(command, 0)


def _inner(command: Command, depth: int) -> Iterator[Command]:
    """What a shell is told to run."""
    if command.program not in _SHELLS or depth >= _DEEPEST:
        return
    for option, script in zip(command.words, command.words[1:], strict=False):
        if re.fullmatch(r"-[a-z]{0,4}c", option):
            for one in commands(script, depth + 1):
                yield replace(one, start=command.start)
            return


def _simple(script: str) -> Iterator[tuple[_Open, str]]:
    """The words of each command, and the mark behind it."""
    stack = [_Open()]
    for token in _TOKEN.finditer(script):
        here, text = stack[-1], token[0]
        if token.lastgroup in {"word", "other"}:
            here.take(_plain(text), token.start())
        elif token.lastgroup == "redirect":
            here.awaited = text
        elif token.lastgroup == "mark":
            if (text == "(" and script.startswith("$", token.start() - 1)) or (
                text == "`" and here.closes != "`"
            ):
                stack.append(_Open(closes=")" if text == "(" else "`"))
                continue
            yield here, text
            if text == here.closes:
                stack.pop()
            else:
                stack[-1] = _Open(closes=here.closes)
    yield from ((one, "") for one in reversed(stack))


def _plain(word: str) -> str:
    """The word without quotes."""
    return _QUOTED.sub(lambda quoted: quoted[1] or quoted[2] or quoted[3] or "", word)


def _command(words: list[str], start: int, writes: Sequence[str]) -> Command | None:
    """The command that the words are; None where they only assign, or there are none."""
    at = 0
    while at < len(words) and (
        words[at] in _KEYWORDS
        or _ASSIGNED.match(words[at])
        or words[at] in _IN_FRONT
        or (words[at].startswith("-") and at > 0 and words[at - 1] not in _KEYWORDS)
    ):
        at += 1
    if at == len(words):
        return None
    before = tuple(words[:at])
    return Command(basename(words[at]), tuple(words[at + 1 :]), start, before, writes=tuple(writes))
