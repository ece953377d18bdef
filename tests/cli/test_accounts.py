from pathlib import Path

import pytest

from mergegate.errors import UsageError
from tests.cli.hosting import Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path / "data")


def test_accounts_are_made_with_a_plan_and_listed(host: Host) -> None:
    out = host.run("accounts", "create", "shop", "--plan", "paid")[0]
    assert out == "shop: paid (audits without a limit; 600 requests a minute and key)\n"
    out = host.run("accounts", "create", "blog")[0]
    assert out.startswith("blog: free (5 audits a month without waiting, then 15 minutes")
    rows = [line.split()[:2] for line in host.run("accounts", "list")[0].splitlines()]
    assert rows == [["Account", "Plan"], ["blog", "free"], ["shop", "paid"]]


def test_a_plan_can_change(host: Host) -> None:
    host.run("accounts", "create", "shop")
    assert "unlimited" in host.run("accounts", "plan", "shop", "unlimited")[0]
    assert "unlimited" in host.run("accounts", "list")[0]


def test_a_name_is_given_once_and_must_be_known(host: Host) -> None:
    host.run("accounts", "create", "shop")
    with pytest.raises(UsageError, match="already"):
        host.run("accounts", "create", " shop ")
    with pytest.raises(UsageError, match="there is no account"):
        host.run("accounts", "plan", "blog", "paid")
