"""Dockerfiles as recipes read them: instructions, stages, the commands of a RUN."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps

from mergegate.repo.checks.infrastructure.instructions import listed as words_of_list
from mergegate.repo.checks.infrastructure.instructions import parted
from mergegate.repo.fixes.edits import Splice, UncertainError, span
from mergegate.repo.fixes.recipe import Found

_NAMES = frozenset(
    {
        *("ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK"),
        *("LABEL", "MAINTAINER", "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME"),
        "WORKDIR",
    }
)
_ESCAPE = re.compile(r"#\s*escape\s*=\s*`", re.IGNORECASE)
_HEREDOC = re.compile(r"<<-?\s*([\"']?)([A-Za-z_]\w*)\1")
_LINE_END = re.compile(r"\\[ \t]*\r?\n")
_BEGUN = re.compile(rf"(?:{'|'.join(sorted(_NAMES))})\s")


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, with the lines that continue it and its here-documents."""

    name: str
    text: str
    start: int
    """In characters."""
    end: int
    """Behind its last line break."""

    @property
    def arguments(self) -> str:
        """What stands behind its name, its lines joined by blanks."""
        words = re.sub(r"\\[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*", " ", self.text).split(maxsplit=1)
        return words[1].strip() if len(words) > 1 else ""


def instructions(text: str) -> list[Instruction]:
    """All instructions in order; raises UncertainError where a line is none or not complete."""
    if _ESCAPE.search(text[:200]):
        raise UncertainError
    lines, at, found, start = text.splitlines(keepends=True), 0, [], 0
    while at < len(lines):
        first, begin = at, start
        words = lines[at].split()
        if not words or words[0].startswith("#"):
            start += len(lines[at])
            at += 1
            continue
        at = _heredocs(lines, first, _continued(lines, at))
        whole = "".join(lines[first:at])
        start += len(whole)
        if words[0].upper() not in _NAMES:
            raise UncertainError
        found.append(Instruction(words[0].upper(), whole, begin, start))
    return found


def _continued(lines: Sequence[str], at: int) -> int:
    """The line behind an instruction that begins at ``at``; comments between its lines are its."""
    first, goes_on = at, True
    while goes_on:
        if at == len(lines) or (at > first and _BEGUN.match(lines[at])):
            raise UncertainError
        said = lines[at].strip()
        goes_on = said.endswith("\\") or not said or said.startswith("#")
        at += 1
    return at


def _heredocs(lines: Sequence[str], first: int, at: int) -> int:
    """The line behind the here-documents that an instruction's own lines open."""
    opened = "".join(lines[first:at])
    if opened.split()[0].upper() not in {"RUN", "COPY", "ADD"}:
        return at
    for mark in _HEREDOC.finditer(opened):
        while at < len(lines) and lines[at].strip() != mark[2]:
            at += 1
        if at == len(lines):
            raise UncertainError
        at += 1
    return at


def base_of(begun: Instruction) -> str:
    """What a FROM builds on, and the name that it gives its stage, without options."""
    return " ".join(word for word in begun.arguments.split() if not word.startswith("--"))


def check(text: str) -> None:
    """Raises ValueError where ``text`` is no Dockerfile."""
    try:
        if not instructions(text):
            raise ValueError("it has no instruction")
    except UncertainError as unknown:
        raise ValueError("a line is no instruction") from unknown


