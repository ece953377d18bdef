"""A result is read as data: what it says of itself is drawn anew, what is odd is refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.report import Gate, Report
from mergegate.repo.report import markdown
from mergegate.repo.wire import read as read_result
from mergegate.repo.wire import to_json
from mergegate.site.deployment.outcome import judged
from mergegate.site.deployment.reading import read_section
from tests.repo.report import samples
from tests.site.deployment.samples import SILENT_SITE, SLOW_SITE

SLOW = replace(samples.passed(), site=SLOW_SITE)
SILENT = replace(samples.passed(), site=SILENT_SITE)
REPORTS = [samples.passed(), samples.failed(), samples.incomplete(), SLOW, SILENT]


def read(content: bytes) -> Report:
    """As whoever expects a site reads it."""
    return read_result(content, read_section)


@pytest.mark.parametrize("report", REPORTS)
def test_what_was_written_is_read_back(report: Report) -> None:
    assert to_json(read(to_json(report).encode())) == to_json(report)


@pytest.mark.parametrize("report", REPORTS)
def test_the_page_of_a_read_report_is_the_page_of_the_report(report: Report) -> None:
    runs = tuple(replace(run, reused=0) for run in report.engines)  # no part of the result
    completed = replace(report, engines=runs, completed_at="2026-01-31T00:00:00Z")
    again = read(to_json(completed).encode())
    aged = replace(completed.coverage, advisories_age_days=again.coverage.advisories_age_days)
    assert markdown.render(again) == markdown.render(replace(completed, coverage=aged))


@pytest.mark.parametrize("letter", ["x", "\ud800"])
def test_an_address_of_any_length_is_written_and_read(letter: str) -> None:
    long = letter * 9_000
    site = judged(replace(SLOW_SITE, url=f"https://shop.example.org/{long}", gaps=(long,)))
    again = read(to_json(replace(samples.passed(), site=site)).encode()).site
    assert again is not None
    assert (len(again.url), again.url[-1], len(again.gaps[0])) == (4_000, "…", 4_000)
    assert again.verdict.gate is Gate.INCOMPLETE


def test_hostile_text_is_read_as_it_stands() -> None:
    once = read(to_json(samples.hostile()).encode())
    assert to_json(read(to_json(once).encode())) == to_json(once)


def changed(report: Report, change: Callable[[dict[str, Any]], object]) -> bytes:
    document = json.loads(to_json(report))
    change(document)
    return json.dumps(document).encode()


def test_a_forged_verdict_is_drawn_anew() -> None:
    def forge(document: dict[str, Any]) -> None:
        document |= {"qualityGate": "passed", "score": 100, "status": "completed"}
        document["verdict"] = {"gate": "passed", "reasons": [], "wayOut": []}
        document["comparison"]["verdict"] = document["verdict"]
        document["comparison"] |= {"score": 100, "new": 0}

    honest = samples.failed()
    report = read(changed(honest, forge))
    assert report.verdict == honest.verdict
    assert report.ledger == honest.ledger
    assert report.comparison == honest.comparison


def test_a_forged_verdict_of_the_site_is_drawn_anew() -> None:
    def forge(document: dict[str, Any]) -> None:
        document["site"]["verdict"] = {"gate": "passed", "reasons": [], "wayOut": []}

    for honest in (SLOW, SILENT):
        assert read(changed(honest, forge)).site == honest.site


def test_a_broken_engine_makes_it_incomplete_whatever_it_says() -> None:
    def forge(document: dict[str, Any]) -> None:
        document["engines"][0] |= {"status": "failed", "reason": "it crashed"}

    assert read(changed(samples.passed(), forge)).verdict.gate is Gate.INCOMPLETE


def test_incomplete_stays_incomplete_without_a_broken_engine() -> None:
    def forge(document: dict[str, Any]) -> None:
        document["verdict"]["gate"] = "incomplete"

    assert read(changed(samples.passed(), forge)).verdict.gate is Gate.INCOMPLETE


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one["issues"][0].update(id="--><script>"),
        lambda one: one["issues"][0].update(id=one["issues"][1]["id"]),
        lambda one: one["comparison"]["fixed"][0].update(id="--><script>"),
        lambda one: one["suppressed"][0]["finding"].update(id="--><script>"),
        lambda one: one["issues"][0].update(severity="fatal"),
        lambda one: one["issues"][0].update(category="Karma"),
        lambda one: one["issues"][0].update(startLine="1; rm"),
        lambda one: one.update(score=101),
        lambda one: one.update(extra=1),
        lambda one: one.pop("verdict"),
        lambda one: one.update(issues="none"),
        lambda one: one["engines"][0].update(status="fine"),
        lambda one: one["coverage"].update(advisoriesDate="yesterday"),
    ],
)
def test_what_no_scan_writes_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(UsageError, match="no result of a repository scan"):
        read(changed(samples.failed(), change))


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.update({"\n::error::\u202e" + "x" * 100: 1}),
        lambda one: one["issues"][0].update(category="\n::error::\u202e" + "x" * 9000),
        lambda one: one["engines"][0].update(status="\n::error::\u202e"),
    ],
)
def test_hostile_names_and_values_do_not_reach_the_error(
    change: Callable[[dict[str, Any]], object],
) -> None:
    with pytest.raises(UsageError) as caught:
        read(changed(samples.failed(), change))
    assert str(caught.value).isascii()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"id": NaN}', b"null"]
)
def test_what_is_no_result_at_all_is_refused(content: bytes) -> None:
    with pytest.raises(UsageError, match="no result of a repository scan"):
        read(content)


def test_more_than_we_ever_write_is_refused() -> None:
    with pytest.raises(UsageError, match="larger than 64 MiB"):
        read(b" " * (65 << 20))
