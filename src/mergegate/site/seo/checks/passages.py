"""What results and answers may and can quote of the page.

Whether it lets them: what limits snippets (``nosnippet``, ``data-nosnippet``, ``max-snippet``)
limits what Google's generated answers may show (Google's "AI features and your website"). And
whether they can: pieces that an answer can quote whole, one under a heading, 40 to 80 words. That
assistants pick such pieces is experience, not documented: their absence takes off nothing.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from mergegate.core.data_table import read_table
from mergegate.site.facts.document import Block, Document, Region
from mergegate.site.seo.checks.indexing import Directive, says, told
from mergegate.site.seo.checks.point import RULES
from mergegate.site.seo.checks.readability import is_article, is_prose, language, paragraphs
from mergegate.site.seo.checks.rendering import is_shell
from mergegate.site.seo.checks.tokens import PATTERNS, length, tokens
from mergegate.site.seo.facts import DATA, SearchFacts
from mergegate.site.seo.report import Passage, Point
from mergegate.site.words import counted

NO_PASSAGE = RULES["passage-none"]
LEAST, MOST = 40, 80
"""Words of a passage."""
_LONGEST = 1_000
"""Letters; words that make it longer are none."""
_LEADING = (":", "：", ":*", "…")
"""What follows is the rest of it."""
_MOST_PASSAGES = 20
_LEAST_HEADINGS, _LEAST_WORDS = 3, 400
"""A page of less need not have any."""
_LEANING = {
    name: frozenset(tokens(words))
    for name, words in read_table(DATA / "leading_words.toml", str).items()
}
"""First words by which a sentence leans on what stands before it, by language."""
_ELSEWHERE = PATTERNS["elsewhere"]


def passages(facts: SearchFacts) -> tuple[Passage, ...]:
    """What can be quoted of the page, in its order, at most one a heading and twenty in all.

    A passage begins a section, so that it answers its heading; does not begin with a word that
    points back; and speaks of no other part of the page.
    """
    page, leaning = facts.best, _LEANING.get(language(facts), frozenset())
    found = (_passage(page, heading, blocks, leaning) for heading, blocks in _sections(page))
    return tuple(islice((one for one in found if one), _MOST_PASSAGES))


def points(facts: SearchFacts) -> Iterator[Point]:
    """Whether an article with sections has none."""
    page = facts.best
    if is_shell(facts) or not is_article(page):
        return
    sections = sum(one.level > 1 and one.region is Region.MAIN for one in page.headings)
    words = sum(length(one.text) for one in paragraphs(page))
    if sections >= _LEAST_HEADINGS and words >= _LEAST_WORDS and not passages(facts):
        message = (
            f"No section begins with {LEAST} to {MOST} words that can stand alone; the article "
            f"has {words:,} words under {sections} headings."
        )
        yield NO_PASSAGE.point(facts.url, message)


def _sections(page: Document) -> Iterator[tuple[int, Sequence[Block]]]:
    """Paragraphs by the heading that they stand under; those before the first have none."""
    prose = (one for one in paragraphs(page) if is_prose(one.text))
    for heading, blocks in groupby(prose, key=lambda one: one.heading):
        if heading >= 0:
            yield heading, tuple(blocks)


def _passage(
    page: Document, heading: int, blocks: Sequence[Block], leaning: frozenset[str]
) -> Passage | None:
    """The first paragraph, or as many as reach the least number of words."""
    text, words = "", 0
    for block in blocks:
        text = f"{text} {block.text}".lstrip()
        words = length(text)
        if words >= LEAST:
            break
    if not LEAST <= words <= MOST or len(text) > _LONGEST:
        return None
    if _leans(text, leaning) or text.endswith(_LEADING):
        return None
    return Passage(heading=page.headings[heading].text, text=text, words=words)


def _leans(text: str, leaning: frozenset[str]) -> bool:
    first = tokens(text[:MOST])[:1]
    return (not first or first[0] in leaning) or bool(_ELSEWHERE.search(text))


FORBIDDEN = RULES["snippet-forbidden"]
SHORT = RULES["snippet-short"]
NO_EFFECT = RULES["data-nosnippet-no-effect"]
_SHORT = 50
"""Letters: less than half a line of a result."""
_NUMBER = re.compile(r"\d{1,9}")
_HIDING = re.compile(r"<([a-z][a-z0-9-]{0,30})\s(?:[^<>]{0,2000}\s)?data-nosnippet(?=[\s=>/])")
_HEEDED = frozenset({"span", "div", "section"})
_MOST = 100


def snippet_points(facts: SearchFacts) -> Iterator[Point]:
    """What keeps the page's text out of results, or fails to; nothing of a page left out whole."""
    given = told(facts.best, facts.page)
    if says(given, "noindex"):
        return
    yield from _lengths(given, facts.url)
    yield from _parts(facts)


def _lengths(given: tuple[Directive, ...], url: str) -> Iterator[Point]:
    for one in (*says(given, "nosnippet"), *says(given, "max-snippet")):
        most = 0 if one.name == "nosnippet" else _number(one.value)
        if most == 0:
            yield FORBIDDEN.point(url, evidence=one.written)
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
        yield NO_EFFECT.point(facts.url, found=idle)
