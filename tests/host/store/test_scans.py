import asyncio
import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa

from mergegate.core.errors import Failed
from mergegate.core.plans import Lane, Tool
from mergegate.host.account import FREE, Account
from mergegate.host.scan import Done, Outcome, Scan, State
from mergegate.host.store import accounts, leases, scans
from mergegate.host.store.database import Database
from mergegate.host.store.scans import Submission, Submitted
from tests.host.store.conftest import NOW, begun, done, read
from tests.postgres import migrated_file

pytestmark = pytest.mark.anyio
DAY = dt.timedelta(days=1)
LOST = Failed("WORKER_LOST", "It was lost.")
REQUEST = '{"owner":"acme","repo":"shop"}'


def asked(
    id: str,
    owner: Account,
    request: str = REQUEST,
    tool: Tool = Tool.REPOSITORY,
    lane: Lane = Lane.REPOSITORY,
    now: dt.datetime = NOW,
) -> Submission:
    return Submission(id, owner.id, tool, lane, request, now)


async def submit(database: Database, one: Submission, *, joinable: bool = True) -> Submitted:
    return await done(database, lambda conn: scans.submit(conn, one, joinable=joinable))


async def begin(database: Database, id: str) -> None:
    await done(database, lambda conn: begun(conn, id, "w1", NOW + DAY))


async def claim(database: Database, lane: Lane = Lane.REPOSITORY) -> Sequence[Scan]:
    return await done(database, lambda conn: leases.claim(conn, lane, "w1", 9, NOW + DAY))


async def settle(database: Database, id: str, outcome: Outcome) -> bool:
    at = NOW + 2 * DAY
    return await done(database, lambda conn: scans.settle(conn, id, outcome, at)) is not None


async def running(database: Database) -> Sequence[str]:
    async with database.read() as conn:
        return list(await conn.scalars(sa.text("SELECT id FROM scans WHERE state = 'running'")))


async def find(database: Database, owner: Account, id: str) -> Scan | None:
    return await read(database, lambda conn: scans.find(conn, owner.id, id))


async def test_a_scan_is_found_as_it_was_submitted(database: Database, shop: Account) -> None:
    assert await submit(database, asked("rs_1", shop)) == Submitted("rs_1", joined=False)
    expected = Scan("rs_1", shop.id, Tool.REPOSITORY, Lane.REPOSITORY, REQUEST, State.RUNNING, NOW)
    assert await find(database, shop, "rs_1") == expected


@pytest.mark.parametrize("id", ["rs_2", "", "rs_1\0", "rs_1' OR 1=1", "\udcff", "x" * 1_000_000])
async def test_there_is_no_other(database: Database, shop: Account, id: str) -> None:
    await submit(database, asked("rs_1", shop))
    assert await find(database, shop, id) is None


async def test_another_account_finds_nothing(
    database: Database, shop: Account, rival: Account
) -> None:
    await submit(database, asked("rs_1", shop))
    assert await find(database, rival, "rs_1") is None


async def test_an_identifier_is_used_once(database: Database, shop: Account) -> None:
    await submit(database, asked("rs_1", shop))
    with pytest.raises(sa.exc.IntegrityError):
        await submit(database, asked("rs_1", shop, request="{}"))


async def test_an_equal_scan_is_joined_until_it_begins(database: Database, shop: Account) -> None:
    await submit(database, asked("rs_1", shop))
    assert await submit(database, asked("rs_2", shop)) == Submitted("rs_1", joined=True)
    assert await find(database, shop, "rs_2") is None
    await begin(database, "rs_1")
    assert await submit(database, asked("rs_3", shop)) == Submitted("rs_3", joined=False)
    assert await submit(database, asked("rs_4", shop)) == Submitted("rs_3", joined=True)


async def test_a_scan_that_was_settled_before_it_began_is_not_joined(
    database: Database, shop: Account
) -> None:
    await submit(database, asked("rs_1", shop))
    await settle(database, "rs_1", Failed("OVERLOADED", "Nobody took it up."))
    assert await submit(database, asked("rs_2", shop)) == Submitted("rs_2", joined=False)


async def test_another_request_tool_or_account_is_not_joined(
    database: Database, shop: Account, rival: Account
) -> None:
    await submit(database, asked("rs_1", shop))
    for other in (
        asked("rs_2", shop, request='{"owner":"acme","repo":"site"}'),
        asked("rs_3", shop, tool=Tool.CHANGE),
        asked("rs_4", rival),
    ):
        assert await submit(database, other) == Submitted(other.id, joined=False)


async def test_what_may_not_be_joined_neither_joins_nor_is_joined(
    database: Database, shop: Account
) -> None:
    for id in ("rs_1", "rs_2"):
        found = await submit(database, asked(id, shop), joinable=False)
        assert found == Submitted(id, joined=False)
    assert await submit(database, asked("rs_3", shop)) == Submitted("rs_3", joined=False)


