import asyncio
import datetime as dt
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import psycopg
import pytest

from mergegate.core.errors import UsageError
from mergegate.core.plans import Scope
from mergegate.host.account import UNLIMITED, Caller
from mergegate.host.commands.keys import _show as show
from mergegate.host.commands.keys import expiry
from mergegate.host.store import keys
from mergegate.host.store.database import Database
from mergegate.host.store.keys import NewKey
from mergegate.host.store.migrate import migrate
from mergegate.secrets.mask import mask_line
from tests.conftest import Mergegate
from tests.host.commands.hosting import Host
from tests.postgres import fresh_postgres, postgres_server

__all__ = ["fresh_postgres", "postgres_server"]
NOW = dt.datetime(2026, 3, 1, 9, 30, tzinfo=dt.UTC)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path / "data")


def created(host: Host, *arguments: str) -> dict[str, Any]:
    return dict(json.loads(host.run("keys", "create", "--format", "json", *arguments)[0]))


def listed(host: Host, *arguments: str) -> list[dict[str, Any]]:
    return list(json.loads(host.run("keys", "list", "--format", "json", *arguments)[0]))


def caller(url: str, key: str) -> Caller | None:
    async def look() -> Caller | None:
        database = Database.open(url)
        async with database.read() as conn:
            found = await keys.authenticate(conn, key, dt.datetime.now(dt.UTC))
        await database.close()
        return found.caller

    return asyncio.run(look())


def test_the_key_alone_stands_on_standard_output(host: Host) -> None:
    out, err = host.run("keys", "create")
    assert re.fullmatch(r"mg_[\w-]{43}\n", out)
    assert out.strip() not in err
    assert "The account 'default' was made, on the plan free." in err


@pytest.mark.parametrize("named", ["default", " default "])
def test_the_usual_account_is_made_also_where_it_is_named(host: Host, named: str) -> None:
    out, err = host.run("keys", "create", "--account", named, "--plan", "paid")
    assert (out[:3], err.splitlines()[0]) == (
        "mg_",
        "The account 'default' was made, on the plan paid.",
    )
    with pytest.raises(UsageError, match="no account 'shop'"):
        host.run("keys", "create", "--account", "shop")


def test_json_holds_exactly_what_is_documented(host: Host) -> None:
    made = created(host, "--scope", "site", "--expires", "2999-01-31")
    assert list(made) == ["id", "key", "prefix", "scopes", "expiresAt"]
    assert made["key"].startswith(made["prefix"])
    assert (made["scopes"], made["expiresAt"]) == (["site"], "2999-01-31T00:00:00.000Z")
    assert created(host)["expiresAt"] is None


def test_a_key_opens_the_api_with_its_scopes_and_plan(host: Host) -> None:
    made = created(host, "--plan", "unlimited", "--scope", "admin", "--scope", "site")
    found = caller(f"sqlite:///{host.folder}/service.db", made["key"])
    assert found is not None
    scopes = frozenset({Scope.ADMIN, Scope.SITE})
    assert found == Caller(made["id"], found.account_id, scopes, UNLIMITED)


def test_a_plan_is_changed_and_told_only_when_it_is_asked_for(host: Host) -> None:
    host.run("keys", "create", "--plan", "paid")
    assert "plan" not in host.run("keys", "create")[1]
    assert "is on the plan free now" in host.run("keys", "create", "--plan", "free")[1]
    assert "free" in host.run("accounts", "list")[0]


def test_an_account_that_is_named_must_be_there(host: Host) -> None:
    with pytest.raises(UsageError, match="there is no account 'shop'"):
        host.run("keys", "create", "--account", "shop")
    host.run("accounts", "create", "shop")
    assert created(host, "--account", "shop", "--name", "nightly")
    (line,) = listed(host, "--account", "shop")
    assert (line["account"], line["name"], line["scopes"]) == ("shop", "nightly", ["repo", "site"])


def test_no_list_shows_a_key(host: Host) -> None:
    made = created(host, "--name", "[bold]nightly[/bold]")
    out = host.run("keys", "list")[0]
    assert made["prefix"] in out
    assert "[bold]nightly[/bold]" in out
    assert made["key"] not in out + json.dumps(listed(host))


@pytest.mark.parametrize("by", ["id", "prefix"])
def test_a_revoked_key_opens_nothing(host: Host, by: str) -> None:
    made = created(host)
    out, err = host.run("keys", "revoke", made[by])
    assert (out, "revoked" in err) == ("", True)
    assert caller(f"sqlite:///{host.folder}/service.db", made["key"]) is None
    assert listed(host)[0]["revokedAt"] is not None
    assert "revoked 20" in host.run("keys", "list")[0]
    with pytest.raises(UsageError, match="no key that is still valid"):
        host.run("keys", "revoke", made[by])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, None),
        ("90d", NOW + dt.timedelta(days=90)),
        ("1d", NOW + dt.timedelta(days=1)),
        ("2026-03-02", dt.datetime(2026, 3, 2, tzinfo=dt.UTC)),
    ],
)
def test_a_key_expires_after_days_or_with_a_day(
    text: str | None, expected: dt.datetime | None
) -> None:
    assert expiry(text, NOW) == expected


