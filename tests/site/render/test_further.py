"""What a further site tool gets for nothing: it brings its own parts, and no frame."""

import json
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from rich.text import Text

from mergegate.core.report import EngineRun, EngineStatus
from mergegate.site.level import Level
from mergegate.site.render.sarif_log import Hit, Spot, log
from mergegate.site.render.screen import PLAIN, levelled, listed, page, section, steps, summed_up
from mergegate.site.render.suites import FAILURE, Case, document, named
from tests.repo.report.samples import HOSTILE


@dataclass(frozen=True)
class Further:
    """The report of a tool that this room has never heard of."""

    id: str = "sec_1"
    url: str = "https://shop.example.org/"
    engines: tuple[EngineRun, ...] = (EngineRun(name="fetch", version="1", status=EngineStatus.OK),)
    created_at: str = "2026-11-20T09:14:02Z"
    completed_at: str = "2026-11-20T09:14:19Z"
    tool_version: str = "0.1.0"


BROKEN = EngineRun(name="tls", status=EngineStatus.FAILED, reason="no answer", remedy="try again")
REPORT = Further()


def test_console_needs_its_parts_alone() -> None:
    found = levelled(Level.ERROR, Text("No policy"))
    parts = [
        *summed_up("Two things."),
        *listed("Warnings", [HOSTILE] * 12, 10),
        *steps([f"Step {number}" for number in range(7)]),
        *section("Findings", [found], 3),
    ]
    text = page(replace(REPORT, engines=(*REPORT.engines, BROKEN)), parts, PLAIN)
    assert text.startswith("Two things.\n\nWarnings\n")
    assert text.count("and 2 more") == 2
    assert "  error   No policy\n  and 3 more\n" in text
    assert text.endswith(
        "Mergegate 0.1.0, 2026-11-20 09:14 UTC, fetch 1, tls failed\ntls: no answer. try again.\n"
    )
    assert "\x1b" not in text


def test_junit_tells_of_the_engines_by_itself() -> None:
    case = Case("headers", "csp", named("No policy", "f1"), FAILURE, ["No policy"])
    root = ET.fromstring(document(replace(REPORT, engines=(BROKEN,)), [case]))
    assert (root.get("failures"), root.get("errors")) == ("1", "1")
    assert [one.get("name") for one in root.iter("testcase")] == ["tls", "No policy [f1]"]
    assert root.find("testsuite").get("timestamp") == "2026-11-20T09:14:02"  # type: ignore[union-attr]


def test_sarif_frames_its_hits() -> None:
    spot = Spot(url="https://shop.example.org/", selector="form")
    hit = Hit(
        id="f1",
        rule="csp",
        level=Level.ERROR,
        title="No",
        text="No.",
        topic="headers",
        spots=(spot,),
    )
    run = json.loads(log("security", REPORT, [hit], ["cut short"], {"grade": "C"}))["runs"][0]
    assert run["automationDetails"] == {"id": "mergegate/security/"}
    assert run["properties"] == {"grade": "C"}
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (said["level"], said["message"]["text"]) == ("warning", "cut short")
    assert [one["ruleId"] for one in run["results"]] == ["csp"]
