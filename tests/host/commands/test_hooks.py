import asyncio
import base64
import re
from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.forges.deliveries import Credentials
from mergegate.host.store import hooks
from mergegate.host.store.database import Database
from mergegate.host.store.hooks import SharedSecret
from mergegate.host.store.sealing import Sealer
from tests.forges.github.test_app import PEM
from tests.host.commands.hosting import Host

APP = "https://gate.example.org"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    made = Host(tmp_path / "data")
    made.run("accounts", "create", "shop")
    return made


def add(host: Host, provider: str, *more: str, app_url: str | None = APP) -> dict[str, str]:
    """What is printed, by its name."""
    arguments = ("hooks", "add", "--account", "shop", "--provider", provider, *more)
    out, err = host.run(*arguments, env={"MERGEGATE_APP_URL": app_url})
    assert "not shown again" in err
    return dict(re.split(r": +", line, maxsplit=1) for line in out.splitlines())


def kept(host: Host, id: str) -> SharedSecret | None:
    async def look() -> SharedSecret | None:
        database = Database.open(f"sqlite:///{host.folder}/service.db")
        key = (host.folder / "secret.key").read_text().strip()
        async with database.read() as conn:
            found = await hooks.find(conn, Sealer([key]), id)
        await database.close()
        return found

    return asyncio.run(look())


def hook_of(said: dict[str, str]) -> str:
    return said["Address"].rpartition("/")[2]


def test_an_address_and_its_secret_are_printed_once_and_kept_sealed(host: Host) -> None:
    said = add(host, "bitbucket")
    assert said["Address"].startswith(f"{APP}/hooks/bitbucket/hook_")
    found = kept(host, hook_of(said))
    assert found is not None
    assert Credentials.of(found.secret) == Credentials(secret=said["Secret"])
    stored = b"".join(one.read_bytes() for one in host.folder.rglob("*") if one.is_file())
    assert said["Secret"].encode() not in stored
    assert said["Secret"] not in "".join(host.run("hooks", "list"))


def test_without_the_hosts_address_a_place_is_left_for_it(host: Host) -> None:
    assert add(host, "github", app_url=None)["Address"].startswith("https://YOUR-HOST/hooks/github")


def test_a_secret_for_gitlab_is_one_that_it_takes_as_a_signing_token(host: Host) -> None:
    kind, _, key = add(host, "gitlab")["Secret"].partition("_")
    assert (kind, len(base64.b64decode(key, validate=True))) == ("whsec", 32)


def test_a_github_app_is_kept_with_its_key(host: Host, tmp_path: Path) -> None:
    (tmp_path / "app.pem").write_text(PEM)
    more = ("--app-id", "12", "--private-key", str(tmp_path / "app.pem"))
    said = add(host, "github", *more, "--base-url", "https://github.example.org/api/v3")
    found = kept(host, hook_of(said))
    assert found is not None
    app = Credentials.of(found.secret).app
    assert app is not None
    assert (app.id, app.private_key) == (12, PEM)
    assert app.base_url.startswith("https://github.example.org")
    stored = b"".join(one.read_bytes() for one in host.folder.rglob("*") if one.is_file())
    assert PEM.splitlines()[1].encode() not in stored


@pytest.mark.parametrize(
    "more",
    [
        ("--provider", "github", "--app-id", "12"),
        ("--provider", "github", "--private-key", "app.pem"),
        ("--provider", "gitlab", "--app-id", "12", "--private-key", "app.pem"),
        ("--provider", "gitlab", "--base-url", "https://gitlab.example.org"),
        ("--provider", "github", "--app-id", "12", "--private-key", "none.pem"),
        ("--provider", "github", "--app-id", "12", "--private-key", "broken.pem"),
        ("--provider", "github", "--app-id", "12", "--private-key", "binary.pem"),
        (
            *("--provider", "github", "--app-id", "12", "--private-key", "app.pem"),
            *("--base-url", "ftp://github.example.org"),
        ),
    ],
)
def test_an_app_that_cannot_answer_is_not_kept(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.pem").write_text(PEM)
    (tmp_path / "broken.pem").write_text(PEM[:200])
    (tmp_path / "binary.pem").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError) as refused:
        host.run("hooks", "add", "--account", "shop", *more)
    assert "BEGIN" not in str(refused.value)
    assert "hook_" not in host.run("hooks", "list")[0]


def test_a_hook_that_nobody_can_answer_yet_is_said_so(host: Host) -> None:
    given = ("--account", "shop", "--provider", "gitlab")
    assert "Nobody can answer yet" in host.run("hooks", "add", *given)[1]
    host.run("connections", "add", *given, "--no-check", stdin="glpat-sesame")
    assert "Nobody can answer yet" not in host.run("hooks", "add", *given)[1]


def test_hooks_are_listed_by_account(host: Host) -> None:
    host.run("accounts", "create", "[bold]other")
    id = hook_of(add(host, "gitlab"))
    everything, _ = host.run("hooks", "list")
    assert [word in everything for word in ("shop", "gitlab", id[:12])] == [True] * 3
    assert id[:12] not in host.run("hooks", "list", "--account", "[bold]other")[0]


def test_a_removed_hook_is_gone_and_another_accounts_is_not(host: Host) -> None:
    host.run("accounts", "create", "other")
    id = hook_of(add(host, "gitlab"))
    with pytest.raises(UsageError, match=r"no hook of that id.*`mergegate hooks list`"):
        host.run("hooks", "remove", "--account", "other", id)
    assert kept(host, id) is not None
    host.run("hooks", "remove", "--account", "shop", id)
    assert kept(host, id) is None


def test_an_account_that_is_none_gets_no_hook(host: Host) -> None:
    with pytest.raises(UsageError, match="no account"):
        host.run("hooks", "add", "--account", "nobody", "--provider", "github")
