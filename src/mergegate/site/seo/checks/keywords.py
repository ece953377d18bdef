"""Find where the requested keywords stand, how often, and what to change.

The first keyword is taken for what the page is about: title, main heading, description, first
paragraph and address are judged by it alone. All of them should stand in the text.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from urllib.parse import unquote

from mergegate.site.facts.document import Document
from mergegate.site.seo import urls
from mergegate.site.seo.checks import languages
from mergegate.site.seo.checks.point import RULES, Rule, quoted
from mergegate.site.seo.checks.readability import is_prose, language, paragraphs
from mergegate.site.seo.checks.rendering import is_shell
from mergegate.site.seo.checks.tokens import Haystack, has_spaces, tokens
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import KeywordAnalysis, Point
from mergegate.site.words import cut

MOST = 10
"""Keywords of one scan; further ones are left out."""

ABSENT = RULES["keyword-not-in-text"]
NOT_IN_TITLE = RULES["keyword-not-in-title"]
NOT_IN_H1 = RULES["keyword-not-in-h1"]
NOT_IN_DESCRIPTION = RULES["keyword-not-in-description"]
NOT_IN_FIRST_PARAGRAPH = RULES["keyword-not-in-first-paragraph"]
NOT_IN_URL = RULES["keyword-not-in-url"]
STUFFED = RULES["keyword-stuffed"]
_STUFFED_TIMES = 10
_STUFFED_PERCENT, _STUFFED_LETTERS_PERCENT = 5.0, 10.0
"""Least shares that count as stuffing: in scripts with spaces, and where letters count as words."""
_OPENING = 600
"""Letters of a page without paragraphs that count as its first one."""
_LONGEST = 200
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "ø": "oe"})
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Page:
    """What is searched of the page, ready for it."""

    text: Haystack
    places: Mapping[str, Haystack]
    """The places where the first keyword belongs, by name."""
    skipped: frozenset[str]
    """Words that need not be there."""
    home: bool
    """Whether it is the host's home page, whose address cannot change for a keyword."""

    def lacks(self, place: str, words: Words) -> bool:
        """Whether the place does not hold all the words, in whatever order and form."""
        return not self.places[place].holds_forms(self._said(words))

    def says_anything(self, place: str) -> bool:
        """Whether there is any text in the place."""
        return bool(self.places[place].words)

    def in_address(self, words: Words) -> bool:
        """Whether the address holds them all, accents written in any of the usual ways."""
        return any(self.places["address"].holds_words(one) for one in _spellings(self._said(words)))

    def _said(self, words: Words) -> Words:
        return tuple(one for one in words if one not in self.skipped) or words


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lists:
    """The parts of a page in which a keyword may stand many times."""

    headings: Sequence[Haystack]
    alts: Sequence[Haystack]
    anchors: Sequence[Haystack]


@dataclass(frozen=True, slots=True)
class _Place:
    """Somewhere the first keyword belongs."""

    name: str
    rule: Rule
    has: Callable[[KeywordAnalysis], bool]


_WANTED = (
    _Place("title", NOT_IN_TITLE, lambda one: one.in_title),
    _Place("main heading", NOT_IN_H1, lambda one: one.in_h1),
    _Place("description", NOT_IN_DESCRIPTION, lambda one: one.in_description),
    _Place("first paragraph", NOT_IN_FIRST_PARAGRAPH, lambda one: one.in_first_paragraph),
    _Place("address", NOT_IN_URL, lambda one: one.in_url),
)


def analyse(facts: SearchFacts, keywords: Iterable[str]) -> tuple[KeywordAnalysis, ...]:
    """One entry a keyword, in their order, at most ten; doubles and mere signs are left out.

    A keyword counts where its words stand in a row, whatever parts them (spaces, a hyphen); a word
    within another one does not. Where a script sets no spaces its letters count. What is advised
    takes other forms of a word for the word.
    """
    asked = _asked(keywords)
    if not asked:
        return ()
    page, lists = _read(facts), _listed(facts.best)
    found = [_analysed(name, words, page, lists) for words, name in asked]
    return tuple(
        replace(one, advice=tuple(_advice(one, page, main=number == 0)))
        for number, one in enumerate(found)
    )


def points(facts: SearchFacts, analyses: Sequence[KeywordAnalysis] = ()) -> Iterator[Point]:
    """What :func:`analyse` found, as points; an empty frame that scripts fill is not judged."""
    if is_shell(facts) or not analyses:
        return
    page, url = _read(facts), facts.url
    for one in analyses:
        if one.stuffed:
            yield STUFFED.point(url, _often(one), place=one.keyword, evidence=one.keyword)
        if _is_absent(one, page):
            message = f"{quoted(one.keyword)} does not stand in the text of the page."
            yield ABSENT.point(url, message, place=one.keyword, evidence=one.keyword)
    for place in _lacking(analyses[0], page):
        keyword = analyses[0].keyword
        message = f"{quoted(keyword)} does not stand in the {place.name}."
        yield place.rule.point(url, message, place=keyword, evidence=keyword)


