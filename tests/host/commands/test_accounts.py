import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.errors import UsageError
from tests.host.commands.hosting import Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path / "data")


def listed(host: Host) -> list[dict[str, Any]]:
    return list(json.loads(host.run("accounts", "list", "--format", "json")[0]))


def test_accounts_are_made_with_a_plan_and_listed(host: Host) -> None:
    out = host.run("accounts", "create", "shop", "--plan", "paid")[0]
    assert out == "shop: paid (audits without a limit; 600 requests a minute and key)\n"
    out = host.run("accounts", "create", "blog")[0]
    assert out.startswith("blog: free (5 audits a month without waiting, then 15 minutes")
    rows = [line.split()[:2] for line in host.run("accounts", "list")[0].splitlines()]
    assert rows == [["Account", "Plan"], ["blog", "free"], ["shop", "paid"]]
    blog, shop = listed(host)
    assert list(blog) == ["id", "name", "plan", "createdAt", "suspendedAt"]
    assert (shop["name"], shop["plan"], shop["suspendedAt"]) == ("shop", "paid", None)


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


def test_names_that_look_alike_are_one(host: Host) -> None:
    host.run("accounts", "create", "caf\N{LATIN SMALL LETTER E WITH ACUTE}")
    with pytest.raises(UsageError, match="already"):
        host.run("accounts", "create", "cafe\N{COMBINING ACUTE ACCENT}")
    host.run("accounts", "plan", "cafe\N{COMBINING ACUTE ACCENT}", "paid")
    assert listed(host)[0]["plan"] == "paid"


@pytest.mark.parametrize(
    "command",
    [
        ("accounts", "plan", "\udcff", "paid"),
        ("accounts", "remove", "a\0b", "--yes"),
        ("keys", "list", "--account", "\udcff"),
        ("keys", "revoke", "\udcff"),
        ("hooks", "remove", "--account", "shop", "\udcff"),
        ("schedules", "remove", "--account", "shop", "\udcff"),
    ],
)
def test_what_is_no_text_names_nothing(host: Host, command: tuple[str, ...]) -> None:
    host.run("accounts", "create", "shop")
    with pytest.raises(UsageError):
        host.run(*command)


def test_an_account_gets_another_name_unless_it_is_taken(host: Host) -> None:
    host.run("accounts", "create", "shop")
    host.run("accounts", "create", "blog")
    with pytest.raises(UsageError, match="'blog' already"):
        host.run("accounts", "rename", "shop", "blog")
    with pytest.raises(UsageError, match="printable"):
        host.run("accounts", "rename", "shop", "\x1b[31m")
    host.run("accounts", "rename", "shop", "store")
    assert [one["name"] for one in listed(host)] == ["blog", "store"]


def test_a_suspended_account_is_told_so_until_it_is_resumed(host: Host) -> None:
    host.run("accounts", "create", "shop")
    with pytest.raises(UsageError, match="is not suspended"):
        host.run("accounts", "resume", "shop")
    assert "scans that ended by this: 0" in host.run("accounts", "suspend", "shop")[1]
    assert "suspended" in host.run("accounts", "list")[0]
    assert listed(host)[0]["suspendedAt"] is not None
    host.run("accounts", "resume", "shop")
    assert listed(host)[0]["suspendedAt"] is None


def test_an_account_is_removed_with_a_line_that_names_nobody(host: Host) -> None:
    host.run("keys", "create", "--account", host.run("accounts", "create", "shop")[0][:4])
    out, err = host.run("accounts", "remove", "shop", "--yes")
    assert out.rstrip().endswith("is removed: 1 keys, 0 connections, 0 hooks, 0 schedules, 0 scans")
    assert (out[:2], "acc_" in out, "shop" in out, err) == ("20", True, False, "")
    assert listed(host) == []
    with pytest.raises(UsageError, match="there is no account"):
        host.run("accounts", "remove", "shop", "--yes")


def test_what_was_removed_is_told_to_scripts(host: Host) -> None:
    host.run("accounts", "create", "shop")
    plain = json.loads(host.run("accounts", "remove", "shop", "--yes", "--format", "json")[0])
    assert plain["id"].startswith("acc_")
    assert (plain["keys"], plain["scans"]) == (0, 0)


def test_where_nobody_can_be_asked_nothing_is_removed(host: Host) -> None:
    host.run("accounts", "create", "shop")
    with pytest.raises(UsageError, match="--yes"):
        host.run("accounts", "remove", "shop", stdin="y\n")
    assert len(listed(host)) == 1


@pytest.mark.parametrize(("answer", "left"), [("\n", 1), ("y\n", 0)])
def test_at_a_terminal_it_is_asked_first(host: Host, answer: str, left: int) -> None:
    host.run("accounts", "create", "shop")
    code, said = at_a_terminal(host, answer, "accounts", "remove", "shop")
    assert "shop: 0 keys, 0 connections, 0 hooks, 0 schedules, 0 scans" in said
    assert "Remove all of it for good? [y/N]" in said
    assert len(listed(host)) == left
    assert (code == 0) is (left == 0)


def at_a_terminal(host: Host, answer: str, *command: str) -> tuple[int, str]:
    """How the installed command ends, and what is seen there."""
    try:
        ours, theirs = os.openpty()
    except OSError:
        pytest.skip("NOT CHECKED: this machine hands out no terminals")
    started = subprocess.Popen(
        [Path(sys.executable).with_name("mergegate"), *command],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "MERGEGATE_DATA_DIR": str(host.folder)},
    )
    os.write(ours, answer.encode())
    said, _ = started.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    return started.returncode, said.decode()