@dataclass(frozen=True, slots=True)
class Dockerfile:
    """A Dockerfile, and the instruction in it that was found."""

    text: str
    all: Sequence[Instruction]
    one: Instruction
    start: int
    """Where what was found begins, in characters."""
    end: int

    @classmethod
    def of(cls, found: Found) -> "Dockerfile":
        """Raises UncertainError where nothing begins there."""
        start, end = (
            len(found.text.encode()[:at].decode(errors="ignore"))
            for at in span(found.text, found.place)
        )
        listed = instructions(found.text)
        here = [one for one in listed if one.start <= start < one.end]
        if not here or end > here[0].end:
            raise UncertainError
        step = re.sub(r"^ONBUILD\s+", "", here[0].text.lstrip(), flags=re.IGNORECASE)
        _, words = parted(re.sub(r"^RUN\s+", "", step, flags=re.IGNORECASE))
        if step[:3].upper() == "RUN" and words_of_list(words) is not None:
            raise UncertainError  # each word of a list stands for itself, whatever blanks it has
        return cls(found.text, listed, here[0], start, end)

    @property
    def found(self) -> str:
        """What was found."""
        return self.text[self.start : self.end]

    @property
    def stage(self) -> Sequence[Instruction]:
        """The instructions before the one that was found, in its stage."""
        before = [one for one in self.all if one.start < self.one.start]
        begun = max((at for at, one in enumerate(before) if one.name == "FROM"), default=0)
        return before[begun:]

    def splice(self, start: int, end: int, text: str) -> Splice:
        """Characters as bytes."""
        before = len(self.text[:start].encode())
        return Splice(before, before + len(self.text[start:end].encode()), text)

    def without_word(self, start: int, end: int) -> Splice:
        """Without a word, and its line where nothing else stands on it."""
        begin = self.text.rfind("\n", 0, start) + 1
        newline = self.text.find("\n", end)
        stop = len(self.text) if newline < 0 else newline
        before, after = self.text[begin:start], self.text[end:stop]
        if not before.strip():
            above = self.text[:begin].rstrip("\r\n")
            if not after.strip() and above.endswith("\\"):
                return self.splice(len(above[:-1].rstrip()), end, "")
            if after.strip() != "\\":
                following = end + len(after) - len(after.lstrip())
                return self.splice(start, following, "")
            return self.splice(begin, stop + 1, "")
        if before.rstrip() != before:
            return self.splice(begin + len(before.rstrip()), end, "")
        return self.splice(start, end + len(after) - len(after.lstrip(" ")), "")

    def without_instruction(self) -> Splice:
        """Without the instruction."""
        return self.splice(self.one.start, self.one.end, "")

    def without_command(self) -> Splice:
        """Without the command that was found, and what its output goes into."""
        commands = list(self._commands())
        here = [at for at, (start, end, _) in enumerate(commands) if start <= self.start < end]
        if len(here) != 1:
            raise UncertainError
        if len(commands) == 1:
            return self.without_instruction()
        start, end, _ = commands[here[0]]
        separators = {commands[at][2] for at in (here[0] - 1, here[0]) if at >= 0}
        if not separators <= {"&&", ";", ""}:
            raise UncertainError
        if here[0] + 1 < len(commands):
            return self.splice(start, commands[here[0] + 1][0], "")
        return self.splice(commands[here[0] - 1][1], end, "")

    def _commands(self) -> Iterator[tuple[int, int, str]]:
        """Start and end of each command line of a RUN, with what stands behind it."""
        body = re.match(r"RUN\s+(?:--\S+\s+)*", self.one.text, re.IGNORECASE)
        text = self.one.text
        if body is None or _HEREDOC.search(text) or text[body.end() :].startswith("["):
            raise UncertainError
        if re.search(r"\$\(|`|(?m:^\s*#)", text):
            raise UncertainError
        start = body.end()
        for mark, end in _separators(text, start):
            yield (*self._trimmed(start, end), mark)
            start = end + len(mark)
        yield (*self._trimmed(start, len(text)), "")

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Without blanks and line ends around it, as places in the whole text."""
        blank = re.compile(r"(?:\s|\\(?=[ \t]*\r?\n))*")
        while end > start and (self.one.text[end - 1].isspace() or self._is_line_end(end - 1)):
            end -= 1
        first = blank.match(self.one.text, start, end)
        return self.one.start + (first.end() if first else start), self.one.start + end

    def _is_line_end(self, at: int) -> bool:
        return _LINE_END.match(self.one.text, at) is not None


_SHELL = re.compile(
    r"(?P<kept>\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|\$?\{[^\s{}]+\}|\d?>&\d?|&>|[^\\'\"(){}&|;]|\|(?!\|))"
    r"|(?P<mark>&&|\|\||;)",
    re.DOTALL,
)
_NESTED = re.compile(r"(?:^|[\s;])(?:if|for|while|until|case|do|then)\s")


def _separators(text: str, at: int) -> Iterator[tuple[str, int]]:
    """What separates commands outside of quotes. Raises UncertainError at what nests them."""
    if _NESTED.search(text):
        raise UncertainError
    while at < len(text):
        part = _SHELL.match(text, at)
        if part is None:
            raise UncertainError
        if part["mark"]:
            yield part["mark"], at
        at = part.end()


Make = Callable[[Dockerfile], Iterator[Splice]]


def carried_out(make: Make) -> Callable[[Found], Sequence[Splice]]:
    """A recipe that changes nothing where it does not know what stands there."""

    @wraps(make)
    def taken(found: Found) -> Sequence[Splice]:
        try:
            return tuple(make(Dockerfile.of(found)))
        except UncertainError:
            return ()

    return taken
