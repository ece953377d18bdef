"""Whether the page's text is there, is its own, and can be read.

Search engines ask for no number of words and publish no measure of style: nearly all of this rests
on experience, and the score does not count it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from mergegate.site.facts.document import Document
from mergegate.site.seo.checks import languages, readability
from mergegate.site.seo.checks.point import RULES, quoted
from mergegate.site.seo.checks.readability import (
    is_article,
    is_closed,
    language,
    main,
    paragraphs,
    said,
)
from mergegate.site.seo.checks.rendering import is_empty, is_shell
from mergegate.site.seo.checks.tokens import PHRASES, folded, has_spaces, length, tokens
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.words import counted, size

TITLE_STUFFED = RULES["title-stuffed"]
ALT_STUFFED = RULES["alt-stuffed"]
_SHORTEST = 3
"""Letters; shorter words are left alone."""
_IN_TITLE, _IN_ALT = 3, 4
"""Occurrences from which a word in titles, or in alternative texts, is no chance."""
_OF_ALT = 0.25
_PARTS = re.compile(r"\s[|–—·:-]\s|:\s")


def stuffing_points(facts: SearchFacts) -> Iterator[Point]:
    """Words that a title or an alternative text says for the sake of machines."""
    page, url, skipped = facts.best, facts.url, languages.stop_words(language(facts))
    if word := _in_title(page.title, skipped):
        message = f"The title says {quoted(word)} again and again."
        yield TITLE_STUFFED.point(url, message, evidence=page.title)
    listing = [one for one in page.images if one.alt and _in_alt(one.alt, skipped)]
    if listing:
        yield ALT_STUFFED.point(
            url,
            f"{counted(len(listing), 'image')} with an alternative text that says one word "
            f"{_IN_ALT} times or more.",
            selector=listing[0].selector,
            found=[one.alt or "" for one in listing],
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


THIN = RULES["text-thin"]
PLACEHOLDER = RULES["text-placeholder"]
LEFTOVER = RULES["template-leftover"]
HARD = RULES["text-hard-to-read"]
LONG_SENTENCES = RULES["sentences-long"]
LONG_PARAGRAPHS = RULES["paragraph-long"]
REPEATED = RULES["paragraph-repeated"]
MISMATCH = RULES["title-not-of-text"]
H1_MISMATCH = RULES["title-not-of-h1"]
MARKUP = RULES["html-mostly-markup"]
_THIN_WORDS = 60
_HARD_EASE = 30.0
"""Below it Flesch calls a text very difficult."""
_LEAST_WORDS, _LEAST_SENTENCES = 150, 5
"""Less is too little to measure."""
_LONG_SENTENCE = 30.0
_NOT_NAMES = 10.0
"""What is hard in shorter sentences are the names in them."""
_LONG_PARAGRAPH = 200
_REPEATED_WORDS = 40
"""Manuals say the same of many parameters; that is shorter."""
_MARKUP_BYTES, _MARKUP_SHARE = 100_000, 0.02
_ABOUT_FILLER = re.compile(r"lorem|ipsum|placeholder|dummy|platzhalter|segnaposto|blindtext")
"""Pages that speak of such texts may show some."""
_LEFTOVER = re.compile(
    r"\{\{[^{}]{0,60}\}\}|\{%[^{}]{0,60}%\}|\[object Object\]|^(?:undefined|null|NaN|None)$"
    r"|^(?:undefined|null)\s*[|–—-]|[|–—-]\s*(?:undefined|null)$|\$\{[\w.]{1,60}\}"
    r"|%(?:title|sitename|page_title|sep)%{1,2}"
)
_SEPARATORS = " |–—-"
_LONGEST_HEAD = 500
_LEAST_TITLE = 2
"""Words of a title that can be looked for."""
_STEM, _ENDING = 4, 3
"""Letters of a word that must be the same, and that may differ."""


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the text of the page as a visitor gets it."""
    yield from stuffing_points(facts)
    yield from _leftovers(facts)
    if is_shell(facts) or is_empty(facts):
        sent = "As it is sent the page" if is_shell(facts) else "The page"
        yield THIN.point(facts.url, f"{sent} has {counted(length(facts.best.text), 'word')}.")
        return
    yield from _depth(facts)
    yield from _own(facts)
    yield from _style(facts)
    yield from _agreement(facts)


def _leftovers(facts: SearchFacts) -> Iterator[Point]:
    page = facts.best
    for place, text in (
        ("title", page.title),
        ("description", page.meta("description")),
        ("h1", " ".join(_main_headings(page))),
    ):
        found = _LEFTOVER.search(text[:_LONGEST_HEAD])
        if found and not _is_about(found[0], page.url):
            message = f"The {place} says {quoted(found[0])}."
            yield LEFTOVER.point(facts.url, message, place=place, evidence=text)


def _is_about(leftover: str, url: str) -> bool:
    """Whether the page explains such a value: ``/reference/null`` does."""
    return leftover.strip(_SEPARATORS).casefold() in re.split(r"[/._-]", url.casefold())


