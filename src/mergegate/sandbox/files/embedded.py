"""Code that no name of a file announces: inside settings and scripts, or all of an unnamed text."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_lists


def _without_margin(pattern: str) -> str:
    return pattern.removeprefix("^").removeprefix(r"[ \t]*")


_PATTERNS = read_lists(Path(__file__).with_suffix(".toml"))
_SIGNS = {
    language: re.compile("|".join(patterns), re.MULTILINE)
    for language, patterns in _PATTERNS.items()
}
_AT_A_LINE = {
    language: re.compile(f"^(?:{'|'.join(map(_without_margin, patterns))})", re.MULTILINE)
    for language, patterns in _PATTERNS.items()
}
_FENCED = re.compile(
    r"^(?P<fence>`{3,9}|~{3,9}|-{4,9}|\.{4,9})[^\n]*\n(?:.*?\n)??(?P=fence)",
    re.MULTILINE | re.DOTALL,
)
_BLOCK = re.compile(r"(?P<margin>[ \t]*+)[^#\n]*[|>][-+\d]{0,2}[ \t]*(?:#.*)?\r?")
_HERE = re.compile(r"<<[-~]?\s*[\"'\\]?(?P<end>[A-Za-z_]\w*)")
_IN_LINE = re.compile(
    r"\b(?P<program>python|pypy|node|bun|deno)[\w.]*(?:\s+-[\w-]+)*?\s+(?:-[A-Za-z]*[cep]|--eval|eval)\s+"
    r"""(?:"(?P<double>(?:[^"\\]|\\.){1,20000})"|'(?P<single>[^']{1,20000})'"""
    r"""|\\"(?P<escaped>(?:[^"\\]|\\[^"]){1,20000})\\")""",
    re.DOTALL,
)
RUNNERS = ("exec(", "eval(", "Function(")
_TEXT = re.compile(
    r"\s*[rRuU]?(?:(?P<triple>\"{3}|'{3})(?P<long>.{1,20000}?)(?P=triple)"
    r"""|(?P<quote>["'`])(?P<short>(?:(?!(?P=quote))[^\\]|\\.){1,20000}?)(?P=quote))""",
    re.DOTALL,
)
_TAG = re.compile(r"<%[-=_]?(?P<code>[^%]*(?:%(?!>)[^%]*)*)")
_SIGN = re.compile(r"[^\r\n]")
_MOST_APART = 20
_RUN_BY = {"python": "python", "pypy": "python"}
_ESCAPED_QUOTE = re.compile(r"\\([\"\\$`])")


@dataclass(frozen=True, slots=True)
class Embedded:
    """Code in one language."""

    language: str
    text: str
    lines: tuple[int, ...]
    """For each line its number in the whole text; empty where they are the same."""


def languages_shown(text: str) -> list[str]:
    """The languages that ``text`` looks as if it was written in."""
    return [name for name, sign in _SIGNS.items() if sign.search(text)]


def as_a_whole(text: str) -> Iterator[Embedded]:
    """All of ``text``, where it is code."""
    for language in languages_shown(text):
        yield Embedded(language, text, ())


def in_disguise(text: str, languages: Container[str] = _SIGNS) -> Iterator[Embedded]:
    """All of ``text``, where its lines are code though its name says that people read it."""
    said = _FENCED.sub("", text)
    for language, sign in _AT_A_LINE.items():
        if language in languages and sign.search(said):
            yield Embedded(language, text, ())


def in_blocks(text: str) -> Iterator[Embedded]:
    """Code in the block values of a YAML document."""
    rows = text.split("\n")
    at = 0
    while at < len(rows):
        opened = _BLOCK.fullmatch(rows[at])
        start = at = at + 1
        if opened:
            margin = len(opened["margin"])
            while at < len(rows) and _is_deeper(rows[at], margin):
                at += 1
            yield from _shown(rows[start:at], start + 1)


def in_here_documents(text: str) -> Iterator[Embedded]:
    """Code that a shell or a build file hands on, up to a word of its choice."""
    rows = text.split("\n")
    ends: dict[str, list[int]] = {match["end"]: [] for match in _HERE.finditer(text)}
    for number, row in enumerate(rows):
        if (word := row.strip()) in ends:
            ends[word].append(number)
    at = 0
    while ends and at < len(rows):
        opened = _HERE.search(rows[at])
        start = at = at + 1
        closing = ends[opened["end"]] if opened else []
        if (place := bisect_left(closing, start)) < len(closing):
            yield from _shown(rows[start : closing[place]], start + 1)
            at = closing[place]


def in_line(text: str) -> Iterator[Embedded]:
    """Code that an interpreter is given with its call."""
    place = _line_of(text)
    for match in _IN_LINE.finditer(text):
        code = match["double"] or match["single"] or match["escaped"]
        if not match["single"]:
            code = _ESCAPED_QUOTE.sub(r"\1", code)
        lines = _lines(code, place(match.start(match.lastgroup or 0)))
        yield Embedded(_RUN_BY.get(match["program"], "javascript"), code, lines)


def in_strings(text: str, language: str) -> Iterator[Embedded]:
    """Code that a program has as a text and lets run."""
    place = _line_of(text)
    for runner in RUNNERS:
        at = text.find(runner)
        while at >= 0:
            start, called = at + len(runner), _is_name_of_its_own(text, at)
            at = text.find(runner, start)
            if called and (found := _TEXT.match(text, start)):
                code = found["long"] or found["short"]
                yield Embedded(language, code, _lines(code, place(found.end() - len(code))))


def in_tags(text: str) -> Iterator[Embedded]:
    """The script that the tags of a template hold; all else is blank."""
    code, done = [], 0
    for match in _TAG.finditer(text):
        code += [_SIGN.sub(" ", text[done : match.start("code")]), match["code"]]
        done = match.end("code")
    if code:
        yield Embedded("javascript", "".join(code), ())


def together(found: Iterable[Embedded]) -> list[Embedded]:
    """``found``, where it is much as one text a language: a parser starts for each."""
    pieces = list(found)
    if len(pieces) <= _MOST_APART:
        return pieces
    joined = defaultdict(list)
    for one in pieces:
        joined[one.language].append(one)
    return [
        Embedded(
            language,
            "\n".join(one.text for one in parts),
            tuple(line for one in parts for line in one.lines),
        )
        for language, parts in joined.items()
    ]


def _line_of(text: str) -> Callable[[int], int]:
    """Finds the line that a place of ``text`` is on."""
    ends = [match.start() for match in re.finditer("\n", text)]
    return lambda place: bisect_left(ends, place) + 1


def _lines(code: str, first: int) -> tuple[int, ...]:
    return tuple(range(first, first + code.count("\n") + 1))


def _is_name_of_its_own(text: str, at: int) -> bool:
    before = text[at - 1 : at]
    return not (before == "." or before.isidentifier() or before.isdigit())


def _is_deeper(row: str, margin: int) -> bool:
    return not row.strip() or len(row) - len(row.lstrip()) > margin


def _shown(rows: Sequence[str], first: int) -> Iterator[Embedded]:
    """``rows`` without the margin they share, where that is code."""
    rows = list(rows)
    while rows and not rows[-1].strip():
        rows.pop()
    filled = [row for row in rows if row.strip()]
    margin = min((len(row) - len(row.lstrip()) for row in filled), default=0)
    text = "\n".join(row[margin:] for row in rows)
    for language in languages_shown(text):
        yield Embedded(language, text, tuple(range(first, first + len(rows))))
