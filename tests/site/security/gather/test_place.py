"""Where an address leads."""

import pytest

from mergegate.site.address import is_local
from mergegate.site.security.gather.gathering import registered_for, same_site
from mergegate.site.security.origins import is_named, plain, plain_twin


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:3000/", True),
        ("http://shop.localhost/", True),
        ("http://127.0.0.1/", True),
        ("http://[::1]:8080/", True),
        ("http://10.1.2.3/", True),
        ("http://100.64.0.1/", True),
        ("http://preview.internal/", True),
        ("http://shop.test/", True),
        ("http://intranet/", True),
        ("http://localhost./", True),
        ("https://example.org./", False),
        ("https://example.org/", False),
        ("https://localhost.example.org/", False),
        ("https://8.8.8.8/", False),
    ],
)
def test_an_address_is_of_this_machine_or_a_private_network(url: str, local: bool) -> None:
    assert is_local(url) is local


@pytest.mark.parametrize(
    ("url", "twin"),
    [
        ("https://example.org/a?b=c", "http://example.org/a?b=c"),
        ("https://example.org:443/", "http://example.org/"),
        ("https://[2001:db8::1]/", "http://[2001:db8::1]/"),
        ("https://example.org:8443/", ""),
        ("http://example.org/", ""),
    ],
)
def test_an_address_over_http(url: str, twin: str) -> None:
    assert plain_twin(url) == twin


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.example.co.uk:8443/a", "example.co.uk"),
        ("https://a.github.io/", "a.github.io"),
        ("https://example.org./", "example.org"),
        ("https://8.8.8.8/", "8.8.8.8"),
        ("http://localhost:3000/", "localhost"),
    ],
)
def test_a_domain_is_what_somebody_registered(url: str, domain: str) -> None:
    assert registered_for(url) == domain


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://example.org/", "https://www.example.org/a", True),
        ("http://example.org:8080/", "https://example.org/", True),
        ("https://example.org./", "https://example.org/", True),
        ("https://a.example.co.uk/", "https://b.example.co.uk/", True),
        ("https://[2001:db8::1]/", "http://[2001:db8::1]:8080/", True),
        ("https://one.co.uk/", "https://other.co.uk/", False),
        ("https://one.github.io/", "https://other.github.io/", False),
        ("https://example.org/", "https://example.net/", False),
        ("http://127.0.0.1/", "http://127.0.0.2/", False),
    ],
)
def test_two_addresses_are_of_one_site(one: str, other: str, same: bool) -> None:
    assert same_site(one, other) is same


@pytest.mark.parametrize(
    ("host", "named"),
    [
        ("example.org", True),
        ("1.example.org", True),
        ("localhost", False),
        ("127.0.0.1", False),
        ("::ffff:127.0.0.1", False),
    ],
)
def test_a_host_has_a_name_that_others_could_look_like(host: str, named: bool) -> None:
    assert is_named(host) is named


def test_a_plain_address_holds_no_query() -> None:
    assert plain("https://example.org/a?b=c#d?e") == "https://example.org/a"
