"""From an account's connection to the result: what the command says of a clone, and no token."""

import asyncio
import json
import logging
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.change import Provider
from mergegate.core.errors import Failed
from mergegate.core.plans import Tool
from mergegate.host.account import FREE
from mergegate.host.runner.executor import ScanExecutor, scan_executor
from mergegate.host.scan import Done, Outcome
from mergegate.host.settings import AUTHORITIES, service_settings
from mergegate.host.store import accounts, connections
from mergegate.host.store.connections import Connection
from mergegate.host.store.database import Database
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.sandbox.process.run import MEBIBYTE
from mergegate.sandbox.process.slots import Child
from tests.conftest import command
from tests.forges.repositories.hosting import ALIVE, BLIND, NOBODY, REVOKED, Hosting, hosting
from tests.host.runner.ready import Ready, ready
from tests.host.runner.scans import ACCEPTED, opened, scan_of
from tests.sandbox.git.test_repository import commit, git
from tests.sandbox.process.processes import inhabitants

UNLIKE = frozenset({"id", "createdAt", "completedAt", "durationMs", "provider", "owner", "repo"})
"""Names and moments; a clone of 127.0.0.1 cannot tell who hosts it."""


@dataclass(frozen=True)
class House:
    """A host with an account, and what is hosted elsewhere."""

    ready: Ready
    database: Database
    sealer: Sealer
    hosting: Hosting
    work: Path
    runner: asyncio.Runner

    @property
    def carriage(self) -> ScanExecutor:
        return self.ready.carriage

    @property
    def folder(self) -> Path:
        """In which its children live."""
        return self.carriage._slots.folder

    @property
    def data(self) -> Path:
        return self.hosting.folder.parent / "data"

    def rooms(self) -> set[Path]:
        """Of children and trees, but those of children that the next test may ask."""
        return {*self.folder.iterdir()} - self.ready.rooms()

    def disconnect(self, provider: Provider) -> None:
        self.runner.run(self._disconnect(provider))

    async def _disconnect(self, provider: Provider) -> None:
        async with self.database.change() as conn:
            account = await accounts.named(conn, "ada")
            assert account
            assert await connections.remove(conn, account.id, provider)

    def connect(
        self, token: str = ALIVE, provider: Provider = Provider.GITHUB, address: str = ""
    ) -> None:
        self.runner.run(self._connect(token, provider, address or self.hosting.url))

    async def _connect(self, token: str, provider: Provider, address: str) -> None:
        async with self.database.change() as conn:
            known = await accounts.named(conn, "ada")
            account = known or await accounts.create(conn, "ada", FREE, ACCEPTED)
            made = Connection(f"con_{provider}", account.id, provider, address, ACCEPTED)
            await connections.put(conn, made, self.sealer.seal(token, made.place))

    def scanned(self, **request: str) -> Outcome:
        return self.runner.run(self.scan({"owner": "octo", "repo": "shop"} | request))

    async def scan(self, request: dict[str, str]) -> Outcome:
        async with self.database.read() as conn:
            account = await accounts.named(conn, "ada")
        name = account.id if account else "acc_none"
        return await self.carriage(scan_of(Tool.REPOSITORY, request, name))


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("work") / "shop"
    work.mkdir()
    git(work, "init", "-q", "-b", "main")
    (work / "run.py").write_text("import subprocess\nsubprocess.run(input(), shell=True)\n")
    (work / "venv").mkdir()
    (work / "venv" / "kept.py").write_text("eval(input())\n")
    commit(work, "first")
    (work / "link").symlink_to("/etc/passwd")
    (work / "new.py").write_text("eval(input())\n")
    commit(work, "second")
    git(work, "checkout", "-q", "-b", "locked")
    (work / "requirements.txt").write_text("jinja2==2.0\n")
    commit(work, "locked")
    git(work, "checkout", "-q", "-b", "mistaken")
    (work / ".mergegate.yml").write_text("version: 2\n")
    commit(work, "mistaken")
    git(work, "checkout", "-q", "-b", "large", "main")
    (work / "noise").write_bytes(os.urandom(9 * MEBIBYTE))
    commit(work, "large")
    git(work, "checkout", "-q", "main")
    return work


