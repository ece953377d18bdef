"""Addresses: as browsers resolve them, and the quick way like the thorough one."""

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.site.document.address import Addresses, based

BASE = "https://example.org/a/page?x=1"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", BASE),
        ("/", "https://example.org/"),
        ("/b/c.html", "https://example.org/b/c.html"),
        ("b", "https://example.org/a/b"),
        ("./b", "https://example.org/a/b"),
        ("../b", "https://example.org/b"),
        ("../../../b", "https://example.org/b"),
        ("?q=1", "https://example.org/a/page?q=1"),
        ("#top", "https://example.org/a/page?x=1#top"),
        ("//other.example/x", "https://other.example/x"),
        ("http://example.org", "http://example.org/"),
        ("https://example.org:443/x", "https://example.org/x"),
        ("HTTPS://EXAMPLE.ORG/X", "https://example.org/X"),
        ("  /spaced \n", "https://example.org/spaced"),
        ("/in\nner", "https://example.org/inner"),
        ("/a b", "https://example.org/a%20b"),
        ("/a?", "https://example.org/a?"),
        ("b?", "https://example.org/a/b?"),
        ("b;", "https://example.org/a/b;"),
        ("b//c", "https://example.org/a/b//c"),
        ("b#", "https://example.org/a/b"),
        ("?", "https://example.org/a/page?"),
        (".", "https://example.org/a/"),
        ("..", "https://example.org/"),
        ("/b/./c/../d", "https://example.org/b/d"),
        ("/b/%2E%2e/c", "https://example.org/c"),
        ("/.well-known/x", "https://example.org/.well-known/x"),
        ("/b/...", "https://example.org/b/..."),
        ("///other.example/x", "https://other.example/x"),
        ("\\\\other.example\\x", "https://other.example/x"),
        ("https:b", "https://example.org/a/b"),
        ("http:b", "http://b/"),
        ("http://u:p@example.org/x", "http://u:p@example.org/x"),
        ("http://localhost:3000/x", "http://localhost:3000/x"),
        ("http://[::1]:80/x", "http://[::1]/x"),
        ("https://999.1.1.1/", ""),
        ("https://example.org/" + "x" * 70_000 + "?a b", ""),
        ("java\nscript:x", "javascript:x"),
        ("/%zz", "https://example.org/%zz"),
        ("/ä?ö#ü", "https://example.org/%C3%A4?%C3%B6#%C3%BC"),
        ("/a`?b`#c`", "https://example.org/a%60?b`#c%60"),
        ("\\back\\slash", "https://example.org/back/slash"),
        ("/q?a=\\b", "https://example.org/q?a=\\b"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("/%7euser", "https://example.org/%7euser"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("JavaScript:alert(1)", "javascript:alert(1)"),
        ("data:text/plain,x y", "data:text/plain,x y"),
        ("tel:+49 30 1", "tel:+49 30 1"),
        ("http://[::1", ""),
        ("http://", ""),
        ("http://example.org:99999/", ""),
        ("http://a b/", ""),
    ],
)
def test_an_address_is_resolved_as_browsers_do(written: str, expected: str) -> None:
    assert Addresses(BASE).absolute(written) == expected


LETTERS = st.text(alphabet="abzA9_~!$&()*+,;=:@/.-?#%' \\", max_size=30)


@given(LETTERS, st.sampled_from([BASE, "http://example.org:8080/x/", "https://example.org"]))
def test_the_quick_way_leads_where_the_thorough_one_does(written: str, base: str) -> None:
    addresses = Addresses(base)
    assert addresses.absolute(written) == Thorough(base).absolute(written)


class Thorough(Addresses):
    """Without the quick way."""

    def _quickly(self, address: str) -> str:
        return ""


@pytest.mark.parametrize("base", ["", "nonsense", "about:blank", "http://[", "data:text/html,x"])
@pytest.mark.parametrize("written", ["", "x", "/x", "//example.org/x", "?x", "#x"])
def test_nothing_is_relative_to_what_is_no_web_address(base: str, written: str) -> None:
    assert Addresses(base).absolute(written) == ""
    assert Addresses(base).absolute("https://example.org/x") == "https://example.org/x"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_resolved_or_empty(written: str, base: str) -> None:
    assert isinstance(Addresses(base).absolute(written), str)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", "https://example.org/a"),
        ("/b/", "https://example.org/b/"),
        ("https://other.example/", "https://other.example/"),
        ("javascript:x", "https://example.org/a"),
        ("http://[", "https://example.org/a"),
    ],
)
def test_a_base_is_a_web_address_or_none(written: str, expected: str) -> None:
    assert based("https://example.org/a", written) == expected


def test_what_is_resolved_can_be_asked_for() -> None:
    assert httpx.URL(Addresses(BASE).absolute("/ä?ö#ü")).host == "example.org"
