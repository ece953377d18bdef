"""Words of any script: what is one, what equals what, and how many there are."""

from pathlib import Path

import pytest

from mergegate.site.seo import checks
from mergegate.site.seo.checks.tokens import PATTERNS, PHRASES, Haystack, folded, length, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("… — !", ()),
        ("Green Tea", ("green", "tea")),
        ("Don't panic, it's tea", ("don't", "panic", "it", "tea")),
        ("l’hôtel de l'eau", ("l", "hôtel", "de", "l", "eau")),
        ("men’s shoes", ("men", "shoes")),
        ("long-term care", ("long", "term", "care")),
        ("C++ and C# are not C", ("c++", "and", "c#", "are", "not", "c")),
        ("İstanbul ISTANBUL istanbul ıstanbul", ("istanbul",) * 4),
        ("Straße STRASSE", ("strasse", "strasse")),
        ("E\u0301cole École", ("école", "école")),
        ("soft\u00adhyphen zero\u200bwidth", ("softhyphen", "zerowidth")),
        ("snake_case", ("snake", "case")),
        ("東京ホテル iPhone", ("東", "京", "ホ", "テ", "ル", "iphone")),
        ("สวัสดี", ("ส", "วั", "ส", "ดี")),
        ("हिन्दी में", ("हिन्दी", "में")),
        ("서울 호텔", ("서울", "호텔")),
        ("مُحَمَّد", ("مُحَمَّد",)),
        ("שָׁלוֹם", ("שָׁלוֹם",)),
        ("Việt Nam", ("việt", "nam")),
        ("Київ, під’їзд", ("київ", "під", "їзд")),
    ],
)
def test_words_are_told_apart_in_every_script(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("One two, three.", 3),
        ("東京ホテル", 3),
        ("東京 is big", 3),
        ("สวัสดีครับ", 2),
        ("서울 호텔", 2),
    ],
)
def test_the_length_is_in_words_where_no_spaces_are_set(text: str, words: int) -> None:
    assert length(text) == words


@pytest.mark.parametrize(
    ("text", "phrase", "times"),
    [
        ("shoes shoes, red shoes", "shoes", 3),
        ("red  shoes and RED-shoes", "red shoes", 2),
        ("infrared shoestrings", "red", 0),
        ("the mother’s day of mothers", "mother", 1),
        ("東京ホテルと東京タワー", "東京", 2),
        ("京東", "東京", 0),
        ("서울호텔은 서울 호텔이다", "서울", 2),
        ("새서울", "서울", 0),
        ("บริการโรงแรมราคาถูก", "โรงแรม", 1),
        ("anything", "", 0),
    ],
)
def test_a_phrase_is_found_as_whole_words(text: str, phrase: str, times: int) -> None:
    assert Haystack(text).count(tokens(phrase)) == times
    assert Haystack(text).holds(tokens(phrase)) is bool(times)


@pytest.mark.parametrize(
    ("text", "phrase", "there"),
    [
        ("Green teas of Uji", "green tea", True),
        ("The green team", "green tea", False),
        ("It is so", "i", False),
        ("Running shoes", "running shoe", True),
        ("Shops of shoemakers", "shoe", True),
        ("A shop", "shoe", False),
        ("Eine Tasse grünen Tees", "grüner Tee", True),
        ("Grünkohl", "grüner Tee", False),
        ("Зелёного чая", "зелёный чай", True),
        ("Чёрного чая", "зелёный чай", False),
        ("الشاي الأخضر", "شاي أخضر", True),
        ("התה הירוק", "תה ירוק", True),
        ("Kahvaltıda çayı içeriz", "çay", True),
        ("緑のお茶", "緑茶", True),
        ("紅茶", "緑茶", False),
        ("녹차는", "녹차", True),
        ("", "tea", False),
    ],
)
def test_a_word_is_found_in_its_forms_and_not_in_other_words(
    text: str, phrase: str, there: bool
) -> None:
    assert Haystack(text).holds_forms(tokens(phrase)) is there


def test_long_texts_are_remembered_and_stay_the_same() -> None:
    text = "Tea is water. " * 500
    assert tokens(text) == tokens(text) == ("tea", "is", "water") * 500
    assert folded(text) == text.lower()


def test_every_phrase_and_pattern_that_is_kept_is_looked_for() -> None:
    code = "".join(path.read_text("utf-8") for path in Path(checks.__file__).parent.glob("*.py"))
    assert [name for name in PHRASES if f'PHRASES["{name}"]' not in code] == []
    assert [name for name in PATTERNS if code.count(f'PATTERNS["{name}"]') != 1] == []
