"""Whatever a site says, no report of a security scan acts on it, or grows beyond its size."""

import json
import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from mergegate.core.render import escape
from mergegate.core.render.screen import Screen
from mergegate.site.render import console, junit, markdown, sarif
from mergegate.site.security import layout as security
from mergegate.site.security.report import SecurityReport
from tests.repo.report.inert import harm
from tests.repo.report.samples import HOSTILE
from tests.site.render.drawing import FORMS, SIZES, drawn
from tests.site.security.render import samples

Sample = Callable[[], SecurityReport]
SAMPLES = [samples.bad, samples.good, samples.plain, samples.hostile]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
def test_markdown_does_nothing_but_show(sample: Sample) -> None:
    assert harm(drawn(security, markdown)(sample())) == []


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_console_keeps_to_the_width_and_moves_nothing(sample: Sample, width: int) -> None:
    page = drawn(security, console)(sample(), Screen(width=width), verbose=True)
    assert page.replace("\n", "").isprintable()
    assert max(map(len, page.splitlines())) <= width
    assert not re.search(r"^\s*::|##\[", page, re.MULTILINE)
    assert "\x1b" not in page


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.__name__)
def test_console_for_plain_terminals_is_ascii(sample: Sample) -> None:
    assert drawn(security, console)(sample(), Screen(ascii_only=True)).isascii()


@pytest.mark.parametrize("form", SIZES)
def test_no_report_outgrows_its_size(form: str) -> None:
    assert len(drawn(security, FORMS[form])(samples.huge())) <= SIZES[form]


@pytest.mark.parametrize("sample", [samples.huge, samples.hostile])
def test_markdown_keeps_to_a_limit(sample: Sample) -> None:
    assert len(drawn(security, markdown)(sample(), limit=10_000)) <= 10_000


def test_xml_and_json_hold_what_they_say() -> None:
    said = "".join(ET.fromstring(drawn(security, junit)(samples.hostile())).itertext())
    assert escape.visible(HOSTILE) in said
    log = json.loads(drawn(security, sarif)(samples.hostile()))
    assert log["runs"][0]["results"][0]["message"]["text"].startswith("::error::pwned")
