"""A host's result is the command's, and what is wrong has the API's own name."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.errors import Failed
from mergegate.core.plans import Tool
from mergegate.host.runner.executor import ScanExecutor
from mergegate.host.scan import Done, Outcome
from tests.conftest import Mergegate
from tests.host.runner.conftest import ASKED, LET_GO, is_browser
from tests.host.runner.ready import Ready
from tests.host.runner.scans import carried, scan_of
from tests.sandbox.process.processes import inhabitants
from tests.sandbox.process.test_supervised import is_gone

TIMES = frozenset(
    {
        *("reportId", "testId", "scanId", "id", "createdAt", "completedAt", "durationMs"),
        *("firstByteMs", "metrics", "perfBudget", "performanceScore", "waterfall"),
        *("loadMs", "vitals", "webVitals"),
    }
)
"""Names, moments, and what a clock measured: no two runs of one command agree on these."""


BUDGET = {
    "version": 1,
    "device": "desktop",
    "metrics": {"lcp": 60_000, "tbt": 60_000, "cls": 10, "fcp": 60_000},
    "transferBytes": 10_000_000,
    "scriptBytes": 10_000_000,
    "requestCount": 1000,
    "vendors": [],
}


def without_times(value: Any) -> Any:
    if isinstance(value, list):
        return [without_times(one) for one in value]
    if isinstance(value, str):
        return re.sub(r"\d+\.?\d*", "#", value)
    if not isinstance(value, dict):
        return value
    return {key: without_times(one) for key, one in value.items() if key not in TIMES}


@pytest.mark.parametrize(
    ("tool", "own"),
    [(Tool.BROWSER_TEST, "testId"), (Tool.SECURITY_SCAN, "scanId"), (Tool.SEO, "id")],
)
def test_a_result_is_what_the_command_prints(
    host: ScanExecutor, site: str, mergegate: Mergegate, tool: Tool, own: str
) -> None:
    printed = mergegate(tool.value, f"{site}/", "--format", "json")
    compare(carried(host, scan_of(tool, {"url": f"{site}/"})), printed.json, own)


def test_an_audit_is_compared_with_the_budget_that_came_with_it(
    host: ScanExecutor, site: str
) -> None:
    """A budget that nothing exceeds, so that one load is enough."""
    outcome = carried(host, scan_of(Tool.AUDIT, {"url": f"{site}/", "budget": BUDGET}))
    assert isinstance(outcome, Done)
    told = json.loads(outcome.result)
    assert (told["perfBudget"]["device"], told["budgetViolations"]) == ("desktop", [])
    assert told["reportId"].endswith("0" * 32)


@pytest.mark.thorough
def test_an_audit_with_a_budget_is_what_the_command_prints(
    host: ScanExecutor, site: str, mergegate: Mergegate, tmp_path: Path
) -> None:
    """Of the tools the dearest; the others are compared at each change."""
    (tmp_path / "budget.json").write_text(json.dumps(BUDGET))
    options = ("--budget", "budget.json", "--format", "json")
    printed = mergegate("audit", f"{site}/", *options).json
    outcome = carried(host, scan_of(Tool.AUDIT, {"url": f"{site}/", "budget": BUDGET}))
    compare(_unhurried(outcome), _plain(printed), "reportId")


def _unhurried(outcome: Outcome) -> Outcome:
    assert isinstance(outcome, Done)
    return Done(json.dumps(_plain(json.loads(outcome.result))))


def _plain(audit: dict[str, Any]) -> dict[str, Any]:
    """Without what a busy machine changes: how fast the page was, and so how often it is loaded."""
    kept = {name: value for name, value in audit.items() if name not in _OF_SPEED}
    issues = [one for one in kept["issues"] if one["category"] != "performance"]
    return kept | {"issues": issues}


_OF_SPEED = frozenset(
    {
        *("runs", "scoreRanges", "spread", "warnings", "aiSummary", "recommendations", "fixes"),
        "filmstrip",
    }
)


def compare(outcome: Outcome, printed: dict[str, Any], own: str) -> None:
    assert isinstance(outcome, Done)
    result = json.loads(outcome.result)
    assert list(result) == list(printed)
    assert without_times(result) == without_times(printed)
    assert result["createdAt"] == "2026-01-31T08:00:00.000Z"
    assert result[own].endswith("0" * 32)


@pytest.mark.parametrize(
    ("tool", "request_", "code"),
    [
        (Tool.SECURITY_SCAN, {"url": "http://10.0.0.1/"}, "TARGET_NOT_ALLOWED"),
        (Tool.SECURITY_SCAN, {"url": "http://169.254.169.254/"}, "TARGET_NOT_ALLOWED"),
        (Tool.SECURITY_SCAN, {"url": "http://127.0.0.1:2/"}, "TARGET_NOT_ALLOWED"),
        (Tool.SECURITY_SCAN, {"url": "http://127.0.0.1:1/"}, "TARGET_UNREACHABLE"),
        (Tool.SECURITY_SCAN, {"url": "SITE/none"}, "TARGET_NOT_ANALYSABLE"),
        (Tool.SEO, {"url": "http://10.0.0.1/"}, "TARGET_NOT_ALLOWED"),
        (Tool.SEO, {"url": "http://127.0.0.1:1/"}, "TARGET_UNREACHABLE"),
        (Tool.SEO, {"url": "SITE/none"}, "TARGET_NOT_ANALYSABLE"),
        (Tool.SEO, {"url": "file:///etc/passwd"}, "INVALID_REQUEST"),
        (Tool.BROWSER_TEST, {"url": "http://10.0.0.1/"}, "TARGET_NOT_ALLOWED"),
        (
            Tool.AUDIT,
            {"url": "SITE/", "budget": {"version": 2}},
            "UNSUPPORTED_BUDGET_VERSION",
        ),
    ],
)
def test_each_way_to_fail_has_its_own_code(
    host: ScanExecutor, site: str, tool: Tool, request_: dict[str, Any], code: str
) -> None:
    asked = request_ | {"url": request_["url"].replace("SITE", site)}
    outcome = carried(host, scan_of(tool, asked))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.result) == (code, None)
    assert "--allow" not in outcome.detail


AWAY = ("file:///etc/passwd", "ftp://example.org/x", "javascript:alert(1)", "data:text/html,x")


@pytest.mark.parametrize(
    ("tool", "to"),
    [
        *product((Tool.SECURITY_SCAN, Tool.SEO), AWAY),
        (Tool.BROWSER_TEST, AWAY[0]),
        *(
            pytest.param(Tool.BROWSER_TEST, to, marks=pytest.mark.thorough) for to in AWAY[1:]
        ),  # a browser each
        (Tool.AUDIT, AWAY[0]),
    ],
)
def test_what_redirects_to_no_web_address_is_one_code(
    host: ScanExecutor, site: str, tool: Tool, to: str
) -> None:
    """Browsers have four words for it, and at times none."""
    outcome = carried(host, scan_of(tool, {"url": f"{site}/go?{to}"}))
    assert isinstance(outcome, Failed)
    assert outcome.code == "TARGET_NOT_ALLOWED"
    assert "it is not a web address" in outcome.detail


@pytest.mark.parametrize("tool", [Tool.SECURITY_SCAN, Tool.SEO, Tool.BROWSER_TEST])
def test_a_file_to_save_is_an_answer_that_is_no_page(
    host: ScanExecutor, site: str, tool: Tool
) -> None:
    outcome = carried(host, scan_of(tool, {"url": f"{site}/pdf"}))
    assert isinstance(outcome, Failed)
    assert outcome.code == "TARGET_NOT_ANALYSABLE"


def test_a_page_with_keywords_and_a_rival_is_analysed_by_them(ready_host: Ready, site: str) -> None:
    request = {"url": f"{site}/", "keyword": "shop, tea", "competitorUrl": "http://10.0.0.1/"}
    with ready_host.aside():
        outcome = carried(ready_host.carriage, scan_of(Tool.SEO, request))
    assert isinstance(outcome, Done)
    result = json.loads(outcome.result)
    assert [one["keyword"] for one in result["keywordAnalyses"]] == ["shop", "tea"]
    assert "10.0.0.1" in json.dumps(result["skipped"])


def browsers(host: ScanExecutor) -> list[int]:
    return [pid for pid in inhabitants(host._slots.folder) if is_browser(pid)]


def hanging(host: ScanExecutor, site: str) -> "asyncio.Task[Outcome]":
    """An audit of a page that never comes."""
    ASKED.clear()
    return asyncio.ensure_future(host(scan_of(Tool.AUDIT, {"url": f"{site}/hang"})))


async def asking(host: ScanExecutor, task: "asyncio.Task[Outcome]") -> list[int]:
    """Its browser, once that waits for the page: one that has only been started is another case."""
    while not ASKED.is_set():
        assert not task.done()
        await asyncio.sleep(0.05)
    ASKED.clear()
    found = browsers(host)
    assert found
    return found


def struck(pids: Iterable[int], number: signal.Signals) -> None:
    """All of them; some go with the first before their turn comes."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: processes are read from /proc")
