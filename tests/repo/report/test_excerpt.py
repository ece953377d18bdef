"""Excerpts and diffs: right numbers, right marks, nothing invented."""

from dataclasses import replace

import pytest

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.report import Fix, Suppression
from mergegate.repo.report.excerpt import Change, Fixes, Line, diff, lines
from tests.repo.report import samples, shop


def at(place: Place, snippet: str) -> Finding:
    return replace(shop.SQL, place=place, snippet=snippet)


@pytest.mark.parametrize(
    ("place", "snippet", "expected"),
    [
        (Place("a", 3, 3, 3, 5), "x = 1", (Line(3, "x = 1", True, 2, 2),)),
        (Place("a", 3, 3, 2, 4), "\tab", (Line(3, "    ab", True, 4, 2),)),
        (Place("a", 3, 3, 1, 3), "\u202eab", (Line(3, "\\u202eab", True, 0, 7),)),
        (Place("a", 3, 3), "whole line", (Line(3, "whole line", True),)),
        (Place("a", 3, 3, 5, 5), "no width", (Line(3, "no width", True),)),
        (Place("a", 3, 4, 2, 2), "two\nlines\n", (Line(3, "two", True), Line(4, "lines", True))),
        (Place("a", 3, 3), "one\nmore", (Line(3, "one", True), Line(4, "more", False))),
        (Place("a"), "", ()),
    ],
)
def test_lines_carry_their_number_and_mark(
    place: Place, snippet: str, expected: tuple[Line, ...]
) -> None:
    assert lines(at(place, snippet)) == expected


def test_long_excerpts_say_how_much_is_left() -> None:
    found = at(Place("a", 10, 110), "\n".join("abc" for _ in range(101)))
    assert lines(found, 3)[-1] == Line(0, "… 98 more lines", False)


def test_long_lines_are_cut() -> None:
    (line,) = lines(at(Place("a", 1, 1, 900, 950), "x" * 50_000))
    assert len(line.text) == 400
    assert line.length == 0


def fix(*edits: Edit) -> Fix:
    return Fix(id="f", finding_ids=("a",), title="t", explanation="", edits=edits, source="rule")


def test_diff_shows_old_lines_that_are_known() -> None:
    found = at(Place("a.py", 7, 8), "old\nlines")
    assert diff(fix(Edit("a.py", 7, 8, "new")), [found]) == (
        Change("@", "a.py:7-8"),
        Change("-", "old"),
        Change("-", "lines"),
        Change("+", "new"),
    )


def test_diff_shows_no_old_line_when_one_is_unknown() -> None:
    found = at(Place("a.py", 7, 7), "old")
    assert diff(fix(Edit("a.py", 7, 8, "new")), [found]) == (
        Change("@", "a.py:7-8"),
        Change("+", "new"),
    )


def test_lines_that_the_fix_knows_are_shown_and_what_it_repeats_is_not() -> None:
    edit = Edit("a.py", 7, 9, "one\nfour", old="one\ntwo\nthree")
    assert diff(fix(edit), ()) == (
        Change("@", "a.py:7-9"),
        Change("-", "two"),
        Change("-", "three"),
        Change("+", "four"),
    )


def test_removing_a_line_is_said() -> None:
    found = at(Place("a.py", 7, 7), "old")
    assert diff(fix(Edit("a.py", 7, 7, "")), [found]) == (
        Change("@", "a.py:7 (removed)"),
        Change("-", "old"),
    )


def test_a_fix_is_found_from_either_side() -> None:
    report = samples.failed()
    fixes = Fixes(report)
    assert fixes.of(shop.SQL) == fixes.of(replace(shop.SQL, fix_id=None)) == report.fixes[0]
    assert fixes.of(shop.PICKLE) is None


@pytest.mark.parametrize("told", ["counted", "dismissed", "masked"])
def test_fix_on_a_line_with_a_secret_is_none(told: str) -> None:
    finding = replace(shop.SQL, snippet='call("****")' if told == "masked" else shop.SQL.snippet)
    secret = replace(shop.AWS, place=shop.SQL.place)
    report = samples.report([finding, *([secret] if told == "counted" else [])])
    waived = (Suppression(finding=secret, reason="known"),) if told == "dismissed" else ()
    report = replace(report, fixes=shop.FIXES, suppressed=waived)
    assert Fixes(report).of(finding) is None


def test_fix_beside_a_secret_stays() -> None:
    secret = replace(shop.AWS, place=replace(shop.SQL.place, start_line=41, end_line=41))
    report = replace(samples.report([shop.SQL, secret]), fixes=shop.FIXES)
    assert Fixes(report).of(shop.SQL) is shop.FIXES[0]
