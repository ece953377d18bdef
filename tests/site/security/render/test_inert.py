"""Whatever a site says, no report of a security scan acts on it, or grows beyond its size."""

import json
import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from mergegate.core.render import escape
from mergegate.site.render.screen import Screen
from mergegate.site.security import render
from mergegate.site.security.report import SecurityReport
from tests.repo.report.inert import harm
from tests.repo.report.samples import HOSTILE
from tests.site.security.render import samples

Sample = Callable[[], SecurityReport]
SAMPLES = [samples.bad, samples.good, samples.plain, samples.hostile]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
def test_markdown_does_nothing_but_show(sample: Sample) -> None:
    assert harm(render.markdown.render(sample())) == []


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_console_keeps_to_the_width_and_moves_nothing(sample: Sample, width: int) -> None:
    page = render.console.render(sample(), Screen(width=width), verbose=True)
    assert page.replace("\n", "").isprintable()
    assert max(map(len, page.splitlines())) <= width
    assert not re.search(r"^\s*::|##\[", page, re.MULTILINE)
    assert "\x1b" not in page


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
def test_console_for_plain_terminals_is_ascii(sample: Sample) -> None:
    assert render.console.render(sample(), Screen(ascii_only=True)).isascii()


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
    assert len(getattr(render, form).render(samples.huge())) <= most


@pytest.mark.parametrize("sample", [samples.huge, samples.hostile])
def test_markdown_keeps_to_a_limit(sample: Sample) -> None:
    assert len(render.markdown.render(sample(), limit=10_000)) <= 10_000


def test_xml_and_json_hold_what_they_say() -> None:
    said = "".join(ET.fromstring(render.junit.render(samples.hostile())).itertext())
    assert escape.visible(HOSTILE) in said
    log = json.loads(render.sarif.render(samples.hostile()))
    assert log["runs"][0]["results"][0]["message"]["text"].startswith("::error::pwned")
