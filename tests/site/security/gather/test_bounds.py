"""What becomes of requests when time runs out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Request
from mergegate.site.security.gather.bounds import DeadlineClient


@dataclass
class Site:
    """Answers everything at once, and remembers how it was asked."""

    asked: list[list[Request]] = field(default_factory=list)

    def many(
        self, requests: Sequence[Request], *, at_once: int | None = None
    ) -> tuple[Fetched, ...]:
        assert at_once is None
        self.asked.append(list(requests))
        return tuple(Fetched(url=one.url) for one in requests)


REQUESTS = [Request(f"https://example.org/{number}") for number in range(5)]


def test_requests_go_out_in_turns_and_come_back_in_their_order() -> None:
    site = Site()
    answers = DeadlineClient(site, 60).many(REQUESTS, at_once=2)
    assert [len(turn) for turn in site.asked] == [2, 2, 1]
    assert [one.url for one in answers] == [one.url for one in REQUESTS]


def test_no_request_may_take_more_than_half_of_the_time() -> None:
    site = Site()
    DeadlineClient(site, 60).many(REQUESTS)
    assert all(0 < (one.timeout_s or 0) <= 30 for turn in site.asked for one in turn)


def test_when_the_time_is_over_nothing_is_asked_and_that_is_counted() -> None:
    site = Site()
    timed = DeadlineClient(site, 0)
    answers = timed.many(REQUESTS)
    assert {one.failure for one in answers} == {"there is no time left to ask"}
    assert (site.asked, timed.unasked) == ([], 5)
