"""Texts in pieces: literals that are put together, words that a line's end or a quote breaks."""

import re
from collections.abc import Iterator

from mergegate.secrets.names import QUOTED_ONLY
from mergegate.secrets.prefilter import literal_places
from mergegate.secrets.source import REACH, Source
from mergegate.secrets.spellings.marks import Marks
from mergegate.secrets.spellings.view import Change

_PIECE = r"[\w!#$%&*/+.?@^~-]"
"""What stands at a joint: prose has a blank there, code a bracket."""
_GAP = r"(?:[ \t\r\n]++|(?:#|//)[^\n]{0,200}+\n|/\*[^*]{0,200}+\*/){0,9}+"
_OPERATOR = r"(?:\+\+?|\.\.?|&|~|<>|\|\||\\)"
_PREFIX = r"(?:[bBrRuUfFlL@$]{1,2}(?=[\"'`]))?"
_USED = re.compile(r"\$\{?[A-Z_][A-Z0-9_]{2,60}\}?$")
"""A variable of the shell: what follows its quote is another word of the command."""
_HOLES = ("%s", "%v", "{}", "{0}")
"""Where a literal lets another one in."""
_FILLING = r"(?:%[ ]?\(?|\.format\(|,|-f)"
_BEHIND = r"[\s#/+.&~<|\\bBrRuUfFlL@$\"'`]"
_BEFORE_FILLING = r"[\s#/%.,-]"
"""With what a gap, an operator, a prefix or a quote begins."""


def _joint(quote: str) -> re.Pattern[str]:
    """Begins with the quote, to which the engine leaps, and looks at once at what follows it."""
    operator = _OPERATOR if quote == "`" else rf"(?:{_OPERATOR}{_GAP})?"
    ended = rf"(?={_BEHIND})(?<={_PIECE}{quote})(?<!\\[nrt]{quote})(?:{quote}{quote})?"
    holed = "|".join(rf"(?<={re.escape(hole)}{quote})" for hole in _HOLES)
    filled = rf"(?={_BEFORE_FILLING})(?<=[sv}}]{quote})(?:{holed}){_GAP}{_FILLING}"
    return re.compile(
        rf"{quote}(?:{ended}{_GAP}{operator}|(?P<filled>{filled}))"
        rf"{_GAP}{_PREFIX}(?:\"(?:\"\")?|'(?:'')?|`)(?={_PIECE})"
    )


_JOINTS = tuple(map(_joint, "\"'`"))
_LITERAL = rf"{_PREFIX}(?:\"[^\s\"\\]{{1,400}}+\"|'[^\s'\\]{{1,400}}+')"
_QUOTE = re.compile(r"[\"']")
_LIST = re.compile(rf"{_LITERAL}(?:{_GAP},{_GAP}{_LITERAL}){{1,400}}+(?!\s*(?::|=>))")
_COMMA = re.compile(rf"[\"'](?<={_PIECE}[\"']){_GAP},{_GAP}{_PREFIX}[\"'](?={_PIECE})")
_LIST_ENDS = re.compile(r"[\s,]{0,40}\][ \t\r\n]{0,40}\.$")
_CONCAT = re.compile(rf"[\"'`](?<={_PIECE}[\"'`])\.concat\([\"'`](?={_PIECE})")
_INSERTED = re.compile(r"\{[ ]?([\"'`])(?P<text>[^\s\"'`{}\\]{2,400})\1[ ]?\}")
_BREAKS = ("\\\n", "\\\r\n")
_WITHIN_WORDS = tuple(
    re.compile(rf"{sign}(?=[\w\"'\\-])(?<=[\w-]{sign})(?:{sign})?(?=[\w\"'\\-]{{12}})(?=[\w\\-])")
    for sign in ('"', "'", r"\\")
)
_UNWRAPPED = re.compile(
    r"(?<=[=:])(?:\s*[\w.:]{0,60}[(\[]\s*){1,4}[bBrRuU]?$|(?<=[=:])[ \t]*\n\s*[bBrRuU]?$"
)
_NEAR = 80
_REACH_OF_CALLS = 100


