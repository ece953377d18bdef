"""The HTML reports hold themselves to what they ask of others: axe finds nothing in them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from mergegate.core.plans import REPOSITORY
from mergegate.core.score import FailOn, decided
from mergegate.repo.report import html
from mergegate.sandbox.browser import executable
from mergegate.sandbox.process.node import packaged
from mergegate.site.audit import layout as audit
from mergegate.site.browser_test import layout as browser_test
from mergegate.site.render import html as site_html
from mergegate.site.security import layout as security
from mergegate.site.seo import layout as seo
from tests.site.render import samples, seo_samples
from tests.site.render.drawing import drawn
from tests.site.security.render import samples as security_samples

from . import changes

PAGES: Mapping[str, Callable[[], str]] = {
    "change": lambda: html.render(changes.slow_site()),
    "rows": lambda: html.render(decided(changes.grouped(), FailOn.GATE, REPOSITORY)),
    "audit": lambda: drawn(audit, site_html)(samples.shop()),
    "audit-quick": lambda: drawn(audit, site_html)(samples.quick()),
    "audit-hostile": lambda: drawn(audit, site_html)(samples.hostile()),
    "browser-test": lambda: drawn(browser_test, site_html)(samples.broken()),
    "seo": lambda: drawn(seo, site_html)(seo_samples.tea()),
    "seo-well-made": lambda: drawn(seo, site_html)(seo_samples.well_made()),
    "seo-hidden": lambda: drawn(seo, site_html)(seo_samples.hidden()),
    "seo-hostile": lambda: drawn(seo, site_html)(seo_samples.hostile()),
    "security": lambda: drawn(security, site_html)(security_samples.bad()),
    "security-good": lambda: drawn(security, site_html)(security_samples.good()),
    "security-plain": lambda: drawn(security, site_html)(security_samples.plain()),
    "security-hostile": lambda: drawn(security, site_html)(security_samples.hostile()),
}
written = cache(lambda name: PAGES[name]())
"""Each report is drawn once, for all that is asked of it."""
Theme = Literal["light", "dark"]
Medium = Literal["screen", "print"]
LOOKS: tuple[tuple[Theme, int], ...] = (("light", 1100), ("dark", 400))
AXE = "axe.run({resultTypes: ['violations']})"
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
FIRST = "document.querySelector('.finding, .row').getBoundingClientRect().bottom"
SMALL_SCREEN = 664
"""What the browser of a phone with 390 × 844 shows of a page."""
GROUPS = """Array.from(document.querySelectorAll("#groups > .group:not([hidden])"), (one) => [
  one.querySelector("h3").textContent, one.querySelector(":scope > summary .hint").textContent,
])"""
WORDS = """Array.from(document.querySelectorAll(".duel .word, .metrics .word"), (one) => {
  const box = one.getBoundingClientRect();
  return [one.textContent, box.height < 30, box.width > 0 && box.right <= innerWidth];
})"""
HEADLINES = """Array.from(
  document.querySelectorAll(".serp.desktop .headline, .serp.mobile .headline"),
  (one) => Math.round(one.getBoundingClientRect().height),
)"""


@dataclass(frozen=True)
class Window:
    """The one page that shows all reports in turn: each page costs a process of its own."""

    page: Page
    file: Path
    asked: list[str] = field(default_factory=list)
    """Every address, the report's own included."""
    complaints: list[str] = field(default_factory=list)

    def show(self, name: str, width: int, media: Medium = "screen") -> None:
        """A report of ``PAGES``, in light colours; what was noted before is forgotten."""
        self.dress("light", width, media)
        self.file.write_text(written(name), "utf-8")
        self.page.goto("about:blank")
        self.asked.clear()
        self.complaints.clear()
        self.page.goto(self.file.as_uri())

    def dress(
        self,
        theme: Theme,
        width: int,
        media: Medium = "screen",
    ) -> None:
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=theme, media=media)

    def ask(self, script: str) -> Any:
        """The value of ``script`` in the report."""
        return self.page.evaluate(script)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(),
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
        )
        file = tmp_path_factory.mktemp("reports") / "report.html"
        opened = Window(browser.new_page(), file)
        opened.page.on("request", lambda one: opened.asked.append(one.url))
        opened.page.on("console", lambda one: opened.complaints.append(one.text))
        yield opened


@pytest.mark.parametrize("name", PAGES)
def test_a_report_is_accessible_fits_a_phone_and_asks_for_nothing(
    window: Window, name: str
) -> None:
    window.show(name, 1100)
    window.ask(OPEN_ALL)
    window.ask(packaged("axe-core", "axe.min.js").read_text("utf-8"))
    for theme, width in LOOKS:
        window.dress(theme, width)
        assert window.ask("document.documentElement.scrollWidth") == width
        found = window.ask(AXE)["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    assert window.complaints == []
    assert [one for one in window.asked if not one.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize(("medium", "width"), [("screen", 400), ("print", 720)])
def test_verdicts_are_whole_and_in_sight_on_a_phone_and_on_paper(
    window: Window, medium: Medium, width: int
) -> None:
    window.show("audit", width, medium)
    words = window.ask(WORDS)
    assert {word for word, _, _ in words} >= {"worse", "perhaps over", "within"}
    assert [word for word, whole, in_sight in words if not (whole and in_sight)] == []


def test_a_result_of_a_search_stays_within_its_lines(window: Window) -> None:
    window.show("seo", 1100)
    desktop, mobile = window.ask(HEADLINES)
    assert desktop < 30
    assert mobile < 56


def test_first_finding_is_on_the_first_screen_of_a_phone(window: Window) -> None:
    window.show("rows", 390)
    assert window.ask(FIRST) < SMALL_SCREEN


def test_rows_are_filtered_and_grouped_with_their_findings(window: Window) -> None:
    window.show("rows", 1100)
    first = [
        ["New in this change", "16 in 7 rows"],
        ["Existing before this change", "17 in 14 rows"],
    ]
    assert window.ask(GROUPS) == first
    window.page.click("#sieve > summary")
    window.page.select_option("#group", "file")
    assert ["go.mod", "7"] in window.ask(GROUPS)
    window.page.fill("#search", "GO-2024-1003")
    expect(window.page.locator("#shown")).to_have_text("1 of 33 findings")
    assert window.ask(GROUPS) == [["go.mod", "1"]]
    window.page.click("text=Clear")
    expect(window.page.locator("#groups > .group")).to_have_count(2)
    assert window.ask(GROUPS) == first


def test_permalink_opens_the_row_that_holds_the_finding(window: Window) -> None:
    window.show("rows", 1100)
    id = window.ask("document.querySelector('.row .finding').id")
    expect(window.page.locator(f"#{id}")).to_be_hidden()
    window.ask(f"location.hash = '{id}'")
    expect(window.page.locator(f"#{id} .body")).to_be_visible()