@pytest.fixture(scope="module")
def module_house(work: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    with hosting(folder / "hosted", work) as there:
        allowed = {"MERGEGATE_ALLOW_HOSTS": there.url.removeprefix("https://")}
        settings = service_settings({**allowed, "MERGEGATE_OFFLINE": "1"}, folder / "data")
        settings.data.mkdir()
        sealer, database = Sealer([new_key()]), opened(settings.database_url)
        carriage = scan_executor(
            database,
            sealer,
            settings,
            environment={AUTHORITIES: str(there.authorities)},
            most_bytes=8 * MEBIBYTE,
        )
        with asyncio.Runner() as runner, ready(carriage) as children:
            yield House(children, database, sealer, there, work, runner)
            runner.run(database.close())
        carriage.close()


@pytest.fixture
def house(module_house: House) -> House:
    module_house.hosting.git_token = ALIVE
    module_house.connect()
    return module_house


def alike(value: Any) -> Any:
    if isinstance(value, list):
        return [alike(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: alike(one) for key, one in value.items() if key not in UNLIKE}


@pytest.mark.parametrize("base", [pytest.param("", marks=pytest.mark.thorough), "main~1"])
def test_a_result_is_what_the_command_prints_in_a_clone(
    house: House, tmp_path: Path, said: Callable[[], str], orders: list[str], base: str
) -> None:
    """And the token is in no order of a scan, in no log and in no file."""
    more = {"base": house.hosting.commit(base) or ""} if base else {}
    with house.ready.aside() if base else nullcontext():
        outcome = house.scanned(**more)
    assert isinstance(outcome, Done), outcome
    assert [ALIVE in one for one in orders] == [True, False]
    held = [one.read_bytes() for one in house.data.rglob("*") if one.is_file()]
    assert held
    assert ALIVE not in f"{outcome.result}{said()}{held}"
    git(tmp_path, "clone", "-q", str(house.work), "clone")
    options = ["--base", more["base"]] if base else []
    run = command(tmp_path, tmp_path / "data")
    printed = run("scan", "clone", "--offline", "--format", "json", *options)
    result = json.loads(outcome.result)
    assert list(result) == list(printed.json), printed.err
    assert alike(result) == alike(printed.json)
    named = {name: result["target"][name] for name in ("provider", "owner", "repo", "branch")}
    assert named == {"provider": "github", "owner": "octo", "repo": "shop", "branch": "main"}
    assert result["target"]["commit"] == house.hosting.commit("main")
    assert {one["isNew"] for one in result["issues"]} == ({True, False} if base else {None})


def code(outcome: Outcome) -> str:
    assert isinstance(outcome, Failed), outcome
    assert "tok-" not in outcome.detail
    assert str(Path.cwd()) not in outcome.detail
    return outcome.code


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"provider": "gitlab"}, "PROVIDER_NOT_CONNECTED"),
        ({"repo": "none"}, "PROVIDER_ACCESS_DENIED"),
        ({"branch": "none"}, "BRANCH_NOT_FOUND"),
        ({"commit": NOBODY}, "COMMIT_NOT_FOUND"),
        ({"base": NOBODY}, "COMMIT_NOT_FOUND"),
        ({"branch": "large"}, "REPOSITORY_TOO_LARGE"),
        ({"branch": "mistaken"}, "INVALID_POLICY"),
        ({"branch": "--upload-pack=x"}, "INVALID_REQUEST"),
    ],
)
def test_each_way_to_fail_has_its_own_code(
    house: House, request_: dict[str, str], expected: str
) -> None:
    assert code(house.scanned(**request_)) == expected
    assert not house.rooms()


@pytest.mark.parametrize(
    ("token", "expected"),
    [(REVOKED, "PROVIDER_TOKEN_REVOKED"), (BLIND, "PROVIDER_ACCESS_DENIED")],
)
def test_a_token_that_is_revoked_is_told_from_one_that_may_not_read(
    house: House, token: str, expected: str
) -> None:
    house.connect(token)
    assert code(house.scanned()) == expected


def test_a_token_that_is_revoked_between_question_and_fetch_is_told_too(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    house.hosting.git_token = "tok-new"
    assert code(house.scanned()) == "PROVIDER_TOKEN_REVOKED"
    assert "tok-" not in caplog.text


def test_an_account_with_two_connections_must_say_which(house: House) -> None:
    house.connect(provider=Provider.BITBUCKET)
    assert code(house.scanned()) == "INVALID_REQUEST"
    assert code(house.scanned(provider="bitbucket", branch="none")) == "BRANCH_NOT_FOUND"
    house.disconnect(Provider.BITBUCKET)


def test_without_any_connection_there_is_none(house: House) -> None:
    house.disconnect(Provider.GITHUB)
    assert code(house.scanned()) == "PROVIDER_NOT_CONNECTED"


def test_an_inner_provider_that_nobody_allowed_is_not_asked(house: House) -> None:
    house.connect(address="https://10.0.0.1")
    outcome = house.scanned()
    assert code(outcome) == "PROVIDER_UNREACHABLE"
    assert isinstance(outcome, Failed)
    assert "may not reach the provider at 10.0.0.1:443" in outcome.detail


def test_a_scan_without_an_essential_engine_is_failed_and_keeps_its_result(house: House) -> None:
    outcome = house.scanned(branch="locked")
    assert code(outcome) == "INCOMPLETE"
    assert isinstance(outcome, Failed)
    kept = json.loads(outcome.result or "")
    assert (kept["status"], kept["qualityGate"]) == ("failed", "failed")
    assert kept["error"]["detail"] == outcome.detail
    assert [one["file"] for one in kept["issues"]]


def test_a_cancelled_fetch_leaves_neither_process_nor_file(house: House) -> None:
    house.ready.end()
    house.hosting.stalled.clear()
    house.hosting.gits.clear()
    house.runner.run(_cancelled(house))
    house.hosting.stalled.set()
    assert list(inhabitants(house.folder)) == []
    assert not house.rooms()


async def _cancelled(house: House) -> None:
    task = asyncio.ensure_future(house.scan({"owner": "octo", "repo": "shop"}))
    while "x-access-token" not in house.hosting.gits:
        assert not task.done()
        await asyncio.sleep(0.02)
    assert list(inhabitants(house.folder))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Callable[[], str]:
    """What was logged and printed so far."""
    caplog.set_level(logging.DEBUG)
    return lambda: "".join((caplog.text, *capfd.readouterr()))


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every order but greetings: that to fetch, that to scan; a tree to scan is sealed."""
    orders: list[str] = []
    asked = Child.ask

    def ask(child: Child, line: bytes, timeout_s: float) -> bytes:
        order = json.loads(line)
        if order["order"] == "scan":
            tree = Path(order["repository"]["tree"]).stat()
            assert stat.S_IMODE(tree.st_mode) == 0o550
        if order["order"] != "hello":
            orders.append(line.decode())
        return asked(child, line, timeout_s)

    monkeypatch.setattr(Child, "ask", ask)
    return orders
