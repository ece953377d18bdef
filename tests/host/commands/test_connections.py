import asyncio
from pathlib import Path

import pytest

from mergegate.core.change import Provider
from mergegate.core.errors import StoreError, UsageError
from mergegate.forges.locate import api_address
from mergegate.forges.provider import Access, ApiClient, Way
from mergegate.host.commands.connections import base_address
from mergegate.host.store import accounts, connections
from mergegate.host.store.connections import OpenConnection
from mergegate.host.store.database import Database
from mergegate.host.store.sealing import Sealer, new_key
from tests.host.commands.hosting import Host

TOKEN = "ghp_sesame"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    made = Host(tmp_path / "data")
    made.run("accounts", "create", "shop")
    return made


def add(host: Host, *more: str, token: str = TOKEN, keys: str | None = None) -> tuple[str, str]:
    whose = ("--account", "shop", "--provider", "github")
    given = ("connections", "add", *whose, "--no-check", *more)
    return host.run(*given, stdin=token, env={"MERGEGATE_SECRET_KEYS": keys})


def opened(host: Host, key: str) -> OpenConnection | None:
    async def look() -> OpenConnection | None:
        database = Database.open(f"sqlite:///{host.folder}/service.db")
        async with database.read() as conn:
            owner = await accounts.named(conn, "shop")
            assert owner is not None
            found = await connections.find(conn, Sealer([key]), owner.id, Provider.GITHUB)
        await database.close()
        return found

    return asyncio.run(look())


def test_a_token_from_standard_input_is_kept_under_a_key_that_is_made(host: Host) -> None:
    out, err = add(host, token=f"{TOKEN}\n")
    assert (out, TOKEN in err) == ("", False)
    found = opened(host, (host.folder / "secret.key").read_text().strip())
    assert found is not None
    assert (found.token, found.connection.base_url) == (TOKEN, "https://github.com")


def test_a_token_may_come_from_the_environment(host: Host) -> None:
    key = new_key()
    env = {"MERGEGATE_PROVIDER_TOKEN": "ghp_other", "MERGEGATE_SECRET_KEYS": key}
    arguments = ("connections", "add", "--account", "shop", "--provider", "github", "--no-check")
    host.run(*arguments, env=env)
    found = opened(host, key)
    assert found is not None
    assert found.token == "ghp_other"
    assert not (host.folder / "secret.key").exists()


def test_no_file_and_no_list_holds_the_token(host: Host) -> None:
    add(host)
    assert "https://github.com" in host.run("connections", "list")[0]
    assert TOKEN not in host.run("connections", "list", "--account", "shop")[0]
    assert not any(TOKEN.encode() in one.read_bytes() for one in host.folder.iterdir())


@pytest.mark.parametrize(
    "token", ["", " \n", "two words", "a\nb", "\x1b[31m", "tökén", "x" * 5_000]
)
def test_what_is_no_token_is_refused(host: Host, token: str) -> None:
    with pytest.raises(UsageError, match="there is no token"):
        add(host, token=token)


def test_keys_are_rotated_without_losing_a_token(host: Host) -> None:
    old, new = new_key(), new_key()
    add(host, keys=old)
    err = host.run("connections", "reseal", env={"MERGEGATE_SECRET_KEYS": f"{new}, {old}"})[1]
    assert err == "1 secret is sealed with the first key.\n"
    found = opened(host, new)
    assert found is not None
    assert found.token == TOKEN
    with pytest.raises(StoreError):
        opened(host, old)


def test_a_connection_is_removed_once(host: Host) -> None:
    add(host)
    arguments = ("connections", "remove", "--account", "shop", "--provider", "github")
    host.run(*arguments)
    with pytest.raises(UsageError, match=r"not connected.*`mergegate connections list`"):
        host.run(*arguments)


def test_the_first_key_for_a_shared_database_is_printed(host: Host) -> None:
    assert Sealer([host.run("connections", "new-key")[0].strip()])


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://git.example.org/", "https://git.example.org"),
        ("https://example.org:8443/gitlab", "https://example.org:8443/gitlab"),
        ("HTTPS://GitHub.com//", "https://github.com"),
        ("https://example.org/GitLab", "https://example.org/GitLab"),
    ],
)
def test_a_server_of_ones_own_is_named_by_its_address(url: str, expected: str) -> None:
    assert base_address(url) == expected


@pytest.mark.parametrize(
    "url", ["http://git.example.org", "HTTP://git.example.org/gitlab", "http://127.0.0.1:3000"]
)
def test_without_https_it_is_told_what_that_means_and_what_to_do(url: str) -> None:
    with pytest.raises(UsageError, match="in the clear") as refused:
        base_address(url)
    assert "MERGEGATE_PROVIDER_CA_FILE" in refused.value.remedy


def test_what_is_taken_is_what_fetching_takes() -> None:
    access = Access(
        provider=Provider.GITLAB, base_url=base_address("HTTPS://git.example.org/"), token=TOKEN
    )
    ApiClient(
        api_address(access.provider, access.base_url), {}, Way(proxy="http://127.0.0.1:1")
    ).close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "git.example.org",
        "ssh://git.example.org",
        "https://",
        "https://ada@git.example.org",
        "https://ada:sesame@git.example.org",
        "https://git.example.org:port",
        "https://git.example.org?x=1",
        "https://git.example.org#x",
        "https://git example.org",
        "https://git.example.org/\x1b[31m",
        "https://[::1",
        "https://gıt.example.org",
        "https://git.example.org\\@thief.example.org",
        "https://git_example.org/" + "x" * 9_000,
    ],
)
def test_what_is_no_servers_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="no server's"):
        base_address(url)
