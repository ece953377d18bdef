"""The HTML reports hold themselves to what they ask of others: axe finds nothing in them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from mergegate.report import html
from mergegate.report.site import audit, browser_test
from mergegate.world.browser import executable
from mergegate.world.node import packaged
from tests.report import changes
from tests.report.site_tools import samples

PAGES = {
    "audit": audit.html.render(samples.shop()),
    "quick": audit.html.render(samples.quick()),
    "hostile": audit.html.render(samples.hostile()),
    "test": browser_test.html.render(samples.broken()),
    "change": html.render(changes.slow_site()),
}
WORDS = """Array.from(document.querySelectorAll(".duel .word, .metrics .word"), (one) => {
  const box = one.getBoundingClientRect();
  return [one.textContent, box.height < 30, box.width > 0 && box.right <= innerWidth];
})"""
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=executable(),
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
        )


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("theme", "width"), [("light", 1100), ("dark", 400)])
def test_axe_finds_nothing(
    browser: Browser, tmp_path: Path, name: str, theme: Any, width: int
) -> None:
    (tmp_path / "page.html").write_text(PAGES[name], "utf-8")
    size = {"width": width, "height": 900}
    context = browser.new_context(viewport=size, color_scheme=theme, bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.evaluate(OPEN_ALL)
    page.evaluate(packaged("axe-core", "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    context.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []


@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_wider_than_a_phone_or_asks_for_anything(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    (tmp_path / "page.html").write_text(PAGES[name], "utf-8")
    page = browser.new_page(viewport={"width": 400, "height": 900})
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.on("console", lambda one: complaints.append(one.text))
    page.goto((tmp_path / "page.html").as_uri())
    page.evaluate(OPEN_ALL)
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    assert wide == 400
    assert complaints == []
    assert [one for one in asked if not one.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize(("medium", "width"), [("screen", 400), ("print", 720)])
def test_verdicts_are_whole_and_in_sight_on_a_phone_and_on_paper(
    browser: Browser, tmp_path: Path, medium: Any, width: int
) -> None:
    (tmp_path / "page.html").write_text(PAGES["audit"], "utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.emulate_media(media=medium)
    page.goto((tmp_path / "page.html").as_uri())
    words = page.evaluate(WORDS)
    page.close()
    assert {word for word, _, _ in words} >= {"worse", "perhaps over", "within"}
    assert [word for word, whole, in_sight in words if not (whole and in_sight)] == []
