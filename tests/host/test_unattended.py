"""A schedule whose token was revoked: nobody waits for the result, and the operator is told."""

from pathlib import Path
from typing import Any

import httpx

from mergegate.core.change import Provider
from mergegate.core.plans import Lane, Tool
from mergegate.host.scan import State
from mergegate.host.store import connections, scans, schedules
from mergegate.host.store.connections import Connection
from mergegate.host.store.scans import ScanSummary
from mergegate.host.store.schedules import Schedule
from mergegate.host.store.sealing import Sealer
from tests.forges.repositories.hosting import REVOKED, hosting
from tests.host.api.conftest import PLAIN, SEAL, Host, now, running, wait_until
from tests.sandbox.git.test_repository import commit, git

SERVE = ("-c", "from mergegate.cli.main import run; run()", "serve", "--port", "0")
ASKED = '{"owner":"octo","provider":"github","repo":"shop"}'


def test_a_token_that_was_revoked_is_noticed(tmp_path: Path) -> None:
    work, data = tmp_path / "work", tmp_path / "data"
    for folder in (work, data):
        folder.mkdir()
    git(work, "init", "-q", "-b", "main")
    (work / "a.py").write_text("a = 1\n")
    commit(work, "first")
    with hosting(tmp_path / "hosted", work) as there:
        host = Host(data, f"sqlite:///{data}/service.db", SERVE)
        host.environment = {
            "MERGEGATE_ALLOW_HOSTS": there.url.removeprefix("https://"),
            "MERGEGATE_PROVIDER_CA_FILE": str(there.authorities),
            "MERGEGATE_OFFLINE": "1",
            "MERGEGATE_METRICS": "1",
        }
        for _ in running(host):
            told, seen = _scheduled(host, there.url)
            page = httpx.get(f"{host.url}/metrics", verify=PLAIN).text
    expected = {"level": "warning", "code": "PROVIDER_TOKEN_REVOKED", "scheduled": True}
    assert told.items() >= (expected | {"scan_id": seen.id}).items()
    figure = 'code="PROVIDER_TOKEN_REVOKED",scheduled="yes",tool="repository"} 1.0'
    assert f"mergegate_scans_ended_total{{{figure}" in page


def _scheduled(host: Host, provider: str) -> tuple[dict[str, Any], ScanSummary]:
    """What the log tells of the scan that was due, and the scan."""
    owner = host.account()
    made = Connection("con_1", owner.id, Provider.GITHUB, provider, now())
    sealed = Sealer([SEAL]).seal(REVOKED, made.place)
    what = (Tool.REPOSITORY, Lane.REPOSITORY, ASKED, "0 0 1 1 *")
    due = Schedule("sch_1", owner.id, *what, now(), now())
    host.change(lambda conn: connections.put(conn, made, sealed))
    host.change(lambda conn: schedules.add(conn, due))
    (told,) = wait_until(lambda: host.all("scan ended"))
    (seen,) = host.change(lambda conn: scans.newest(conn, owner.id, None, 5))
    assert (told["account_id"], seen.state) == (owner.id, State.FAILED)
    return told, seen
