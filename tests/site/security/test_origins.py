"""Addresses: read as browsers read them, and never an error."""

import pytest

from mergegate.site.security.origins import (
    host,
    is_loopback,
    is_trustworthy,
    origin,
    parts,
    same_site,
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://Example.org:443/a?b", "https://example.org"),
        ("http://example.org:8080", "http://example.org:8080"),
        ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443"),
        ("data:text/plain,x", ""),
        ("/a", ""),
        ("http://[", ""),
        ("https://a:99999/", ""),
        ("https://a:b/", ""),
    ],
)
def test_an_origin_is_what_browsers_send(url: str, expected: str) -> None:
    assert origin(url) == expected


@pytest.mark.parametrize(
    ("name", "home", "site", "same"),
    [
        ("static.example.org", "www.example.org", "example.org", True),
        ("example.org", "www.example.org", "example.org", True),
        ("example.net", "www.example.org", "example.org", False),
        ("notexample.org", "www.example.org", "example.org", False),
        ("b.co.uk", "a.co.uk", "a.co.uk", False),
        ("b.github.io", "a.github.io", "a.github.io", False),
        ("192.0.2.2", "192.0.2.1", "192.0.2.1", False),
        ("www.example.org", "www.example.org", "", True),
        ("static.example.org", "www.example.org", "", False),
        ("", "www.example.org", "", False),
    ],
)
def test_a_site_is_what_one_owner_has(name: str, home: str, site: str, same: bool) -> None:
    assert same_site(name, home, site) is same


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://localhost:3000/", True),
        ("http://app.localhost/", True),
        ("http://127.1.2.3/", True),
        ("http://[::1]/", True),
        ("http://localhost.example.org/", False),
        ("http://10.0.0.1/", False),
    ],
)
def test_browsers_trust_their_own_machine_alone(url: str, here: bool) -> None:
    assert is_loopback(url) is here
    assert is_trustworthy(url) is here
    assert is_trustworthy(url.replace("http:", "https:"))


def test_what_cannot_be_read_has_no_host() -> None:
    assert host("http://[") == parts("http://[").path == ""
