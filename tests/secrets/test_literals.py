"""One search for many words finds exactly what a search for each would find."""

import random
import re

import pytest

from mergegate.secrets.formats import _FORMATS
from mergegate.secrets.literals import Literals
from mergegate.secrets.spellings.marks import _MARKS

WORDS = sorted(
    {one for form in _FORMATS.values() for one in form.literals}.union(*map(set, _MARKS.values()))
    | {"a", "join", "~x", "\xe9t", "x\xe9"}
)
SEARCH = Literals(WORDS)


def each(words: list[str], text: str) -> dict[str, list[int]]:
    found = {word: [one.start() for one in re.finditer(re.escape(word), text)] for word in words}
    return {word: places for word, places in found.items() if places}


def test_a_word_is_found_wherever_it_stands() -> None:
    for word in WORDS:
        for text in (word, f" {word}", f"{word}{word}\n", f"x{word}x", word[:-1], word[1:]):
            found = SEARCH.places(text)
            assert found.get(word, []) == each([word], text).get(word, []), text


@pytest.mark.parametrize("seed", range(10))
def test_words_among_parts_of_words_are_those_of_single_searches(seed: int) -> None:
    dice = random.Random(seed)
    parts = [word[: dice.randint(1, len(word))] for word in WORDS]
    text = " ".join(dice.choices([*parts, *WORDS], k=500))
    assert SEARCH.places(text) == each(WORDS, text) != {}


def test_no_word_is_found_in_none() -> None:
    assert Literals([]).places("join") == Literals(["join"]).places("") == {}