def joints(source: Source, marks: Marks) -> Iterator[Change]:
    """What stands between the pieces of one text."""
    yield from _between_literals(source.text)
    yield from _in_lists(source, marks)
    yield from _inserted(source.text)
    yield from _broken_words(source)


def _between_literals(text: str) -> Iterator[Change]:
    for joint in _JOINTS:
        for match in joint.finditer(text):
            start = match.start()
            if _USED.search(text, max(0, start - _NEAR), start):
                continue
            while match["filled"] and (hole := _hole_before(text, start)):
                start -= len(hole)
            yield Change(start, match.end(), "")


def _hole_before(text: str, end: int) -> str:
    return next((one for one in _HOLES if text.endswith(one, 0, end)), "")


def _in_lists(source: Source, marks: Marks) -> Iterator[Change]:
    """Commas between the literals of a list that is put together."""
    done = 0
    for place in marks["joiners"]:
        for quote in _QUOTE.finditer(source.text, max(done, place), place + _NEAR):
            yield from _commas(source.text, quote.start())
        done = max(done, place + _NEAR)
        before = source.text[max(0, place - REACH) : place]
        if _LIST_ENDS.search(before[-_NEAR:]):
            begun = _QUOTE.search(before, max(0, before.rfind("[")))
            if begun:
                yield from _commas(source.text, place - len(before) + begun.start())
        yield from _without(_CONCAT, source.text, place - 4, place + 12)


def _commas(text: str, start: int) -> Iterator[Change]:
    listed = _LIST.match(text, start)
    if listed:
        yield from _without(_COMMA, text, *listed.span())


def _without(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Change]:
    for match in pattern.finditer(text, max(0, start), end):
        yield Change(*match.span(), "")


def _inserted(text: str) -> Iterator[Change]:
    """A literal in the braces of a template."""
    for match in _INSERTED.finditer(text):
        start = match.start() - (text[match.start() - 1 : match.start()] in {"$", "#"})
        if text[start - 1 : start].strip(" \t\r\n:,([{="):
            yield Change(start, match.end(), match["text"])


def _broken_words(source: Source) -> Iterator[Change]:
    text = source.text
    for sign in _BREAKS:
        for place in literal_places(text, sign):
            end = place + len(sign)
            indented = text[end : end + _NEAR]
            end += len(indented) - len(indented.lstrip(" \t"))
            if _is_inner(text[place - 1 : place]) and _is_inner(text[end : end + 1]):
                yield Change(place, end, "")
    if source.suffix not in QUOTED_ONLY:
        for pattern in _WITHIN_WORDS:
            for match in pattern.finditer(text):
                yield Change(*match.span(), "")


def _is_inner(character: str) -> bool:
    return character.isalnum() or (character != "" and character in "_-./+=")


_BLOCK = re.compile(
    r":(?<=[\w\"']:)[ ]+[|>][+-]?[ ]*\r?\n(?P<blank>[ ]+)(?=\S+[ ]*\r?(?:\n|$)(?!(?P=blank)))"
)
_HEREDOC = re.compile(
    r"<<[-~]?[ ]?(?P<quote>[\"']?)(?P<end>\w{1,20})(?P=quote)\r?\n"
    r"[ \t]*(?P<text>\S{3,400})\r?\n[ \t]*(?P=end)\b"
)


def blocks(source: Source) -> Iterator[Change]:
    """A value of one line that stands in a block below its name."""
    if source.suffix in {"", ".yml", ".yaml"}:
        for match in _BLOCK.finditer(source.text):
            yield Change(match.start() + 1, match.end(), " ")
    for place in literal_places(source.text, "<<"):
        heredoc = _HEREDOC.match(source.text, place)
        if heredoc:
            yield Change(place, heredoc.start("text"), '"')
            yield Change(heredoc.end("text"), heredoc.end(), '"')


def unwrapped(text: str, quote: int) -> Iterator[Change]:
    """Calls and brackets between a name's sign and the literal that begins at ``quote``."""
    if quote > 0 and text[quote] in "\"'`":
        low = max(0, quote - _REACH_OF_CALLS)
        match = _UNWRAPPED.search(text[low:quote])
        if match:
            yield Change(low + match.start(), quote, " ")
