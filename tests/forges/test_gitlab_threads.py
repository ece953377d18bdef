"""Threads on the lines of a merge request, and the status of its head."""

from collections.abc import Iterator

import pytest

from mergegate.core.errors import ForgeError, OffDiff
from mergegate.core.report import Gate
from mergegate.forges.ports import Reviews
from mergegate.forges.publication import Publication
from tests.forges.gitlab_case import CHANGED, on, prepared, remark
from tests.forges.gitlab_stand_in import ADA, BOT, EVE, GitLab, Refuse


@pytest.fixture
def site() -> Iterator[GitLab]:
    with prepared("/gitlab") as gitlab:
        yield gitlab


def threads(site: GitLab) -> Reviews:
    reviews = on(site).reviews
    assert reviews
    return reviews


def answer(site: GitLab, gate: Gate = Gate.FAILED, headline: str = "Failed: 60/100") -> Publication:
    return Publication(
        head=site.project.head, gate=gate, headline=headline, comment=lambda _: "", details=""
    )


@pytest.mark.parametrize(("start", "end"), [(5, 5), (6, 6), (3, 3), (8, 8), (5, 6), (3, 8), (1, 5)])
def test_a_thread_stands_on_lines_of_the_diff(site: GitLab, start: int, end: int) -> None:
    threads(site).open(remark(start, end))
    (posted,) = (one for one in site.writes())
    position = posted.body["position"]
    assert position["new_line"] == end
    assert ("line_range" in position) == (1 < start < end)
    assert len(threads(site).threads()) == 1


def test_a_line_off_the_diff_is_refused_without_asking(site: GitLab) -> None:
    with pytest.raises(OffDiff):
        threads(site).open(remark(25, 25))
    with pytest.raises(OffDiff):
        threads(site).open(remark(1, 1, path="src/b.py"))
    assert not site.writes()


def test_where_gitlab_takes_no_range_the_last_line_will_do(site: GitLab) -> None:
    said = {"message": "400 Bad request - position[line_range] is invalid"}
    site.refuse = [Refuse("POST", "/discussions$", 400, said)]
    threads(site).open(remark(5, 6))
    assert site.project.notes[-1]["position"]["new_line"] == 6
    assert "line_range" not in site.project.notes[-1]["position"]


def test_a_refusal_for_another_reason_is_not_taken_for_one_of_the_line(site: GitLab) -> None:
    said = {"message": "400 Bad request - Note {:base=>['recognized as spam']}"}
    site.refuse = [Refuse("POST", "/discussions$", 400, said)]
    with pytest.raises(ForgeError, match="spam") as caught:
        threads(site).open(remark(5, 5))
    assert not isinstance(caught.value, OffDiff)


def test_in_a_hidden_diff_gitlab_judges_the_line(site: GitLab) -> None:
    site.project.hidden_diffs = {"src/a.py"}
    threads(site).open(remark(5, 5))
    with pytest.raises(OffDiff):
        threads(site).open(remark(8, 8))
    assert site.count("POST", "/discussions$") == 2


def test_a_renamed_file_is_named_by_both_paths(site: GitLab) -> None:
    site.project.old_names = {"src/b.py": "src/a.py"}
    site.project.files = {"src/b.py": CHANGED}
    threads(site).open(remark(3, 5, path="src/b.py"))
    position = site.project.notes[-1]["position"]
    assert (position["old_path"], position["new_path"]) == ("src/a.py", "src/b.py")


def test_a_new_file_takes_threads(site: GitLab) -> None:
    site.project.files["new.py"] = "one\ntwo\n"
    threads(site).open(remark(1, 2, path="new.py"))
    assert site.project.notes[-1]["position"]["line_range"]["start"]["new_line"] == 1


def test_the_diff_is_read_once_for_many_threads_and_on_all_its_pages(site: GitLab) -> None:
    site.project.files |= {f"new{number:03}.py": "one\n" for number in range(120)}
    reviews = threads(site)
    for number in range(5):
        reviews.open(remark(1, 1, path=f"new{119 - number:03}.py"))
    assert site.count("GET", "/diffs$") == 2


