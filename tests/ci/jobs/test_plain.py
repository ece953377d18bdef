"""``mergegate ci`` with plain Git, as on Jenkins: it answers in the log and the files alone."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.ci.jobs.clones import CHEAP, CLOSED, DEEP, OPEN, WEAK, WEAK_LINE, Clone
from tests.conftest import CLEAN, Mergegate, Run
from tests.forges.gitlab_stand_in import GitLab, running
from tests.forges.jobs import JENKINS_REQUEST

TOKEN = "plain-0123456789"


@dataclass
class Build:
    """A build of Jenkins for a change, with a forge nearby that is not to be asked."""

    clone: Clone
    mergegate: Mergegate
    nearby: GitLab

    def ci(self, *arguments: str, **environment: str) -> Run:
        given = JENKINS_REQUEST | {
            "CHANGE_TITLE": "An honest title",
            "GIT_COMMIT": self.clone.checked_out,
            "GIT_PREVIOUS_SUCCESSFUL_COMMIT": self.clone.main,
            "MERGEGATE_API_URL": self.nearby.api,
            "MERGEGATE_REPORT": str(self.clone.report),
            "MERGEGATE_TOKEN": TOKEN,
            "WORKSPACE": str(self.clone.root),
            **environment,
        }
        return self.mergegate("ci", *CHEAP, *arguments, env=given, cwd=self.clone.outside)

    @property
    def verdict(self) -> str:
        return str(json.loads(self.clone.left["mergegate.json"])["verdict"]["gate"])


@pytest.fixture
def build(mergegate: Mergegate, topic: Clone) -> Iterator[Build]:
    with running(GitLab()) as nearby:
        yield Build(topic, mergegate, nearby)
        assert nearby.asked == []


def test_a_clean_change_passes_quietly(build: Build) -> None:
    run = build.ci()
    assert run.code == 0, run.err
    assert run.err.count("\n") == 1, run.err
    assert "PASSED" in run.out.upper()
    assert build.clone.left.keys() == {"mergegate.json", "mergegate.html", "mergegate.sarif"}


def test_a_failing_change_fails_the_build_and_leaves_the_reports(build: Build) -> None:
    build.clone.push({"app.py": WEAK})
    run = build.ci(*DEEP, "--formats", "json,junit,markdown")
    assert run.code == 1, run.err
    assert f"app.py:{WEAK_LINE}" in run.out
    left = build.clone.left
    cases = ET.fromstring(left["mergegate.junit.xml"]).iter("testcase")
    failed = [one.get("name", "") for one in cases if one.find("failure") is not None]
    assert [name for name in failed if "app.py" in name], failed
    assert "app.py" in left["mergegate.md"]


def test_old_findings_do_not_fail_a_change_that_did_not_bring_them(build: Build) -> None:
    build.clone.push_to_main({"old.yaml": OPEN})
    build.clone.rebase()
    build.clone.push({"new.py": CLEAN})
    assert build.ci().code == 0
    assert build.ci("--fail-on", "gate").code == 1


def test_the_merge_that_jenkins_made_is_measured_from_the_target(build: Build) -> None:
    build.clone.push_to_main({"old.yaml": OPEN})
    build.clone.push({"app.yaml": CLOSED})
    build.clone.merge("main", "topic")
    run = build.ci()
    assert run.code == 0, run.err
    build.clone.push({"app.yaml": OPEN})
    build.clone.merge("main", "topic")
    assert build.ci().code == 1


def test_a_branch_is_measured_from_its_last_good_build(build: Build) -> None:
    change = {"CHANGE_BRANCH": "", "CHANGE_ID": "", "CHANGE_TARGET": "", "BRANCH_NAME": "topic"}
    before = build.clone.push({"app.yaml": OPEN})
    assert build.ci(**change).code == 1
    build.clone.push({"app.yaml": OPEN, "new.py": CLEAN})
    assert build.ci(**change, GIT_PREVIOUS_SUCCESSFUL_COMMIT=before).code == 0


def test_without_any_ci_the_whole_repository_is_judged(build: Build, mergegate: Mergegate) -> None:
    build.clone.push_to_main({"old.yaml": OPEN})
    build.clone.rebase()
    given = {"MERGEGATE_REPORT": str(build.clone.report)}
    run = mergegate("ci", *CHEAP, env=given, cwd=build.clone.root)
    assert run.code == 1, run.err
    against = mergegate("ci", *CHEAP, "--base", "origin/main", env=given, cwd=build.clone.root)
    assert against.code == 0, against.err


def test_what_a_shallow_clone_lacks_is_fetched_with_the_token_that_was_given(build: Build) -> None:
    build.clone.push_to_main({"old.yaml": OPEN})
    build.clone.rebase()
    build.clone.push({"new.py": CLEAN})
    basic = "Basic eC1hY2Nlc3MtdG9rZW46cGxhaW4tMDEyMzQ1Njc4OQ=="
    with build.clone.shallow(basic) as (here, _, heard):
        run = build.ci(WORKSPACE=str(here.root))
    assert run.code == 0, run.err
    assert set(heard.headers) == {basic}


def test_an_incomplete_scan_is_no_pass(build: Build) -> None:
    build.clone.push({"requirements.txt": "requests==2.19.0\n"})
    run = build.ci("--only", "dependencies", "--offline")
    assert run.code == 3, run.err
    assert build.verdict == "incomplete"


def test_the_token_is_in_nothing_that_was_written(build: Build) -> None:
    build.clone.push({"app.yaml": OPEN})
    run = build.ci()
    assert run.code == 1
    assert not [text for text in (run.out, run.err, *build.clone.left.values()) if TOKEN in text]


@pytest.mark.parametrize("name", ["CHANGE_TARGET", "CHANGE_BRANCH", "BRANCH_NAME"])
def test_a_branch_that_git_would_not_allow_is_refused(build: Build, name: str) -> None:
    run = build.ci(**{"CHANGE_BRANCH": "", name: "--upload-pack=touch ran"})
    assert run.code == 2
    assert f"{name} is no branch's name" in run.err
    assert "upload-pack" not in run.err


def test_names_for_a_shell_are_only_words(build: Build) -> None:
    branch = '";touch${IFS}ran;`touch${IFS}ran`"$(touch${IFS}ran)'
    title = '"; touch ran #\n::error::x'
    run = build.ci(CHANGE_BRANCH=branch, CHANGE_TITLE=title, CHANGE_ID=title)
    assert run.code == 0, run.err
    assert not list(build.clone.outside.rglob("ran"))
    assert "::error::" not in run.out + run.err
