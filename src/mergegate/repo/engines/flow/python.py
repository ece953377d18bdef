"""Python as semgrep follows it.

It believes that only calls raise, that a function ends where it yields, and that nothing comes
after a ``raise`` in a ``with``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mergegate.repo.engines.flow.edits import MAY_RAISE, Edit

_AFFECTED = re.compile(rb"\btry\s*+(?:\\\s*+)?:|\byield\b[ \t]*+[^\s);#]")
_TEXTS = (
    rb"'{3}[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:'{3}|\\?\Z)",
    rb'"{3}[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:"{3}|\\?\Z)',
    rb"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+(?:'|(?=\n)|\\?\Z)",
    rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+(?:"|(?=\n)|\\?\Z)',
)
"""Each ends with its line or the file at the latest, so that nothing is read twice."""
_TEXT = re.compile(b"|".join(_TEXTS), re.DOTALL)
_PLAIN_IN_BRACKETS = rb"""\([^()\[\]{}"'#\\]*+\)|\[[^()\[\]{}"'#\\]*+\]"""
_SIGN = re.compile(
    rb"#[^\n]*|\\\r?\n|"
    + _PLAIN_IN_BRACKETS
    + rb"|(?<![fFtT])(?<![fFtT][rR])(?:"
    + b"|".join(_TEXTS)
    + rb""")|"{3}|'{3}|["'()\[\]{}\n;]|:=?|\blambda\b""",
    re.DOTALL,
)
_TEMPLATE_PREFIX = re.compile(rb"(?<!\w)(?:[fFtT][rR]?|[rR][fFtT])$", re.ASCII)
_LONGEST_PREFIX = 3
_IN_TEMPLATE = re.compile(rb"""\\[^{}]|\{\{|\}\}|[{}\n]|\"{3}|'{3}|["']""", re.DOTALL)
_BRACKETS = {b")": b"(", b"]": b"[", b"}": b"{"}
_BLANK = re.compile(rb"(?:[ \t\f\r]*+(?:#[^\n]*)?\n)*+[ \t\f]*+")
_WORD = re.compile(rb"(?:async[ \t]+)?(?P<word>[A-Za-z_]\w*|@)", re.ASCII)
_HEADERS = frozenset(b"if elif else for while with try except finally def class".split())
_BLOCKS = frozenset((b"try", b"with"))
_CLAUSES = frozenset((b"except", b"else", b"finally"))
_NAMES_TOO = frozenset((b"match", b"case"))
_BEHIND_NAMES = (b"", b"=", b".", b",", b")")
_SAYS = re.compile(rb"[ \t\r\n\\]*+[^#]")
_CALLS = re.compile(
    rb"\s*+(?:(?:return|await)[ \t]+|[\w.]++[ \t]*=(?!=)[ \t]*){0,3}"
    rb"(?!(?:return|not|in|is|and|or|if|lambda|yield|del|assert|raise|await|from|import|else"
    rb"|exec|eval|print|super)\b)[A-Za-z_][\w.]*+\("
)
"""How a statement begins that calls something before all else."""
_YIELD = re.compile(
    rb"[ \t(]*+(?P<yield>yield\b)[ \t\\\r\n]*(?:(?P<from>from\b)|(?P<lambda>lambda\b)|[^\s);#])"
)
_RAISE = re.compile(rb"[ \t]*+(?P<raise>raise)\b")
_FROM = re.compile(rb"\bfrom\b")


@dataclass(slots=True)
class _Line:
    """A logical line."""

    start: int
    end: int = 0
    colon: int = -1
    """Where its header ends, if it is one."""
    lambdas: int = 0
    """How many wait for their colon."""
    starts: list[int] = field(default_factory=list)
    """Behind each semicolon."""


@dataclass(slots=True)
class _Open:
    """A bracket, or a text with expressions in it, that is open."""

    sign: bytes
    """The bracket or the quote."""
    is_text: bool = False
    formats: bool = False
    """Whether it is the part of an expression that tells its format."""


def edits(text: bytes) -> Iterator[Edit]:
    """What makes handlers, and all that follows, a part of the flow."""
    raises = text.rfind(b"raise") > text.find(b"with ") >= 0
    if not raises and not _AFFECTED.search(text):
        return
    around: list[tuple[int, bytes]] = []
    for line in _lines(text):
        yield from _in_line(text, line, around)


def _in_line(text: bytes, line: _Line, around: list[tuple[int, bytes]]) -> Iterator[Edit]:
    """``around`` are margin and word of each ``try`` and ``with`` that the last line was in."""
    found = _WORD.match(text, line.start, line.end)
    word = found["word"] if found else b""
    if not around and word not in _BLOCKS and text.find(b"yield", line.start, line.end) < 0:
        return
    margin = _margin(text, line.start)
    while around and not _contains(around[-1], margin, word):
        around.pop()
    is_header = bool(found and _is_header(text, line, found))
    if is_header and word in _BLOCKS:
        around.append((margin, word))
    inside = {kind for _, kind in around}
    starts = [line.colon + 1 if is_header else line.start, *line.starts]
    if word != b"@":
        for start, stop in zip(starts, [*line.starts, line.end], strict=True):
            yield from _in_statement(text, start, stop, inside)


def _contains(block: tuple[int, bytes], margin: int, word: bytes) -> bool:
    return block[0] < margin or (block == (margin, b"try") and word in _CLAUSES)


def _in_statement(text: bytes, start: int, stop: int, inside: set[bytes]) -> Iterator[Edit]:
    if b"try" in inside and _SAYS.match(text, start, stop) and not _CALLS.match(text, start, stop):
        yield Edit(start, MAY_RAISE)
    if found := _YIELD.match(text, start, stop):
        # No function without a name is waited for: there semgrep would read no further.
        instead = b"_   =" if found["lambda"] else b"await"
        if not (found["lambda"] and b"(" in found[0]):
            yield Edit(found.start("yield"), instead, replaces=True)
        if found["from"]:
            yield Edit(found.start("from"), b"    ", replaces=True)
    if b"with" in inside and (found := _RAISE.match(text, start, stop)):
        yield Edit(found.start("raise"), b"may, ", replaces=True)
        for cause in _FROM.finditer(text, found.end(), stop):
            yield Edit(cause.start(), b",   ", replaces=True)


def _is_header(text: bytes, line: _Line, found: re.Match[bytes]) -> bool:
    """Whether a block follows; ``match`` and ``case`` may be names."""
    if line.colon < 0 or found["word"] not in _NAMES_TOO:
        return line.colon >= 0 and found["word"] in _HEADERS
    return text[found.end() : line.colon].strip()[:1] not in _BEHIND_NAMES


def _margin(text: bytes, start: int) -> int:
    margin = text[text.rfind(b"\n", 0, start) + 1 : start]
    return len(margin.replace(b"\f", b"").expandtabs())


def _lines(text: bytes) -> Iterator[_Line]:
    line = _Line(_code_from(text, 0))
    for sign, at in _signs(text):
        if sign == b"\n":
            if at >= line.start:
                line.end = at
                yield line
                line = _Line(_code_from(text, at + 1))
        elif sign == b";":
            line.starts.append(at + 1)
        elif sign == b"lambda":
            line.lambdas += 1
        elif line.lambdas:
            line.lambdas -= 1
        elif line.colon < 0:
            line.colon = at
    line.end = len(text)
    yield line


def _code_from(text: bytes, at: int) -> int:
    """Where the next line begins that is neither blank nor a comment."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _signs(text: bytes) -> Iterator[tuple[bytes, int]]:
    """Ends of lines, semicolons, colons and lambdas outside of texts and brackets."""
    at, inside = 0, list[_Open]()
    while True:
        in_text = bool(inside) and inside[-1].is_text
        found = (_IN_TEMPLATE if in_text else _SIGN).search(text, at)
        if not found:
            return
        sign, at = found[0], found.end()
        if in_text:
            at = _in_template(sign, found, inside)
        elif sign in (b"'", b'"', b"'''", b'"""'):
            at = _behind_quote(text, found, inside)
        elif sign in (b"(", b"[", b"{") or inside:
            _in_brackets(sign, inside)
        elif sign in (b"\n", b";", b":", b"lambda"):
            yield sign, found.start()


def _behind_quote(text: bytes, found: re.Match[bytes], inside: list[_Open]) -> int:
    """Where to go on: in the text if it has expressions, else behind it if it has an end."""
    quote, start = found[0], found.start()
    if _TEMPLATE_PREFIX.search(text[max(0, start - _LONGEST_PREFIX) : start]):
        inside.append(_Open(quote, is_text=True))
        return found.end()
    whole = _TEXT.match(text, start)
    return whole.end() if whole else found.end()


def _in_brackets(sign: bytes, inside: list[_Open]) -> None:
    top = inside[-1].sign if inside else b""
    if sign in (b"(", b"[", b"{"):
        inside.append(_Open(sign))
    elif _BRACKETS.get(sign) == top:
        inside.pop()
    elif sign == b":" and top == b"{" and len(inside) > 1 and inside[-2].is_text:
        inside[-1] = _Open(inside[-2].sign, is_text=True, formats=True)


def _in_template(sign: bytes, found: re.Match[bytes], inside: list[_Open]) -> int:
    """Where to go on behind a sign in a text with expressions."""
    top = inside[-1]
    ends = sign == b"\n" if len(top.sign) == 1 else False
    if sign[:1] == b"{" and (sign == b"{" or top.formats):
        inside.append(_Open(b"{"))
        return found.start() + 1
    if sign[:1] == b"}" and top.formats:
        inside.pop()
        return found.start() + 1
    if ends or (sign[:1] in b"'\"" and sign.startswith(top.sign)):
        while inside.pop().formats:
            pass
        return found.start() + (0 if ends else len(top.sign))
    return found.end()
