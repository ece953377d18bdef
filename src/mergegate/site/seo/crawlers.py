"""Crawlers of search engines and assistants: what they call themselves, and what they come for.

A name in a request proves nothing: anybody can send it.
"""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from mergegate.core.data_table import read_table
from mergegate.site.seo.facts import DATA


class Purpose(StrEnum):
    """What a crawler comes for."""

    SEARCH = "search"
    """An index from which people, or answers with sources, find the page."""
    TRAINING = "training"
    """Text that models learn from."""
    USER = "user"
    """One page, now, because a person asked for it."""
    CONTROL = "control"
    """None: a word in robots.txt that no crawler calls itself."""


@dataclass(frozen=True, slots=True)
class Crawler:
    """One name that robots.txt may speak to."""

    token: str
    """The name in robots.txt, in its operator's letter case."""
    _: KW_ONLY
    operator: str
    purpose: Purpose
    documentation: str
    """The operator's page about it, or the best there is."""
    agent: str = ""
    """The User-Agent that it sends; empty for a control word."""
    published: bool = True
    """Whether the operator publishes that string; otherwise it is what servers see."""
    falls_back_to: str = ""
    """The crawler whose rules it follows if robots.txt does not name it, before those for all."""
    for_answers: bool = False
    """Whether it belongs to an assistant, not to a list of links."""
    probed: bool = False
    """Whether a scan asks for the page in its name."""


CRAWLERS = tuple(read_table(DATA / "crawlers.toml", Crawler, key="token").values())
"""Search engines first, then assistants, then control words; each token once."""

EVERYBODY = "*"
"""The token of those whom robots.txt does not name."""

PROBED = tuple(one.token for one in CRAWLERS if one.probed)
"""The tokens of those in whose name a scan asks for the page, in this order."""


def crawler(token: str) -> Crawler:
    """The crawler of this token, letter case aside; raises KeyError for any other word."""
    return _BY_TOKEN[token.lower()]


_BY_TOKEN = {one.token.lower(): one for one in CRAWLERS}
