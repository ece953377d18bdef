"""In which jobs the team's own tests may be run."""

from pathlib import Path
from typing import Any

import pytest

from mergegate.ci.testing import _WITHHELD, distrust
from mergegate.core.change import Change, Trigger
from mergegate.forges.bitbucket import environment as bitbucket
from mergegate.forges.context import CiContext, Finished
from mergegate.forges.github import environment as github
from mergegate.forges.gitlab import environment as gitlab
from mergegate.forges.variables import Variables
from mergegate.model.settings import KEY
from mergegate.remote.host import KEY_VARIABLE

OWN = Change(provider=None, repository="acme/shop", trigger=Trigger.CHANGE)
FORKS = Change(provider=None, repository="acme/shop", trigger=Trigger.CHANGE, from_fork=True)
ORDER = Change(provider=None, repository="acme/shop", trigger=Trigger.COMMENT)
OVER = Finished(run_id=1, head_repository="acme/shop", event="pull_request", conclusion="success")


def around(change: Change = OWN, **more: Any) -> CiContext:
    return CiContext(change=change, workspace=Path(), **more)


@pytest.mark.parametrize(
    ("context", "change", "said"),
    [
        (around(), OWN, ""),
        (around(FORKS), FORKS, "fork"),
        (around(), FORKS, "fork"),
        (around(FORKS), OWN, "fork"),
        (around(ORDER), OWN, "strangers"),
        (around(), ORDER, "strangers"),
        (around(is_exposed=True), OWN, "strangers"),
        (around(finished=OVER), OWN, "strangers"),
    ],
)
def test_what_is_known_of_job_and_change_decides(
    context: CiContext, change: Change, said: str
) -> None:
    told = distrust(context, change)
    assert said in told
    assert bool(said) == bool(told)


@pytest.mark.parametrize(
    ("event", "is_exposed"),
    [
        ("pull_request", False),
        ("pull_request_review", False),
        ("merge_group", False),
        ("push", False),
        ("schedule", False),
        ("workflow_dispatch", False),
        ("pull_request_target", True),
        ("workflow_run", True),
        ("issue_comment", True),
        ("issues", True),
        ("deployment_status", True),
        ("repository_dispatch", True),
        ("", True),
        ("of tomorrow", True),
    ],
)
def test_events_that_strangers_set_off_are_exposed(event: str, is_exposed: bool) -> None:
    said = {"GITHUB_EVENT_NAME": event, "GITHUB_REPOSITORY": "acme/shop"}
    assert github._plain(github._Job(Variables(said))).is_exposed is is_exposed


def test_the_variables_of_our_tokens_and_keys_are_withheld() -> None:
    tokens = {*github.TOKEN_NAMES, *gitlab.TOKEN_NAMES, *bitbucket.TOKEN_NAMES}
    for name in {*tokens, KEY, KEY_VARIABLE, "CI_REPOSITORY_URL", "ACTIONS_RUNTIME_TOKEN"}:
        assert _WITHHELD.match(name), name
    assert not _WITHHELD.match("CI")
