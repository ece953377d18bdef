"""Check runs and commit statuses on GitHub."""

from dataclasses import replace
from typing import Any

import pytest

from mergegate.core.errors import NotAllowed
from mergegate.core.report import Gate
from mergegate.core.severity import Severity
from mergegate.forges.ports import Verdicts
from tests.forges.github.conftest import PULL, Site
from tests.forges.github.hub import HEAD, Answer
from tests.forges.github.saying import annotation, publication


def checks(site: Site, token: str = "ghs-usual") -> Verdicts:
    found = site.forge(token).verdicts
    assert found is not None
    return found


def only_run(site: Site) -> dict[str, Any]:
    (run,) = site.hub.runs
    return run


@pytest.mark.parametrize(
    ("gate", "conclusion"),
    [(Gate.PASSED, "success"), (Gate.FAILED, "failure"), (Gate.INCOMPLETE, "failure")],
)
def test_the_check_shows_the_gate_and_incomplete_is_red(
    site: Site, gate: Gate, conclusion: str
) -> None:
    assert checks(site).announce(publication(3, gate=gate)) == ()
    run = only_run(site)
    assert (run["conclusion"], run["head_sha"]) == (conclusion, HEAD)
    assert run["details_url"].endswith("/actions/runs/1")


def test_an_incomplete_check_says_so_first(site: Site) -> None:
    checks(site).announce(publication(gate=Gate.INCOMPLETE, headline="semgrep is missing."))
    assert only_run(site)["output"]["title"] == "Incomplete: semgrep is missing"


def test_annotations_go_in_batches_of_fifty_worst_first(site: Site) -> None:
    checks(site).announce(publication(*range(1, 121)))
    writes = [line for line in site.requests if "check-runs" in line and line[:3] != "GET"]
    assert [line.split()[0] for line in writes] == ["POST", "PATCH", "PATCH"]
    assert [one["start_line"] for one in only_run(site)["annotations"]] == list(range(1, 121))
    assert only_run(site)["output"]["summary"] == "The whole report."


def test_five_hundred_annotations_are_cut_and_it_is_said(site: Site) -> None:
    said = checks(site).announce(publication(*range(1, 501)))
    assert said == ("Shown 250 of 500 annotations, worst first",)
    assert len(only_run(site)["annotations"]) == 250
    summary = only_run(site)["output"]["summary"]
    assert summary == f"{said[0]}.\n\nThe whole report."


def test_severities_have_three_levels(site: Site) -> None:
    shown = [annotation(n + 1, severity=severity) for n, severity in enumerate(Severity)]
    checks(site).announce(publication(annotations=tuple(shown)))
    levels = [one["annotation_level"] for one in only_run(site)["annotations"]]
    assert levels == ["notice", "notice", "warning", "failure", "failure"]


def test_a_file_that_github_cannot_name_costs_its_own_annotation_alone(site: Site) -> None:
    odd = (annotation(1, path=""), annotation(2, path="caf\udce9.py"), annotation(3))
    said = checks(site).announce(publication(annotations=odd))
    assert said == ("2 findings have no annotation: no file that GitHub can name",)
    assert [one["start_line"] for one in only_run(site)["annotations"]] == [3]


def test_long_and_odd_texts_stay_within_bytes(site: Site) -> None:
    long = annotation(1, title="é" * 400, message="💥" * 40_000, start_line=0, end_line=-3)
    checks(site).announce(publication(annotations=(long,), details="💥" * 60_000))
    run = only_run(site)
    assert run["output"]["summary"].endswith("…")
    assert 65_500 < len(run["output"]["summary"].encode()) <= 65_535
    assert (run["annotations"][0]["start_line"], run["annotations"][0]["end_line"]) == (1, 1)


def test_the_same_commit_again_edits_a_check_without_annotations(site: Site) -> None:
    checks(site).announce(publication(gate=Gate.INCOMPLETE))
    checks(site).announce(publication(3))
    assert only_run(site)["conclusion"] == "failure"
    assert len(only_run(site)["annotations"]) == 1


def test_the_same_commit_again_never_doubles_annotations(site: Site) -> None:
    checks(site).announce(publication(3))
    checks(site).announce(publication(3))
    assert [len(run["annotations"]) for run in site.hub.runs] == [1, 1]


def test_another_app_s_check_of_our_name_is_left_alone(site: Site) -> None:
    app = {"id": 1, "slug": "other"}
    theirs = {"id": 5, "name": "Mergegate", "head_sha": HEAD, "external_id": "mergegate"}
    site.hub.runs.append({**theirs, "app": app, "output": {}, "annotations": []})
    checks(site).announce(publication(3))
    assert [run["app"]["slug"] for run in site.hub.runs] == ["other", "github-actions"]
    assert site.hub.runs[0]["output"] == {}


def test_a_personal_token_sets_a_commit_status(site: Site) -> None:
    (said,) = checks(site, "ghp-erin").announce(publication(3, headline="x" * 300))
    (status,) = site.hub.statuses
    assert (status["state"], status["context"], status["sha"]) == ("failure", "mergegate", HEAD)
    assert len(status["description"].encode()) <= 140
    assert status["target_url"].startswith("https://")
    assert said == (
        "The verdict is a commit status, not a check, its 1 annotations are not shown:"
        " only an app's token can make a check"
    )


def test_an_incomplete_status_is_an_error(site: Site) -> None:
    checks(site, "ghp-erin").announce(publication(gate=Gate.INCOMPLETE))
    assert site.hub.statuses[0]["state"] == "error"


def test_a_workflow_without_the_permission_is_told_to_grant_it(site: Site) -> None:
    site.hub.troubles.append(
        ("POST .*/check-runs", Answer(403, {"message": "Resource not accessible by integration"}))
    )
    (said,) = checks(site).announce(publication())
    assert said == "The verdict is a commit status, not a check: grant the job `checks: write`"


def test_a_token_that_may_neither_is_refused_for_the_check(site: Site) -> None:
    with pytest.raises(NotAllowed) as refused:
        checks(site, "ghs-fork").announce(publication())
    assert "report the check" in refused.value.what
    assert "`checks: write`" in refused.value.remedy


def test_a_run_s_address_that_is_not_https_is_not_linked(site: Site) -> None:
    change = replace(PULL, run_url="javascript:alert(1)")
    verdicts = site.forge(change=change).verdicts
    assert verdicts is not None
    verdicts.announce(publication())
    assert "details_url" not in only_run(site)
