"""What keeps nobody out, by rule and by axe's own reason."""

import pytest

from mergegate.site.impact import ADVICE, MILD, is_advice, keeps_nobody_out

_PALE = (
    "Fix any of the following: Element has insufficient color contrast of {} (foreground color: "
    "#6c8c22, background color: #e8e8e8, font size: 11.8pt (15.75px), font weight: bold). "
    "Expected contrast ratio of 4.5:1"
)
_SMALL = (
    "Fix any of the following: Target has insufficient size ({}, should be at least 24px by 24px)"
)
_HIDDEN = (
    "Target has insufficient size because it is partially obscured (smallest space is 200px by "
    "17px, should be at least 24px by 24px)"
)
_LACKS = "Fix any of the following: Required ARIA attribute{} not present: {}"


@pytest.mark.parametrize(
    ("rule", "reasons", "expected"),
    [
        ("target-size", [], True),
        ("html-has-lang", ["The <html> element does not have a lang attribute"], True),
        ("label", ["Element has no label"], False),
        ("color-contrast", [_PALE.format("4.41")], True),
        ("color-contrast", [_PALE.format("3")], True),
        ("color-contrast", [_PALE.format("2.99")], False),
        ("color-contrast", [_PALE.format("1.66")], False),
        ("color-contrast", [_PALE.format("4.41"), _PALE.format("2.82")], False),
        ("color-contrast", [], False),
        ("aria-required-attr", [_LACKS.format("", "aria-level")], True),
        ("aria-required-attr", [_LACKS.format("", "aria-expanded") + "\n"], True),
        ("aria-required-attr", [_LACKS.format("", "aria-checked")], False),
        ("aria-required-attr", [_LACKS.format("s", "aria-level, aria-checked")], False),
    ],
)
def test_what_keeps_nobody_out(rule: str, reasons: list[str], expected: bool) -> None:
    assert keeps_nobody_out(rule, reasons) is expected


_TERMS = (
    "Fix all of the following: When not empty, element does not have at least one <dt> element "
    "followed by at least one <dd> element"
)


@pytest.mark.parametrize(
    ("rule", "reasons", "expected"),
    [
        ("heading-order", [], True),
        ("scrollable-region-focusable", ["Element should have focusable content"], True),
        ("definition-list", [_TERMS], True),
        ("definition-list", ["dl element has direct children that are not allowed: p"], False),
        ("definition-list", [], False),
        ("target-size", [], False),
        ("target-size", [_SMALL.format("16px by 100px")], True),
        ("target-size", [_SMALL.format("1000.5px by 17px")], True),
        ("target-size", [_SMALL.format("7px by 160px")], False),
        ("target-size", [_HIDDEN], False),
        ("label-title-only", [], False),
        ("tabindex", [], False),
    ],
)
def test_what_hinders_nobody(rule: str, reasons: list[str], expected: bool) -> None:
    assert is_advice(rule, reasons) is expected


def test_each_says_for_whom_it_is_there_nonetheless() -> None:
    assert [one.rule for one in (*MILD.values(), *ADVICE.values()) if len(one.why) < 20] == []
