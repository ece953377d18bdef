"""How many requests a key may make."""

from hypothesis import given
from hypothesis import strategies as st

from mergegate.host.api import limits
from mergegate.host.api.limits import WINDOW_S, RateLimits

MOMENTS = st.lists(st.floats(0, 600), max_size=80).map(sorted)


def test_the_request_beyond_the_limit_waits_for_the_first_to_be_a_minute_old() -> None:
    counted = RateLimits()
    assert [counted.wait_s("a", 3, at) for at in (10.9, 20, 30)] == [0, 0, 0]
    assert counted.wait_s("a", 3, 40) == 30
    assert counted.wait_s("a", 3, 69.9) == 1
    assert counted.wait_s("a", 3, 70) == 0
    assert counted.wait_s("a", 3, 70) == 10


def test_keys_are_counted_apart() -> None:
    counted = RateLimits()
    assert [counted.wait_s(key, 1, 0) for key in ("a", "b", "a")] == [0, 0, 60]


@given(MOMENTS, st.integers(1, 5))
def test_no_minute_ever_holds_more_than_the_limit(moments: list[float], limit: int) -> None:
    counted = RateLimits()
    taken = [at for at in moments if counted.wait_s("a", limit, at) == 0]
    for start in taken:
        assert sum(start <= at < start + WINDOW_S - 1 for at in taken) <= limit


@given(MOMENTS, st.integers(1, 5))
def test_whoever_waits_as_long_as_told_is_let_in(moments: list[float], limit: int) -> None:
    counted = RateLimits()
    now_s = 0.0
    for at in moments:
        now_s = max(now_s, at)
        wait_s = counted.wait_s("a", limit, now_s)
        assert 0 <= wait_s <= WINDOW_S
        if wait_s:
            now_s += wait_s
            assert counted.wait_s("a", limit, now_s) == 0


def test_keys_that_are_not_used_are_forgotten() -> None:
    counted = RateLimits()
    for number in range(limits._MOST_KEYS + 10):
        counted.wait_s(str(number), 1, 0)
    assert len(counted._keys) == limits._MOST_KEYS
