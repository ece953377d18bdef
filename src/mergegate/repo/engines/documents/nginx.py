"""The notation of nginx: directives that end with a semicolon, or with a block in braces.

No other file is read: what `include` names is judged where it stands.
"""

import re

from mergegate.repo.engines.documents.directives import Reading
from mergegate.repo.engines.documents.nodes import Unreadable
from mergegate.repo.facts.documents import Node

_TOKEN = re.compile(
    r"#[^\n]*"
    r"|\"(?P<double>(?:\\.|[^\"\\])*)\""
    r"|'(?P<single>(?:\\.|[^'\\])*)'"
    r"|(?P<sign>[{};])"
    r"|(?P<word>(?:\\.|\$\{\w*\}|[^\s{};\\])+|\\)",
    re.DOTALL,
)
_LUA = "_by_lua_block"
_LUA_TOKEN = re.compile(
    r"(?:--)?\[(?P<level>=*)\[|--[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[{}]", re.DOTALL
)


def read(text: str) -> Node:
    """The file as a block. Raises Unreadable on a syntax error or a spent budget."""
    reading, words, begun = Reading(), list[str](), 0
    line, counted, at = 1, 0, 0
    while (match := _TOKEN.search(text, at)) is not None:
        line += text.count("\n", counted, match.start())
        counted, at = match.start(), match.end()
        if match["sign"] is None:
            begun = begun if words else line
            words.extend(_words(match, line))
        elif match["sign"] == "{" and words and words[0].endswith(_LUA):
            at = _behind_lua(text, at, line)
            reading.add(words[0], (), begun)
            words = []
        else:
            _take(reading, match["sign"], words, begun if words else line)
            words = []
    if words:
        raise Unreadable(f"the directive in line {begun} does not end", is_syntax=True)
    return reading.finished()


def _take(reading: Reading, sign: str, words: list[str], line: int) -> None:
    """Read what a sign ends or begins."""
    if words and sign == ";":
        reading.add(words[0], words[1:], line)
    elif words and sign == "{":
        reading.begin(words[0], words[1:], line)
    elif sign == "}" and not words:
        reading.end(line)
    elif sign != ";":
        raise Unreadable(f"“{sign}” in line {line} is not expected", is_syntax=True)


def _words(match: re.Match[str], line: int) -> tuple[str, ...]:
    """The word that was matched; none for a comment."""
    for quoted in (match["double"], match["single"]):
        if quoted is not None:
            return (quoted,)
    word = match["word"]
    if word is None:
        return ()
    if word[0] in "\"'":
        raise Unreadable(f"the quote in line {line} does not end", is_syntax=True)
    return (word,)


def _behind_lua(text: str, at: int, line: int) -> int:
    """Where a block of Lua ends that has begun before ``at``."""
    depth = 1
    while (match := _LUA_TOKEN.search(text, at)) is not None:
        at = match.end()
        if match["level"] is not None:
            end = text.find(f"]{match['level']}]", at)
            at = len(text) if end < 0 else end
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if not depth:
            return at
    raise Unreadable(f"the block of Lua in line {line} does not end", is_syntax=True)
