"""Check, comment, console, page and status say one verdict: the one that the exit code follows."""

from dataclasses import replace

import pytest

from mergegate.ci.publication import publication
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Gate, Report
from mergegate.core.score import FailOn, decided
from mergegate.forges.publication import GITHUB, Framing
from mergegate.repo.report import console, html, markdown
from tests.repo.report import changes, samples

OLD = "The repository's own gate: failed, 7/100. It does not decide here."


def grown_old() -> Report:
    """A change that brings nothing, into a repository that fails its own gate."""
    report = changes.failing()
    old = tuple(replace(one, is_new=False) for one in report.issues)
    risks = tuple(replace(one, is_new=False) for one in report.risks)
    known = tuple(replace(one, is_new=False) for one in report.vulnerabilities)
    return changes.against_base(replace(report, issues=old, risks=risks, vulnerabilities=known))


def without_base() -> Report:
    return replace(samples.failed(), comparison=None)


@pytest.mark.parametrize(
    ("report", "fail_on", "title", "beside"),
    [
        (grown_old(), FailOn.NEW, "Passed: 100/100 for this change", OLD),
        (grown_old(), FailOn.GATE, "Failed: 7/100", "This change alone: passed, 100/100."),
        (changes.failing(), FailOn.NEW, "Failed: 31/100 for this change", ""),
        (changes.failing(), FailOn.NEVER, "Passed: 7/100", "Nothing blocks (`fail-on: never`)"),
        (changes.incomplete(), FailOn.NEW, "Incomplete: at most 100/100 for this change", ""),
        (without_base(), FailOn.GATE, "Failed: 7/100", ""),
    ],
)
def test_every_surface_leads_with_the_verdict_of_the_exit_code(
    report: Report, fail_on: FailOn, title: str, beside: str
) -> None:
    report = decided(report, fail_on, REPOSITORY)
    assert report.decided
    framing = Framing(
        verdict=report.decided.verdict,
        fail_on=fail_on.value,
        dialect=GITHUB,
        head=changes.HEAD,
        sequence=7,
        at="2026-11-20T09:14:13Z",
    )
    said = publication(report, framing, {}, None)
    gate, _, score = title.partition(": ")
    assert said.headline.startswith(f"{title}.")
    for text in (said.details, said.comment(None), markdown.render(report)):
        assert text.splitlines()[0].endswith(f" {title}")
        assert beside in text
    assert console.render(report).startswith(f"{gate.upper()}  {score}  ")
    assert f"<title>{gate}, {score}:" in html.render(report)
    assert said.gate is Gate(gate.lower())


def test_one_number_counts_the_findings_of_a_change() -> None:
    report = decided(changes.crowded(), FailOn.NEW, REPOSITORY)
    text = publication(report, changes.framing(report), {}, None).details
    assert "380 new findings (" in text
    assert "### New in this change (380" in text
