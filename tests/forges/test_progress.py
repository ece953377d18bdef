"""What stands at each forge while a commit is scanned, and when its scan was called off."""

from collections.abc import Iterator

import pytest

from mergegate.core.errors import NotAllowed
from mergegate.core.report import Gate
from mergegate.forges.ports import Forge, Progress
from tests.forges.bitbucket import server as bitbucket_server
from tests.forges.bitbucket.case import connected
from tests.forges.bitbucket.stand_in import HEAD as BITBUCKET_HEAD
from tests.forges.bitbucket.stand_in import Bitbucket
from tests.forges.github.conftest import Site, site
from tests.forges.github.hub import HEAD
from tests.forges.github.saying import publication
from tests.forges.gitlab_case import on, prepared
from tests.forges.gitlab_stand_in import GitLab

__all__ = ["site"]


def progress(forge: Forge) -> Progress:
    assert forge.progress is not None
    return forge.progress


def verdict(site: Site, gate: Gate, *annotations: int) -> None:
    verdicts = site.forge().verdicts
    assert verdicts is not None
    verdicts.announce(publication(*annotations, gate=gate))


def checks(site: Site) -> list[str]:
    return [one.get("conclusion") or one["status"] for one in site.hub.runs]


def test_a_check_is_begun_once_and_becomes_the_verdict(site: Site) -> None:
    for _ in range(2):
        progress(site.forge()).begin(HEAD)
    assert checks(site) == ["in_progress"]
    verdict(site, Gate.PASSED)
    assert checks(site) == ["success"]


@pytest.mark.parametrize("annotations", [(), (1, 2)])
def test_an_older_verdict_does_not_stand_while_its_commit_is_scanned_again(
    site: Site, annotations: tuple[int, ...]
) -> None:
    verdict(site, Gate.PASSED, *annotations)
    progress(site.forge()).begin(HEAD)
    assert checks(site) == ["success", "in_progress"]
    verdict(site, Gate.FAILED)
    assert checks(site) == ["success", "failure"]


def test_a_check_that_is_called_off_passes_nothing_and_a_verdict_is_not_called_off(
    site: Site,
) -> None:
    progress(site.forge()).begin(HEAD)
    progress(site.forge()).stop(HEAD)
    assert checks(site) == ["cancelled"]
    verdict(site, Gate.PASSED)
    progress(site.forge()).stop(HEAD)
    assert checks(site) == ["success"]


def test_a_token_that_makes_no_checks_sets_the_status(site: Site) -> None:
    progress(site.forge("ghp-erin")).begin(HEAD)
    progress(site.forge("ghp-erin")).stop(HEAD)
    assert [one["state"] for one in site.hub.statuses] == ["pending", "error"]
    with pytest.raises(NotAllowed):
        progress(site.forge("ghs-fork")).begin(HEAD)


@pytest.fixture
def gitlab() -> Iterator[GitLab]:
    with prepared() as made:
        yield made


def test_gitlab_shows_a_commit_that_runs_and_one_that_was_canceled(gitlab: GitLab) -> None:
    forge = on(gitlab)
    progress(forge).begin(gitlab.project.head)
    progress(forge).stop(gitlab.project.head)
    states = [(one["state"], one["sha"]) for one in gitlab.project.statuses]
    head = gitlab.project.head
    assert states == [("running", head), ("canceled", head)]


@pytest.fixture
def bitbucket() -> Iterator[Bitbucket]:
    with bitbucket_server.running() as made:
        yield made


def test_bitbucket_shows_a_build_in_progress_and_one_that_was_stopped(
    bitbucket: Bitbucket,
) -> None:
    forge = connected(bitbucket)
    progress(forge).begin(BITBUCKET_HEAD)
    assert bitbucket.statuses[BITBUCKET_HEAD]["state"] == "INPROGRESS"
    progress(forge).stop(BITBUCKET_HEAD)
    assert bitbucket.statuses[BITBUCKET_HEAD]["state"] == "STOPPED"
