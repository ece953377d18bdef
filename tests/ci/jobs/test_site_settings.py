"""Which site a job looks at: its settings, and the folder that may be served."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mergegate.ci import site
from mergegate.ci.checkout import Checkout
from mergegate.ci.job import ci
from mergegate.ci.options import AUTO, SETTINGS, Job, job
from mergegate.ci.scanning import site_of
from mergegate.core.change import Change, Trigger
from mergegate.core.errors import TargetError, TargetNotAllowed, UsageError
from mergegate.forges.context import CiContext, Deployment
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.visit import Device
from tests.sandbox.git.test_repository import commit, git

ADDRESS = "http://127.0.0.1:3000/"
EVENT = "https://pr-7.example.org"


def settings(**stated: str) -> Job:
    values: dict[str, Any] = {one.name.replace("-", "_"): one.default for one in SETTINGS}
    return job(values | stated)


@pytest.fixture
def here(tmp_path: Path) -> Checkout:
    git(tmp_path, "init", "-q")
    change = Change(provider=None, repository="shop", trigger=Trigger.MANUAL)
    around = CiContext(
        change=change, workspace=tmp_path, deployment=Deployment(ready=True, url=EVENT)
    )
    return Checkout(around, change, tmp_path, Repository(tmp_path))


@pytest.mark.parametrize(
    ("stated", "called"),
    [
        ({}, EVENT),
        ({"site_url": ADDRESS}, ADDRESS),
        ({"site_url": ADDRESS, "site_command": "npm start"}, ADDRESS),
        ({"site_folder": "dist"}, "dist"),
        ({"site_url": "none"}, None),
        ({"site_url": "none", "site_folder": "dist"}, None),
        ({"site_url": "none", "site_command": "npm start"}, None),
        ({"site_url": ""}, None),
    ],
)
def test_a_job_looks_at_one_site_or_none(
    stated: dict[str, str], called: str | None, here: Checkout
) -> None:
    assert site_of(settings(**stated), here) == called


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"site_command": "npm start"}, "no site-url says where"),
        ({"site_command": "npm start", "site_url": ""}, "no site-url says where"),
        ({"site_folder": "dist", "site_url": ADDRESS}, "another"),
        ({"site_folder": "dist", "site_command": "npm start"}, "another"),
    ],
)
def test_a_site_that_would_not_be_looked_at_does_not_go_unnoticed(
    stated: dict[str, str], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        settings(**stated)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A work tree in which a change has laid links."""
    top = tmp_path / "work"
    for folder in (".git", "web/dist", "elsewhere/.git"):
        (top / folder).mkdir(parents=True)
    (top / "file").touch()
    (top / "link").symlink_to(tmp_path)
    (top / "self").symlink_to(top)
    (tmp_path / "built").mkdir()
    return top


@pytest.mark.parametrize("name", ["web/dist", "web/../web/dist/", "../built"])
def test_a_folder_of_the_team_is_served(name: str, workspace: Path) -> None:
    given = (workspace / name).resolve() if name.startswith("..") else Path(name)
    assert site._built(workspace, given).is_dir()


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("..", UsageError, "not below the work tree"),
        ("web/../../built", UsageError, "not below the work tree"),
        (".", UsageError, "holds the repository itself"),
        ("elsewhere", UsageError, "holds the repository itself"),
        ("dist", TargetError, "dist is no folder"),
        ("file", TargetError, "file is no folder"),
        ("link", TargetError, "link is a link"),
        ("self", TargetError, "self is a link"),
        ("self/web/dist", TargetError, "lies behind one"),
        ("link/built", TargetError, "lies behind one"),
    ],
)
def test_no_other_folder_is_served(
    name: str, error: type[Exception], words: str, workspace: Path
) -> None:
    with pytest.raises(error, match=words):
        site._built(workspace, Path(name))


@pytest.mark.parametrize("url", ["ftp://example.org", "https://user:secret@example.org", "a b"])
def test_what_an_event_names_is_no_setting_that_could_be_wrong(url: str) -> None:
    with pytest.raises(TargetNotAllowed, match="what the deployment names") as raised:
        site._announced(url)
    assert "secret" not in str(raised.value)


def test_a_budget_that_cannot_be_is_told_by_its_place(here: Checkout) -> None:
    asking = settings(site_budget="budget.json")
    with pytest.raises(UsageError, match=r"budget\.json: it cannot be read"):
        site._budget(asking, here, None)
    (here.root / "budget.json").write_text("{")
    base = commit(here.root, "broken")
    with pytest.raises(UsageError, match=r"budget\.json: this is no performance budget"):
        site._budget(asking, here, None)
    with pytest.raises(UsageError, match=r"budget\.json of the base: this is no"):
        site._budget(asking, here, base)


def test_a_site_may_be_loaded_as_every_device() -> None:
    choices = next(one.choices for one in SETTINGS if one.name == "site-device")
    assert choices == (AUTO, *Device)


@pytest.mark.parametrize("device", ["mobile", "desktop", "MOBILE"])
def test_a_device_is_taken_as_it_is_documented(device: str) -> None:
    answer = CliRunner().invoke(ci, ["--site-device", device, "--only", "bogus"])
    assert isinstance(answer.exception, UsageError)
    assert "only 'bogus'" in str(answer.exception)
