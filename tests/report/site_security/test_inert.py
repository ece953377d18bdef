"""Whatever a site says, no report of a security scan acts on it, or grows beyond its size."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser, sync_playwright

from mergegate.model.site.security import SecurityReport
from mergegate.report import escape
from mergegate.report.site import security
from mergegate.report.site.screen import Screen
from mergegate.world.browser import executable
from mergegate.world.node import packaged
from tests.report.inert import harm
from tests.report.samples import HOSTILE
from tests.report.site_security import samples

Sample = Callable[[], SecurityReport]
SAMPLES = [samples.bad, samples.good, samples.plain, samples.hostile]
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
def test_markdown_does_nothing_but_show(sample: Sample) -> None:
    assert harm(security.markdown.render(sample())) == []


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_console_keeps_to_the_width_and_moves_nothing(sample: Sample, width: int) -> None:
    page = security.console.render(sample(), Screen(width=width), verbose=True)
    assert page.replace("\n", "").isprintable()
    assert max(map(len, page.splitlines())) <= width
    assert not re.search(r"^\s*::|##\[", page, re.MULTILINE)
    assert "\x1b" not in page


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
def test_console_for_plain_terminals_is_ascii(sample: Sample) -> None:
    assert security.console.render(sample(), Screen(ascii_only=True)).isascii()


@pytest.mark.parametrize(
    ("form", "most"),
    [
        ("console", 100_000),
        ("html", 3_000_000),
        ("markdown", 65_000),
        ("sarif", 12_000_000),
        ("junit", 30_000_000),
    ],
)
def test_no_report_outgrows_its_size(form: str, most: int) -> None:
    assert len(getattr(security, form).render(samples.huge())) <= most


@pytest.mark.parametrize("sample", [samples.huge, samples.hostile])
def test_markdown_keeps_to_a_limit(sample: Sample) -> None:
    assert len(security.markdown.render(sample(), limit=10_000)) <= 10_000


def test_xml_and_json_hold_what_they_say() -> None:
    said = "".join(ET.fromstring(security.junit.render(samples.hostile())).itertext())
    assert escape.visible(HOSTILE) in said
    log = json.loads(security.sarif.render(samples.hostile()))
    assert log["runs"][0]["results"][0]["message"]["text"].startswith("::error::pwned")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=executable(),
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
        )


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
@pytest.mark.parametrize(("theme", "width"), [("light", 1100), ("dark", 400)])
def test_the_page_is_accessible_fits_a_phone_and_asks_for_nothing(
    browser: Browser, tmp_path: Path, sample: Sample, theme: Any, width: int
) -> None:
    size = {"width": width, "height": 900}
    context = browser.new_context(viewport=size, color_scheme=theme, bypass_csp=True)  # type: ignore[arg-type]
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda one: asked.append(one.url))
    (tmp_path / "page.html").write_text(security.html.render(sample()), "utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    page.evaluate(OPEN_ALL)
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.evaluate(packaged("axe-core", "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    context.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    assert wide == width
    assert [one for one in asked if not one.startswith(("file:", "data:"))] == []
