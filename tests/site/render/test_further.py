"""What a further site tool gets for nothing: it brings its layout, and no frame."""

import json
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mergegate.core.report import EngineRun, EngineStatus
from mergegate.site.level import Level
from mergegate.site.render import console, html, junit, markdown, sarif
from mergegate.site.render.layout import (
    Bullets,
    Code,
    Column,
    Finding,
    Findings,
    Group,
    Layout,
    Look,
    Medium,
    Most,
    Row,
    Section,
    Span,
    Spot,
    Step,
    Steps,
    Table,
)
from mergegate.site.report import SiteReport
from tests.repo.report.inert import harm
from tests.repo.report.samples import HOSTILE
from tests.site.render.drawing import FORMS


@dataclass(frozen=True, slots=True, kw_only=True)
class Further(SiteReport):
    """The report of a tool that this room has never heard of."""

    id: str = "fur_1"
    url: str = "https://shop.example.org/"
    summary: str = "Two things."
    engines: tuple[EngineRun, ...] = (EngineRun(name="fetch", version="1", status=EngineStatus.OK),)
    created_at: str = "2026-11-20T09:14:02Z"
    completed_at: str = "2026-11-20T09:14:19Z"
    tool_version: str = "0.1.0"


BROKEN = EngineRun(name="tls", status=EngineStatus.FAILED, reason="no answer", remedy="try again")
FINDING = Finding(
    id="f1",
    rule="csp",
    label="error",
    level=Level.ERROR,
    title="No policy",
    evidence=HOSTILE,
    references=("https://docs.example.org/csp",),
    suite="headers",
    is_failure=True,
    reasons=("No policy",),
    topic="headers",
    text="No.",
    spots=(Spot(url="https://shop.example.org/", selector="form"),),
)
TABLE = Table(
    (Column("Name"), Column("Size", is_number=True, on=Medium.COMMENT | Medium.PAGE)),
    tuple(Row(((Span(HOSTILE, Look.QUOTE),), (str(number),))) for number in range(30)),
    Most(1, 2, 3),
)
LAYOUT = Layout(
    report=Further(),
    category="further",
    tool="Further tool",
    subject="Further",
    headline="C",
    tab="Further C",
    address="https://shop.example.org/",
    verdict=(Span("C", Look.STRONG, "poor"),),
    notes=(HOSTILE,) * 12,
    noted="Warnings",
    parts=(
        Steps(tuple(Step(f"Step {number}", "Do it.") for number in range(12))),
        Findings(id="findings", groups=(Group(name="Headers", findings=(FINDING,) * 30),)),
        Section(id="sizes", title=("Sizes",), blocks=(TABLE,)),
        Section(id="empty", title=("Empty",), blocks=(Bullets(()),), on=Medium.TEXT),
    ),
    findings=(FINDING,) * 30,
    properties={"grade": "C"},
)
BAD = replace(LAYOUT, report=Further(engines=(*Further().engines, BROKEN)))


def test_console_cuts_lists_and_ends_in_the_receipt() -> None:
    text = console.render(BAD)
    assert text.startswith("https://shop.example.org/\nC\n\n  Two things.\n\nWarnings\n")
    assert text.count("and 2 more") == 1
    assert "\n  5. Step 4\n  and 7 more\n" in text
    assert "\nHeaders (30)\n  error   No policy\n" in text
    assert "and 20 more\n\nFull list: --format html\n" in text
    assert "and 29 more" in text
    assert "Empty" not in text
    assert "Size\n" not in text
    assert text.endswith(
        "Mergegate 0.1.0, 2026-11-20 09:14 UTC, fetch 1, tls failed\ntls: no answer. try again.\n"
    )
    assert "\x1b" not in text


def test_markdown_folds_and_cuts() -> None:
    page = markdown.render(LAYOUT)
    assert page.startswith("## Further of `shop.example.org`: C\n\nTwo things.\n\n- ⚠️ ")
    assert "| Name | Size |\n|:--|--:|\n" in page
    assert "<details><summary>Sizes</summary>" in page
    assert "Empty" not in page
    assert harm(page) == []


@pytest.mark.parametrize(
    ("code", "shown"),
    [("a = 1", True), ("a = 1\n /merge", False), ("a" * 7_000, False)],
    ids=["plain", "order", "long"],
)
def test_markdown_shows_code_whole_and_none_that_a_forge_would_obey(code: str, shown: bool) -> None:
    section = Section(id="paste", title=("Paste",), blocks=(Code(code),))
    page = markdown.render(replace(LAYOUT, parts=(section,)))
    assert ("```text\na" in page) is shown
    assert "/merge" not in page
    assert ("too long" in page) is (len(code) > 6_000)


def test_html_stands_alone() -> None:
    page = html.render(LAYOUT)
    assert "<title>Further C, 2026-11-20 09:14 UTC: shop.example.org</title>" in page
    assert '<p class="hint">and 27 more</p>' in page
    assert "<script>alert" not in page


def test_junit_tells_of_the_engines_by_itself() -> None:
    root = ET.fromstring(junit.render(replace(BAD, findings=(FINDING,))))
    assert (root.get("failures"), root.get("errors")) == ("1", "1")
    assert [one.get("name") for one in root.iter("testcase")] == ["fetch", "tls", "No policy [f1]"]
    assert root.find("testsuite").get("timestamp") == "2026-11-20T09:14:02"  # type: ignore[union-attr]


def test_sarif_frames_its_findings() -> None:
    run: Any = json.loads(sarif.render(replace(LAYOUT, notes=("cut short",))))["runs"][0]
    assert run["automationDetails"] == {"id": "mergegate/further/"}
    assert run["properties"] == {"grade": "C"}
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (said["level"], said["message"]["text"]) == ("warning", "cut short")
    assert {one["ruleId"] for one in run["results"]} == {"csp"}
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["helpUri"] == "https://docs.example.org/csp"


GAP = f"/slow: contrasts were not judged {HOSTILE}"
CLEAN = replace(
    LAYOUT,
    report=Further(gaps=(GAP,)),
    parts=(Findings(id="findings", groups=(), nothing="nothing to put right"),),
    findings=(),
    notes=(),
)


@pytest.mark.parametrize("form", FORMS)
def test_every_format_says_first_what_was_not_judged(form: str) -> None:
    page = FORMS[form].render(CLEAN)
    assert "incomplete" in page.lower() or form in {"sarif", "junit"}
    assert "Not judged" in page
    assert "/slow: contrasts were not judged" in page
    assert "Not judged" not in FORMS[form].render(replace(CLEAN, report=Further()))


def test_what_was_not_judged_leads_and_is_inert() -> None:
    assert console.render(CLEAN).startswith(
        "https://shop.example.org/\nINCOMPLETE  C\n\n  Two things.\n\nNot judged\n"
    )
    assert "  - nothing to put right in what was judged\n" in console.render(CLEAN)
    page = markdown.render(CLEAN)
    assert page.startswith("## Further of `shop.example.org`: incomplete, C\n")
    assert harm(page) == []
    assert "<title>Further C, incomplete, " in html.render(CLEAN)
    assert "<b>Incomplete, not judged:</b> /slow: " in html.render(CLEAN)
    assert "<script>alert" not in html.render(CLEAN)
    (invocation,) = json.loads(sarif.render(CLEAN))["runs"][0]["invocations"]
    assert not invocation["executionSuccessful"]
    assert ET.fromstring(junit.render(CLEAN)).get("errors") == "1"