def _depth(facts: SearchFacts) -> Iterator[Point]:
    page, url = facts.best, facts.url
    words = length(said(page))
    if is_article(page) and words < _THIN_WORDS:
        yield THIN.point(url, f"The article has {counted(words, 'word')}.")
    share = len(page.text.encode("utf-8", "replace")) / max(page.html_bytes, 1)
    if page.html_bytes > _MARKUP_BYTES and share < _MARKUP_SHARE and facts.rendered is None:
        yield MARKUP.point(url, f"{share:.1%} of {size(page.html_bytes)} are text.")


def _own(facts: SearchFacts) -> Iterator[Point]:
    page, url = facts.best, facts.url
    filler = _filler([one.text for one in main(page)])
    if filler and not _ABOUT_FILLER.search(folded(f"{page.title} {page.url}")):
        message = f"{counted(len(filler), 'part')} of the page with what designers fill gaps with."
        yield PLACEHOLDER.point(url, message, found=filler)
    number = Counter(one.text for one in paragraphs(page) if len(one.text) > _REPEATED_WORDS)
    again = [
        text for text, times in number.items() if times > 1 and length(text) >= _REPEATED_WORDS
    ]
    if again:
        message = f"{counted(len(again), 'paragraph')} that the page says more than once."
        yield REPEATED.point(url, message, found=again)


def _filler(texts: Sequence[str]) -> list[str]:
    whole = folded("\n".join(texts))
    used = [phrase for phrase in PHRASES["filler"] if phrase in whole]
    return [text for text in texts if any(phrase in folded(text) for phrase in used)]


def _style(facts: SearchFacts) -> Iterator[Point]:
    url, spoken = facts.url, language(facts)
    texts = [one.text for one in paragraphs(facts.best) if is_closed(one.text)]
    read = readability.measured(texts, spoken)
    if read and read.words >= _LEAST_WORDS and read.sentences >= _LEAST_SENTENCES:
        yield from _ease(read, url)
    yield from _long(texts, url)


def _ease(read: readability.Readability, url: str) -> Iterator[Point]:
    sentences = f"its sentences have {read.words_a_sentence:.0f} words on the average"
    if read.ease is None:
        if read.words_a_sentence > _LONG_SENTENCE:
            yield LONG_SENTENCES.point(url, f"{sentences[4:].capitalize()}.")
    elif read.ease < _HARD_EASE and read.words_a_sentence >= _NOT_NAMES:
        yield HARD.point(url, f"Its reading ease is {max(read.ease, 0):.0f} of 100; {sentences}.")


def _long(texts: Sequence[str], url: str) -> Iterator[Point]:
    # No word has less than a letter: short texts are not counted.
    long = [one for one in texts if len(one) > _LONG_PARAGRAPH and length(one) > _LONG_PARAGRAPH]
    if long:
        message = f"{counted(len(long), 'paragraph')} of more than {_LONG_PARAGRAPH} words."
        yield LONG_PARAGRAPHS.point(url, message, found=long)


def _agreement(facts: SearchFacts) -> Iterator[Point]:
    """Whether anything that the title says is said by the page and its main heading, too."""
    page, url, title = facts.best, facts.url, facts.best.title
    stems = _stems(title, languages.stop_words(language(facts)))
    if len(stems) < _LEAST_TITLE or not has_spaces(title) or "text" in page.cut:
        return
    text, headings = f"{page.text} {_described(page)}", _main_headings(page)
    if not _holds(text, stems):
        if length(text) >= _LEAST_WORDS:
            message = f"No word of {quoted(title)} stands in the text of the page."
            yield MISMATCH.point(url, message, evidence=title)
    elif headings and not any(_agrees(one, title, stems) for one in headings):
        named = f"the main heading {quoted(headings[0])}"
        if len(headings) > 1:
            named = f"none of {len(headings)} main headings the same, such as {quoted(headings[0])}"
        message = f"The title says {quoted(title)}, {named}."
        yield H1_MISMATCH.point(url, message, evidence=title)


def _main_headings(page: Document) -> list[str]:
    return [one.text for one in page.headings if one.level == 1 and one.text]


def _agrees(heading: str, title: str, stems: Sequence[str]) -> bool:
    """Whether it says what the title does, or too little to tell."""
    return not _is_line(heading) or _holds(heading, stems) or _is_within(heading, title)


def _is_line(heading: str) -> bool:
    """Whether it has enough words, parted by spaces, to look for others in it."""
    return length(heading) >= _LEAST_TITLE and has_spaces(heading)


def _holds(text: str, stems: Sequence[str]) -> bool:
    there = folded(text)
    return any(stem in there for stem in stems)


def _is_within(heading: str, title: str) -> bool:
    """Whether the title repeats it, if only in words that are too common to look for."""
    return folded(heading) in folded(title)


def _described(page: Document) -> str:
    return " ".join(one.alt for one in page.images if one.alt)


def _stems(text: str, skipped: frozenset[str]) -> list[str]:
    """The stems of its words: the part that stays the same whatever the ending."""
    words = (word for word in tokens(text) if word not in skipped)
    return [word[: max(_STEM, len(word) - _ENDING)] for word in words]
