"""A link opens one report until it expires, and nobody can make one."""

import datetime as dt
from urllib.parse import parse_qs, urlsplit

import pytest

from mergegate.host.web.repository import Links

NOON = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)
OLD, NEW = "a" * 40, "b" * 40
LINKS = Links((NEW,), "https://app.example.org/gate/")


def token(links: Links = LINKS, scan_id: str = "rs_1", now: dt.datetime = NOON) -> str:
    return parse_qs(urlsplit(links.link(scan_id, now)).query)["token"][0]


def test_the_address_is_that_of_the_specification() -> None:
    assert LINKS.link("rs_1", NOON).startswith("https://app.example.org/gate/repo?scan=rs_1&token=")


def test_a_link_is_the_same_all_day() -> None:
    assert token(now=NOON) == token(now=NOON + dt.timedelta(hours=11, minutes=59))


@pytest.mark.parametrize("hours", [0, 12, 7 * 24])
def test_a_link_opens_its_report_for_a_week(hours: int) -> None:
    assert LINKS.opens("rs_1", token(), NOON + dt.timedelta(hours=hours))


def test_a_link_ends_at_the_midnight_after() -> None:
    assert not LINKS.opens("rs_1", token(), dt.datetime(2026, 3, 12, tzinfo=dt.UTC))


def test_a_link_opens_no_other_report() -> None:
    assert not LINKS.opens("rs_2", token(), NOON)


def test_a_link_cannot_be_made_to_last() -> None:
    expires, _, signature = token().partition(".")
    assert not LINKS.opens("rs_1", f"{int(expires) + 86_400}.{signature}", NOON)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        ".",
        "1",
        "x.y",
        "-1.abc",
        "9999999999.",
        "９９９９９９９９９９.a",
        "99999999999999999999999.a",
        "nan.a",
    ],
)
def test_what_is_no_token_opens_nothing(wrong: str) -> None:
    assert not LINKS.opens("rs_1", wrong, NOON)


def test_a_link_outlives_the_rotation_of_keys() -> None:
    made = token(Links((OLD,), "https://app.example.org"))
    assert Links((NEW, OLD), "https://app.example.org").opens("rs_1", made, NOON)
    assert not Links((NEW,), "https://app.example.org").opens("rs_1", made, NOON)


def test_the_first_key_signs() -> None:
    made = token(Links((NEW, OLD), "https://app.example.org"))
    assert LINKS.opens("rs_1", made, NOON)
