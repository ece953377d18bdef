"""Every page of a host as people get it: for all, at any width, with and without scripts."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

from mergegate.host.web import status
from mergegate.sandbox.browser import executable
from mergegate.sandbox.process.node import packaged

NOON = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)
SOON = NOON + dt.timedelta(seconds=75)
SUBJECT = "acme/shop, branch a-rather-long-name-of-a-branch-that-somebody-thought-was-fine"
WHY = status.Reason("BRANCH_NOT_FOUND", "The repository has no branch 'x'.", "Push it, or `git`.")
PAGES = {
    "waiting": status.running(SUBJECT, status.waiting(NOON, None, SOON)),
    "scanning": status.running(SUBJECT, status.waiting(NOON, NOON, SOON)),
    "failed": status.failed(SUBJECT, WHY, "2026-03-04 12:00 UTC"),
    "closed": status.closed(),
    "busy": status.busy(),
    "home": status.home(),
}
PLACE = "https://host.example.org/"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Page]:
    """For one page after another: each that is opened anew costs a process."""
    with browser.new_context() as context:
        yield context.new_page()


def shown(page: Page, name: str) -> list[str]:
    """The page under its own policy; what the browser complains of."""
    said = list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.unroute_all()
    page.route("**/*", lambda route: fulfil(route, PAGES[name]))
    page.goto(PLACE)
    return said


def opened(context: BrowserContext, name: str) -> Page:
    page = context.new_page()
    shown(page, name)
    return page


def fulfil(route: Route, shown: status.Page) -> None:
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
    window: Page, name: str, theme: Any, width: int
) -> None:
    window.set_viewport_size({"width": width, "height": 800})
    window.emulate_media(color_scheme=theme)
    said = shown(window, name)
    window.evaluate(packaged("axe-core", "axe.min.js").read_text("utf-8"))
    found = window.evaluate("axe.run({resultTypes: ['violations']})")
    wide = window.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    assert (wide, said) == (False, [])


def test_the_keyboard_sees_where_it_is(window: Page) -> None:
    shown(window, "failed")
    window.keyboard.press("Tab")
    assert window.evaluate("document.activeElement.id") == "theme"
    assert window.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_without_scripts_a_page_shows_no_button_and_looks_again(browser: Browser) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = opened(context, "waiting")
        assert page.locator("noscript .hint").is_visible()
        assert not page.locator("#theme").is_visible()
        assert page.locator("meta[http-equiv=refresh]").get_attribute("content") == "5"


def test_nothing_moves_for_those_who_do_not_want_it(window: Page) -> None:
    moving = "document.getAnimations().length"
    shown(window, "scanning")
    assert window.evaluate(moving) == 1
    window.emulate_media(reduced_motion="reduce")
    assert window.evaluate(moving) == 0
    window.emulate_media(reduced_motion="no-preference")
