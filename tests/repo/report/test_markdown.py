"""The report on a forge: inert, honest about what it leaves out, and read as prose."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mergegate.core.report import Report
from mergegate.repo.report.markdown import render
from tests.repo.report import changes, samples, shop
from tests.repo.report.golden import expected
from tests.repo.report.inert import harm

ALL = [samples.passed, samples.failed, samples.incomplete, samples.hostile]
PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")
OUR_TAGS = re.compile(r"</?(?:details|summary|b|code|a)>|<a href=\"https://[^\"<>\s]+\">")
SIGNAL = re.compile(r"@\w|[#!]\d|://|www\.|javascript:")


def tokens(page: str) -> Iterator[Token]:
    for token in PARSER.parse(page):
        yield token
        yield from token.children or ()


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_page_reads_as_reviewed(sample: Callable[[], Report]) -> None:
    page = render(sample())
    assert page == expected(f"{sample.__name__}.md", page)


@pytest.mark.parametrize(
    ("sample", "heading"),
    [
        (samples.passed, "## ✅ Passed: 100/100"),
        (samples.failed, "## ❌ Failed: 7/100"),
        (samples.incomplete, "## ⚠️ Incomplete: at most 84/100"),
    ],
)
def test_heading_is_the_verdict(sample: Callable[[], Report], heading: str) -> None:
    assert render(sample()).split("\n")[0] == heading


def test_verdict_reason_and_next_step_come_before_all_else() -> None:
    page = render(samples.failed())
    marks = [
        "Failed: 7/100",
        "2 critical findings",
        "**Next:** Fix these 5",
        "### New in this change",
    ]
    places = [page.index(mark) for mark in marks]
    assert places == sorted(places)


def test_only_our_own_html_is_html() -> None:
    html = [t.content for t in tokens(render(samples.hostile())) if t.type.startswith("html")]
    assert html
    assert not [one for one in html if "<" in OUR_TAGS.sub("", one)]


def test_only_references_are_links_and_nothing_is_an_image() -> None:
    found = list(tokens(render(samples.hostile())))
    links = {str(token.attrGet("href")) for token in found if token.type == "link_open"}
    assert all(link.startswith(("https://cwe.mitre.org/", "https://osv.dev/")) for link in links)
    assert not [token for token in found if token.type == "image"]


def test_prose_holds_no_mention_reference_or_address() -> None:
    words = [t.content for t in tokens(render(samples.hostile())) if t.type == "text"]
    links = [word for word in words if word.startswith("https://")]
    assert not [word for word in words if SIGNAL.search(word) and word not in links]
    assert len(links) == 2


def test_no_line_is_a_quick_action() -> None:
    page = render(samples.hostile())
    assert "/approve" in page
    assert not re.search(r"^\s*/", page, re.MULTILINE)


def test_fences_are_closed() -> None:
    page = render(samples.hostile())
    fences = [token for token in PARSER.parse(page) if token.type == "fence"]
    assert [fence.info for fence in fences] == ["", "diff", ""]
    assert "</details>" not in "".join(fence.content for fence in fences)


@pytest.mark.parametrize("limit", [10_000, 31_000, 65_000])
@pytest.mark.parametrize("sample", [samples.huge, samples.failed, samples.hostile])
def test_limit_is_kept_and_said(sample: Callable[[], Report], limit: int) -> None:
    page = render(sample(), limit=limit)
    assert len(page) <= limit
    total = sum(finding.severity > 0 for finding in sample().findings)
    said = re.search(r"\*\*Shown ([\d,]+) of ([\d,]+) findings, worst first\.\*\*", page)
    rows = re.findall(r"^(?:- |<details><summary>)[🔴🟠🟡🔵]", page, re.MULTILINE)
    if said:
        assert int(said[2].replace(",", "")) == total
        assert 0 < len(rows) <= int(said[1].replace(",", "")) < total
    else:
        assert len(rows) <= total


def test_worst_findings_are_the_ones_that_stay() -> None:
    page = render(samples.huge(), limit=20_000)
    assert page.count("<b>Critical</b>") + page.count("**Critical**") == 100
    assert "Low" not in re.findall(r"^- \S+ \*\*(\w+)\*\*", page, re.MULTILINE)


def test_what_has_no_room_is_named() -> None:
    failed = samples.failed()
    waived = tuple(replace(one, reason="so it was" * 20) for one in failed.suppressed * 10)
    crowded = replace(samples.huge(100), suppressed=waived)
    page = render(crowded, limit=10_000)
    assert "Left out for lack of room: suppressed" in page
    assert "Suppressed, not counted" not in page


def test_too_small_a_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="10000"):
        render(samples.failed(), limit=500)


def test_members_of_a_row_are_a_list_of_their_own() -> None:
    rows = render(changes.grouped()).split("<details>")
    package = next(row for row in rows if "7 advisories" in row)
    habit = next(row for row in rows if "Manifest without a lock file, 4 times" in row)
    for row, number in ((package, 7), (habit, 4)):
        kinds = [token.type for token in PARSER.parse(row.partition("</summary>")[2])]
        assert kinds.count("list_item_open") == number
        assert kinds[kinds.index("bullet_list_close") + 1] == "paragraph_open"


def test_rows_lead_to_their_lines_whatever_the_names_are() -> None:
    bad = samples.hostile()
    target = replace(bad.target, web="https://github.com/acme/shop")
    assert harm(render(replace(bad, target=target))) == []
    named = replace(samples.failed(), target=replace(samples.TARGET, web=target.web))
    assert f"/blob/{samples.TARGET.commit}/shop/db/orders.py#L42" in render(named)


def test_a_long_place_keeps_the_name_of_its_file_and_its_line() -> None:
    deep = replace(shop.SQL, place=replace(shop.SQL.place, file=f"{'deep/' * 60}sql.py"))
    assert "deep/sql.py:42</code>" in render(samples.report([deep]))
