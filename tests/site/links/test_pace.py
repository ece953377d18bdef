"""Second tries, waiting as asked, and asking no faster than a host likes."""

import threading
import time
from email.utils import formatdate

import pytest

from mergegate.site.browser_test.facts import LinkState
from mergegate.site.links.bounds import Bounds
from tests.site.links.places import Asked, LeapingClock, Say, check, place


class Recovering:
    """Fails ``times`` times, then is well."""

    def __init__(self, failure: Say, times: int) -> None:
        self._failure = failure
        self._left = times
        self._lock = threading.Lock()

    def __call__(self, asked: Asked) -> Say:
        with self._lock:
            self._left -= 1
            return self._failure if self._left >= 0 else Say()


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_what_passes_is_alive(status: int) -> None:
    with place(**{"/x": Recovering(Say(status, ""), 2)}) as own:
        clock = LeapingClock()
        answer = check(own, [own.at("/x")], clock=clock)[own.at("/x")]
        assert (answer.state, answer.attempts) == (LinkState.ALIVE, 3)
        assert clock.slept[:2] == [0.5, 1.0]


@pytest.mark.parametrize("status", [404, 410, 403, 401, 501])
def test_what_does_not_pass_is_asked_once(status: int) -> None:
    with place(**{"/x": Say(status, "")}) as own:
        assert check(own, [own.at("/x")])[own.at("/x")].attempts == 1


def test_retry_after_in_seconds_is_waited_for() -> None:
    with place(**{"/x": Recovering(Say(429, "", [("Retry-After", "7")]), 1)}) as own:
        clock = LeapingClock()
        assert check(own, [own.at("/x")], clock=clock)[own.at("/x")].state is LinkState.ALIVE
        assert clock.slept[0] == 7.0


def test_retry_after_as_a_date_is_waited_for() -> None:
    def busy(asked: Asked) -> Say:
        # http.server writes a Date of its own, and that is what counts.
        later = formatdate(time.time() + 9, usegmt=True)
        return Say(503, "", [("Retry-After", later)]) if len(own.asked) == 1 else Say()

    with place(**{"/x": busy}) as own:
        clock = LeapingClock()
        assert check(own, [own.at("/x")], clock=clock)[own.at("/x")].state is LinkState.ALIVE
    assert 7 <= clock.slept[0] <= 10


@pytest.mark.parametrize("value", ["3600", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_wait_that_is_too_long_is_not_waited_for(value: str) -> None:
    with place(**{"/x": Say(429, "", [("Retry-After", value)])}) as own:
        clock = LeapingClock()
        answer = check(own, [own.at("/x")], clock=clock)[own.at("/x")]
        assert (answer.state, answer.attempts, clock.slept) == (LinkState.BLOCKED, 1, [])


@pytest.mark.parametrize("value", ["", "soon", "-5", "1.5", "٣", "Fri, 99 Foo 2026", "NaN"])
def test_a_wait_that_cannot_be_read_is_none(value: str) -> None:
    with place(
        **{"/x": Recovering(Say(429, "", [("Retry-After", value.encode().decode("latin-1"))]), 1)}
    ) as own:
        clock = LeapingClock()
        assert check(own, [own.at("/x")], clock=clock)[own.at("/x")].state is LinkState.ALIVE
        assert clock.slept[0] == 0.5


def test_a_busy_host_is_left_alone_for_all_its_links() -> None:
    with place() as own:
        own.routes |= {
            f"/{number}": Recovering(Say(429, "", [("Retry-After", "3")]), 1)
            for number in range(30)
        }
        links = [own.at(f"/{number}") for number in range(30)]
        found = check(own, links)
        assert {one.state for one in found.values()} == {LinkState.ALIVE}


def test_no_more_than_agreed_at_once_to_one_host() -> None:
    with place() as own:
        gate = threading.Event()
        own.routes |= {f"/{n}": lambda _: (gate.wait(0.05), Say())[1] for n in range(40)}
        check(own, [own.at(f"/{n}") for n in range(40)], bounds=Bounds(per_host=3, widest=3))
        assert own.most_at_once == 3


def test_no_more_than_agreed_at_once_to_all_hosts() -> None:
    with place() as own, place() as other:
        gate = threading.Event()
        for there in (own, other):
            there.routes |= {f"/{n}": lambda _: (gate.wait(0.05), Say())[1] for n in range(20)}
        links = [there.at(f"/{n}") for n in range(20) for there in (own, other)]
        check(own, links, other, bounds=Bounds(at_once=4))
        assert max(own.most_at_once, other.most_at_once) <= 4
