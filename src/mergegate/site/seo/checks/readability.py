"""How hard a text is to read: Flesch's reading ease in the languages that it was fitted to.

The formulas count words a sentence and syllables a word. Elsewhere only sentences are measured.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mergegate.core.data_table import read_table
from mergegate.site.facts.document import Block, Document, Region
from mergegate.site.seo.checks import languages
from mergegate.site.seo.checks.schema_org import FAMILY, Thing, described, inside
from mergegate.site.seo.checks.tokens import folded, has_spaces, length
from mergegate.site.seo.facts import DATA, SearchFacts

_RUNNING = frozenset({"article", "blockquote", "body", "center", "div", "main", "p", "section"})
"""Blocks that sentences stand in; lists, tables, code and captions have a manner of their own."""
_NOT_SAID = frozenset({"pre", "legend", "menu"})
_END = re.compile(
    r"(?<![\s(\[.][^\W\d_])(?<!^[^\W\d_])[.!?…]{1,9}[\"'”’»)\]]{0,3}\s+"
    r"(?=[\"'“‘«„(\[¿¡]{0,3}[^\W_a-zà-öø-ÿ])"
    r"|[。！？｡]{1,9}[」』”)）]{0,3}|[؟।॥]{1,9}\s*"
)
"""The end of a sentence: no initial comes before it, and no small letter after it."""
_STOPS = (".", "!", "?", "…", "。", "！", "？", "।", "؟", "”", "»", ")")
_SENTENCE_WORDS, _SURELY_WORDS = 8, 25
"""The least words of a sentence with a full stop, and of one without."""
_SURE = 0.8
"""The least confidence at which the recognised language is believed."""
_PROSE_MOST_LETTERS = 500_000
_ARTICLE, _MANUAL = "Article", "TechArticle"
_ARTICLE_METAS = frozenset({"article:author", "article:published_time", "article:section"})


def language(facts: SearchFacts) -> str:
    """The two letters of the language of the text; what was recognised before what is declared."""
    read = facts.reading
    if read.language and read.language_certainty >= _SURE:
        return read.language
    declared = languages.primary(facts.best.lang)
    return declared if declared in languages.LANGUAGES else ""


def main(page: Document) -> tuple[Block, ...]:
    """The blocks of the main part, code left out; of a very large page those that come first."""
    said = [one for one in page.blocks if one.region is Region.MAIN and one.tag not in _NOT_SAID]
    return tuple(said if page.html_bytes <= _PROSE_MOST_LETTERS else _prose_beginning(said))


def _prose_beginning(blocks: Iterable[Block]) -> Iterator[Block]:
    left = _PROSE_MOST_LETTERS
    for one in blocks:
        left -= len(one.text)
        if left < 0:
            return
        yield one


def paragraphs(page: Document) -> tuple[Block, ...]:
    """The paragraphs of the main part that hold running text."""
    return tuple(one for one in main(page) if one.tag in _RUNNING)


def is_prose(text: str) -> bool:
    """Whether a paragraph holds a sentence: it is no label, and no line that tells who and when."""
    words = length(text)
    return words >= _SURELY_WORDS or (words >= _SENTENCE_WORDS and is_closed(text))


def is_closed(text: str) -> bool:
    """Whether it ends as sentences do: lists of names do not."""
    return text.endswith(_STOPS)


def said(page: Document) -> str:
    """Headings and blocks of the main part, one a line."""
    headings = (one.text for one in page.headings if one.region is Region.MAIN and not one.hidden)
    return "\n".join([*headings, *(one.text for one in main(page))])


def sentences(text: str) -> list[str]:
    """The sentences of one paragraph; abbreviations may cut one too early."""
    return [one for one in _pieces(text) if one]


def _pieces(text: str) -> Iterator[str]:
    start = 0
    for found in _END.finditer(text):
        yield text[start : found.end()].strip()
        start = found.end()
    yield text[start:].strip()


def things(page: Document) -> tuple[Thing, ...]:
    """Everything that the page describes, however deep it stands."""
    return tuple(thing for one in described(page) for thing in inside(one))


def articles(page: Document) -> tuple[Thing, ...]:
    """The article that the page describes as its own; several are teasers of others."""
    found = tuple(one for one in described(page) if _is_article(one))
    return found if len(found) == 1 else ()


def is_article(page: Document) -> bool:
    """Whether the page says that it is an article, which has an author and a date.

    By schema.org, or by Open Graph with one of its words for articles: the type alone is what
    many programs write on every page. Manuals have no author.
    """
    if articles(page):
        return True
    is_told = page.meta("og:type").strip().lower() == "article"
    return is_told and any(one.name in _ARTICLE_METAS for one in page.metas)


def _is_article(thing: Thing) -> bool:
    """Whether it says what it is; themes mark the text of any page as the body of an article."""
    told = set(thing.properties) - {"articleBody"}
    return bool(told) and any(
        FAMILY.get(name) == _ARTICLE and name != _MANUAL for name in thing.types
    )


_MOST_LETTERS = 10_000
"""The beginning of a long text stands for the rest."""


@dataclass(frozen=True, slots=True)
class _Formula:
    """``start``, less so much for a word of the mean sentence and a syllable of the mean word."""

    language: str
    start: float
    word: float
    syllable: float
    vowels: str
    """Matches one syllable: the vowels that are spoken together."""
    mute: tuple[str, ...] = ()
    """Match endings whose e is not spoken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readability:
    """What was measured."""

    sentences: int
    words: int
    ease: float | None = None
    """About 0 (hard) to 100 (easy); None where no formula was fitted to the language."""

    @property
    def words_a_sentence(self) -> float:
        """The mean number of words in a sentence."""
        return self.words / self.sentences


_FORMULAS = read_table(DATA / "reading_ease.toml", _Formula, key="language")


def measured(texts: Sequence[str], language: str) -> Readability | None:
    """How the paragraphs ``texts`` read; None without a sentence, and where no spaces are set."""
    found = list(_beginning(texts))
    whole = " ".join(found)
    words = length(whole)
    if not words or not has_spaces(whole):
        return None
    ease = _ease(whole, words, len(found), language)
    return Readability(sentences=len(found), words=words, ease=ease)


def syllables(text: str, language: str) -> int:
    """How many, by its vowels; 0 in a language of which they are not known."""
    formula = _FORMULAS.get(language)
    if formula is None:
        return 0
    small, mute = folded(text), "|".join(formula.mute)
    silent = len(re.findall(mute, small)) if mute else 0
    return len(re.findall(formula.vowels, small)) - silent


def _beginning(texts: Sequence[str]) -> Iterator[str]:
    """Sentences, up to a number of letters; the last one may be cut."""
    left = _MOST_LETTERS
    for text in texts:
        for one in sentences(text[:left]):
            left -= len(one)
            yield one
        if left <= 0:
            return


def _ease(text: str, words: int, count: int, language: str) -> float | None:
    formula = _FORMULAS.get(language)
    if formula is None:
        return None
    a_word = syllables(text, language) / words
    return formula.start - formula.word * words / count - formula.syllable * a_word
