"""Every page of a host as people get it: for all, at any width, with and without scripts."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

from mergegate.report import web
from mergegate.world.browser import executable
from mergegate.world.node import packaged

NOON = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)
SOON = NOON + dt.timedelta(seconds=75)
SUBJECT = "acme/shop, branch a-rather-long-name-of-a-branch-that-somebody-thought-was-fine"
WHY = web.Reason("BRANCH_NOT_FOUND", "The repository has no branch 'x'.", "Push it, or `git`.")
PAGES = {
    "waiting": web.running(SUBJECT, web.waiting(NOON, None, SOON)),
    "scanning": web.running(SUBJECT, web.waiting(NOON, NOON, SOON)),
    "failed": web.failed(SUBJECT, WHY, "2026-03-04 12:00 UTC"),
    "closed": web.closed(),
    "busy": web.busy(),
    "home": web.home(),
}
PLACE = "https://host.example.org/"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])


def opened(context: BrowserContext, name: str) -> tuple[Page, list[str]]:
    """The page under its own policy, and what the browser complains of."""
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.route("**/*", lambda route: fulfil(route, PAGES[name]))
    page.goto(PLACE)
    return page, said


def fulfil(route: Route, shown: web.Page) -> None:
    headers = {"Content-Security-Policy": shown.policy, "Content-Type": "text/html; charset=utf-8"}
    route.fulfill(body=shown.text, headers=headers)


@pytest.mark.parametrize(
    ("name", "theme", "width"),
    [
        *((name, "light", 1280) for name in PAGES),
        *((name, "dark", 390) for name in ("scanning", "failed", "home")),
    ],
)
def test_axe_finds_nothing_and_the_browser_does_not_complain(
    browser: Browser, name: str, theme: Any, width: int
) -> None:
    with browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=theme
    ) as context:
        page, said = opened(context, name)
        page.evaluate(packaged("axe-core", "axe.min.js").read_text("utf-8"))
        found = page.evaluate("axe.run({resultTypes: ['violations']})")
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    assert (wide, said) == (False, [])


def test_the_keyboard_sees_where_it_is(browser: Browser) -> None:
    with browser.new_context() as context:
        page, _ = opened(context, "failed")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "theme"
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_without_scripts_a_page_shows_no_button_and_looks_again(browser: Browser) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page, _ = opened(context, "waiting")
        assert page.locator("noscript .hint").is_visible()
        assert not page.locator("#theme").is_visible()
        assert page.locator("meta[http-equiv=refresh]").get_attribute("content") == "5"


def test_nothing_moves_for_those_who_do_not_want_it(browser: Browser) -> None:
    moving = "document.getAnimations().length"
    with browser.new_context() as context:
        assert opened(context, "scanning")[0].evaluate(moving) == 1
    with browser.new_context(reduced_motion="reduce") as context:
        assert opened(context, "scanning")[0].evaluate(moving) == 0
