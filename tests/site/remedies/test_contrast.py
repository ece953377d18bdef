"""Readable colours reach their ratio and stay near."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.site.remedies.elements import contrast, readable

_CHANNEL = st.integers(0, 255)
_COLOUR = st.tuples(_CHANNEL, _CHANNEL, _CHANNEL)


def _written(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _read(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [((0, 0, 0), (255, 255, 255), 21.0), ((118, 118, 118), (255, 255, 255), 4.54)],
)
def test_contrast_is_that_of_wcag(
    one: tuple[int, int, int], other: tuple[int, int, int], expected: float
) -> None:
    assert round(contrast(one, other), 2) == expected


@settings(deadline=None)
@given(_COLOUR, _COLOUR)
def test_the_colour_proposed_reaches_the_ratio(
    text: tuple[int, int, int], behind: tuple[int, int, int]
) -> None:
    # Black or white always reaches 4.5 on anything.
    found = readable(_written(text), _written(behind), 4.5)
    assert found is not None
    assert contrast(_read(found), behind) >= 4.5


def test_grey_on_white_becomes_the_lightest_grey_that_can_be_read() -> None:
    assert readable("#bbbbbb", "#ffffff", 4.5) == "#767676"


def test_there_is_no_colour_for_an_impossible_ratio() -> None:
    assert readable("#777777", "#777777", 7) is None
