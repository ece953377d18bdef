"""Every surface speaks of the change first, and counts it alike."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import unescape

import pytest

from mergegate.ci.answering import job_summary
from mergegate.ci.publication import publication
from mergegate.core.plans import REPOSITORY
from mergegate.core.render.wording import whole
from mergegate.core.report import Gate, Report
from mergegate.core.score import FailOn, decided
from mergegate.forges.publication import BITBUCKET, GITHUB
from mergegate.repo.report import console, html, junit, markdown, news
from mergegate.repo.wire import to_json
from mergegate.terminal.exits import code_of
from tests.repo.report import changes, samples
from tests.repo.report.shop import SQL

NEW = replace(SQL, place=replace(SQL.place, file="zz/last.py"), id="f" * 20, is_new=True)


def old() -> Report:
    """Findings that were there before, more than twenty, with all severities."""
    report = changes.failing()
    parts = (report.issues, report.risks, report.vulnerabilities)
    issues, risks, known = (tuple(replace(one, is_new=False) for one in part) for part in parts)
    return replace(report, issues=issues, risks=risks, vulnerabilities=known)


def quiet() -> Report:
    """A change that brings nothing into a repository that fails."""
    return changes.against_base(old())


def one() -> Report:
    """A change that brings one finding, whose place sorts last."""
    report = old()
    return changes.against_base(replace(report, issues=(*report.issues, NEW)))


def many(count: int = 900) -> Report:
    """A change that brings a third of them: more than any surface but the files shows."""
    huge = samples.huge(count)
    found = tuple(replace(one, is_new=n % 3 == 0) for n, one in enumerate(huge.issues))
    return changes.against_base(replace(huge, issues=found))


def three_thousand() -> Report:
    return many(3000)


def texts(report: Report) -> Mapping[str, str]:
    """What each surface says, as a reader sees it."""
    assert report.decided
    framed = replace(
        changes.framing(report, fail_on=report.decided.fail_on), verdict=report.decided.verdict
    )
    github = publication(report, framed, {}, None)
    bitbucket = publication(report, replace(framed, dialect=BITBUCKET), {}, None)
    page = re.sub(r"(?s)<(style|script|svg|head).*?</\1>", "", html.render(report))
    return {
        "console": re.sub(r"\s+", " ", console.render(report)),
        "quiet": console.render(report, quiet=True),
        "markdown": markdown.render(report),
        "summary": job_summary(report),
        "html": re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page))),
        "check": github.details,
        "comment": github.comment(None),
        "comment on Bitbucket": bitbucket.comment(None),
        "report on Bitbucket": bitbucket.details,
        "status": github.headline,
    }


REPORTS = [changes.clean, quiet, one, changes.failing, changes.drifted, many]


@pytest.mark.parametrize("fail_on", list(FailOn))
@pytest.mark.parametrize("sample", REPORTS, ids=lambda one: str(one.__name__))
def test_verdict_and_counts_agree_everywhere(sample: Callable[[], Report], fail_on: FailOn) -> None:
    report = decided(sample(), fail_on, REPOSITORY)
    gate = whole(report).gate
    counts = news.counts(report).rstrip(".")
    for name, text in texts(report).items():
        first = re.search(r"\b(passed|failed|incomplete)\b", text.lower())
        assert first, name
        assert first[1] == gate.value, name
        assert counts in text.replace("\\", ""), name
    assert code_of(gate) == (0 if gate is Gate.PASSED else 1)


@pytest.mark.parametrize("sample", REPORTS, ids=lambda one: str(one.__name__))
def test_counts_are_those_of_the_json(sample: Callable[[], Report]) -> None:
    report = decided(sample(), FailOn.NEW, REPOSITORY)
    said = {
        what: int(number.replace(",", ""))
        for number, what in re.findall(
            r"([\d,]+) (new|for information|fixed|published|existing)", news.counts(report)
        )
    }
    told = json.loads(to_json(report))["comparison"]
    assert said.get("new", 0) + said.get("for information", 0) == told["new"]
    assert said.get("existing", 0) + said.get("published", 0) == told["existing"]
    assert said.get("fixed", 0) == (
        len(told["fixed"]) if isinstance(told["fixed"], list) else told["fixed"]
    )


@pytest.mark.parametrize("fail_on", [FailOn.NEW, FailOn.GATE])
def test_the_one_new_finding_is_told_before_any_old_one(fail_on: FailOn) -> None:
    report = decided(one(), fail_on, REPOSITORY)
    for name, text in texts(report).items():
        first = text.find("zz/last.py:42")
        known = [row.place.file for row in report.findings if row.place.file and not row.is_new]
        others = [text.find(f"{file}:") for file in known]
        assert first >= 0 or name in {"quiet", "status"}, name
        assert not [place for place in others if 0 <= place < first], name


def test_a_change_without_news_is_told_to_be_free_before_what_was_there() -> None:
    report = decided(quiet(), FailOn.NEW, REPOSITORY)
    for name, text in texts(report).items():
        assert "No new findings, 23 existing" in text, name
        if name not in {"quiet", "status"}:
            assert "Nothing has to be done before the merge." in text, name
            assert "The repository's own gate: failed, 7/100. It does not decide here." in text, (
                name
            )


def test_next_step_names_three_rows_by_what_and_where() -> None:
    report = decided(three_thousand(), FailOn.NEW, REPOSITORY)
    said = news.next_step(report)
    assert len(re.findall(r"\(`pkg_\d+/module_\d+\.py:\d+`\)", said)) == 3
    assert re.search(r"; and \d+ more, marked “blocks”\.$", said)


def test_unit_test_of_the_gate_is_the_verdict_that_decides() -> None:
    passed = junit.render(decided(quiet(), FailOn.NEW, REPOSITORY))
    failed = junit.render(decided(quiet(), FailOn.GATE, REPOSITORY))
    gates = [re.search(r'<testcase[^>]*name="gate"[^>]*?(/?)>', text) for text in (passed, failed)]
    assert [found and found[1] for found in gates] == ["/", ""]


def test_three_thousand_findings_stay_within_every_limit() -> None:
    report = decided(three_thousand(), FailOn.NEW, REPOSITORY)
    said = texts(report)
    assert len(said["comment"]) <= GITHUB.limit
    assert len(said["comment on Bitbucket"]) <= BITBUCKET.limit
    assert len(console.render(report).splitlines()) < 600
    assert len(said["status"]) <= 140
