"""What a forge is built from, and what is refused before any request."""

import traceback
from dataclasses import replace

import pytest

from mergegate.core.change import Change, Trigger
from mergegate.core.errors import ForgeError, NotAllowed, UsageError
from mergegate.forges.github.client import Pace
from mergegate.forges.github.forge import forge
from tests.forges.github.clock import Clock
from tests.forges.github.conftest import PULL, PUSH, Site
from tests.forges.github.hub import BASE, HEAD
from tests.forges.github.saying import publication


def test_a_pull_request_has_every_surface_and_its_head_of_now(site: Site) -> None:
    whole = site.forge()
    surfaces = (
        whole.conversation,
        whole.reviews,
        whole.verdicts,
        whole.uploads,
        whole.people,
        whole.replies,
        whole.ledger,
    )
    assert all(surfaces)
    assert (whole.name, whole.head, whole.base) == ("GitHub", HEAD, BASE)


def test_a_push_has_no_conversation_and_costs_no_request(site: Site) -> None:
    whole = site.forge(change=PUSH)
    assert (whole.head, whole.conversation, whole.reviews, whole.replies) == (None,) * 4
    assert whole.verdicts and whole.uploads and whole.ledger
    assert site.requests == []


def test_a_queue_has_no_alerts_of_its_own(site: Site) -> None:
    change = replace(PUSH, trigger=Trigger.QUEUE, branch="gh-readonly-queue/main/pr-7")
    assert site.forge(change=change).uploads is None


def test_a_hidden_repository_is_told_as_what_it_may_be(site: Site) -> None:
    with pytest.raises(NotAllowed, match="GitHub hides what a token may not see"):
        site.forge("ghs-hidden")


def test_a_token_that_is_none_is_refused_by_github(site: Site) -> None:
    with pytest.raises(NotAllowed, match="Bad credentials"):
        site.forge("ghs-unknown")


@pytest.mark.parametrize(
    "api_url",
    [
        "http://github.example.org/api/v3",
        "ftp://api.github.com",
        "https://",
        "https://user:secret@github.example.org/api/v3",
        "file:///etc/passwd",
        "http://localhost.example.org/",
    ],
)
def test_an_address_that_would_expose_the_token_is_refused(api_url: str) -> None:
    with pytest.raises(UsageError, match="https"):
        forge(PULL, token="ghs-usual", api_url=api_url)


@pytest.mark.parametrize(
    "change",
    [
        replace(PULL, repository="../../user"),
        replace(PULL, repository="acme/.."),
        replace(PULL, repository="acme/shop?x=1"),
        replace(PULL, repository="acme/shop/issues"),
        replace(PULL, repository="acme"),
        replace(PULL, head="main"),
        replace(PULL, head=HEAD.upper()),
    ],
)
def test_what_would_lead_to_another_address_is_refused(change: Change) -> None:
    with pytest.raises(UsageError):
        forge(change, token="ghs-usual")


@pytest.mark.parametrize("token", ["", "ghs canary", "ghs-canary\n", "ghs-cänary"])
def test_a_token_that_no_header_can_hold_is_not_quoted(token: str) -> None:
    with pytest.raises(UsageError) as refused:
        forge(PULL, token=token)
    assert "canary" not in "".join(traceback.format_exception(refused.value))


def test_a_server_s_own_certificate_and_graphql_address_are_used() -> None:
    # Nothing listens there: what counts is where the request would have gone.
    whole = forge(PUSH, token="t", api_url="https://localhost:9/api/v3")
    assert whole.conversation is None
    assert whole.ledger is not None
    requester = whole.ledger._door._requester  # type: ignore[attr-defined]
    assert requester.graphql_url == "https://localhost:9/api/graphql"
    assert requester.kwargs["verify"] is True


def test_nobody_listening_is_a_forge_error_without_the_token() -> None:
    clock = Clock()
    pace = Pace(sleep=clock.sleep, now=clock.now)
    verdicts = forge(PUSH, token="ghs-usual", api_url="http://127.0.0.1:1", pace=pace).verdicts
    assert verdicts is not None
    with pytest.raises(ForgeError, match="GitHub did not answer") as refused:
        verdicts.announce(publication())
    assert clock.slept == [1, 2, 4]
    assert "ghs-usual" not in "".join(traceback.format_exception(refused.value))
