"""Values that stand apart from the name they are given to: in elements, pairs, lists and blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.secrets.source import REACH, Source

_VALUE = r"[\"'](?P<value>[^\"'\n]{1,300})[\"']"
_KEY = r"[\"']?(?:parameter|param-?|default_?|string_?)?value[\"']?"
_NAMED = re.compile(
    r"(?:key|name|variable|type|(?<![a-z])id)[\"']?\s{0,4}[:=]\s{0,4}[\"']?$", re.IGNORECASE
)
"""``name: ``, before the name."""
_SIGN_OF_PAIR = r"[\"']?\s{0,40}[,;]?\s{0,60}"
_OTHERS = r"(?:[\"']?\w{1,30}[\"']?\s{0,4}[:=]\s{0,4}[\"']?[^\s\"'{}<>]{1,60}[\"']?,?\s{1,60}){0,3}"
_PAIRED = rf"{_KEY}\s{{0,10}}[:=]\s{{0,10}}[\"']?(?P<value>[^\"'\n<>]{{1,300}})"
_PAIR = re.compile(rf"{_SIGN_OF_PAIR}{_OTHERS}{_PAIRED}", re.IGNORECASE)
_PAIR_AT_ONCE = re.compile(rf"{_SIGN_OF_PAIR}{_PAIRED}", re.IGNORECASE)
"""``", value: …``: behind the name, up to three other keys between; in pages, where forms have
hidden fields, none."""
_PAIR_REVERSED = re.compile(
    r"value[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?P<value>[^\"'\n<>]{1,300}?)[\"']?\s{0,4},?\s{1,60}"
    r"[\"']?(?:name|key)[\"']?\s{0,4}[:=]\s{0,4}[\"']?$",
    re.IGNORECASE,
)
"""``value: …, name: ``, before the name."""
_TEXT = r"(?:<!\[CDATA\[)?\s{0,40}(?P<value>[^<>\s][^<>\n]{0,300}?)\s{0,40}(?:\]\]>)?\s{0,40}</"
_ELEMENT = re.compile(rf"(?:\s[^<>]{{0,80}})?>{_TEXT}")
"""``<password>…</``, behind the name."""
_ATTRIBUTE = re.compile(rf"\s[^<>]{{0,80}}?\bvalue\s?=\s?{_VALUE}", re.IGNORECASE)
"""``<password value="…"``."""
_NAMED_ELEMENT = re.compile(rf"[\"'][^<>]{{0,120}}>\s{{0,60}}(?:<\w{{1,20}}>)?{_TEXT}")
"""``<entry key="password">…</``, and with an element within."""
_NEXT_ELEMENT = re.compile(rf"</[\w.:-]{{1,40}}>\s{{0,60}}<[\w.:-]{{1,40}}>{_TEXT}")
"""``<key>password</key><string>…</``."""
_WITHIN = r"[\"']?\s{0,4}[:=]?\s{0,4}\{[^{}]{0,200}?[\"']?\b"
_OBJECT = re.compile(
    rf"{_WITHIN}(?:default_?)?value[\"']?\s{{0,4}}[:=]\s{{0,4}}{_VALUE}", re.IGNORECASE
)
_DEFAULT_OF_OBJECT = re.compile(
    rf"{_WITHIN}default[\"']?\s{{0,4}}[:=]\s{{0,4}}{_VALUE}", re.IGNORECASE
)
"""``password: {type: …, default: …}``, behind the name."""
_BLOCK = re.compile(
    r":[ \t]*(?P<margin>\r?\n[ ]{2,20})(?:[\w-]{1,40}:[^\n]{0,200}(?P=margin)){0,6}"
    r"(?:default|value):[ ][\"']?(?P<value>[^\s\"'#{}][^\"'\n#]{1,200})",
    re.IGNORECASE,
)
"""The same in YAML, below the name."""
_TWO = re.compile(rf"[\"'](?<=[A-Z].)\s?,\s?{_VALUE}\s?[\])}}]")
"""``["DB_PASSWORD", "…"]``, behind the name."""
_VARIABLE = re.compile(
    r"=(?![^\s\"'`]{0,300}&\w+=)(?P<value>[^\s\"'`\\]{3,300})(?=[\"'`]|\\[nrt\"])"
)
"""``"DB_PASSWORD=…"`` and the lines of a text in a literal, behind the name."""
_DEFAULT = re.compile(r":[-=]?(?P<value>[^\s\"'{}$]{3,300})\}")
"""``${DB_PASSWORD:-…}``, behind the name."""
_ANY: frozenset[str] = frozenset()
_PAGES = frozenset({".html", ".htm", ".xhtml", ".vue", ".jsx", ".tsx", ".svelte", ".twig", ".jsp"})
_YAML = frozenset({".yml", ".yaml"})

Span = tuple[int, int]


@dataclass(frozen=True)
class _Structure:
    """What stands before a name, and behind it where its value is."""

    before: re.Pattern[str]
    follows: str
    """With one of these ``behind`` begins: most names need no further look."""
    behind: re.Pattern[str]
    suffixes: frozenset[str] = _ANY
    """The suffixes of files that have it; all where there are none."""
    without: frozenset[str] = _ANY
    """The suffixes of files that do not."""

    def is_of(self, suffix: str) -> bool:
        """Whether files of that ``suffix`` have it."""
        return (not self.suffixes or suffix in self.suffixes) and suffix not in self.without


_VARIABLE_BEGINS = re.compile(r"(?:[\"'`]|\\[nrt])[ ]{0,8}(?:(?:export|set|-[eE])[ ]+)?$")
_ELEMENT_BEGINS = re.compile("[<:]$")
_ANYTHING = re.compile("")
_STRUCTURES = (
    _Structure(re.compile(r"\$\{$"), ":", _DEFAULT),
    _Structure(_VARIABLE_BEGINS, "=", _VARIABLE),
    _Structure(re.compile(r"\[[\"']$"), "\"'", _TWO),
    _Structure(_NAMED, "\"',; \t\r\n", _PAIR, without=_PAGES),
    _Structure(_NAMED, "\"',; \t\r\n", _PAIR_AT_ONCE, suffixes=_PAGES),
    _Structure(_NAMED, "\"'", _NAMED_ELEMENT, without=_PAGES),
    _Structure(_ELEMENT_BEGINS, "> \t\r\n", _ELEMENT),
    _Structure(_ELEMENT_BEGINS, " \t\r\n", _ATTRIBUTE),
    _Structure(re.compile(">$"), "<", _NEXT_ELEMENT, without=_PAGES),
    _Structure(_ANYTHING, "\"' :={", _OBJECT),
    _Structure(_ANYTHING, "\"' :={", _DEFAULT_OF_OBJECT),
    _Structure(_ANYTHING, ":", _BLOCK, suffixes=_YAML),
)


def apart(source: Source, start: int, end: int) -> Iterator[Span]:
    """Where the values stand that belong to the name from ``start`` to ``end``."""
    before = _before(source, start)
    following = source.text[end : end + 1]
    for structure in _STRUCTURES:
        if following not in structure.follows or not structure.is_of(source.suffix):
            continue
        if structure.before.search(before) and (
            match := structure.behind.match(source.text, end, end + REACH)
        ):
            yield match.span("value")
    if _NAMED.search(before):
        yield from _before_the_name(source, start)


def _before_the_name(source: Source, start: int) -> Iterator[Span]:
    """Only the last ``value`` is looked at: a text may be nothing but such words."""
    place = source.lower.rfind("value", max(0, start - REACH), start)
    if place >= 0 and (match := _PAIR_REVERSED.match(source.text, place, start)):
        yield match.span("value")


def _before(source: Source, start: int) -> str:
    r"""What stands before the name, of which the ``n`` of ``\n`` is no part."""
    escaped = source.text.startswith(("\\n", "\\r", "\\t"), start - 1)
    return source.text[max(0, start - 24) : start + escaped]
