"""Mergegate's commands in a shell script, and what becomes of their exit code."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

_CALL = re.compile(
    r"(?:^|(?<=[\s;&|({'\"`/]))mergegate(?:==[\w.]+|[:@][\w.:@-]+)?[\"']?\s+(?P<verb>ci|scan|publish)\b"
)
_SPOKEN = re.compile(r"(?:^|[;&|]\s*)(?:echo|printf|#)\s[^;&|]*$")
_COMMENT = re.compile(r"(?:^|\s)#")
_OPTION = re.compile(r"--([a-z][a-z-]*)(?:[= ]+(\"[^\"]*\"|'[^']*'|[^\s-][^\s]*))?")
_PIPEFAIL = re.compile(r"set\s+(?:-\w+\s+)*-\w*o\s+pipefail")
_TOLERANT = re.compile(r"^set\s+\+(?:e\b|o\s+errexit\b)")
_CONTAINER = re.compile(r"\b(?:docker|podman)\b.*\brun\b")
_MOST_CALLS = 20
_HARMLESS = re.compile(r"\|\|\s*(?:true|:|/bin/true|exit 0|echo\b[^;&|]*)\s*$")
_STILL_FAILS = re.compile(r"\bexit\s+(?:[1-9$\"])|\bfalse\b|\breturn\s+[1-9$]")
_CONDITION = re.compile(r"(?:^|[;&|]\s*)(?:if|while|until|elif)\s")
_INSTALLS = re.compile(
    r"\b(?:pip3?|pipx|uv|uvx)\s[^\n;&|]*?(?<![\w./-])mergegate(?:\[[\w,]+\])?(?![\w./:-])(?P<pin>==)?"
)


class Swallowed(StrEnum):
    """How an exit code is lost."""

    ALTERNATIVE = "another command follows after `||`"
    PIPE = "only the last command of a pipe counts, because `pipefail` is off"
    CHAIN = "`&&` shields it, and more commands follow"
    BACKGROUND = "`&` sends it to the background"
    TOLERANT = "`set +e` is in force"
    INVERTED = "`!` turns it round"


@dataclass(frozen=True, slots=True)
class ShellCall:
    """One call of Mergegate."""

    verb: str
    line: int
    """The line of the script, counted from 0."""
    options: Mapping[str, str]
    """Name without dashes → value; ``true`` where no value was given."""
    swallowed: Swallowed | None = None
    excess: str = ""
    """What to take away so that the exit code counts; empty where that is not enough."""
    contained: bool = False
    """Whether `docker run` or the like starts it."""


def calls(script: str, *, pipefail: bool = False, ends_there: bool = True) -> list[ShellCall]:
    """Every call in ``script``, which runs under ``set -e``; of very many the first.

    ``pipefail`` tells whether the shell was started with it, ``ends_there`` whether nothing runs
    after the script's last line.
    """
    if "mergegate" not in script:
        return []
    return list(islice(_calls(script, pipefail=pipefail, ends_there=ends_there), _MOST_CALLS))


def _calls(script: str, *, pipefail: bool, ends_there: bool) -> Iterator[ShellCall]:
    lines = [(number, line) for number, line in _logical(script) if line]
    tolerant = False
    for index, (number, line) in enumerate(lines):
        last = ends_there and index + 1 == len(lines)
        for match in _CALL.finditer(line):
            before, rest = line[: match.start()], line[match.end() :]
            if _SPOKEN.search(before):
                continue
            lost = _lost(before, rest, piped=pipefail, last=last)
            if lost is None and tolerant and not last and not _exits(lines[index + 1 :]):
                lost = Swallowed.TOLERANT
            yield _call(match["verb"], number, before, rest, lost)
        pipefail = pipefail or _PIPEFAIL.search(line) is not None
        tolerant = tolerant or _TOLERANT.search(line) is not None


def _exits(lines: list[tuple[int, str]]) -> bool:
    return any("exit" in line for _, line in lines)


def _call(verb: str, line: int, before: str, rest: str, lost: Swallowed | None) -> ShellCall:
    excess = _HARMLESS.search(rest) if lost is Swallowed.ALTERNATIVE else None
    return ShellCall(
        verb=verb,
        line=line,
        options=_options(re.split(r"[;&|]", rest, maxsplit=1)[0]),
        swallowed=lost,
        excess=excess[0] if excess else "",
        contained=_CONTAINER.search(before) is not None,
    )


def _logical(script: str) -> Iterator[tuple[int, str]]:
    """Lines without comments, continuations joined to the first."""
    held, first = "", 0
    for number, line in enumerate(script.split("\n")):
        first = first if held else number
        comment = _COMMENT.search(line)
        bare = line[: comment.start()] if comment else line
        if bare.rstrip().endswith("\\"):
            held += bare.rstrip()[:-1] + " "
            continue
        yield first, (held + bare).strip()
        held = ""
    if held:
        yield first, held.strip()


def _lost(before: str, rest: str, *, piped: bool, last: bool) -> Swallowed | None:
    if _CONDITION.search(before):
        return None
    if re.search(r"(?:^|[;&|]\s*)!\s", before):
        return Swallowed.INVERTED
    alternative = rest.partition("||")[2]
    if alternative:
        return None if _STILL_FAILS.search(alternative) else Swallowed.ALTERNATIVE
    if re.search(r"(?<![|>])\|(?!\|)", rest):
        return None if piped else Swallowed.PIPE
    if "&&" in rest:
        return None if last else Swallowed.CHAIN
    return Swallowed.BACKGROUND if re.search(r"(?<![>&])&\s*$", rest) else None


def _options(text: str) -> Mapping[str, str]:
    return {
        match[1]: (match[2] or "true").strip("\"'")
        for match in _OPTION.finditer(text)
        if match[1] != "no"
    }


def installs_unpinned(script: str) -> bool:
    """Whether ``script`` installs or runs whatever release of the package is the newest."""
    return any(match["pin"] is None for match in _INSTALLS.finditer(script))