def test_a_head_that_moves_while_the_diff_is_read_gets_no_thread(site: GitLab) -> None:
    reviews = threads(site)
    site.project.files["other.py"] = "pushed meanwhile\n"
    with pytest.raises(OffDiff, match="moved on"):
        reviews.open(remark(5, 5))
    assert not site.writes()


def test_a_thread_is_resolved_and_opened_again_by_us(site: GitLab) -> None:
    reviews = threads(site)
    reviews.open(remark(5, 5))
    (thread,) = reviews.threads()
    assert not thread.resolved
    reviews.resolve(thread)
    (thread,) = reviews.threads()
    assert thread.resolved and thread.resolved_by_us
    reviews.reopen(thread)
    assert not reviews.threads()[0].resolved


def test_a_thread_that_a_person_resolved_is_told_apart(site: GitLab) -> None:
    reviews = threads(site)
    reviews.open(remark(5, 5))
    site.project.resolve(ADA, site.project.discussions[-1]["id"], True)
    (thread,) = reviews.threads()
    assert (thread.resolved, thread.resolved_by_us) == (True, False)


def test_the_first_note_of_a_thread_is_edited(site: GitLab) -> None:
    reviews = threads(site)
    reviews.open(remark(5, 5))
    site.project.reply(ADA, site.project.discussions[-1]["id"], "why?")
    (thread,) = reviews.threads()
    reviews.edit(thread, "Another text")
    bodies = [note["body"] for note in site.project.discussions[-1]["notes"]]
    assert bodies == ["Another text", "why?"]


def test_threads_of_others_are_not_ours_even_with_our_marker(site: GitLab) -> None:
    position = site.project.refs | {
        "position_type": "text",
        "old_path": "src/a.py",
        "new_path": "src/a.py",
        "new_line": 5,
    }
    site.project.discuss(EVE, remark(5, 5).body, position)
    site.project.reply(BOT, site.project.discussions[-1]["id"], remark(5, 5).body)
    assert threads(site).threads() == []


@pytest.mark.parametrize(
    ("gate", "state"),
    [(Gate.PASSED, "success"), (Gate.FAILED, "failed"), (Gate.INCOMPLETE, "failed")],
)
def test_the_gate_is_the_status_of_the_commit(site: GitLab, gate: Gate, state: str) -> None:
    verdicts = on(site).verdicts
    assert verdicts
    assert verdicts.announce(answer(site, gate)) == ()
    assert site.project.statuses == [
        {
            "sha": site.project.head,
            "name": "mergegate",
            "state": state,
            "description": "Failed: 60/100",
            "target_url": "https://gitlab.example.org/jobs/1",
        }
    ]


def test_the_status_joins_the_pipeline_that_the_job_runs_in(site: GitLab) -> None:
    site.project.pipelines = {321: site.project.head}
    verdicts = on(site, pipeline=321).verdicts
    assert verdicts
    verdicts.announce(answer(site))
    assert [one.get("pipeline_id") for one in site.project.statuses] == [321]


def test_where_the_pipeline_is_another_commits_the_commit_still_gets_its_status(
    site: GitLab,
) -> None:
    site.project.pipelines = {321: "f" * 40}
    verdicts = on(site, pipeline=321).verdicts
    assert verdicts
    verdicts.announce(answer(site))
    (status,) = site.project.statuses
    assert "pipeline_id" not in status


def test_a_status_that_stands_already_is_no_failure(site: GitLab) -> None:
    said = "Cannot transition status via :drop from :failed (Reason(s): Status cannot transition)"
    site.refuse = [Refuse("POST", "/statuses/", 400, {"message": said})]
    verdicts = on(site).verdicts
    assert verdicts
    assert verdicts.announce(answer(site)) == ()


def test_a_long_headline_is_cut_to_what_gitlab_takes(site: GitLab) -> None:
    verdicts = on(site).verdicts
    assert verdicts
    verdicts.announce(answer(site, headline="x" * 300))
    assert site.project.statuses[0]["description"] == "x" * 254 + "…"


@pytest.mark.parametrize(
    "url", ["", "http://gitlab.example.org/", "javascript:x", "https://" + "x" * 300]
)
def test_an_address_that_gitlab_would_refuse_is_left_out(site: GitLab, url: str) -> None:
    made = on(site, run_url=url)
    assert made.verdicts
    made.verdicts.announce(answer(site))
    assert "target_url" not in site.project.statuses[0]
