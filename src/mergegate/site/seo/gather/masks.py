"""Ask for the page under the names of crawlers, and compare what they get with what a browser gets.

A name is all that is borrowed: a server that knows a crawler by its address may treat the real one
otherwise. Asked politely, few at a time, and last, for some servers shut out who does this.
"""

import re

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Request
from mergegate.site.seo.crawlers import PROBED, crawler
from mergegate.site.seo.facts import CrawlerAnswer
from mergegate.site.seo.gather.asking import Asking
from mergegate.site.seo.gather.bounds import Bounds

_WORD = re.compile(r"[^\W\d_]{2,}")
_TAG_NAME = re.compile(r"[a-z]+")
_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg"})
_MOST_LETTERS = 500_000
"""Of a page, markup included, that are compared."""
_ENOUGH_WORDS = 20
"""Different ones, below which two pages cannot be told apart."""
_ALIKE = 0.7
"""Share of common words from which on two texts are one: parts of a page change by the minute."""
_APART = 0.4


def crawler_answers(page: Fetched, asking: Asking, bounds: Bounds) -> tuple[CrawlerAnswer, ...]:
    """One for each crawler that was asked for; ``page`` is what a browser gets."""
    tokens = PROBED[: bounds.crawlers]
    requests = [
        Request(page.final_url, agent=crawler(token).agent, most_bytes=bounds.crawler_bytes)
        for token in tokens
    ]
    what = "asking for the page under the names of crawlers"
    answers = asking.many(requests, what, at_once=bounds.crawlers_at_once)
    words = shown_words(page.text)
    return tuple(
        _answer(token, fetched, page, words)
        for token, fetched in zip(tokens, answers, strict=True)
        if fetched is not None
    )


def _answer(token: str, fetched: Fetched, page: Fetched, words: frozenset[str]) -> CrawlerAnswer:
    same = fetched.text == page.text or _same(fetched, words)
    return CrawlerAnswer(
        token=token,
        status=fetched.status,
        same=same if fetched.ok and len(words) >= _ENOUGH_WORDS else None,
        failure=fetched.failure,
    )


def _same(fetched: Fetched, words: frozenset[str]) -> bool | None:
    """Whether it holds the same text; None where that cannot be told."""
    others = shown_words(fetched.text)
    share = len(words & others) / max(len(words | others), 1)
    if share >= _ALIKE:
        return True
    return False if share < _APART else None


def shown_words(html: str) -> frozenset[str]:
    """The different words that a page shows, near enough to compare it with itself.

    Not by the parser: of the same page ten times over, a tenth of its time is plenty.
    """
    found = set[str]()
    within = ""
    for piece in html[:_MOST_LETTERS].casefold().split("<"):
        if within and not piece.startswith(f"/{within}"):
            continue
        name = _TAG_NAME.match(piece)
        within = name[0] if name and name[0] in _UNSEEN else ""
        if not within:
            found.update(_WORD.findall(piece.partition(">")[2]))
    return frozenset(found)
