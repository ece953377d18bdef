"""Reading ease: the published formulas, syllables and sentences of each language."""

import pytest

from mergegate.site.seo.checks.readability import measured, sentences, syllables


@pytest.mark.parametrize(
    ("language", "text", "ease"),
    [
        # Words, sentences and syllables counted by hand.
        ("en", "The cat sat on the mat.", 206.835 - 1.015 * 6 - 84.6 * 6 / 6),
        ("de", "Die Katze saß auf der Matte.", 180 - 6 - 58.5 * 8 / 6),
        ("fr", "Le chat dort sur la table.", 207 - 1.015 * 6 - 73.6 * 6 / 6),
        ("es", "El gato duerme. La casa es roja.", 206.835 - 1.02 * 7 / 2 - 60 * 11 / 7),
        ("it", "Il gatto dorme nella casa.", 217 - 1.3 * 5 - 60 * 9 / 5),
        ("nl", "De kat zat op de mat.", 206.835 - 0.93 * 6 - 77 * 6 / 6),
        ("pt", "O gato não dorme.", 248.835 - 1.015 * 4 - 84.6 * 6 / 4),
    ],
)
def test_the_formula_of_each_language(language: str, text: str, ease: float) -> None:
    read = measured([text], language)
    assert read is not None and read.ease == pytest.approx(ease)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            "table:2 while:1 jumped:1 wanted:2 makes:1 boxes:2 reading:2 the:1 understandable:5",
        ),
        ("de", "straße:2 häuser:2 bäume:2 donaudampfschiff:4"),
        ("fr", "table:1 éléphant:3 eau:1 maison:2"),
        ("es", "día:2 ciudad:2 leer:2 biblioteca:4 huevo:2 averiguáis:4"),
        ("it", "famiglia:3 casa:2"),
        ("nl", "belgië:3 huis:1"),
        ("pt", "não:1 coração:3 mãe:1"),
        ("pl", "dom:0"),
    ],
)
def test_syllables_are_counted_by_the_vowels_that_are_spoken(language: str, words: str) -> None:
    expected = dict(pair.split(":") for pair in words.split())
    assert {one: str(syllables(one, language)) for one in expected} == expected


def test_without_a_formula_only_sentences_are_measured() -> None:
    read = measured(["Kot śpi na stole. Pies nie śpi."], "pl")
    assert read is not None
    assert (read.ease, read.sentences, read.words, read.words_a_sentence) == (None, 2, 7, 3.5)


@pytest.mark.parametrize("text", ["", "東京は大きい。", "สวัสดี"])
def test_where_no_spaces_are_set_nothing_is_measured(text: str) -> None:
    assert measured([text], "en") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four… Five", 5),
        ("It costs 3.5 euros.", 1),
        ("J. Smith came.", 1),
        ("See e.g. this, i.e. that.", 1),
        ("“Really?” He went. (Sure.) «Oui.»", 4),
        ("¿Vienes? ¡Sí!", 2),
        ("東京です。はい。", 2),
        ("क्या? हाँ। ठीक", 3),
        ("no end", 1),
        ("", 0),
    ],
)
def test_sentences_are_parted_where_they_end(text: str, expected: int) -> None:
    assert len(sentences(text)) == expected
