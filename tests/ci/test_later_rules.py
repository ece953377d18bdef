"""What only later rules tell stands in a section of its own, in every report."""

import json
from dataclasses import replace

from mergegate.ci.answering import workflow_commands
from mergegate.ci.publication import annotations, publication
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import LaterRules, Report
from mergegate.core.score import FailOn, decided
from mergegate.forges.publication import BITBUCKET
from mergegate.repo.report import codequality, console, gitlab, html, junit, markdown, news, sarif
from mergegate.repo.report.entries import origins
from mergegate.repo.wire import to_json
from tests.ci.test_news_first import old, texts
from tests.repo.report import changes
from tests.repo.report.shop import SQL

TITLE = "From rules later than 0.1.0, not blocking"


def upgraded(report: Report) -> Report:
    """``report``, of which one rule is later than those that it is held to."""
    ids = tuple(one.id for one in report.findings if one.rule_id == SQL.rule_id)
    assert ids
    told = replace(report, later_rules=LaterRules(version="0.1.0", ids=ids))
    return decided(told, FailOn.NEW, REPOSITORY)


def compared() -> Report:
    return upgraded(changes.against_base(old()))


def alone() -> Report:
    return upgraded(replace(old(), comparison=None))


def test_each_finding_stands_in_one_chapter() -> None:
    for report, states in ((compared(), ["later", "existing"]), (alone(), ["", "later"])):
        chapters = news.chapters(report)
        assert [one.state for one in chapters] == states
        told = [one.id for chapter in chapters for one in chapter.findings]
        assert sorted(told) == sorted(one.id for one in report.findings)


def test_every_page_has_the_section_and_the_count() -> None:
    for report in (compared(), alone()):
        count = len(origins(report).later)
        for name, text in texts(report).items():
            assert f"{count} from later rules" in text, name
            if name not in {"quiet", "status", "report on Bitbucket"}:
                assert TITLE in " ".join(text.split()), name
        assert f"{TITLE} ({count})" in markdown.render(report)
        assert f"<h3>{TITLE}</h3>" in html.render(report)
        assert f"\n{TITLE} ({count})\n" in console.render(report)


def test_the_comment_lists_it_apart_on_every_forge() -> None:
    report = compared()
    for dialect in (changes.framing(report).dialect, BITBUCKET):
        framing = replace(changes.framing(report), dialect=dialect)
        page = publication(report, framing, {}, None).comment(None)
        below = page[page.index(f"### {TITLE} (") :]
        assert f"{SQL.place.file}:{SQL.place.start_line}" in below
        assert SQL.place.file not in page[: page.index(TITLE)]


def test_annotations_tell_it_where_there_is_no_change_alone() -> None:
    assert annotations(compared()) == ()
    said = {one.finding_id: one.message for one in annotations(alone())}
    ids = {one.id for one in origins(alone()).later}
    assert ids
    assert {id for id, text in said.items() if text.startswith(f"{TITLE}. ")} == ids
    assert f"::{TITLE}. " in workflow_commands(alone())


def test_formats_without_sections_mark_it() -> None:
    report = compared()
    count = len(origins(report).later)
    issues = json.loads(codequality.render(report))
    assert len([one for one in issues if one["description"].startswith(f"{TITLE}. ")]) == count
    found = json.loads(gitlab.sast(report))["vulnerabilities"]
    assert len([one for one in found if one["description"].startswith(TITLE)]) == count
    results = json.loads(sarif.render(report))["runs"][0]["results"]
    told = [one for one in results if one["properties"].get("origin") == "later"]
    assert len(told) == count
    assert all(one["properties"]["note"] == f"{TITLE}." for one in told)
    assert not any("suppressions" in one for one in told)
    assert junit.render(report).count(f"\n{TITLE}.\n") == count
    assert json.loads(to_json(report))["laterRules"]["ids"] == [
        one.id for one in origins(report).later
    ]


def test_what_was_published_meanwhile_is_marked_alike() -> None:
    report = changes.drifted()
    said = "Published since the base, not by this change. "
    issues = json.loads(codequality.render(report))
    assert len([one for one in issues if one["description"].startswith(said)]) == 7
