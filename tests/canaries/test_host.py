"""Of the hundred secrets none is in what a host answers, keeps or logs of a scan."""

import logging
from pathlib import Path

import pytest

from mergegate.core.errors import Failed
from mergegate.host.api.logs import QUIET
from mergegate.host.scan import Done
from tests.canaries.flock import branch, environment, needles, planted
from tests.canaries.leaks import files
from tests.forges.repositories.hosting import ALIVE
from tests.host.runner.test_repositories import House, house, module_house  # noqa: F401

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is hosted, in place of the repository of the tests that the house is from."""
    root = tmp_path_factory.mktemp("work") / "shop"
    planted(root)
    return root


def test_no_secret_leaves_a_host(
    house: House,  # noqa: F811 - the fixture
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither in the result that the API hands out, nor in the database, its folder or the log."""
    for name, value in environment("host").items():
        monkeypatch.setenv(name, value)
    caplog.set_level(logging.INFO)
    for name in QUIET:
        caplog.set_level(logging.WARNING, name)
    outcome = house.scanned(branch=branch(), base=house.hosting.commit("main") or "")
    assert isinstance(outcome, Done | Failed), outcome
    assert outcome.result
    assert outcome.result.count('"snippet"') > 100
    held = dict(files(house.data))
    assert any(name.endswith(".db") or "sqlite" in name for name in held)
    held["result"] = outcome.result.encode()
    held["detail"] = str(outcome).encode()
    held["log"] = "".join((caplog.text, *capfd.readouterr())).encode()
    found = {name: sorted(needles().within(data)) for name, data in held.items()}
    assert {name: secrets for name, secrets in found.items() if secrets} == {}
    assert not [name for name, data in held.items() if ALIVE.encode() in data]
