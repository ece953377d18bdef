"""How hard a text is to read: Flesch's reading ease in the languages that it was fitted to.

The formulas count words a sentence and syllables a word. Elsewhere only sentences are measured.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mergegate.site.seo.checks.prose import sentences
from mergegate.site.seo.checks.tokens import folded, has_spaces, length

FORMULAS = "https://en.wikipedia.org/wiki/Flesch%E2%80%93Kincaid_readability_tests"
_MOST_LETTERS = 10_000
"""The beginning of a long text stands for the rest."""


@dataclass(frozen=True, slots=True)
class _Formula:
    """``start``, less so much for a word of the mean sentence and a syllable of the mean word."""

    start: float
    word: float
    syllable: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Readability:
    """What was measured."""

    sentences: int
    words: int
    ease: float | None = None
    """About 0 (hard) to 100 (easy); None where no formula was fitted to the language."""

    @property
    def words_a_sentence(self) -> float:
        """On the average."""
        return self.words / self.sentences


_FORMULAS: Mapping[str, _Formula] = {
    # Flesch, 1948
    "en": _Formula(206.835, 1.015, 84.6),
    # Amstad, 1978
    "de": _Formula(180.0, 1.0, 58.5),
    # Kandel and Moles, 1958
    "fr": _Formula(207.0, 1.015, 73.6),
    # Fernández Huerta, 1959
    "es": _Formula(206.835, 1.02, 60.0),
    # Franchina and Vacca, 1972
    "it": _Formula(217.0, 1.3, 60.0),
    # Douma, 1960
    "nl": _Formula(206.835, 0.93, 77.0),
    # Martins and others, 1996
    "pt": _Formula(248.835, 1.015, 84.6),
}
_ROMANCE = re.compile(
    r"[ãõ][aeoi]|[iuüyï]?[aeoáéóâêôãõàèòíúìù](?:[iuüy](?![aeoáéóâêôãõàèò]))?|[iuüy]+"
)
_SYLLABLES: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"[aeiouy]+"),
    "de": re.compile(r"[aeiouyäöü]+"),
    "fr": re.compile(r"[aeiouyàâäéèêëîïôöùûüœæ]+"),
    "es": _ROMANCE,
    "it": _ROMANCE,
    "nl": re.compile(r"[aeiouy]+|[äëïöü][aeiouy]*"),
    "pt": _ROMANCE,
}
"""What is one syllable: the vowels that are spoken together."""
_MUTE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"(?<=[aeiouy])[^\W\d_aeiouy]{1,3}(?<!l)e\b|(?<=[aeiouy])le\b"
        r"|(?<=[aeiouy])[^\W\d_aeiouy]{0,2}[^\W\d_aeiouytd]ed\b"
        r"|(?<=[aeiouy])[^\W\d_aeiouy]{0,2}[^\W\d_aeiouyscxzhg]es\b"
    ),
    "fr": re.compile(r"(?<=[aeiouyàâéèêëîïôùûœ])[^\W\d_aeiouyàâéèêëîïôùû]{1,4}es?\b"),
}
"""Endings whose e is not spoken."""


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
    spoken = _SYLLABLES.get(language)
    if spoken is None:
        return 0
    small, mute = folded(text), _MUTE.get(language)
    silent = len(mute.findall(small)) if mute else 0
    return len(spoken.findall(small)) - silent


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