async def test_of_fifty_equal_scans_at_once_one_is_made(database: Database, shop: Account) -> None:
    other = Database.open(database.url)
    found = await asyncio.gather(
        *(
            submit(one, asked(f"rs_{number}", shop))
            for number, one in enumerate([database, other] * 25)
        )
    )
    await other.close()
    assert len({one.id for one in found}) == 1
    assert [one.joined for one in found].count(False) == 1


async def test_joining_while_workers_begin_loses_nothing(database: Database, shop: Account) -> None:
    async def worker() -> Sequence[str]:
        taken: list[str] = []
        while len(taken) < 10:
            for scan in await claim(database):
                if await settle(database, scan.id, Done("{}")):
                    taken.append(scan.id)
        return taken

    async def caller(number: int) -> str:
        return (await submit(database, asked(f"rs_{number}", shop))).id

    async def callers() -> set[str]:
        found: set[str] = set()
        while len(found) < 10:
            start = len(found) * 100
            found |= set(await asyncio.gather(*(caller(start + n) for n in range(5))))
        return found

    taken, promised = await asyncio.gather(worker(), callers())
    settled = await read(database, lambda conn: scans.settled(conn, promised))
    assert promised == settled | set(await running(database))
    assert len(taken) == len(set(taken))


@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        (Done('{"score":97}'), State.COMPLETED),
        (Failed("SCAN_TIMEOUT", "It took too long."), State.FAILED),
        (Failed("ENGINE_MISSING", "semgrep is missing.", '{"score":null}'), State.FAILED),
        (Done('{"title":"\N{SNOWMAN}"}'), State.COMPLETED),
    ],
)
async def test_what_became_of_it_is_kept(
    database: Database, shop: Account, outcome: Outcome, state: State
) -> None:
    await submit(database, asked("rs_1", shop))
    assert await settle(database, "rs_1", outcome)
    found = await find(database, shop, "rs_1")
    assert found is not None
    assert (found.outcome, found.state, found.finished_at) == (outcome, state, NOW + 2 * DAY)


async def test_what_became_of_it_never_changes(database: Database, shop: Account) -> None:
    await submit(database, asked("rs_1", shop))
    assert await settle(database, "rs_1", Done("{}"))
    assert not await settle(database, "rs_1", Failed("INTERNAL", "Something broke."))
    assert not await settle(database, "rs_none", Done("{}"))
    found = await find(database, shop, "rs_1")
    assert found is not None
    assert found.outcome == Done("{}")


async def test_of_twenty_outcomes_at_once_one_counts(database: Database, shop: Account) -> None:
    await submit(database, asked("rs_1", shop))
    other = Database.open(database.url)
    won = await asyncio.gather(
        *(settle(one, "rs_1", Done(f"{n}")) for n, one in enumerate([database, other] * 10))
    )
    await other.close()
    found = await find(database, shop, "rs_1")
    assert found is not None
    assert won.count(True) == 1
    assert found.outcome == Done(f"{won.index(True)}")


@pytest.mark.parametrize("odd", ["a\0b", "a\udcffb"])
async def test_text_that_no_database_takes_does_not_keep_a_scan_running(
    database: Database, shop: Account, odd: str
) -> None:
    await submit(database, asked("rs_1", shop))
    assert await settle(database, "rs_1", Failed(odd, odd, odd))
    found = await find(database, shop, "rs_1")
    assert found is not None
    assert isinstance(found.outcome, Failed)
    assert found.outcome.detail in {"a\N{REPLACEMENT CHARACTER}b", "a?b"}


async def test_settled_tells_which_are_over(database: Database, shop: Account) -> None:
    for id in ("rs_1", "rs_2", "rs_3"):
        await submit(database, asked(id, shop), joinable=False)
    await settle(database, "rs_1", Done("{}"))
    await settle(database, "rs_3", Failed("INTERNAL", "Something broke."))
    many = [f"rs_{number}" for number in range(2_500)]
    assert await read(database, lambda conn: scans.settled(conn, many)) == {"rs_1", "rs_3"}
    assert await read(database, lambda conn: scans.settled(conn, [])) == frozenset()


async def test_what_waits_is_counted_by_lane_and_by_account(
    database: Database, shop: Account, rival: Account
) -> None:
    given = [
        asked("rs_1", shop),
        asked("rs_2", rival),
        asked("rs_3", rival),
        asked("aud_1", shop, tool=Tool.AUDIT, lane=Lane.WAITED),
        asked("aud_2", shop, tool=Tool.AUDIT, lane=Lane.WAITED),
    ]
    for one in given:
        await submit(database, one, joinable=False)
    await begin(database, "rs_3")
    await settle(database, "aud_2", Done("{}"))
    assert await read(database, scans.backlog) == {
        Lane.REPOSITORY: 2,
        Lane.BROWSER: 0,
        Lane.LIGHT: 0,
        Lane.WAITED: 1,
    }
    assert await read(database, lambda conn: scans.waiting(conn, shop.id)) == 2
    assert await read(database, lambda conn: scans.waiting(conn, rival.id)) == 1
    assert await read(database, lambda conn: scans.waiting(conn, "acc_none")) == 0


