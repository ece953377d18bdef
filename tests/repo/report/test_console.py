"""The page in a terminal, read as prose; the goldens hold the whole of it."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from mergegate.core.finding import Place
from mergegate.core.render import escape, wording
from mergegate.core.report import Report
from mergegate.core.severity import Severity
from mergegate.repo.report.console import render
from tests.repo.report import samples, shop
from tests.repo.report.golden import expected

ALL = [samples.passed, samples.failed, samples.incomplete, samples.hostile]


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_page_reads_as_reviewed(sample: Callable[[], Report]) -> None:
    page = render(sample())
    assert page == expected(f"{sample.__name__}.txt", page)


@pytest.mark.parametrize(
    ("sample", "line"),
    [
        (samples.passed, "PASSED  100/100  no findings"),
        (
            samples.failed,
            "FAILED  7/100  6 new findings (2 critical, 1 high, 2 medium, 1 low), 1 fixed, 17",
        ),
        (samples.incomplete, "INCOMPLETE  at most 84/100  4 medium"),
    ],
)
def test_verdict_comes_first(sample: Callable[[], Report], line: str) -> None:
    assert render(sample()).split("\n")[0] == line


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
@pytest.mark.parametrize("width", [20, 80])
def test_quietly_the_verdict_is_all(sample: Callable[[], Report], width: int) -> None:
    whole = render(sample(), width=1000).split("\n")
    assert render(sample(), width=width, quiet=True) == f"{whole[0]}\n"


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_lines_fit_the_width_but_for_links(sample: Callable[[], Report], width: int) -> None:
    lines = render(sample(), width=width).split("\n")
    whole = [escape.terminal(wording.place(one.place)) for one in sample().findings]
    long = [line for line in lines if len(line) > width and "See https://" not in line]
    places = tuple(one.partition(":")[0] for one in whole)
    assert not [line for line in long if not line.lstrip(" -@").startswith(places)]


def test_a_place_is_never_folded_so_that_a_terminal_opens_it() -> None:
    deep = replace(shop.SQL, place=replace(shop.SQL.place, file=f"{'deep/' * 30}sql.py"))
    assert f"\n{'deep/' * 30}sql.py:42" in render(samples.report([deep]), width=40)


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_nothing_but_printable_text_without_colour(sample: Callable[[], Report]) -> None:
    page = render(sample())
    assert page.replace("\n", "").isprintable()
    assert not re.search(r"^\s*::|##\[", page, re.MULTILINE)


def test_colour_adds_styles_and_no_words() -> None:
    coloured = render(samples.hostile(), colour=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert coloured != plain
    assert "\x1b" not in plain
    assert [line.rstrip() for line in plain.split("\n")] == render(samples.hostile()).split("\n")


def test_ascii_terminals_get_ascii_of_the_same_shape() -> None:
    plain, ascii_only = render(samples.failed()), render(samples.failed(), ascii_only=True)
    assert ascii_only.isascii()
    assert [len(line) for line in ascii_only.split("\n")] == [
        len(line) for line in plain.split("\n")
    ]


def test_environment_does_not_change_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    before = render(samples.failed(), colour=True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "33")
    assert render(samples.failed(), colour=True) == before


def test_long_lists_say_what_they_leave_out() -> None:
    page = render(samples.huge(5000))
    assert "Shown 30 of 3,800 findings; full list: --format html" in page
    assert "and 1,370 more, marked “blocks”" in page
    assert len(page.split("\n")) < 500


def test_limit_is_obeyed() -> None:
    page = render(samples.huge(200), limit=3)
    assert page.count("\n  id ") == 3


def test_verbose_shows_findings_for_information_in_full() -> None:
    assert "tests/conftest.py:9" not in render(samples.failed())
    assert "tests/conftest.py:9" in render(samples.failed(), verbose=True)


def test_order_is_verdict_next_step_news_the_rest_receipt() -> None:
    page = render(samples.failed())
    marks = ["FAILED", "Next: fix these 5", "New in this change (6)", "CRITICAL (2)",
             "Existing before this change (17)", "INFO (4)", "Fixed by this change (1)",
             "\nScore of the whole repository\n", "Suppressed", "Coverage", "Engines"]  # fmt: skip
    places = [page.index(mark) for mark in marks]
    assert places == sorted(places)


def test_what_is_not_new_is_a_line_unless_it_blocks() -> None:
    page = render(samples.failed())
    assert "\n  medium   Dockerfile  Container runs as root\n" in page
    assert "The image sets no user" not in page
    assert "The image sets no user" in render(samples.failed(), verbose=True)
    assert "shop/cart/session.py:27  blocks\n  Unpickling data from the network\n" in page


def test_a_habit_is_one_row_that_lists_its_places() -> None:
    long = [one for one in samples.failed().findings if one.rule_id == "long-function"]
    page = render(samples.report(long))
    assert "shop/catalogue/load.py:12 and 2 other places\n" in page
    assert "Very long function, 3 times" in page
    assert "  - shop/invoices/pdf.py:55\n" in page.replace("- " + " " * 9, "- ")
    assert page.count("\n  id ") == 1


@pytest.mark.parametrize(
    ("severities", "told"),
    [
        ((Severity.LOW,), "1 fix is ready to apply."),
        ((Severity.LOW, Severity.INFO), "2 fixes are ready to apply, 1 of them for what is for"),
        ((Severity.INFO,), "1 fix is ready to apply, for what is for information."),
    ],
)
def test_fixes_of_what_is_for_information_are_counted_apart(
    severities: tuple[Severity, ...], told: str
) -> None:
    found, fixes = [], []
    for number, severity in enumerate(severities):
        fixes.append(replace(shop.FIXES[0], id=f"f{number}", finding_ids=(f"id{number}",)))
        found.append(replace(shop.SQL, id=f"id{number}", severity=severity, fix_id=f"f{number}"))
    report = replace(samples.report(found), fixes=tuple(fixes))
    assert told in " ".join(render(report).split())


def test_what_the_row_before_has_said_is_not_said_again() -> None:
    said = "The group lets everyone in (SSH, RDP), which is found soon ({}). Limit it."
    found = [
        replace(shop.SQL, id=f"{number:020}", place=Place(file, 1), message=said.format(about))
        for number, (file, about) in enumerate((("a.tf", "group.one"), ("b.tf", "group.two")))
    ]
    page = " ".join(render(samples.report(found)).split())
    assert page.count("which is found soon") == 1
    assert "As above (group.two)." in page
    other = replace(found[1], message="Something else.")
    assert "As above" not in render(samples.report([found[0], other]))
