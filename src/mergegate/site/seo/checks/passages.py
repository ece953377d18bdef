"""Pieces of the text that an answer can quote whole: one under a heading, 40 to 80 words.

That assistants pick such pieces is experience, not documented: Google says that pages need not be
cut up for them. So they are shown, and their absence takes off nothing.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from mergegate.core.data_table import read_table
from mergegate.site.facts.document import Block, Document, Region
from mergegate.site.seo.checks.point import RULES
from mergegate.site.seo.checks.readability import is_article, is_prose, language, paragraphs
from mergegate.site.seo.checks.rendering import is_shell
from mergegate.site.seo.checks.tokens import length, tokens
from mergegate.site.seo.facts import DATA, SearchFacts
from mergegate.site.seo.report import Passage, Point

NONE = RULES["passage-none"]
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
_ELSEWHERE = re.compile(
    r"\b(?:as (?:mentioned|described|noted|discussed|shown|explained|we saw)"
    r" (?:above|earlier|before)"
    r"|(?:see|mentioned|described) (?:above|below)|the (?:following|above) (?:table|list|section)"
    r"|in the (?:previous|next|last) (?:section|chapter|paragraph)"
    r"|(?:wie )?(?:oben|bereits|zuvor) (?:erwähnt|beschrieben|gezeigt)|siehe (?:oben|unten)"
    r"|comme (?:mentionné|indiqué|vu) (?:ci-dessus|plus haut)|voir ci-(?:dessus|dessous)"
    r"|como (?:se )?(?:mencionó|mencionado|dijimos|hemos visto|vimos)"
    r"|come (?:detto|visto|accennato) (?:sopra|prima)"
    r"|zoals (?:hierboven|eerder) (?:vermeld|beschreven)"
    r"|como (?:mencionado|dito|visto) (?:acima|anteriormente)|jak wspomniano (?:wyżej|powyżej))\b",
    re.IGNORECASE,
)


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
        yield NONE.point(facts.page.final_url, message)


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
