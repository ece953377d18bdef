"""Pace, patience and refusals."""

import traceback
from collections.abc import Mapping
from typing import Any

import pytest

from mergegate.core.errors import ForgeError, NotAllowed
from mergegate.forges.ports import Conversation
from tests.forges.github.conftest import Site
from tests.forges.github.hub import ACTIONS, Answer
from tests.forges.github.saying import summary

COMMENTS = "/issues/7/comments"
SECONDARY = {"message": "You have exceeded a secondary rate limit and have been blocked."}
PRIMARY = {"message": "API rate limit exceeded for installation ID 1."}


def conversation(site: Site, token: str = "ghs-usual", **pace: Any) -> Conversation:
    found = site.forge(token, **pace).conversation
    assert found is not None
    return found


def trouble(site: Site, line: str, status: int, said: Any, headers: Mapping[str, str]) -> None:
    site.hub.troubles.append((line, Answer(status, said, headers)))


def test_a_hundred_writes_stay_below_the_limit_of_a_minute(site: Site) -> None:
    room = conversation(site)
    for _ in range(100):
        room.write("Hello")
    assert len(site.hub.comments) == 100
    assert site.clock.slept == [60]


def test_a_few_writes_wait_for_nothing(site: Site) -> None:
    room = conversation(site)
    for _ in range(60):
        room.write("Hello")
    assert site.clock.slept == []


def test_without_a_pace_the_limit_stops_us_and_we_wait_as_told(site: Site) -> None:
    room = conversation(site, writes_per_minute=1_000)
    for _ in range(81):
        room.write("Hello")
    assert site.clock.slept == [60]
    assert len(site.hub.comments) == 81


@pytest.mark.parametrize("status", [403, 429])
def test_a_post_that_was_limited_was_not_done_and_is_sent_again(site: Site, status: int) -> None:
    room = conversation(site)
    trouble(site, f"POST .*{COMMENTS}", status, SECONDARY, {"Retry-After": "17"})
    room.write(summary())
    assert site.clock.slept[-1] == 17
    assert len(site.hub.comments) == 1


def test_the_hourly_limit_is_waited_for_until_its_reset(site: Site) -> None:
    reset = str(int(site.clock.now()) + 40)
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}
    room = conversation(site)
    trouble(site, f"GET .*{COMMENTS}", 403, PRIMARY, headers)
    assert room.comments() == []
    assert site.clock.slept == [41]


def test_a_limit_that_says_no_time_gets_a_minute(site: Site) -> None:
    room = conversation(site)
    trouble(site, f"GET .*{COMMENTS}", 429, SECONDARY, {})
    assert room.comments() == []
    assert site.clock.slept == [60]


def test_nobody_waits_an_hour_for_a_comment(site: Site) -> None:
    room = conversation(site)
    trouble(site, f"GET .*{COMMENTS}", 429, SECONDARY, {"Retry-After": "3600"})
    with pytest.raises(ForgeError, match=r"It holds until about \d\d:\d\d:\d\d UTC"):
        room.comments()
    assert site.clock.slept == []


def test_all_waits_of_a_job_share_one_budget(site: Site) -> None:
    room = conversation(site)
    for _ in range(2):
        trouble(site, f"GET .*{COMMENTS}", 429, SECONDARY, {"Retry-After": "50"})
        assert room.comments() == []
    trouble(site, f"GET .*{COMMENTS}", 429, SECONDARY, {"Retry-After": "50"})
    with pytest.raises(ForgeError, match="rate limit"):
        room.comments()
    assert site.clock.slept == [50, 50]


def test_a_server_that_fails_for_a_moment_is_asked_again(site: Site) -> None:
    room = conversation(site)
    for status in (500, 502, 503):
        trouble(site, f"GET .*{COMMENTS}", status, None, {})
    assert room.comments() == []
    assert site.clock.slept == [1, 2, 4]


def test_a_server_that_goes_on_failing_is_given_up(site: Site) -> None:
    room = conversation(site)
    for _ in range(4):
        trouble(site, f"GET .*{COMMENTS}", 503, None, {})
    with pytest.raises(ForgeError, match=r"GitHub failed to list the comments \(status 503\)"):
        room.comments()


@pytest.mark.parametrize(
    "error",
    [
        {"message": "Something went wrong while executing your query."},
        {"type": "RATE_LIMITED", "message": "API rate limit exceeded"},
    ],
)
def test_a_query_that_failed_with_status_200_is_asked_again(site: Site, error: Any) -> None:
    site.hub.comments.append({"id": 1, "body": summary(), "user": ACTIONS.said})
    room = conversation(site)
    trouble(site, "graphql", 200, {"errors": [error], "data": None}, {})
    assert len(room.comments()) == 1


def test_a_write_to_a_renamed_repository_was_not_done(site: Site) -> None:
    room = conversation(site)
    moved = {"message": "Temporary Redirect", "url": "https://api.github.com/repositories/1"}
    trouble(site, "PATCH", 307, moved, {"Location": moved["url"]})
    with pytest.raises(ForgeError, match="renamed"):
        room.edit("1", summary())


def test_the_token_does_not_follow_a_redirect_to_another_host(site: Site) -> None:
    room = conversation(site)
    trouble(site, f"GET .*{COMMENTS}", 301, {}, {"Location": "http://evil.example.org/"})
    sent = len(site.requests)
    with pytest.raises(ForgeError, match="redirected"):
        room.comments()
    assert len(site.requests) == sent + 1


def test_a_login_page_in_place_of_json_is_no_answer(site: Site) -> None:
    room = conversation(site)
    trouble(site, f"GET .*{COMMENTS}", 200, "<html>Sign in</html>", {})
    with pytest.raises(ForgeError, match="GitHub's answer has no list"):
        room.comments()


def test_a_proxy_that_repeats_the_token_does_not_get_it_into_the_log(site: Site) -> None:
    room = conversation(site)
    echo = {"message": "Denied: authorization token ghs-usual\n::error::gotcha"}
    trouble(site, f"GET .*{COMMENTS}", 403, echo, {})
    with pytest.raises(NotAllowed) as refused:
        room.comments()
    assert "token ***?::error::gotcha" in refused.value.what
    assert "ghs-usual" not in "".join(traceback.format_exception(refused.value))


def test_a_refusal_is_no_longer_than_a_line(site: Site) -> None:
    room = conversation(site)
    trouble(site, f"GET .*{COMMENTS}", 403, {"message": "no " * 9_000}, {})
    with pytest.raises(NotAllowed) as refused:
        room.comments()
    assert len(refused.value.what) < 400
