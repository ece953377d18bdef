"""``connections add`` asks the provider as a scan would, and says which part is set up wrongly."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.change import Provider
from mergegate.core.errors import UsageError
from tests.forges.repositories.hosting import ALIVE, BLIND, LIMITED, REVOKED, Hosting, hosting
from tests.host.commands.hosting import Host
from tests.sandbox.git.test_repository import commit, git


@dataclass(frozen=True)
class Desk:
    """An operator, and a provider of their own."""

    host: Host
    there: Hosting

    @property
    def place(self) -> str:
        return self.there.url.removeprefix("https://")

    def add(
        self,
        *more: str,
        provider: Provider = Provider.GITHUB,
        token: str = ALIVE,
        url: str = "",
        allow: str | None = None,
        authorities: str | None = None,
    ) -> str:
        given = (
            "--account",
            "shop",
            "--provider",
            provider.value,
            "--base-url",
            url or self.there.url,
        )
        vouched = str(self.there.authorities) if authorities is None else authorities
        env = {
            "MERGEGATE_ALLOW_HOSTS": self.place if allow is None else allow,
            "MERGEGATE_PROVIDER_CA_FILE": vouched,
        }
        return self.host.run("connections", "add", *given, *more, stdin=token, env=env)[1]

    def is_connected(self) -> bool:
        return self.there.url in self.host.run("connections", "list", "--format", "json")[0]


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosting]:
    folder = tmp_path_factory.mktemp("there")
    work = folder / "work"
    work.mkdir()
    git(work, "init", "-q", "-b", "main")
    (work / "a.py").write_text("a = 1\n")
    commit(work, "first")
    with hosting(folder / "hosted", work) as made:
        yield made


@pytest.fixture
def desk(there: Hosting, tmp_path: Path) -> Desk:
    there.scopes = None
    host = Host(tmp_path / "data")
    host.run("accounts", "create", "shop")
    return Desk(host, there)


@pytest.mark.parametrize("provider", Provider)
@pytest.mark.parametrize("scopes", [None, "repo api repository"])
def test_what_works_is_stored(desk: Desk, provider: Provider, scopes: str | None) -> None:
    desk.there.scopes = scopes
    told = desk.add("--repository", "octo/shop", provider=provider)
    assert told == f"shop is connected with {desk.there.url}.\n"
    assert desk.is_connected()


FAULTS = [
    ({"token": REVOKED}, "does not accept", "Compare the token"),
    ({"token": "badtoken"}, "does not accept", "--no-check"),
    ({"token": LIMITED}, "takes no more requests", "--no-check"),
    ({"allow": ""}, "may not reach the provider at 127.0.0.1:PORT", "Add 127.0.0.1:PORT to"),
    ({"allow": "127.0.0.1"}, "80 and 443 alone are allowed", "means 80 and 443"),
    ({"authorities": ""}, "authority that this host does not trust", "MERGEGATE_PROVIDER_CA_FILE"),
    (
        {"url": "https://127.0.0.1:1", "allow": "127.0.0.1:1"},
        "127.0.0.1:1 did not answer",
        "--no-check",
    ),
]


@pytest.mark.parametrize(("given", "what", "remedy"), FAULTS)
def test_what_is_set_up_wrongly_is_named_and_not_stored(
    desk: Desk, given: dict[str, Any], what: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mergegate.forges.provider._MOST_WAIT_S", 1.0)  # seven would show no more
    port = desk.place.rpartition(":")[2]
    with pytest.raises(UsageError) as refused:
        desk.add(**given)
    assert what.replace("PORT", port) in refused.value.what
    assert remedy.replace("PORT", port) in refused.value.remedy
    assert given.get("token", "tok-") not in str(refused.value)
    assert not desk.is_connected()
    desk.add("--no-check", **given)


@pytest.mark.parametrize(
    ("provider", "scopes", "missing"),
    [
        (Provider.GITLAB, "read_user", "`api` or `read_api` and `read_repository`"),
        (Provider.GITLAB, "read_api", "`read_repository`"),
        (Provider.BITBUCKET, "account", "`repository`"),
    ],
)
def test_a_scope_that_is_missing_is_named(
    desk: Desk, provider: Provider, scopes: str, missing: str
) -> None:
    desk.there.scopes = scopes
    with pytest.raises(UsageError, match="can read no repository") as refused:
        desk.add(provider=provider)
    assert missing in refused.value.remedy
    assert not desk.is_connected()


def test_a_token_for_public_repositories_is_stored_and_told(desk: Desk) -> None:
    desk.there.scopes = "read:org, public_repo"
    assert "public repositories alone" in desk.add()
    assert desk.is_connected()


@pytest.mark.parametrize(
    ("repository", "token"), [("octo/none", ALIVE), ("octo/shop", BLIND), ("shop", ALIVE)]
)
def test_a_repository_that_it_cannot_read_is_told(desk: Desk, repository: str, token: str) -> None:
    with pytest.raises(UsageError):
        desk.add("--repository", repository, token=token)
    assert not desk.is_connected()


def test_an_account_that_is_not_there_is_told_before_anybody_is_asked(desk: Desk) -> None:
    desk.there.exchanges.clear()
    with pytest.raises(UsageError, match="no account"):
        desk.add("--account", "none")
    assert desk.there.exchanges == []
