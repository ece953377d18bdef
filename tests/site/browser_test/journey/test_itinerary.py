"""Which links are pages to visit, and in which order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.site.browser_test.journey.page import Stop
from mergegate.site.browser_test.journey.travel import Itinerary, identity, leads_on

HERE = "https://example.org"


@pytest.mark.parametrize(
    "url",
    [
        f"{HERE}/",
        f"{HERE}/about",
        f"{HERE}:443/about",
        f"{HERE}/about?page=2#team",
        f"{HERE}/blog/logging-out-loud",
        f"{HERE}/blog/v1.2",
        f"{HERE}/deleted-scenes",
        f"{HERE}/catalogue.html",
        f"{HERE}/index.php?id=7",
        f"{HERE}/#/settings",
    ],
)
def test_a_page_of_the_site_is_followed(url: str) -> None:
    assert leads_on(url, HERE)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://www.example.org/",
        "https://example.org:8443/",
        "https://example.org.evil.example/",
        "https://example.org@evil.example/",
        "mailto:you@example.org",
        "javascript:void(0)",
        "tel:+123",
        "https://[broken/",
        "https://example.org:99999/",
        f"{HERE}/logout",
        f"{HERE}/user/sign-out",
        f"{HERE}/account?action=log_out",
        f"{HERE}/users/5/delete",
        f"{HERE}/users/5?do=%64elete",
        f"{HERE}/#/sign_out",
        f"{HERE}/cart?add-to-cart=12",
        f"{HERE}/newsletter/unsubscribe?u=1",
        f"{HERE}/manual.pdf",
        f"{HERE}/app.tar.gz?v=2",
        f"{HERE}/photo.JPG",
    ],
)
def test_what_is_no_page_or_may_change_something_is_not(url: str) -> None:
    assert not leads_on(url, HERE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{HERE}/a", f"{HERE}/a#part"),
        (f"{HERE}/a", f"{HERE}:443/a"),
        (f"{HERE}", f"{HERE}/"),
        (f"{HERE}/a?x=1", f"{HERE}/a?x=1&utm_source=mail&gclid=abc"),
    ],
)
def test_two_addresses_of_one_page_are_the_same(one: str, other: str) -> None:
    assert identity(one) == identity(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{HERE}/a", f"{HERE}/b"),
        (f"{HERE}/a", f"{HERE}/a?x=1"),
        (f"{HERE}/", f"{HERE}/#/a"),
        (f"{HERE}/a", "http://example.org/a"),
    ],
)
def test_two_pages_are_not(one: str, other: str) -> None:
    assert identity(one) != identity(other)


def test_the_pages_come_level_by_level_in_the_order_of_their_links() -> None:
    plan = Itinerary(f"{HERE}/")
    assert plan.take(9) == (Stop(f"{HERE}/", 0),)
    plan.add([f"{HERE}/b", f"{HERE}/a", f"{HERE}/b#x", f"{HERE}/"], 1)
    assert plan.take(1) == (Stop(f"{HERE}/b", 1),)
    plan.add([f"{HERE}/c"], 2)
    assert plan.take(9) == (Stop(f"{HERE}/a", 1),)
    assert plan.take(9) == (Stop(f"{HERE}/c", 2),)
    assert plan.take(9) == ()
    assert plan.found == 4


@given(st.text())
def test_no_address_is_too_odd(text: str) -> None:
    for url in (text, f"https://{text}", f"{HERE}/{text}"):
        assert leads_on(url, HERE) in {True, False}
