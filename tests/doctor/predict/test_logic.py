"""Conditions, answered for an event."""

import pytest

from mergegate.doctor.predict.github.events import passes, runs
from mergegate.doctor.predict.gitlab.pipeline import pipeline
from mergegate.doctor.predict.gitlab.pipelines import Start, includes
from mergegate.doctor.predict.prediction import Scene
from mergegate.doctor.predict.yaml.parse import root
from tests.doctor.predict.scenes import LAB


@pytest.mark.parametrize(
    ("condition", "answer"),
    [
        ("github.event_name == 'pull_request'", True),
        ("github.event_name == 'Pull_Request'", True),
        ("github.event_name != 'pull_request'", False),
        ("${{ github.event_name == 'push' }}", False),
        ("always()", True),
        ("!cancelled()", True),
        ("failure()", False),
        ("success() && github.event_name == 'pull_request'", True),
        ("github.event_name == 'push' || github.event_name == 'pull_request'", True),
        ("(github.event_name == 'push' || true) && !false", True),
        ("github.actor == 'x'", None),
        ("github.actor == 'x' || github.event_name == 'pull_request'", True),
        ("github.actor == 'x' && github.event_name == 'push'", False),
        ("contains(github.event.pull_request.labels.*.name, 'scan')", None),
        ("github.event.merge_group", False),
        ("github.repository == 'acme/shop'", True),
        ("'acme' == github.repository_owner && always()", True),
        ("${{ github.actor }} == 'x'", None),
        ("${{ a }} || ${{ b }}", None),
        ("github.event_name ==", None),
        ("vars.SCAN", None),
        ("1 < 2", None),
    ],
)
def test_a_condition_is_answered_as_far_as_it_can_be(condition: str, answer: bool | None) -> None:
    assert runs(condition, "pull_request") is answer


@pytest.mark.parametrize(
    ("job", "workflow", "merge_request", "push"),
    [
        ("", "", False, True),
        ("", "[{if: $CI_PIPELINE_SOURCE == 'merge_request_event'}]", True, False),
        ("rules: [{if: $CI_PIPELINE_SOURCE == 'merge_request_event'}]", "", True, False),
        ('rules: [{if: $CI_PIPELINE_SOURCE == "push"}]', "", False, True),
        ("rules: [{if: $CI_MERGE_REQUEST_IID}]", "", True, False),
        ("rules: [{if: $CI_COMMIT_BRANCH}]", "", False, True),
        ("rules: [{if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH}]", "", False, False),
        ("rules: [{if: $CI_COMMIT_TAG}]", "", False, False),
        ("rules: [{if: $CI_COMMIT_TAG =~ /^v/}]", "", False, False),
        ("rules: [{if: $CI_COMMIT_BRANCH, when: never}, {when: always}]", "", True, False),
        ("rules: [{when: on_success}]", "", True, True),
        ("rules: [{if: $MINE}]", "", None, None),
        ("rules: [{if: $MINE, when: never}, {when: always}]", "", None, None),
        ("rules: [{changes: [a]}]", "", None, None),
        ("only: [merge_requests]", "", True, False),
        ("only: {refs: [merge_requests, branches]}", "", True, True),
        ("only: [main]", "", False, False),
        ("only: [/^feature/]", "", False, None),
        ("except: [branches]", "", False, False),
        ("rules: [{when: always}]", "[{if: $CI_COMMIT_BRANCH}]", False, True),
    ],
)
def test_a_job_is_in_the_pipelines_that_its_rules_say(
    job: str, workflow: str, merge_request: bool | None, push: bool | None
) -> None:
    text = f"gate:\n  script: mergegate ci\n  {job}\n"
    if workflow:
        text += f"workflow:\n  rules: {workflow}\n"
    found = pipeline(Scene(files={LAB: text}))
    (gate,) = found.gates
    assert includes(found, gate.job, Start.MERGE_REQUEST) is merge_request
    assert includes(found, gate.job, Start.PUSH) is push


@pytest.mark.parametrize(
    ("filters", "branch", "answer"),
    [
        ("branches: [main]", "main", True),
        ("branches: [main]", "dev", False),
        ("branches: ['release/*']", "release/1", True),
        ("branches: ['release/*']", "release/1/a", False),
        ("branches: ['release/**']", "release/1/a", True),
        ("branches: ['**', '!old/**']", "old/x", False),
        ("branches: ['*']", "a/b", False),
        ("branches: ['ma?n']", "zzz", True),
        ("branches-ignore: ['dev*']", "dev2", False),
        ("branches-ignore: ['dev*']", "main", True),
        ("types: [opened]", "main", True),
        ("branches: ['*a*a*a*a*a*a*a*a']", "a" * 200, True),
    ],
)
def test_a_branch_filter_matches_as_on_github(filters: str, branch: str, answer: bool) -> None:
    assert passes(root(filters), branch) is answer
