"""The reference as people read it."""

import re
from urllib.parse import urljoin

import httpx
import pytest
from playwright.sync_api import sync_playwright

from mergegate.host.api.problems import Code
from mergegate.host.causes import CAUSES
from mergegate.sandbox.browser import executable
from mergegate.sandbox.process.node import packaged
from tests.host.api.conftest import Host

SHORTENED = """
for (const one of document.querySelectorAll("section:not(#audit, #errors, #shapes)")) one.remove();
for (const one of document.querySelectorAll("#shapes > :nth-child(n + 8)")) one.remove();
for (const one of document.querySelectorAll("a[href^='#']")) one.href = "#audit";
"""
"""Of each kind one is enough: all of it takes axe ten seconds."""
CUT = """
[...document.querySelectorAll(".answers, .bare")].map(table => table.parentElement)
  .filter(box => box.scrollWidth > box.clientWidth).map(box => box.textContent)
"""
"""Tables of few columns that a reader would have to push aside."""
pytestmark = pytest.mark.parametrize("host", ["sqlite"], indirect=True)


@pytest.fixture
def page(host: Host) -> httpx.Response:
    return httpx.get(urljoin(host.url, "/api/docs"), headers={"Accept-Encoding": "gzip"})


def test_every_code_can_be_linked_to_and_says_what_to_do(page: httpx.Response) -> None:
    for place in (*Code, *(f"scan-{code}" for code in CAUSES)):
        row = re.search(rf'<tr id="{place}">(.*)</tr>', page.text)
        assert row is not None
        assert row[1].endswith("</p></td>")


def test_each_operation_shows_the_command_that_makes_it(page: httpx.Response) -> None:
    assert "curl -X DELETE -H &#34;X-API-Key: $MERGEGATE_API_KEY&#34;" in page.text
    assert "&#34;https://HOST/api/repo/result?id=…&#34;" in page.text
    assert "curl https://HOST/healthz</code>" in page.text
    assert "-d &#39;{&#34;owner&#34;:" in page.text


def test_no_mark_of_markdown_is_left(page: httpx.Response) -> None:
    assert "`" not in re.sub(r"<style>.*?</style>", "", page.text, flags=re.DOTALL)


def test_it_is_sent_compressed_under_a_strict_policy(page: httpx.Response) -> None:
    assert page.headers["content-encoding"] == "gzip"
    assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha")


def test_axe_finds_nothing_and_a_phone_shows_all_of_it(host: Host) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
        page.goto(urljoin(host.url, "/api/docs"))
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        cut = page.evaluate(CUT)
        page.evaluate(SHORTENED)
        page.evaluate(packaged("axe-core", "axe.min.js").read_text("utf-8"))
        found = page.evaluate("axe.run({resultTypes: ['violations']})")
        browser.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    assert not wide
    assert cut == []


def test_a_shape_without_notes_has_no_column_for_them(page: httpx.Response) -> None:
    bare, noted = (
        re.findall(rf'<table class="{kind}">(.*?)</table>', page.text, flags=re.DOTALL)
        for kind in ("shape bare", "shape")
    )
    assert bare
    assert not any(">Notes<" in table for table in bare)
    assert noted
    for table in noted:
        assert ">Notes<" in table
        assert "<p>" in table