def test_who_cancels_a_scan_ends_its_browser(ready_host: Ready, site: str) -> None:
    host = ready_host.carriage

    async def cancelled() -> list[int]:
        task = hanging(host, site)
        await asking(host, task)
        working = set(inhabitants(host._slots.folder))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return [pid for pid in working if not is_gone(pid)]

    assert set(asyncio.run(cancelled())) <= ready_host.pids()
    assert browsers(host) == []


ENDS = [
    (signal.SIGSEGV, 1, "TARGET_NOT_ANALYSABLE"),
    (signal.SIGKILL, 2, "WORKER_LOST"),
]


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: processes are read from /proc")
@pytest.mark.parametrize(("number", "times", "code"), ENDS)
def test_a_page_is_blamed_for_a_browser_that_crashes_and_not_for_one_that_is_killed(
    host: ScanExecutor, site: str, number: signal.Signals, times: int, code: str
) -> None:
    """One more try, with another browser, is for what no page can do."""

    async def killed() -> str:
        task = hanging(host, site)
        for _ in range(times):
            struck(await asking(host, task), number)
        outcome = await task
        return outcome.code if isinstance(outcome, Failed) else "done"

    assert asyncio.run(killed()) == code


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: processes are read from /proc")
def test_a_scan_whose_process_is_killed_is_carried_out_by_another(
    ready_host: Ready, site: str
) -> None:
    async def killed() -> Outcome:
        host = ready_host.carriage
        ASKED.clear()
        task = asyncio.ensure_future(host(scan_of(Tool.SEO, {"url": f"{site}/hang"})))
        while not ASKED.is_set():
            assert not task.done()
            await asyncio.sleep(0.05)
        struck(inhabitants(host._slots.folder), signal.SIGKILL)
        LET_GO.set()
        return await task

    try:
        with ready_host.aside():
            outcome = asyncio.run(killed())
    finally:
        LET_GO.clear()
    assert isinstance(outcome, Done), outcome