@pytest.mark.parametrize(
    "text",
    ["", "90", "d", "-1d", "0d", "1.5d", "٣d", "99999999d", "2026-03-01", "2026-02-30", "tomorrow"],
)
def test_another_time_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        expiry(text, NOW)


@pytest.mark.parametrize("name", [" ", "a\nb", "\x1b[31m", "x" * 101])
def test_a_name_that_no_list_could_show_is_refused(host: Host, name: str) -> None:
    with pytest.raises(UsageError, match="printable"):
        host.run("accounts", "create", name)


@pytest.mark.parametrize("given", [("--scope", "root"), ("--plan", "gold"), ("--format", "xml")])
def test_what_is_unknown_is_refused(host: Host, given: tuple[str, str]) -> None:
    with pytest.raises(click.UsageError):
        host.run("keys", "create", *given)


def test_the_database_may_be_postgresql(host: Host, fresh_postgres: str) -> None:
    out, _ = host.run("keys", "create", env={"MERGEGATE_DATABASE_URL": fresh_postgres})
    assert caller(fresh_postgres, out.strip()) is not None
    assert not host.folder.exists()


_WAITS = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


def test_a_host_that_makes_the_usual_account_at_the_same_moment_is_no_hindrance(
    fresh_postgres: str, mergegate: Mergegate
) -> None:
    migrate(fresh_postgres)
    env = {"MERGEGATE_DATABASE_URL": fresh_postgres}
    with (
        ThreadPoolExecutor(1) as beside,
        psycopg.connect(fresh_postgres, autocommit=True) as watch,
        psycopg.connect(fresh_postgres) as other,
    ):
        other.execute("INSERT INTO accounts VALUES ('acc_1', 'default', 'free', now())")
        asked = beside.submit(mergegate, "keys", "create", env=env)
        while not asked.done() and watch.execute(_WAITS).fetchone() is None:
            time.sleep(0.02)
        other.commit()
        done = asked.result()
    assert (done.code, "was made" in done.err) == (0, False)
    assert caller(fresh_postgres, done.out.strip()) is not None


def test_the_installed_command_says_what_is_wrong_in_one_line(mergegate: Mergegate) -> None:
    done = mergegate("keys", "create", env={"MERGEGATE_DATABASE_URL": "mysql://db.example.org/x"})
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("mergegate: the database's URL is not understood.")


COMMANDS = [
    ("accounts", "list"),
    ("accounts", "create", "shop"),
    ("accounts", "plan", "default", "paid"),
    ("keys", "list"),
    ("connections", "list", "--format", "json"),
    ("connections", "new-key"),
    ("schedules", "list"),
    ("hooks", "add", "--provider", "github"),
]


def test_what_finds_no_room_is_told_and_a_reader_that_has_left_is_no_reason(host: Host) -> None:
    """Else a full disk would be a mistake of ours, and ``| head`` a gate that failed."""
    host.run("keys", "create")
    environment = {**os.environ, "MERGEGATE_DATA_DIR": str(host.folder)}
    program = Path(sys.executable).with_name("mergegate")

    def ended(to: int, *command: str) -> tuple[int, str]:
        words = [str(program), *command]
        done = subprocess.run(
            words, stdout=to, stderr=subprocess.PIPE, env=environment, text=True, check=False
        )
        return done.returncode, done.stderr

    reading, writing = os.pipe()
    os.close(reading)
    assert ended(writing, "keys", "list") == (0, "")
    os.close(writing)
    with Path("/dev/full").open("wb") as full:
        code, said = ended(full.fileno(), "keys", "create")
    made, revoke, wrong = said.splitlines()
    assert (code, revoke) == (2, f"Revoke the key {made.split()[0]}: nobody saw it.")
    assert wrong.startswith("mergegate: standard output cannot be written")


def test_the_key_that_nobody_saw_is_named_whatever_its_identifier_looks_like(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error's own line shows nothing that looks drawn by lot."""
    id = "key_01a217e897b37bc7223d394c9f208c25dbc81c1397e9"
    assert id not in mask_line(f"Revoke the key {id}: nobody saw it.")

    def full(*_: object) -> None:
        raise UsageError("standard output cannot be written")

    monkeypatch.setattr("mergegate.host.commands.keys.told", full)
    with pytest.raises(UsageError) as refused:
        show(NewKey(id, "mg_", "mg_", frozenset(), None), "json")
    assert f"Revoke the key {id}: nobody saw it." in capsys.readouterr().err
    assert id not in str(refused.value)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_answer_on_standard_output_knows_that_it_may_not_be_heard(
    host: Host, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: str) -> None:
        raise UsageError("standard output cannot be written")

    host.run("keys", "create")
    commands = [f"host.commands.{name}" for name in ("accounts", "connections", "schedules")]
    for module in (*commands, "terminal.listing"):
        monkeypatch.setattr(f"mergegate.{module}.say", full)
    with pytest.raises(UsageError, match="standard output"):
        host.run(*command)
