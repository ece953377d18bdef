"""The address of a host is one that the key may go to."""

import pytest

from mergegate.core.errors import UsageError
from mergegate.remote.host import KEY_VARIABLE, host

KEYED = {KEY_VARIABLE: " mg_abc \n"}


@pytest.mark.parametrize(
    ("given", "url", "name"),
    [
        ("https://gate.example.org", "https://gate.example.org", "gate.example.org"),
        (" https://Gate.example.org/ ", "https://gate.example.org", "gate.example.org"),
        ("https://example.org:8443/gate/", "https://example.org:8443/gate", "example.org:8443"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "127.0.0.1:8080"),
        ("http://localhost:8080/", "http://localhost:8080", "localhost:8080"),
        ("http://[::1]:8080", "http://[::1]:8080", "[::1]:8080"),
    ],
)
def test_an_address_has_one_spelling(given: str, url: str, name: str) -> None:
    found = host(given, KEYED)
    assert (found.url, found.name, found.key) == (url, name, "mg_abc")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("http://gate.example.org", "could read the key"),
        ("http://localhost.example.org", "could read the key"),
        ("http://127.0.0.1.example.org", "could read the key"),
        ("gate.example.org", "names no host"),
        ("ftp://gate.example.org", "neither https"),
        ("gate.example.org:80", "names no host"),
        ("file:///etc/passwd", "names no host"),
        ("https://user:secret@gate.example.org", "holds credentials"),
        ("https://gate.example.org/?key=1", "more than a host"),
        ("https://gate.example.org/#x", "more than a host"),
        ("https://gate.example.org/a%2f..", "more than a host"),
        ("https://gate.example.org:port", "cannot be read"),
        ("https://[::1", "cannot be read"),
        ("https://gäte.example.org", "no address has"),
        ("https://gate.example.org\nX: y", "no address has"),
        ("https://" + "a" * 3000, "no address has"),
        ("https://", "names no host"),
        ("", "names no host"),
    ],
)
def test_what_is_no_address_for_a_key_is_refused(given: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as caught:
        host(given, KEYED)
    assert "secret" not in str(caught.value)


def test_plain_http_is_a_decision_of_the_caller() -> None:
    assert host("http://gate.example.org", KEYED, plain_http=True).is_secure is False


@pytest.mark.parametrize("key", ["", "  ", "mg_a b", "mg_\x1b[31m", "mg_ä", "k" * 600, "a\r\nX: y"])
def test_what_is_no_key_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(UsageError, match=KEY_VARIABLE) as caught:
        host("https://gate.example.org", {KEY_VARIABLE: key})
    assert not key.strip() or key not in str(caught.value)
