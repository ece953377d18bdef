"""A key to Search Console is asked about, sealed, listed without itself, and forgotten."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError, UsageError
from mergegate.host.runner import consoles as runner
from mergegate.host.store import accounts, consoles
from mergegate.host.store.database import Database
from mergegate.host.store.sealing import Sealer, new_key
from tests.host.commands.hosting import Host
from tests.site.seo.gather.google import EMAIL, Google, service_account, serving

KEY = service_account()


@pytest.fixture
def host(tmp_path: Path) -> Host:
    made = Host(tmp_path / "data")
    made.run("accounts", "create", "shop")
    return made


@pytest.fixture
def google(monkeypatch: pytest.MonkeyPatch) -> Iterator[Google]:
    made = Google(now=None)
    with serving(made):
        where = runner.Google(made.base(), f"{made.base()}/token")
        asked = runner.properties
        monkeypatch.setattr(runner, "properties", lambda key, now: asked(key, now, where))
        yield made


def add(host: Host, *more: str, key: str = KEY, keys: str | None = None) -> tuple[str, str]:
    given = ("search-console", "add", "--account", "shop", *more)
    return host.run(*given, stdin=key, env={"MERGEGATE_SECRET_KEYS": keys})


def opened(host: Host, key: str, name: str = "shop") -> str | None:
    async def look() -> str | None:
        database = Database.open(f"sqlite:///{host.folder}/service.db")
        async with database.read() as conn:
            owner = await accounts.named(conn, name)
            assert owner is not None
            found = await consoles.find(conn, Sealer([key]), owner.id)
        await database.close()
        return found

    return asyncio.run(look())


def test_google_is_asked_and_the_key_is_sealed_for_its_account(host: Host, google: Google) -> None:
    out, err = add(host)
    assert (out, err) == (
        "",
        f"It opens sc-domain:example.org.\nshop asks Search Console as {EMAIL}.\n",
    )
    assert opened(host, (host.folder / "secret.key").read_text().strip()) == KEY
    secret = json.loads(KEY)["private_key"][40:80].encode()
    assert not any(secret in one.read_bytes() for one in host.folder.iterdir())
    host.run("accounts", "create", "rival")
    assert opened(host, new_key(), "rival") is None
    (told,) = json.loads(host.run("search-console", "list", "--format", "json")[0])
    assert (told["account"], told["identity"]) == ("shop", EMAIL)
    assert sorted(told) == ["account", "createdAt", "identity"]


@pytest.mark.parametrize(
    ("refuses", "said"),
    [({"token": 400}, "no access token for this key"), ({"sites.list": 403}, "may not read this")],
)
def test_a_key_that_opens_nothing_is_told_and_not_stored(
    host: Host, google: Google, refuses: dict[str, int], said: str
) -> None:
    google.refuses.update(refuses)
    with pytest.raises(UsageError, match=said):
        add(host)
    assert json.loads(host.run("search-console", "list", "--format", "json")[0]) == []
    add(host, "--no-check")
    assert json.loads(host.run("search-console", "list", "--format", "json")[0]) != []


def test_a_key_without_a_property_is_told(host: Host, google: Google) -> None:
    google.sites = ()
    with pytest.raises(UsageError, match="opens no property") as refused:
        add(host)
    assert "user of the property" in refused.value.remedy


@pytest.mark.parametrize("key", ["", " \n", "{}", "ya29.an-access-token-of-an-hour", "{" * 70_000])
def test_what_is_no_key_for_long_is_refused(host: Host, key: str) -> None:
    with pytest.raises(UsageError) as refused:
        add(host, key=key)
    assert key.strip() == "" or key not in str(refused.value)


def test_it_is_sealed_anew_with_the_others_and_forgotten_with_its_account(host: Host) -> None:
    old, new = new_key(), new_key()
    add(host, "--no-check", keys=old)
    err = host.run("connections", "reseal", env={"MERGEGATE_SECRET_KEYS": f"{new}, {old}"})[1]
    assert err == "1 secret is sealed with the first key.\n"
    assert opened(host, new) == KEY
    with pytest.raises(StoreError):
        opened(host, old)
    host.run("search-console", "remove", "--account", "shop")
    with pytest.raises(UsageError, match="not connected"):
        host.run("search-console", "remove", "--account", "shop")
    add(host, "--no-check")
    host.run("accounts", "remove", "shop", "--yes")
    assert json.loads(host.run("search-console", "list", "--format", "json")[0]) == []
