"""Tags of languages, right and wrong."""

import pytest

from mergegate.site.seo.checks.languages import LANGUAGES, REGIONS, akin, flaw, mended

RIGHT = (
    "en", "EN-gb", "zh-Hant", "zh-Hant-TW", "es-419", "sr-Latn-RS", "de-CH-1996", "gsw", "fil-PH",
    "iw", "ar-001", "en-US-u-ca-gregory", "de-x-mine", "uk-UA", "se", "kr",
)  # fmt: skip
WRONG = {
    "": "",
    "english": "",
    "e": "",
    "jp": "ja",
    "xx": "",
    "en-UK": "en-GB",
    "en-EU": "",
    "de_AT": "de-AT",
    "de-": "de",
    "en GB": "",
    "<b>": "",
    "x" * 100: "",
}


@pytest.mark.parametrize("tag", RIGHT)
def test_a_right_tag_has_no_flaw(tag: str) -> None:
    assert not flaw(tag)


@pytest.mark.parametrize("tag", WRONG)
def test_a_wrong_tag_has_a_flaw_and_perhaps_a_better_one(tag: str) -> None:
    assert flaw(tag)
    assert mended(tag) == WRONG[tag]


def test_the_lists_of_codes_are_whole() -> None:
    assert (len(LANGUAGES), len(REGIONS)) == (184, 249)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("en", "en", True), ("nb", "no", True), ("hr", "sr", True), ("en", "de", False)],
)
def test_languages_are_akin_or_not(one: str, other: str, expected: bool) -> None:
    assert akin(one, other) is expected
