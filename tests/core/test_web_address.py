"""An origin is scheme, host and port in one spelling; no address is too odd to be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.core.web_address import DEFAULT_PORTS, origin


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/a?b=https://c.org/", "https://example.org"),
        ("HTTPS://EXAMPLE.org:443/a", "https://example.org"),
        ("http://example.org:443/a", "http://example.org:443"),
        ("http://me:secret@example.org:8080/a", "http://example.org:8080"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("wss://example.org/", ""),
        ("data:text/plain,x", ""),
        ("https://example.org:port/", ""),
        ("https://[/", ""),
        ("https:///a", ""),
        ("", ""),
    ],
)
def test_an_origin_is_scheme_host_and_port(url: str, expected: str) -> None:
    assert origin(url) == expected


def test_the_ports_name_the_schemes_that_have_an_origin() -> None:
    assert origin("wss://example.org:443/a", {**DEFAULT_PORTS, "wss": 443}) == "wss://example.org"


@given(st.text())
def test_no_address_is_too_odd(text: str) -> None:
    for url in (text, f"https://{text}", f"https://example.org/{text}"):
        assert origin(url) == "" or origin(url).startswith("http")
