"""The HTML report: one file, nothing from outside, hostile text inert, filters fed by data."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest

from mergegate.core.render import escape
from mergegate.core.report import Decided, Gate, LanguageCoverage, Report, Verdict
from mergegate.core.tree import Reason, Skipped
from mergegate.repo.report import news
from mergegate.repo.report.html import render
from tests.repo.report import changes, samples

ALL = [samples.passed, samples.failed, samples.incomplete, samples.hostile]
OURS = {
    "a", "b", "body", "button", "circle", "code", "dd", "details", "div", "dl", "dt", "footer",
    "form", "h1", "h2", "h3", "head", "header", "html", "input", "label", "li", "link", "main",
    "mark", "meta", "ol", "option", "p", "pre", "rect", "script", "section", "select", "span",
    "strong", "style", "summary", "svg", "table", "tbody", "td", "text", "tfoot", "th", "thead",
    "title", "tr", "ul",
}  # fmt: skip
VOID = {"meta", "link", "input", "rect", "circle"}


class Page(HTMLParser):
    """Tags with their attributes, open elements, and the text of scripts and the rest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        inside = self.open[-1] if self.open else ""
        {"script": self.scripts, "style": self.styles}.get(inside, self.words).append(data)

    def values(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.tags if name in attributes]


@cache
def page(sample: Callable[[], Report]) -> Page:
    return Page(render(sample()))


def index(sample: Callable[[], Report]) -> Any:
    return json.loads(page(sample).scripts[0])


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_elements_are_ours_and_balanced(sample: Callable[[], Report]) -> None:
    assert {tag for tag, _ in page(sample).tags} <= OURS
    assert page(sample).open == []


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_nothing_comes_from_outside(sample: Callable[[], Report]) -> None:
    assert page(sample).values("src") == []
    assert not re.search(r"url\(|@import", "".join(page(sample).styles))
    for tag, attributes in page(sample).tags:
        href = attributes.get("href", "#")
        if not href.startswith("#") and tag != "link":
            assert tag == "a"
            assert href.startswith("https://")
            assert attributes["rel"] == "noopener noreferrer"
    assert [a["href"] for tag, a in page(sample).tags if tag == "link"] == ["data:,"]


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_no_attribute_runs_or_styles_anything(sample: Callable[[], Report]) -> None:
    names = {name for _, attributes in page(sample).tags for name in attributes}
    assert not [name for name in names if name.startswith("on") or name in {"style", "srcdoc"}]


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_policy_allows_our_script_and_style_by_hash(sample: Callable[[], Report]) -> None:
    policy = next(a["content"] for _, a in page(sample).tags if "http-equiv" in a)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for source in (page(sample).styles[0], page(sample).scripts[-1]):
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_hostile_text_is_shown_as_text() -> None:
    words = "".join(page(samples.hostile).words)
    assert "<script>alert(1)</script>" in words
    assert "\\u202egnp.exe" in words
    assert escape.visible(samples.HOSTILE) in words


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_no_hidden_character_reaches_the_page(sample: Callable[[], Report]) -> None:
    assert render(sample()).replace("\n", "").isprintable()


def test_data_cannot_leave_its_script_element() -> None:
    data = page(samples.hostile).scripts[0]
    assert not set(data) & set("<>&\u2028\u2029")
    assert "<script>alert(1)</script>" in json.loads(data)[0]["text"]


@pytest.mark.parametrize("sample", [samples.failed, samples.hostile])
def test_every_finding_has_its_permalink_and_data(sample: Callable[[], Report]) -> None:
    ids = [one.id for one in sample().findings]
    assert [entry["id"] for entry in index(sample)] == ids
    cards = [a for _, a in page(sample).tags if a.get("class", "").startswith("finding ")]
    assert len(cards) == len(ids)
    assert {card["id"]: card["data-number"] for card in cards} == {
        f"f-{id}": str(number) for number, id in enumerate(ids)
    }


def test_ids_are_unique_and_links_within_the_page_lead_somewhere() -> None:
    ids = page(samples.failed).values("id")
    assert len(ids) == len(set(ids))
    inside = {href[1:] for href in page(samples.failed).values("href") if href.startswith("#")}
    assert inside <= set(ids)


def test_filters_offer_what_is_there() -> None:
    entries = index(samples.failed)
    assert {entry["kind"] for entry in entries} == {
        "code", "secret", "dependency", "iac", "quality", "risk",
    }  # fmt: skip
    assert {entry["state"] for entry in entries} == {"new", "existing"}
    assert sum(entry["fix"] for entry in entries) == 4


def test_every_label_names_its_section() -> None:
    ids = set(page(samples.failed).values("id"))
    assert set(page(samples.failed).values("aria-labelledby")) <= ids


def test_fix_is_offered_to_the_clipboard_as_it_would_be_typed() -> None:
    copies = page(samples.failed).values("data-copy")
    assert "    settings = yaml.safe_load(text)" in copies


def test_incomplete_score_is_an_upper_bound() -> None:
    assert "at most" in "".join(page(samples.incomplete).words)


def test_large_reports_stay_small_and_lazy() -> None:
    text = render(samples.huge(5000))
    assert len(text) < 10_000_000
    assert '<div id="groups" data-most="100" class="many">' in text
    assert '<div id="groups" data-most="100">' in render(samples.failed())


class Groups(HTMLParser):
    """Each group's class and whether it is open, with the number of its rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, bool]] = []
        self.rows: list[int] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        kind = said.get("class") or ""
        if tag != "details":
            return
        if kind.startswith("group"):
            self.found.append((kind, "open" in said))
            self.rows.append(0)
        elif self._open and self._open[-1].startswith("group"):
            self.rows[-1] += 1
        self._open.append(kind)

    def handle_endtag(self, tag: str) -> None:
        if tag == "details":
            self._open.pop()


def test_no_group_is_an_endless_page() -> None:
    report = changes.crowded()
    groups = Groups(render(report))
    assert groups.found[:2] == [("group", True), ("group rest", False)]
    rows = len(news.chapters(report)[0].entries)
    assert groups.rows[:2] == [100, rows - 100]
    assert groups.rows[1] > 0
    text = render(report)
    assert "<h3>New in this change: the first 100</h3>" in text
    assert f"<h3>New in this change: {rows - 100} more</h3>" in text


def test_code_in_a_reason_is_code() -> None:
    reason = "1 new high finding: a change may bring none (`fail-change-on: high`)"
    given = replace(samples.failed(), decided=Decided(Verdict(Gate.FAILED, (reason,)), "gate"))
    assert "(<code>fail-change-on: high</code>)" in render(given)


def test_the_receipt_names_what_was_and_was_not_searched() -> None:
    swift = LanguageCoverage(
        language="swift", files=2, lines=9, searched=0, reason="there are no rules for swift"
    )
    lock = Skipped("conan.lock", "no reader for ConanCenter", cause=Reason.LANGUAGE)
    given = samples.failed()
    coverage = replace(given.coverage, languages=(swift,), unread=(lock,))
    words = " ".join(Page(render(replace(given, coverage=coverage))).words)
    assert "swift: 0 of 2 files searched for code flaws (there are no rules for swift)" in words
    assert "Known and not read" in words
    assert "no reader for ConanCenter" in words
