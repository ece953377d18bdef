"""The detectors' shapes, ready to be tried: leads to find them by, and their patterns.

Patterns of detect-secrets' plugins come first; ours add the providers and forms they lack.
A plugin's patterns are run, never its ``scan``, settings or network verification.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from mergegate.secrets import plugins
from mergegate.secrets.detector import Shape
from mergegate.secrets.detectors import DETECTORS


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
        (re.compile(lead.removeprefix("~"), re.ASCII), token)
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
