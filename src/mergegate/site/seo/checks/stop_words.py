"""Words that say nothing of what a text is about, the most frequent ones of some languages."""

from mergegate.core.data_table import read_table
from mergegate.site.seo.facts import DATA

STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in read_table(DATA / "stop_words.toml", str).items()
}
"""By the two letters of the language; in the form in which words are compared."""
ANY = frozenset().union(*STOP_WORDS.values())
"""Those of all: for texts of which the language is not known."""


def of(language: str) -> frozenset[str]:
    """Those of ``language``; of all languages, when there is no list for it."""
    return STOP_WORDS.get(language, ANY)