def _asked(keywords: Iterable[str]) -> list[tuple[Words, str]]:
    """The words of each different keyword, and how it was written first."""
    asked: dict[Words, str] = {}
    for name in (cut(one, _LONGEST) for one in keywords):
        asked.setdefault(tokens(name), name)
    return [(words, name) for words, name in asked.items() if words][:MOST]


def _read(facts: SearchFacts) -> _Page:
    page = facts.best
    main = "\n".join(one.text for one in page.headings if one.level == 1)
    places = {
        "title": page.title,
        "main heading": main,
        "description": page.meta("description"),
        "first paragraph": _opening(page),
        "address": unquote(facts.url.partition("://")[2]),
    }
    return _Page(
        Haystack(page.text),
        MappingProxyType({name: Haystack(text) for name, text in places.items()}),
        languages.stop_words(language(facts)),
        urls.parts(facts.url).path in {"", "/"},
    )


def _listed(page: Document) -> _Lists:
    return _Lists(
        headings=[Haystack(one.text) for one in page.headings if one.level > 1],
        alts=[Haystack(one.alt) for one in page.images if one.alt],
        anchors=[Haystack(one.text) for one in page.anchors if one.text],
    )


def _opening(page: Document) -> str:
    texts = (one.text for one in paragraphs(page))
    return next((text for text in texts if is_prose(text)), page.text[:_OPENING])


def _analysed(name: str, words: Words, page: _Page, lists: _Lists) -> KeywordAnalysis:
    count, all_words = page.text.count(words), len(page.text.words)
    density = 100 * count * len(words) / all_words if all_words else 0.0
    places = page.places
    most = _STUFFED_PERCENT if has_spaces(name) else _STUFFED_LETTERS_PERCENT
    return KeywordAnalysis(
        keyword=name,
        count=count,
        words=all_words,
        density=round(density, 2),
        in_title=places["title"].holds(words),
        in_description=places["description"].holds(words),
        in_h1=places["main heading"].holds(words),
        in_headings=_number(lists.headings, words),
        in_first_paragraph=places["first paragraph"].holds(words),
        in_url=page.in_address(words),
        in_alt=_number(lists.alts, words),
        in_anchors=_number(lists.anchors, words),
        stuffed=count >= _STUFFED_TIMES and density > most,
    )


def _number(texts: Sequence[Haystack], words: Words) -> int:
    """How many texts hold the words in a row."""
    return sum(text.holds(words) for text in texts)


def _spellings(words: Words) -> Iterator[Words]:
    """The words as they are, without accents, and as German and Danish addresses spell them."""
    yield words
    yield tuple(_bare(one) for one in words)
    yield tuple(_bare(one.translate(_SPELT_OUT)) for one in words)


def _bare(word: str) -> str:
    parts = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(one for one in parts if _is_spoken(one)))


def _is_spoken(letter: str) -> bool:
    # Accents of Latin, Greek and Cyrillic alone: elsewhere marks are vowels.
    return not "\u0300" <= letter <= "\u036f"


def _is_absent(one: KeywordAnalysis, page: _Page) -> bool:
    return not one.count and not page.text.holds_forms(tokens(one.keyword))


def _lacking(one: KeywordAnalysis, page: _Page) -> Iterator[_Place]:
    """The places where the keyword is missing, even with its words in another order.

    An empty place is reported elsewhere.
    """
    if _is_absent(one, page):
        return
    for place in _WANTED:
        asked = page.says_anything(place.name) and not (page.home and place.rule is NOT_IN_URL)
        if asked and not place.has(one) and page.lacks(place.name, tokens(one.keyword)):
            yield place


def _advice(one: KeywordAnalysis, page: _Page, main: bool) -> Iterator[str]:
    if _is_absent(one, page):
        yield f"Say {quoted(one.keyword)} in the text, if the page is about it."
    if one.stuffed:
        yield f"{_often(one)} Leave it out where nobody would say it."
    for place in _lacking(one, page) if main else ():
        yield f"Use {quoted(one.keyword)} in the {place.name}."


def _often(one: KeywordAnalysis) -> str:
    return (
        f"{quoted(one.keyword)} stands {one.count} times in {one.words:,} words "
        f"({one.density:.1f} %)."
    )
