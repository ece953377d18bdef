"""What each provider says of a repository, and every way in which it may say no."""

import json
from functools import cache
from typing import Any

import pytest
from openapi_schema_validator import OAS30Validator

from mergegate.core.change import Provider
from mergegate.core.errors import ForgeError, UsageError
from mergegate.forges.bitbucket.repository import Bitbucket
from mergegate.forges.github.repository import GitHub, web
from mergegate.forges.provider import (
    Access,
    AccessDenied,
    BranchNotFound,
    CommitNotFound,
    Located,
    ProviderUnreachable,
    Sought,
    TokenRevoked,
    Way,
)
from tests.forges.bitbucket.contract import Exchange, mistakes
from tests.forges.published_npm import published
from tests.forges.repositories.conftest import Desk
from tests.forges.repositories.hosting import ALIVE, BLIND, LIMITED, NOBODY, REVOKED

ALL = pytest.mark.parametrize("provider", list(Provider))
NOWHERE = Way(proxy="http://127.0.0.1:9")
SHOP = Sought(owner="octo", repo="shop")
USERS = {"github": "x-access-token", "gitlab": "oauth2", "bitbucket": "x-token-auth"}


def shop(**more: str) -> Sought:
    return Sought(owner="octo", repo="shop", **more)


@ALL
def test_without_a_branch_it_is_the_tip_of_the_default_one(desk: Desk, provider: Provider) -> None:
    assert desk.locate(provider, SHOP) == Located(
        owner="octo",
        repo="shop",
        branch="main",
        commit=desk.host.commit("main") or "",
        base=None,
        url=f"{desk.host.url}/octo/shop.git",
        user=USERS[provider],
        word=ALIVE,
    )


@ALL
def test_a_branch_is_found_whatever_is_in_its_name(desk: Desk, provider: Provider) -> None:
    found = desk.locate(provider, shop(branch="feature/új", base="main"))
    assert (found.branch, found.commit) == ("feature/új", desk.host.commit("feature/új"))
    assert found.base == desk.host.commit("main")


@ALL
def test_a_commit_of_the_branch_is_taken_instead_of_its_tip(desk: Desk, provider: Provider) -> None:
    earlier = desk.host.commit("main~2") or ""
    assert desk.locate(provider, shop(branch="main", commit=earlier)).commit == earlier


@ALL
def test_a_renamed_repository_is_found_under_its_new_name(desk: Desk, provider: Provider) -> None:
    assert desk.locate(provider, Sought(owner="octo", repo="store")).url.endswith("/octo/shop.git")


@ALL
@pytest.mark.parametrize(
    ("sought", "token", "error"),
    [
        (SHOP, REVOKED, TokenRevoked),
        (SHOP, "bad token", TokenRevoked),
        (SHOP, "", TokenRevoked),
        (SHOP, BLIND, AccessDenied),
        (Sought(owner="octo", repo="none"), ALIVE, AccessDenied),
        (SHOP, LIMITED, ProviderUnreachable),
        (shop(branch="none"), ALIVE, BranchNotFound),
        (shop(base="none"), ALIVE, BranchNotFound),
        (shop(commit=NOBODY), ALIVE, CommitNotFound),
    ],
)
def test_each_way_to_say_no_has_its_own_name(
    desk: Desk, provider: Provider, sought: Sought, token: str, error: type[ForgeError]
) -> None:
    with pytest.raises(error) as caught:
        desk.locate(provider, sought, token)
    assert not token or token not in str(caught.value)


@ALL
def test_a_commit_of_another_branch_is_not_on_this_one(desk: Desk, provider: Provider) -> None:
    other = desk.host.commit("feature/új") or ""
    with pytest.raises(CommitNotFound, match="not on the branch"):
        desk.locate(provider, shop(branch="main", commit=other))


@ALL
def test_an_empty_repository_has_no_branch(desk: Desk, provider: Provider) -> None:
    desk.host.default = None
    with pytest.raises(BranchNotFound, match="no branch yet"):
        desk.locate(provider, SHOP)


@ALL
@pytest.mark.parametrize("said", [b"<html>", b"[]", b"[" * 100_000, b"{}", b" " * (5 << 20)])
def test_nonsense_is_no_answer(desk: Desk, provider: Provider, said: bytes) -> None:
    desk.host.trouble = said
    with pytest.raises(ProviderUnreachable):
        desk.locate(provider, SHOP)


@ALL
def test_the_token_goes_to_no_other_host(desk: Desk, provider: Provider) -> None:
    desk.host.elsewhere = "https://127.0.0.1:1"
    with pytest.raises(ProviderUnreachable, match="another host"):
        desk.locate(provider, SHOP)


