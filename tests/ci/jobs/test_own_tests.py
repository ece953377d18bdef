"""``test-command`` in a pipeline: for the team's own changes, and for no stranger's."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mergegate.ci.options import SETTINGS, Job, job, usual
from mergegate.core.errors import UsageError
from mergegate.sandbox.process import own_folder
from tests.ci.jobs.clones import OPEN
from tests.ci.jobs.conftest import Pull
from tests.ci.jobs.test_orders import order
from tests.cli.test_own_tests import APP, QUICK

pytestmark = pytest.mark.skipif(
    not own_folder.is_supported(), reason="NOT CHECKED: this kernel has no Landlock, or an old one"
)
CODE = ("--only", "code", "--fail-on", "never")
SHOP = {"app.py": APP}


def fixes(pull: Pull) -> list[dict[str, Any]]:
    report = json.loads((pull.root.parent / "report" / "mergegate.json").read_text())
    return list(report["fixes"])


def test_a_suggestion_has_passed_the_tests_and_what_has_not_is_none(pull: Pull) -> None:
    pull.push(SHOP)
    run = pull.ci(*CODE, environment={"MERGEGATE_TEST_COMMAND": QUICK})
    assert run.code == 0, run.err
    assert "own tests, 5 runs: they pass with 1 fix; those of 1 finding" in run.err
    (fix,) = fixes(pull)
    assert fix["verified"][-1] == "own tests"
    (thread,) = [one for one in map(str, pull.hub.threads) if "suggestion" in one]
    assert "filter=" in thread


def test_a_command_that_prints_every_variable_shows_none_of_the_job(pull: Pull) -> None:
    pull.push(SHOP)
    look = f"{sys.executable} -c 'import os; print(*os.environ); exit(1)'"
    run = pull.ci(*CODE, "--test-command", look)
    assert "they fail without the fix too" in run.err
    (line,) = [one for one in run.err.splitlines() if "own tests" in one]
    assert "GITHUB" not in line
    assert "TOKEN" not in line


@pytest.mark.parametrize("name", ["pull_request_target", "pull_request"])
def test_for_a_stranger_nothing_is_run_and_the_job_goes_on(pull: Pull, name: str) -> None:
    pull.push(SHOP)
    event = pull.event()["pull_request"]
    if name == "pull_request":
        event["head"]["repo"]["full_name"] = "mallory/shop"
    run = pull.ci(*CODE, "--test-command", "exit 1", name=name, pull_request=event)
    assert run.code == 0, run.err
    assert "the tests of test-command are not run: " in run.err
    assert "own tests" not in run.err
    assert {one["verified"][-1] for one in fixes(pull)} == {"nothing new"}


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"test_env": "CI"}, "no test-command names any"),
        ({"test_network": "true"}, "no test-command names any"),
        ({"test_command": "true", "api_url": "https://h.example"}, "a host scans"),
        ({"test_command": "true", "test_timeout": "0"}, "no number of seconds"),
        ({"test_command": "true", "test_timeout": "1e3"}, "no number of seconds"),
        ({"test_command": "true", "test_timeout": "9" * 5000}, "no number of seconds"),
    ],
)
def test_settings_that_cannot_be_are_refused(stated: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        settings(**stated)


def settings(**stated: str) -> Job:
    return job({one.name.replace("-", "_"): one.default for one in SETTINGS} | stated)


def test_without_an_order_there_are_no_tests() -> None:
    assert job(usual()).tests is None, "as on a host"


def test_a_comment_runs_nothing(pull: Pull) -> None:
    pull.push({"app.yaml": OPEN})
    pull.hub.permissions |= {"erin": "write"}
    pull.environment = {"MERGEGATE_TEST_COMMAND": "exit 1"}
    run = order(pull, "/mergegate fix 0123456789")
    assert "the tests of test-command are not run: strangers can set off this job" in run.err
    assert "own tests" not in run.err


def test_a_token_of_the_job_is_not_handed_over(pull: Pull, tmp_path: Path) -> None:
    pull.push(SHOP)
    for name in ("GITHUB_TOKEN", "MERGEGATE_TOKEN"):
        named = ("--test-command", "true", "--test-env", name)
        run = pull.ci(*CODE, *named, environment={name: "ghs-usual"})
        assert run.code == 2
        assert f"{name} is not given to the tests" in run.err
