"""Where a change is now, by its provider's word; a delivery may be old."""

from dataclasses import replace

import pytest

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import ForgeError, UsageError
from mergegate.forges.provider import (
    BranchNotFound,
    ChangeClosed,
    CommitNotFound,
    ProviderUnreachable,
    TokenRevoked,
)
from tests.forges.bitbucket.contract import mistakes
from tests.forges.repositories.conftest import Desk
from tests.forges.repositories.hosting import ALIVE, BLIND, LIMITED, REVOKED

ALL = pytest.mark.parametrize("provider", list(Provider))


def change(provider: Provider, trigger: Trigger = Trigger.CHANGE) -> Change:
    return Change(provider=provider, repository="octo/shop", trigger=trigger, number=7)


@pytest.fixture
def told(desk: Desk) -> Desk:
    """With a pull request of the branch into ``main``."""
    desk.host.proposed[7] = ("feature/új", "main")
    return desk


@ALL
@pytest.mark.parametrize("trigger", [Trigger.CHANGE, Trigger.COMMENT])
def test_a_change_is_its_last_commit_against_the_tip_it_wants_into(
    told: Desk, provider: Provider, trigger: Trigger
) -> None:
    found = told.locate_change(change(provider, trigger))
    assert found.commit == told.host.commit("feature/új")
    assert found.base == told.host.commit("main")
    assert found.url == f"{told.host.url}/octo/shop.git"


@ALL
def test_the_branch_it_wants_into_is_the_present_one(told: Desk, provider: Provider) -> None:
    told.host.git("branch", "next", "main~1")
    told.host.proposed[7] = ("feature/új", "next")
    older = replace(change(provider), base_branch="main")
    assert told.locate_change(older).base == told.host.commit("next")


def test_a_queues_group_is_what_was_told_of_it(told: Desk) -> None:
    head, base = told.host.commit("feature/új"), told.host.commit("main~1")
    group = replace(
        change(Provider.GITHUB, Trigger.QUEUE),
        head=head,
        base=base,
        base_branch="main",
        branch="gh-readonly-queue/main/pr-7-x",
    )
    found = told.locate_change(group)
    assert (found.commit, found.base, found.branch) == (head, base, group.branch)


@ALL
@pytest.mark.parametrize(
    ("number", "token", "error"),
    [
        (8, ALIVE, CommitNotFound),
        (None, ALIVE, CommitNotFound),
        (7, REVOKED, TokenRevoked),
        (7, BLIND, CommitNotFound),
        (7, LIMITED, ProviderUnreachable),
    ],
)
def test_each_way_to_say_no_has_its_own_name(
    told: Desk, provider: Provider, number: int | None, token: str, error: type[ForgeError]
) -> None:
    with pytest.raises(error) as caught:
        told.locate_change(replace(change(provider), number=number), token)
    assert "tok-" not in str(caught.value)


@ALL
@pytest.mark.parametrize(
    ("into", "error"), [("gone", BranchNotFound), ("--upload-pack=x", ProviderUnreachable)]
)
def test_a_branch_that_cannot_be_is_not_asked_for(
    told: Desk, provider: Provider, into: str, error: type[ForgeError]
) -> None:
    told.host.proposed[7] = ("feature/új", into)
    with pytest.raises(error):
        told.locate_change(change(provider))


@pytest.mark.parametrize(
    ("provider", "state"),
    [
        (Provider.GITHUB, "closed"),
        (Provider.GITLAB, "closed"),
        (Provider.GITLAB, "merged"),
        (Provider.BITBUCKET, "MERGED"),
        (Provider.BITBUCKET, "DECLINED"),
        (Provider.BITBUCKET, "SUPERSEDED"),
    ],
)
def test_a_change_that_is_over_is_fetched_for_a_comment_alone(
    told: Desk, provider: Provider, state: str
) -> None:
    told.host.state = state
    with pytest.raises(ChangeClosed):
        told.locate_change(change(provider))
    asked = told.locate_change(change(provider, Trigger.COMMENT))
    assert asked.commit == told.host.commit("feature/új")


@pytest.mark.parametrize("answer", [b"{}", b"[]", b'{"source": null}', b'{"head": {"sha": 1}}'])
@ALL
def test_an_odd_answer_is_no_commit(told: Desk, provider: Provider, answer: bytes) -> None:
    told.host.trouble = answer
    with pytest.raises(ProviderUnreachable):
        told.locate_change(change(provider))


@pytest.mark.parametrize("name", ["octo", "octo/../shop", "octo/shop?x=1"])
def test_a_repository_that_cannot_be_is_not_asked_for(told: Desk, name: str) -> None:
    with pytest.raises(UsageError):
        told.locate_change(replace(change(Provider.GITHUB), repository=name))
    assert told.host.exchanges == []


def test_bitbuckets_questions_are_ones_that_it_documents(told: Desk) -> None:
    told.locate_change(change(Provider.BITBUCKET))
    exchanges = [one for _, one in told.host.exchanges]
    assert len(exchanges) > 3
    assert [wrong for one in exchanges for wrong in mistakes(one)] == []
