"""Where an address leads."""

import pytest

from mergegate.gather.security_scan.place import is_local, origin, plain_twin


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
    ("url", "expected"),
    [
        ("https://EXAMPLE.org/a", "https://example.org:443"),
        ("http://example.org:8080/a", "http://example.org:8080"),
        ("data:text/plain,x", ""),
        ("https://example.org:port/", ""),
        ("https://[/", ""),
        ("", ""),
    ],
)
def test_an_origin_has_scheme_host_and_port(url: str, expected: str) -> None:
    assert origin(url) == expected
