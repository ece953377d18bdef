"""Whether the page lets results and answers quote it.

Source: Google's "AI features and your website": what limits snippets (``nosnippet``,
``data-nosnippet``, ``max-snippet``) limits what its generated answers may show.
"""

import re
from collections.abc import Iterator
from itertools import islice

from mergegate.site.seo.checks.directives import Directive, says, told
from mergegate.site.seo.checks.point import RULES, examples
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.words import counted

NONE = RULES["snippet-forbidden"]
SHORT = RULES["snippet-short"]
NO_EFFECT = RULES["data-nosnippet-no-effect"]
_SHORT = 50
"""Letters: less than half a line of a result."""
_NUMBER = re.compile(r"\d{1,9}")
_HIDING = re.compile(r"<([a-z][a-z0-9-]{0,30})\s(?:[^<>]{0,2000}\s)?data-nosnippet(?=[\s=>/])")
_HEEDED = frozenset({"span", "div", "section"})
_MOST = 100


def points(facts: SearchFacts) -> Iterator[Point]:
    """What keeps the page's text out of results, or fails to; nothing of a page left out whole."""
    given = told(facts.best, facts.page)
    if says(given, "noindex"):
        return
    yield from _lengths(given, facts.page.final_url)
    yield from _parts(facts)


def _lengths(given: tuple[Directive, ...], url: str) -> Iterator[Point]:
    for one in (*says(given, "nosnippet"), *says(given, "max-snippet")):
        most = 0 if one.name == "nosnippet" else _number(one.value)
        if most == 0:
            yield NONE.point(url, evidence=one.written)
            return
        if most is not None and most < _SHORT:
            message = f"Results and generated answers show {counted(most, 'letter')} of it at most."
            yield SHORT.point(url, message, evidence=one.written)


def _number(value: str) -> int | None:
    """A limit; None for none (-1) and for what cannot be read, which is ignored."""
    return int(value) if _NUMBER.fullmatch(value) else None


def _parts(facts: SearchFacts) -> Iterator[Point]:
    html = facts.page.text
    if "data-nosnippet" not in html:
        return
    found = islice((one[1] for one in _HIDING.finditer(html)), _MOST)
    idle = [f"<{tag} data-nosnippet>" for tag in found if tag not in _HEEDED]
    if idle:
        yield NO_EFFECT.point(facts.page.final_url, evidence=examples(idle), count=len(idle))
