"""Who speaks to Bitbucket, who may give orders, and patience."""

from dataclasses import replace

import httpx
import pytest

from mergegate.core.errors import ForgeError, NotAllowed
from mergegate.forges.bitbucket.conversation import Seal, unsealed
from mergegate.forges.bitbucket.forge import forge
from mergegate.forges.bitbucket.session import API_URL, surroundings
from mergegate.forges.ports import Forge, Standing
from mergegate.forges.publish import publish
from tests.forges.bitbucket.case import (
    CHANGE,
    IDS,
    Watch,
    annotation,
    answer,
    connected,
    conversation,
    run,
    summary,
    verdicts,
)
from tests.forges.bitbucket.stand_in import HEAD, PERSON, READER, Bitbucket


def proxied(bitbucket: Bitbucket, token: str | None, api_url: str) -> Forge:
    """With the stand-in as the proxy of Pipelines."""
    proxy = bitbucket.url.removesuffix("/2.0")
    return connected(bitbucket, token, api_url=api_url, proxy=proxy)


def test_the_proxy_of_pipelines_takes_the_report_without_a_token(bitbucket: Bitbucket) -> None:
    here = proxied(bitbucket, None, API_URL)
    assert (here.conversation, here.reviews, here.people) == (None, None, None)
    (said,) = verdicts(here).announce(answer(annotations=[annotation()]))
    assert "give a token" in said
    assert len(bitbucket.annotations[HEAD]) == 1
    assert {address.partition("/repositories")[0] for address, _ in bitbucket.seen} == {
        "http://api.bitbucket.org/2.0"
    }


def test_the_token_is_not_shown_to_the_proxy(bitbucket: Bitbucket) -> None:
    here = proxied(bitbucket, "bot-secret", "https://127.0.0.1:1/2.0")
    # The report goes to the proxy; the status to the API itself, where nobody listens.
    with pytest.raises(ForgeError, match=r"did not answer \(ConnectError\) for the build status"):
        verdicts(here).announce(answer())
    assert list(bitbucket.reports) == [HEAD]
    assert {authorization for _, authorization in bitbucket.seen} == {None}


def test_the_proxy_of_the_surroundings_is_used_but_not_on_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example.org:3128")
    monkeypatch.setenv("no_proxy", "internal.example.org")
    known = {
        "https://api.example.org": "http://proxy.example.org:3128",
        "https://internal.example.org": None,
        "https://127.0.0.1": None,
    }
    assert {url: surroundings(httpx.URL(url)) for url in known} == known


def test_a_long_run_of_line_ends_is_no_long_wait_for_a_seal() -> None:
    # Quadratic, this would take minutes: the test would not end.
    seal = Seal("secret", "example/shop#7")
    assert not seal.holds("\n" * 2_000_000)
    assert unsealed("\n" * 2_000_000) == "\n" * 2_000_000


def test_an_api_token_goes_with_its_account(bitbucket: Bitbucket) -> None:
    here = connected(bitbucket, "api-secret", user="bot@example.org")
    assert conversation(here).comments() == []


def test_without_token_and_proxy_nothing_is_possible() -> None:
    here = forge(CHANGE, token=" \n")
    assert (here.verdicts, here.conversation, here.people) == (None, None, None)


def test_without_a_pull_request_there_is_the_commit_alone(bitbucket: Bitbucket) -> None:
    here = connected(bitbucket, change=replace(CHANGE, number=None))
    assert (here.conversation, here.reviews, here.head) == (None, None, None)
    verdicts(here).announce(answer())
    assert list(bitbucket.statuses) == [HEAD]


def test_a_read_only_token_is_told_which_scope_is_missing(bitbucket: Bitbucket) -> None:
    said = run(bitbucket, "reader-secret", IDS[0])
    assert said.done == []
    assert len(said.problems) == 3
    assert all("pullrequest:write" in one for one in said.problems)
    with pytest.raises(NotAllowed):
        conversation(connected(bitbucket, "reader-secret")).write("Hello")
    assert READER.uuid not in str(bitbucket.standing())


def test_a_hidden_repository_is_named_as_such(bitbucket: Bitbucket) -> None:
    here = connected(bitbucket, change=replace(CHANGE, repository="example/hidden"))
    with pytest.raises(ForgeError, match="hides it") as caught:
        conversation(here).comments()
    assert "belongs to it" in caught.value.remedy
    bitbucket.exchanges.clear()


def test_no_error_holds_the_token(bitbucket: Bitbucket) -> None:
    here = connected(bitbucket, "wrong-secret")
    with pytest.raises(NotAllowed) as caught:
        conversation(here).write("Hello")
    assert "Token is invalid: Bearer ***" in str(caught.value)
    assert "wrong-secret" not in repr(caught.value) + str(caught.value.__cause__)


