import multiprocessing
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from mergegate.core.errors import StoreError
from mergegate.host.store.address import address
from mergegate.host.store.database import waiting_engine
from mergegate.host.store.migrate import REVISION, VERSION_TABLE, alembic_config, check, migrate
from mergegate.host.store.tables import METADATA

ALONGSIDE = 8


def names(url: str) -> set[str]:
    with waiting_engine(address(url)).connect() as conn:
        return set(sa.inspect(conn).get_table_names())


def run(url: str, *statements: str) -> None:
    with waiting_engine(address(url)).begin() as conn:
        for statement in statements:
            conn.execute(sa.text(statement))


def test_an_empty_database_gets_every_table(fresh_url: str) -> None:
    migrate(fresh_url)
    assert names(fresh_url) == {*METADATA.tables, VERSION_TABLE}
    check(fresh_url)


def test_what_it_holds_survives_a_second_time(fresh_url: str) -> None:
    migrate(fresh_url)
    run(fresh_url, "INSERT INTO workers (id, beat_at) VALUES ('w', 1)")
    migrate(fresh_url)
    with waiting_engine(address(fresh_url)).connect() as conn:
        assert conn.scalar(sa.text("SELECT id FROM workers")) == "w"


def test_processes_that_start_together_make_the_tables_once(fresh_url: str) -> None:
    forked = multiprocessing.get_context("fork")
    gate = forked.Barrier(ALONGSIDE)
    started = [forked.Process(target=_migrate_at, args=(gate, fresh_url)) for _ in range(ALONGSIDE)]
    for one in started:
        one.start()
    for one in started:
        one.join()
    assert [one.exitcode for one in started] == [0] * ALONGSIDE
    check(fresh_url)


def _migrate_at(gate: Barrier, url: str) -> None:
    gate.wait()
    migrate(url)


def test_the_way_back_and_forth_leaves_nothing_else(fresh_url: str) -> None:
    migrate(fresh_url)
    with waiting_engine(address(fresh_url)).begin() as conn:
        command.downgrade(alembic_config(conn), "base")
    assert names(fresh_url) == {VERSION_TABLE}
    migrate(fresh_url)
    assert names(fresh_url) == {*METADATA.tables, VERSION_TABLE}


def step(url: str, move: Callable[[Config, str], None], revision: str) -> None:
    with waiting_engine(address(url)).begin() as conn:
        move(alembic_config(conn), revision)


def kept(url: str) -> list[str]:
    with waiting_engine(address(url)).connect() as conn:
        return list(conn.scalars(sa.text("SELECT id FROM keys")))


def test_what_belongs_to_accounts_survives_the_way_to_suspension_and_back(fresh_url: str) -> None:
    """SQLite drops what refers to a table that it drops: none may be made anew on the way."""
    step(fresh_url, command.upgrade, "0002")
    run(
        fresh_url,
        "INSERT INTO accounts VALUES ('acc_1', 'shop', 'free', '2026-03-01 09:30:00.000000')",
        "INSERT INTO keys (id, account_id, name, hash, prefix, scopes, created_at)"
        " VALUES ('key_1', 'acc_1', '', 'h', 'mg_', 'repo', '2026-03-01 09:30:00.000000')",
    )
    for move, revision in ((command.upgrade, "0003"), (command.downgrade, "0002")):
        step(fresh_url, move, revision)
        assert kept(fresh_url) == ["key_1"]
    migrate(fresh_url)
    with waiting_engine(address(fresh_url)).connect() as conn:
        assert conn.scalar(sa.text("SELECT count(*) FROM accounts WHERE suspended_at IS NULL")) == 1


def test_scans_of_before_leases_wait_for_a_worker_and_the_way_back_keeps_them(
    fresh_url: str,
) -> None:
    step(fresh_url, command.upgrade, "0003")
    run(
        fresh_url,
        "INSERT INTO accounts (id, name, plan, created_at)"
        " VALUES ('acc_1', 'shop', 'free', '2026-03-01 09:30:00.000000')",
        *(
            "INSERT INTO scans (id, account_id, tool, lane, state, created_at, tries, request)"
            f" VALUES ('{id}', 'acc_1', 'seo', 'light', 'running', '2026-03-01 09:30:00.000000',"
            " 0, '{}')"
            for id in ("seo_1", "seo_2")
        ),
    )
    migrate(fresh_url)
    waiting = (
        "SELECT count(*) FROM scans WHERE worker IS NULL AND priority = 2 AND losses = 0"
        " AND NOT notice_due"
    )
    with waiting_engine(address(fresh_url)).connect() as conn:
        assert conn.scalar(sa.text(waiting)) == 2
    step(fresh_url, command.downgrade, "0003")
    with waiting_engine(address(fresh_url)).connect() as conn:
        assert conn.scalar(sa.text("SELECT count(*) FROM scans")) == 2


def test_the_revisions_make_what_the_code_expects(fresh_url: str) -> None:
    """Raises when a column, an index or a constraint differs, and its own tables alone count."""
    migrate(fresh_url)
    run(fresh_url, "CREATE TABLE workflow_status (id TEXT)")
    with waiting_engine(address(fresh_url)).begin() as conn:
        command.check(alembic_config(conn))


def test_partial_indexes_stand_in_the_database(fresh_url: str) -> None:
    """Alembic compares their columns, not their conditions."""
    migrate(fresh_url)
    with waiting_engine(address(fresh_url)).connect() as conn:
        found = sa.inspect(conn).get_indexes("scans")
    conditions = {
        str(one["name"]): str(one["dialect_options"][f"{conn.dialect.name}_where"])
        for one in found
        if one.get("dialect_options", {}).get(f"{conn.dialect.name}_where") is not None
    }
    assert set(conditions) == {"ix_scans_open", "ix_scans_waiting", "uq_scans_joinable"}
    assert "started_at IS NULL" in conditions["uq_scans_joinable"]
    assert "notice_due" in conditions["ix_scans_open"]


def test_the_newest_revision_is_the_one_that_the_code_names() -> None:
    with sa.create_engine("sqlite://").connect() as conn:
        heads = ScriptDirectory.from_config(alembic_config(conn)).get_heads()
    assert heads == [REVISION]


def test_a_revision_that_fails_leaves_nothing(fresh_url: str) -> None:
    run(fresh_url, "CREATE TABLE workers (id TEXT)")  # the last that the first revision makes
    with pytest.raises((sa.exc.DBAPIError, StoreError)):
        migrate(fresh_url)
    assert names(fresh_url) == {"workers"}


@pytest.mark.parametrize("look", [migrate, check])
def test_a_database_of_a_newer_release_is_left_alone(
    look: Callable[[str], None], fresh_url: str
) -> None:
    migrate(fresh_url)
    run(fresh_url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(StoreError, match="release"):
        look(fresh_url)


def test_a_database_without_tables_is_told(fresh_url: str) -> None:
    with pytest.raises(StoreError, match="holds no tables"):
        check(fresh_url)


def test_files_of_sqlite_are_for_their_owner_alone(tmp_path: Path) -> None:
    migrate(f"sqlite:///{tmp_path}/data/service.db")
    assert {one.stat().st_mode & 0o777 for one in (tmp_path / "data").iterdir()} == {0o600}