async def test_equal_scans_that_are_under_way_are_superseded(
    database: Database, shop: Account, rival: Account
) -> None:
    for one in (asked("rs_1", shop), asked("rs_2", shop), asked("rs_3", rival)):
        await submit(database, one)
        await begin(database, one.id)
    await submit(database, asked("rs_4", shop, request="{}"))
    await begin(database, "rs_4")
    await submit(database, asked("rs_5", shop))
    await settle(database, "rs_1", Done("{}"))
    same = asked("rs_6", shop)
    ended = await done(database, lambda conn: scans.supersede(conn, same, LOST))
    assert [one.id for one in ended] == ["rs_2"]


async def test_what_is_asked_all_the_time_is_answered_by_an_index(tmp_path: Path) -> None:
    """On SQLite: PostgreSQL plans by how many rows there are."""
    (tmp_path / "service.db").write_bytes(migrated_file())
    database = Database.open(f"sqlite:///{tmp_path}/service.db")
    shop = await done(database, lambda conn: accounts.create(conn, "shop", FREE, NOW))
    seen: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        seen.append(statement)

    same = asked("rs_1", shop)
    async with database.change() as conn:
        sa.event.listen(conn.sync_connection, "before_cursor_execute", note)
        await scans.submit(conn, same, joinable=True)
        await scans.submit(conn, same, joinable=True)
        await scans.supersede(conn, same, LOST)
        await scans.find(conn, shop.id, "rs_1")
        await leases.waiting_lanes(conn, list(Lane))
        await leases.claim(conn, Lane.REPOSITORY, "w", 3, NOW)
        await leases.held(conn, "w")
        await leases.holders(conn)
        await leases.reclaim(conn, ["v"], 3, LOST, NOW)
        await leases.release(conn, "v")
        await leases.is_superseded(conn, "rs_1")
        await leases.cancel(conn, "rs_2", LOST, NOW)
        await leases.cancel_all(conn, shop.id, LOST, NOW, notify=True)
        await leases.notified(conn, "rs_1", "w")
        await scans.settle(conn, "rs_1", Done("{}"), NOW)
        await scans.settled(conn, ["rs_1"])
        await scans.backlog(conn)
        await scans.waiting(conn, shop.id)
        await scans.newest(conn, shop.id, None, 5)
        await scans.purge(conn, NOW)
        sa.event.remove(conn.sync_connection, "before_cursor_execute", note)
    assert len(seen) >= 22
    async with database.read() as conn:
        for statement in seen:
            empty = (None,) * statement.count("?")
            plan = await conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", empty)
            assert "SCAN scans" not in [row["detail"] for row in plan.mappings()], statement
    await database.close()


async def test_the_newest_are_listed_without_their_results(
    database: Database, shop: Account, rival: Account
) -> None:
    for id, day in (("rs_1", 0), ("rs_2", 1), ("rs_3", 2)):
        await submit(database, asked(id, shop, now=NOW + day * DAY), joinable=False)
    await submit(database, asked("rs_4", rival))
    await settle(database, "rs_3", Failed("SCAN_TIMEOUT", "It took too long."))
    listed = await read(database, lambda conn: scans.newest(conn, shop.id, None, 2))
    over, created = NOW + 2 * DAY, NOW + DAY
    told = [(one.id, one.state, one.created_at, one.finished_at, one.code) for one in listed]
    assert told == [
        ("rs_3", State.FAILED, over, over, "SCAN_TIMEOUT"),
        ("rs_2", State.RUNNING, created, None, None),
    ]


async def test_old_results_are_purged_and_running_scans_never(
    database: Database, shop: Account
) -> None:
    for id in ("rs_1", "rs_2", "rs_3"):
        await submit(database, asked(id, shop), joinable=False)
    for id in ("rs_1", "rs_2"):
        await settle(database, id, Done("{}"))
    over = NOW + 2 * DAY
    later = over + dt.timedelta(microseconds=1)
    assert await done(database, lambda conn: scans.purge(conn, over)) == 0
    assert await done(database, lambda conn: scans.purge(conn, later, limit=1)) == 1
    assert await done(database, lambda conn: scans.purge(conn, later)) == 1
    listed = await read(database, lambda conn: scans.newest(conn, shop.id, None, 9))
    assert [one.id for one in listed] == ["rs_3"]


async def test_the_database_itself_refuses_a_scan_that_is_both_running_and_over(
    database: Database, shop: Account
) -> None:
    await submit(database, asked("rs_1", shop))
    for wrong in ("UPDATE scans SET state = 'done'", "UPDATE scans SET state = 'failed'"):
        with pytest.raises(sa.exc.IntegrityError):
            await done(database, lambda conn, text=wrong: conn.execute(sa.text(text)))  # type: ignore[misc]
