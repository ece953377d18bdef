"""The detectors' shapes ready to be tried, and where a closer look is worthwhile.

Places are found in time that grows with the bytes alone. Patterns of detect-secrets' plugins come
first; ours add the providers and forms they lack. A plugin's patterns are run, never its ``scan``,
settings or network verification.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from mergegate.secrets import plugins
from mergegate.secrets.detectors import DETECTORS, Shape
from mergegate.secrets.source import Source


@dataclass(frozen=True)
class Token:
    """One shape of a detector."""

    id: str
    shape: Shape

    @property
    def leads(self) -> tuple[str, ...]:
        """Short patterns that announce it."""
        return tuple(self.shape.leads.split())

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """The secret is group ``value``, else the whole match."""
        shape = self.shape
        if not shape.plugin:
            return (_as_word(shape.pattern),)
        known = getattr(plugins, shape.plugin)().denylist
        kept = (pattern for pattern in known if re.search(shape.only, pattern.pattern))
        return tuple(_as_word(p.pattern, p.flags, shape.open_ended) for p in kept)

    def body(self, value: str) -> str:
        """``value`` without the lead that it begins with."""
        leads = (re.match(lead, value) for lead in self.leads)
        return value[max((lead.end() for lead in leads if lead), default=0) :]

    def stands_at(self, text: str, start: int) -> bool:
        """Whether what precedes ``start`` lets a match there be one."""
        after = self.shape.after
        return not after or re.search(after, text[max(0, start - 120) : start]) is not None


def _as_word(pattern: str, flags: int = 0, open_ended: bool = False) -> re.Pattern[str]:
    end = "" if open_ended else "(?![A-Za-z0-9])"
    return re.compile(f"(?<![A-Za-z0-9])(?:{pattern}){end}", flags)


TOKENS = tuple(Token(one.id, shape) for one in DETECTORS.values() for shape in one.shapes)
LITERALS = tuple((one.id, look) for one in DETECTORS.values() for look in one.literals)
_LEADS = sorted({lead for token in TOKENS for lead in token.leads})
OPENING_LEADS = tuple(lead for lead in _LEADS if not lead.startswith("~"))
"""Patterns of what stands at the break of a word."""
ATTENTION = re.compile(rf"\b(?:{'|'.join(OPENING_LEADS)})", re.ASCII)
"""Finds the places worth a closer look, all tokens at once."""
INNER_LITERALS = tuple(lead[1:] for lead in _LEADS if lead.startswith("~"))
"""What stands in the middle of a token, where no pattern finds it fast."""


@cache
def _by_lead() -> tuple[tuple[re.Pattern[str], Token], ...]:
    """Compiled when the first lead is met: most runs meet none."""
    return tuple(
        (re.compile(re.escape(lead[1:]) if lead.startswith("~") else lead, re.ASCII), token)
        for token in TOKENS
        for lead in token.leads
    )


def announced(text: str, position: int) -> Iterator[Token]:
    """The tokens whose lead stands at ``position``."""
    seen: set[int] = set()
    for lead, token in _by_lead():
        if id(token) not in seen and lead.match(text, position):
            seen.add(id(token))
            yield token


_PIECE = 1 << 20
_FIRST = re.compile(r"(?P<first>\\.|\[[^\]]*\]|.)(?P<rest>.*)")
_STEMS = {
    re.compile("p(?:ass|wd)"): {"pass": "pass", "pwd": "pwd"},
    re.compile("k(?:ey|en(?<=token))"): {"key": "key", "ken": "token"},
    re.compile("c(?:red|ret(?<=secret))"): {"cred": "cred", "cret": "secret"},
    re.compile("u(?<=au)th"): {"uth": "auth"},
    re.compile("l(?<=sal)t"): {"lt": "salt"},
}
"""Pattern → what it finds → the whole stem. Each begins with one letter, the rarest that serves:
to that the engine leaps fifteen times as fast as it tries alternatives everywhere."""
_LONGEST_STEM = 6


def _at_breaks(leads: Sequence[str]) -> re.Pattern[str]:
    r"""A pattern that finds one of ``leads`` behind a break, if there is any in a text.

    It begins with a set of characters, to which the engine skips; ``\b`` it would try everywhere.
    A lead that begins with a sign is itself the break, and stands behind a word.
    """
    words: defaultdict[str, list[str]] = defaultdict(list)
    signs: list[str] = []
    for lead in leads:
        first, rest = _FIRST.fullmatch(lead).group("first", "rest")  # type: ignore[union-attr]
        if first.startswith("[") or first.isalnum():
            words[first].append(rest)
        else:  # looked back at last: a plain character at the start is refused fastest
            signs.append(rf"{rest}(?<=\w{first}{rest})")
    heads = [f"{first}(?:{'|'.join(rests)})" for first, rests in words.items()]
    return re.compile(rf"\W(?:{'|'.join(heads + signs)})", re.ASCII)


_LEAD_IN_WORDS = _at_breaks(OPENING_LEADS)


def token_places(source: Source) -> Iterator[int]:
    """Offsets at which a token of a known shape may begin.

    Most long words are names; only files in which one holds a lead are searched.
    """
    for start, stop, text in source.long_words:
        if _LEAD_IN_WORDS.search(text):
            for match in ATTENTION.finditer(source.text, start, stop):
                yield match.start()
        for literal in INNER_LITERALS:
            if literal in text:
                yield from literal_places(source.text, literal, start, stop)


def literal_places(
    text: str, literal: str, start: int = 0, stop: int | None = None
) -> Iterator[int]:
    """Offsets of ``literal``, none overlapping."""
    position = text.find(literal, start, stop)
    while position >= 0:
        yield position
        position = text.find(literal, position + len(literal), stop)


def keyword_places(source: Source) -> Iterator[tuple[int, int]]:
    """Start and end of every word stem that may name a secret, in order, none overlapping."""
    done = 0
    for piece in range(0, len(source.lower), _PIECE):
        for start, end in sorted(_stems(source.lower, piece, piece + _PIECE)):
            if start >= done:
                done = end
                yield start, end


def _stems(lower: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Every stem whose rare letter stands from ``start`` to before ``stop``."""
    for pattern, stems in _STEMS.items():
        for match in pattern.finditer(lower, start, stop + _LONGEST_STEM):
            if match.start() < stop:
                end = match.end()
                yield end - len(stems[match.group()]), end
