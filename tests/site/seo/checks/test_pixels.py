"""Widths of texts against a browser's."""

import pytest

from mergegate.site.seo.checks.page import description_px, title_px

MEASURED = {
    "How to brew green tea without bitterness": (362, 254),
    "MAMMOTH WOMBATS MAKE WARM MEADOWS NOW": (509, 356),
    "Fill it till it is full: little lilies": (223, 156),
    "Äpfel für Öfen – 100 % süß | Küche": (314, 220),
    "“Quoted” & (bracketed) [text] @ home…": (355, 248),
    "Crème brûlée à l'été, ça & là": (252, 176),
    "0123456789 $5.99 #1 *best* ~ ^ _": (302, 212),
    '{x} <y> "z" `w` \\ / ; : ! ?': (198, 138),
}
"""Pixels at 20 and 14 px, by Chromium 156 in Liberation Sans, which has Arial's widths."""


@pytest.mark.parametrize("text", MEASURED)
def test_a_width_is_within_a_hundredth_of_what_a_browser_measures(text: str) -> None:
    title, description = MEASURED[text]
    assert title_px(text) == pytest.approx(title, rel=0.01, abs=2)
    assert description_px(text) == pytest.approx(description, rel=0.01, abs=2)


def test_letters_of_east_asia_are_as_wide_as_high_and_marks_have_no_width() -> None:
    assert title_px("緑茶") == 40
    assert title_px("e\u0301") == title_px("é") == title_px("e")
    assert title_px("") == 0
