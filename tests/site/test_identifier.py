"""Names of reports: in the order of their making, and not to be guessed."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.site.level import RANDOM_BYTES, identifier

_moments = st.integers(0, 2**40).map(
    lambda s: dt.datetime(2026, 1, 31, tzinfo=dt.UTC) + dt.timedelta(milliseconds=s)
)
_random = st.binary(min_size=RANDOM_BYTES, max_size=RANDOM_BYTES)


@given(_moments, _moments, _random, _random)
def test_what_was_made_later_comes_later(
    one: dt.datetime, other: dt.datetime, first: bytes, second: bytes
) -> None:
    if abs(one - other) >= dt.timedelta(milliseconds=1):
        names = identifier("aud_", one, first), identifier("aud_", other, second)
        assert (names[0] < names[1]) is (one < other)


def test_all_that_is_random_stands_in_the_name() -> None:
    moment = dt.datetime(2026, 1, 31, tzinfo=dt.UTC)
    assert identifier("bt_", moment, b"\xab" * RANDOM_BYTES).endswith("ab" * RANDOM_BYTES)


def test_a_name_that_could_be_guessed_is_refused() -> None:
    with pytest.raises(ValueError, match="random"):
        identifier("bt_", dt.datetime(2026, 1, 31, tzinfo=dt.UTC), b"\0" * (RANDOM_BYTES - 1))