@ALL
def test_an_inner_address_is_not_asked(desk: Desk, provider: Provider) -> None:
    with pytest.raises(ProviderUnreachable):
        desk.locate(provider, SHOP, base_url="https://10.0.0.1")


@ALL
@pytest.mark.parametrize(
    "sought",
    [
        shop(branch="--upload-pack=x"),
        shop(branch="a\nb"),
        shop(commit="main"),
        shop(base="$(id) x"),
        Sought(owner="..", repo="shop"),
        Sought(owner="octo", repo="a b"),
    ],
)
def test_what_cannot_be_a_name_is_never_asked(
    desk: Desk, provider: Provider, sought: Sought
) -> None:
    with pytest.raises(UsageError):
        desk.locate(provider, sought)
    assert not desk.host.exchanges


@pytest.mark.parametrize("address", ["http://github.com", "https://u:p@github.com", "github.com"])
def test_an_address_that_is_no_plain_https_one_is_refused(desk: Desk, address: str) -> None:
    with pytest.raises(UsageError):
        desk.locate(Provider.GITHUB, SHOP, base_url=address)


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ("https://github.com/", "https://github.com"),
        ("https://api.github.com", "https://github.com"),
        ("https://ghe.example.org/api/v3", "https://ghe.example.org"),
    ],
)
def test_the_address_of_github_is_known_by_that_of_its_api(given: str, seen: str) -> None:
    assert web(given) == seen
    access = Access(provider=Provider.GITHUB, base_url=given, token=ALIVE)
    assert GitHub(access, NOWHERE).git()[0] == seen


def test_an_api_token_of_bitbucket_comes_with_its_account(desk: Desk) -> None:
    found = desk.locate(Provider.BITBUCKET, SHOP, f"ada@example.org:{ALIVE}")
    assert (found.user, found.word) == ("x-bitbucket-api-token-auth", ALIVE)


@pytest.mark.parametrize("given", ["https://bitbucket.org", "https://api.bitbucket.org/2.0"])
def test_bitbucket_has_its_api_on_a_host_of_its_own(given: str) -> None:
    access = Access(provider=Provider.BITBUCKET, base_url=given, token=ALIVE)
    assert Bitbucket(access, NOWHERE).git()[0] == "https://bitbucket.org"


def _everything(desk: Desk, provider: Provider) -> list[Exchange]:
    earlier = desk.host.commit("main~2") or ""
    desk.locate(provider, shop(branch="feature/új", base="main"))
    desk.locate(provider, shop(commit=earlier))
    return [one for _, one in desk.host.exchanges]


def test_what_is_asked_of_bitbucket_is_what_it_documents(desk: Desk) -> None:
    exchanges = _everything(desk, Provider.BITBUCKET)
    assert len(exchanges) == 6
    assert [one for exchange in exchanges for one in mistakes(exchange)] == []


def test_what_is_asked_of_github_is_what_it_documents(desk: Desk) -> None:
    asked = {_template(one.path): one for one in _everything(desk, Provider.GITHUB)}
    assert sorted(asked) == sorted(_OPERATIONS)
    for template, exchange in asked.items():
        operation = _github()["paths"][template]["get"]
        named = [one.get("name", one.get("$ref", "")) for one in operation["parameters"]]
        documented = {name.rsplit("/", 1)[-1].replace("-", "_") for name in named}
        assert set(exchange.query) <= documented
        shape = operation["responses"]["200"]["content"]["application/json"]["schema"]
        whole = {**shape, "components": _github()["components"]}
        OAS30Validator(whole).validate(exchange.answer)


_OPERATIONS = (
    "/repos/{owner}/{repo}",
    "/repos/{owner}/{repo}/branches/{branch}",
    "/repos/{owner}/{repo}/compare/{basehead}",
)


def _template(path: str) -> str:
    length = path.count("/")
    fits = [one for one in _OPERATIONS if one.count("/") == length]
    return next(one for one in fits if length < 5 or one.split("/")[4] == path.split("/")[4])


@cache
def _github() -> dict[str, Any]:
    """A stand-in may say less than GitHub: what is required there is not asked of it."""
    file = published("@octokit/openapi", "23.0.2", "generated/api.github.com.json")
    return dict(_loose(json.loads(file.read_text("utf-8"))))


def _loose(value: Any, is_named: bool = False) -> Any:
    if isinstance(value, list):
        return [_loose(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {key: one for key, one in value.items() if is_named or key != "required"}
    return {key: _loose(one, key == "properties") for key, one in kept.items()}
