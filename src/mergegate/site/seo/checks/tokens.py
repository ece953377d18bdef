"""Text → words, in any script: what is compared, counted, and how long a text is.

Words are compared in Unicode's composed form and without letter case; accents stay. Hyphens part
words, as they do for search engines. Where a script sets no spaces, each letter is a word of its
own here, so that a keyword is found wherever its letters stand in a row.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from mergegate.core.data_table import read_table
from mergegate.site.seo.facts import DATA

_IDEOGRAPHS = (
    "\u3005-\u3007\u3040-\u3098\u309b-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Chinese and Japanese."""
_SYLLABLES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese and Khmer."""
_SIGNS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059"
    "\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d"
    "\u17b4-\u17d3\u17dd\u3099\u309a\ufe00-\ufe0f"
)
"""Vowels and tones of the same that stand on another letter."""
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u07a6-\u07b0\u07eb-\u07f3\u08d3-\u08ff\u0900-\u0963\u0966-\u096f\u0971-\u0df3\u135d-\u135f"
    "\u1ab0-\u1aff\u1dc0-\u1dff"
)
"""What continues a word and is no letter to Python: accents, points, the vowels of India."""
_TOKEN = re.compile(
    rf"[{_IDEOGRAPHS}{_SYLLABLES}][{_SIGNS}]*"
    rf"|[^\W_{_IDEOGRAPHS}{_SYLLABLES}]+(?:[{_MARKS}]+[^\W_{_IDEOGRAPHS}{_SYLLABLES}]*)*"
    r"(?:'(?:s|t|d|m|ll|re|ve)(?!\w)|\+\+|#)?"
)
"""English contractions are one word, ``l'hôtel`` is two; C++ and C# are not C."""
_IDEOGRAPH = re.compile(f"[{_IDEOGRAPHS}]")
_SYLLABLE = re.compile(f"[{_SYLLABLES}][{_SIGNS}]*")
_NO_SPACES = re.compile(f"[{_IDEOGRAPHS}{_SYLLABLES}]")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_APOSTROPHES = re.compile("[’ʼ＇`´]")
_ENDINGS = re.compile("[\u0370-\u052f]{3}")
"""Greek and Cyrillic, where a short word has a short ending, too."""
_PREFIXED = re.compile("[\u0590-\u06ff]{2}")
_ARTICLES = ("ال", "ה")
"""Arabic and Hebrew write them and their word in one."""
_PLURAL, _STEM, _LONG_WORD = 3, 4, 6
"""Letters from which on a word may have an s, may go on, and may end otherwise."""
_HANGUL = re.compile("[\uac00-\ud7a3]$")
_IDEOGRAPHS_A_WORD, _SYLLABLES_A_WORD = 2, 4
"""Letters of a word, about: Chinese has 1.5 to 2, Thai 4 to 5."""
_LONG, _KEPT = 2_000, 4
"""Texts of so many letters are asked for again and again; so many of them are remembered."""
PHRASES = {
    name: tuple(one.strip() for one in words.split(";"))
    for name, words in read_table(DATA / "empty_phrases.toml", str).items()
}
"""What says nothing: of texts (``filler``), of titles and of links."""
PATTERNS = {
    name: re.compile("".join(text.splitlines()))
    for name, text in read_table(DATA / "patterns.toml", str).items()
}
"""Patterns of what pages say in many languages, by name."""
_OUTER, _INNER = " ", "  "
"""Separators; two stand between words, so that adjacent words are both found."""


def folded(text: str) -> str:
    """``text`` as it is compared: composed, in small letters, one kind of apostrophe and of i."""
    if text.isascii():
        return text.lower()
    text = _APOSTROPHES.sub("'", _UNSEEN.sub("", text))
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    # Turkish has an i with and one without a dot, and capitals of both; addresses have one.
    return text.replace("i\u0307", "i").replace("ı", "i")


def tokens(text: str) -> tuple[str, ...]:
    """The words of ``text`` in their order, without the ``'s`` of an English possessive."""
    return _known(text) if len(text) > _LONG else _split(text)


def length(text: str) -> int:
    """How many words ``text`` has; where no spaces are set an estimate by its letters."""
    if has_spaces(text):
        return len(text.split())
    ideographs, syllables = len(_IDEOGRAPH.findall(text)), len(_SYLLABLE.findall(text))
    spaced = len(_NO_SPACES.sub(" ", text).split())
    by_letters = -(-ideographs // _IDEOGRAPHS_A_WORD), -(-syllables // _SYLLABLES_A_WORD)
    return spaced + sum(by_letters)


def has_spaces(text: str) -> bool:
    """Whether the script of ``text`` parts its words."""
    return text.isascii() or not _NO_SPACES.search(text)


class Haystack:
    """A text in which phrases are looked for."""

    def __init__(self, text: str) -> None:
        self.words = tokens(text)
        self._text = _row(self.words)

    def count(self, phrase: Sequence[str]) -> int:
        """How often the words of ``phrase`` stand in a row; a Korean one may take a particle."""
        return self._text.count(_needle(phrase)) if phrase else 0

    def holds(self, phrase: Sequence[str]) -> bool:
        """Whether the words of ``phrase`` stand in a row at least once."""
        return bool(phrase) and _needle(phrase) in self._text

    def holds_words(self, phrase: Sequence[str]) -> bool:
        """Whether every word of ``phrase`` is there, in whatever order."""
        return all(self.holds((word,)) for word in phrase)

    def holds_forms(self, phrase: Sequence[str]) -> bool:
        """Whether every word is there in some form of its own, in whatever order: ``teas``."""
        return all(self._holds_form(word) for word in phrase)

    def _holds_form(self, word: str) -> bool:
        forms = (f"{_OUTER}{form}" for form in _forms(word))
        return self.holds((word,)) or any(form in self._text for form in forms)


def _forms(word: str) -> Iterator[str]:
    """What other forms of ``word`` begin with, near enough: endings change, articles are added."""
    if _ENDINGS.match(word):
        yield word[: -min(3, max(1, len(word) - _STEM))]
    elif len(word) >= _LONG_WORD:
        yield word[:-2]
    elif len(word) >= _STEM or (len(word) >= _PLURAL and not word.isascii()):
        yield word
    elif len(word) >= _PLURAL:
        yield f"{word}s{_OUTER}"
    if _PREFIXED.match(word):
        yield from (f"{article}{word}" for article in _ARTICLES)


def _split(text: str) -> tuple[str, ...]:
    small = folded(text)
    words: list[str] = _TOKEN.findall(small)
    return tuple([one.removesuffix("'s") for one in words] if "'s" in small else words)


@lru_cache(maxsize=_KEPT)
def _known(text: str) -> tuple[str, ...]:
    return _split(text)


def _row(words: Sequence[str]) -> str:
    return f"{_OUTER}{_INNER.join(words)}{_OUTER}"


def _needle(phrase: Sequence[str]) -> str:
    row = _row(phrase)
    return row.removesuffix(_OUTER) if _HANGUL.search(phrase[-1]) else row