@pytest.mark.parametrize("token", ["two\nlines", "nul\x00", "é"])
def test_a_token_that_would_break_a_header_is_refused_unshown(token: str) -> None:
    with pytest.raises(ForgeError) as caught:
        forge(CHANGE, token=token)
    assert token not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["", "shop", "a/b/c", "../user", "a/..", "a/b?x=1", "a/b#", "a/b\n", "ä/b", "{a}/b"]
)
def test_a_name_that_leaves_its_place_in_the_address_is_refused(name: str) -> None:
    with pytest.raises(ForgeError):
        forge(replace(CHANGE, repository=name), token="secret")


@pytest.mark.parametrize(
    "url",
    ["http://api.example.org/2.0", "https://user:pw@api.example.org", "file:///etc", "", "\0"],
)
def test_a_token_goes_over_https_alone(url: str) -> None:
    with pytest.raises(ForgeError, match="https"):
        forge(CHANGE, token="secret", api_url=url)


@pytest.mark.parametrize(
    ("level", "standing"),
    [
        ("read", Standing.READ),
        ("write", Standing.WRITE),
        ("admin", Standing.ADMIN),
        ("owner", Standing.NONE),
        ("none", Standing.NONE),
    ],
)
def test_standing_is_what_bitbucket_says(
    bitbucket: Bitbucket, level: str, standing: Standing
) -> None:
    bitbucket.permissions = {PERSON.uuid: level, "557058:alice": level}
    people = connected(bitbucket).people
    assert people is not None
    assert [people.standing(one) for one in bitbucket.permissions] == [standing, standing]
    if level == "owner":
        bitbucket.exchanges.clear()  # no word of the schema


def test_whoever_opened_or_committed_brought_the_pull_request(bitbucket: Bitbucket) -> None:
    bitbucket.opener, bitbucket.wrote = PERSON, [READER, None, READER]
    authorship = connected(bitbucket).authorship
    assert authorship
    assert authorship.authors() == {PERSON.uuid, READER.uuid}


def test_standing_of_somebody_unknown_is_none(bitbucket: Bitbucket) -> None:
    # A stand-in that ignores the filter answers with everybody.
    bitbucket.permissions = {"everybody": "admin", PERSON.uuid: "admin"}
    people = connected(bitbucket).people
    assert people is not None
    assert people.standing(READER.uuid) is Standing.NONE
    assert people.standing('x" OR user.uuid!="') is Standing.NONE


def test_standing_is_none_where_the_token_may_not_know(bitbucket: Bitbucket) -> None:
    bitbucket.permissions = {PERSON.uuid: "admin"}
    people = connected(bitbucket, "token-secret").people
    assert people is not None
    assert people.standing(PERSON.uuid) is Standing.NONE


def test_a_plea_for_patience_is_heeded(bitbucket: Bitbucket) -> None:
    watch = Watch()
    here = connected(bitbucket, clock=watch.clock)
    bitbucket.tired.extend([(429, {"Retry-After": "7"}), (429, {})])
    conversation(here).write(summary())
    assert watch.waits == [7.0, 2.0]
    assert len(bitbucket.comments) == 1


def test_too_long_a_plea_is_told(bitbucket: Bitbucket) -> None:
    watch = Watch()
    here = connected(bitbucket, clock=watch.clock)
    bitbucket.tired.append((429, {"Retry-After": "1800"}))
    with pytest.raises(ForgeError, match="no more requests") as caught:
        verdicts(here).announce(answer())
    assert "run the job again later" in caught.value.remedy
    assert watch.waits == []


def test_a_comment_that_may_have_been_written_is_not_written_again(bitbucket: Bitbucket) -> None:
    here = connected(bitbucket)
    talk = conversation(here)
    talk.comments()
    bitbucket.tired.append((502, {}))
    with pytest.raises(ForgeError, match="502"):
        talk.write(summary())
    assert bitbucket.comments == {}


def test_five_hundred_findings_stay_within_sixty_writes_a_minute(bitbucket: Bitbucket) -> None:
    watch = Watch()
    here = connected(bitbucket, clock=watch.clock)
    for sequence in range(8):
        annotations = [annotation(number) for number in range(1, 501)]
        said = publish(answer(*IDS, sequence=sequence, annotations=annotations), here, sequence)
        assert said.problems == []
    assert 60 < len(bitbucket.writes()) < 120
    assert watch.since >= 60
    assert len(bitbucket.standing()) == 1 + len(IDS)
