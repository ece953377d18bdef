"""Whether titles and alternative texts repeat words for the sake of search engines.

Source: Google's spam policies, "keyword stuffing", and its pages on title links and images.
"""

import re
from collections import Counter
from collections.abc import Iterator

from mergegate.site.seo.checks import stop_words
from mergegate.site.seo.checks.point import RULES, examples, quoted
from mergegate.site.seo.checks.readability import language
from mergegate.site.seo.checks.tokens import has_spaces, tokens
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.words import counted

TITLE = RULES["title-stuffed"]
ALT = RULES["alt-stuffed"]
_SHORTEST = 3
"""Letters; shorter words are left alone."""
_IN_TITLE, _IN_ALT = 3, 4
"""So often a word of them is no chance."""
_OF_ALT = 0.25
_PARTS = re.compile(r"\s[|–—·:-]\s|:\s")


def points(facts: SearchFacts) -> Iterator[Point]:
    """Words that a title or an alternative text says for the sake of machines."""
    page, url, skipped = facts.best, facts.page.final_url, stop_words.of(language(facts))
    if word := _in_title(page.title, skipped):
        message = f"The title says {quoted(word)} again and again."
        yield TITLE.point(url, message, evidence=page.title)
    listing = [one for one in page.images if one.alt and _in_alt(one.alt, skipped)]
    if listing:
        yield ALT.point(
            url,
            f"{counted(len(listing), 'image')} with an alternative text that says one word "
            f"{_IN_ALT} times or more.",
            selector=listing[0].selector,
            evidence=examples([one.alt or "" for one in listing]),
            count=len(listing),
        )


def _in_title(title: str, skipped: frozenset[str]) -> str:
    """The word that is said too often: three times, the name of the site at the end aside."""
    own = _PARTS.split(title)[:-1]
    return _repeated(" ".join(own) or title, _IN_TITLE, skipped) or _repeated(
        title, _IN_TITLE + 1, skipped
    )


def _in_alt(alt: str, skipped: frozenset[str]) -> bool:
    """Whether a word is said often, and is a good part of what is said: long ones may repeat it."""
    word = _repeated(alt, _IN_ALT, skipped)
    words = tokens(alt) if word else ()
    return bool(word) and words.count(word) >= _OF_ALT * len(words)


def _repeated(text: str, often: int, skipped: frozenset[str]) -> str:
    """The first word that stands in ``text`` so often; empty without one.

    Where no spaces are set nothing is told: letters repeat by themselves.
    """
    if len(text) < often * _SHORTEST or not has_spaces(text):
        return ""
    number = Counter(
        word
        for word in tokens(text)
        if len(word) >= _SHORTEST and word not in skipped and not word.isdigit()
    )
    return next((word for word, times in number.items() if times >= often), "")
