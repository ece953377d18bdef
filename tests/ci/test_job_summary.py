"""The job's summary page: complete where there is room, never beyond what GitHub takes."""

from dataclasses import replace

from mergegate.ci.answering import MOST_BYTES, job_summary
from mergegate.core.plans import REPOSITORY
from mergegate.core.score import FailOn, decided
from mergegate.core.severity import Severity
from mergegate.repo.report import markdown
from tests.repo.report import changes, samples
from tests.repo.report.inert import harm


def test_summary_is_the_whole_report() -> None:
    report = samples.failed()
    assert job_summary(report) == markdown.render(report, limit=MOST_BYTES)


def test_what_was_decided_leads() -> None:
    text = job_summary(decided(changes.failing(), FailOn.NEW, REPOSITORY))
    assert text.startswith("## ❌ Failed: 31/100 for this change\n")
    assert "Failed: 7/100" not in text


def test_limit_counts_bytes_not_characters() -> None:
    wide = "Ж" * 900
    huge = samples.huge(1500)
    report = replace(huge, issues=tuple(replace(one, message=wide) for one in huge.issues))
    text = job_summary(report)
    assert 200_000 < len(text.encode()) <= MOST_BYTES
    assert text.count("🟠") == sum(one.severity is Severity.HIGH for one in report.findings)


def test_no_text_of_the_repository_does_anything() -> None:
    report = samples.hostile()
    assert harm(job_summary(report)) == []
