"""Whatever the text of a page holds, no report acts on it, hides it, or grows beyond its size."""

import json
import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from mergegate.core.render import escape
from mergegate.core.render.screen import Screen
from mergegate.site.audit import layout as audit
from mergegate.site.browser_test import layout as browser_test
from mergegate.site.render import console, junit, markdown, sarif
from mergegate.site.render.layout import Layout
from tests.repo.report.inert import harm
from tests.repo.report.samples import HOSTILE
from tests.site.render import samples
from tests.site.render.drawing import FORMS, SIZES, drawn

AUDITS = [samples.quick, samples.shop, samples.hostile]
TESTS = [samples.clean, samples.broken, samples.hostile_test]
MARKDOWN = [(drawn(audit, markdown), one) for one in AUDITS] + [
    (drawn(browser_test, markdown), one) for one in TESTS
]
CONSOLE = [(drawn(audit, console), one) for one in AUDITS] + [
    (drawn(browser_test, console), one) for one in TESTS
]


def named(value: object) -> str:
    return getattr(value, "__module__", "").rpartition(".")[2] + getattr(value, "__name__", "")


@pytest.mark.parametrize(("render", "sample"), MARKDOWN, ids=named)
def test_markdown_does_nothing_but_show(
    render: Callable[..., str], sample: Callable[[], object]
) -> None:
    assert harm(render(sample())) == []


@pytest.mark.parametrize(("render", "sample"), CONSOLE, ids=named)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_console_keeps_to_the_width_and_moves_nothing(
    render: Callable[..., str], sample: Callable[[], object], width: int
) -> None:
    page = render(sample(), Screen(width=width), verbose=True)
    assert page.replace("\n", "").isprintable()
    assert max(map(len, page.splitlines())) <= width
    assert not re.search(r"^\s*::|##\[", page, re.MULTILINE)


@pytest.mark.parametrize(("render", "sample"), CONSOLE, ids=named)
def test_console_for_plain_terminals_is_ascii(
    render: Callable[..., str], sample: Callable[[], object]
) -> None:
    assert render(sample(), Screen(ascii_only=True)).isascii()


@pytest.mark.parametrize(("render", "sample"), CONSOLE, ids=named)
def test_console_has_no_colour_unless_asked(
    render: Callable[..., str], sample: Callable[[], object]
) -> None:
    assert "\x1b" not in render(sample())
    styles = set(re.findall(r"\x1b\[[^m]*m", render(sample(), Screen(colour=True))))
    assert styles
    assert all(re.fullmatch(r"\x1b\[[0-9;]*m", one) for one in styles)


def test_console_shows_hostile_text_as_text() -> None:
    page = drawn(audit, console)(samples.hostile(), Screen(width=1_000), verbose=True)
    assert "\\x1b[31mred" in page
    assert "[bold red]markup[/]" in page


@pytest.mark.parametrize(
    "laid_out",
    [lambda: audit.layout(samples.huge()), lambda: browser_test.layout(samples.huge_test())],
    ids=["audit", "browser test"],
)
def test_no_report_outgrows_its_size(laid_out: Callable[[], Layout]) -> None:
    page = laid_out()
    grown = [form for form, most in SIZES.items() if len(FORMS[form].render(page)) > most]
    assert grown == []
    assert len(markdown.render(page, limit=10_000)) <= 10_000


def test_a_limit_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="10000"):
        drawn(audit, markdown)(samples.shop(), limit=9_999)


def test_a_hostile_summary_fits_the_smallest_limit() -> None:
    assert len(drawn(audit, markdown)(samples.hostile(), limit=10_000)) <= 10_000
    assert len(drawn(browser_test, markdown)(samples.hostile_test(), limit=10_000)) <= 10_000


def test_xml_and_json_hold_what_they_say() -> None:
    root = ET.fromstring(drawn(audit, junit)(samples.hostile()))
    said = "".join(root.itertext())
    assert "<script>alert(1)</script>" in said
    assert escape.visible(HOSTILE) in said
    log = json.loads(drawn(browser_test, sarif)(samples.hostile_test()))
    assert log["runs"][0]["results"][0]["message"]["text"].startswith("::error::pwned")
