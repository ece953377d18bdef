"""An address has one spelling from the first moment on, or is refused without being repeated."""

from contextlib import suppress

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.core.errors import TargetNotAllowed, UsageError
from mergegate.sandbox.egress.policy import PUBLIC
from mergegate.site.address import (
    LONGEST,
    host_and_port,
    policy_for,
    registered,
    site_address,
)

REGISTERED = [
    ("example.org", "example.org"),
    ("www.a.example.org", "example.org"),
    ("www.abc.de", "abc.de"),
    ("shop.example.co.uk", "example.co.uk"),
    ("example.com.au", "example.com.au"),
    ("one.github.io", "one.github.io"),
    ("www.one.github.io", "one.github.io"),
    ("github.io", "github.io"),
    ("a.b.example.city.kawasaki.jp", "city.kawasaki.jp"),
    ("www.xn--bcher-kva.example", "xn--bcher-kva.example"),
    ("localhost", "localhost"),
    ("127.0.0.1", "127.0.0.1"),
    ("10.127.0.1", "10.127.0.1"),
    ("[2001:db8::1]", "[2001:db8::1]"),
    ("[::ffff:198.51.100.7]", "198.51.100.7"),
    ("::ffff:c633:6407", "198.51.100.7"),
    ("", ""),
]


@pytest.mark.parametrize(("host", "domain"), REGISTERED)
def test_a_host_belongs_to_the_domain_that_was_registered(host: str, domain: str) -> None:
    assert registered(host) == domain


SPELLINGS = [
    # A scheme is added: none of these has one.
    ("example.org", "https://example.org/"),
    ("  example.org ", "https://example.org/"),
    ("//example.org/a", "https://example.org/a"),
    ("example.org/a?b=c", "https://example.org/a?b=c"),
    ("example.org:8443", "https://example.org:8443/"),
    ("example.org:443/a", "https://example.org/a"),
    ("localhost", "http://localhost/"),
    ("localhost:3000", "http://localhost:3000/"),
    ("localhost:3000/a?b", "http://localhost:3000/a?b"),
    ("localhost:3000#top", "http://localhost:3000/"),
    ("app.localhost:3000", "http://app.localhost:3000/"),
    ("127.0.0.1:8000", "http://127.0.0.1:8000/"),
    ("[::1]:8000/a", "http://[::1]:8000/a"),
    ("localhost.example.org", "https://localhost.example.org/"),
    # The host is in its one spelling.
    ("HTTP://EXAMPLE.ORG", "http://example.org/"),
    ("https://example.org.", "https://example.org/"),
    ("https://bücher.example", "https://xn--bcher-kva.example/"),
    ("https://BÜCHER.example", "https://xn--bcher-kva.example/"),
    ("https://例え.テスト/", "https://xn--r8jz45g.xn--zckzah/"),
    ("https://faß.example", "https://xn--fa-hia.example/"),
    ("https://a。example", "https://a.example/"),
    ("http://127.1", "http://127.0.0.1/"),
    ("http://0x7f.0.0.1", "http://127.0.0.1/"),
    ("http://2130706433", "http://127.0.0.1/"),
    ("http://[0:0::1]", "http://[::1]/"),
    ("http://[::FFFF:0:0:1]", "http://[::ffff:0:0:1]/"),
    # The usual port goes, another stays.
    ("http://example.org:80/", "http://example.org/"),
    ("https://example.org:443", "https://example.org/"),
    ("https://example.org:80", "https://example.org:80/"),
    ("http://example.org:443", "http://example.org:443/"),
    ("http://example.org:00080", "http://example.org/"),
    # Path and query stay; a fragment is the browser's business.
    ("https://example.org/a#b", "https://example.org/a"),
    ("https://example.org#b", "https://example.org/"),
    ("https://example.org?a=b", "https://example.org/?a=b"),
    ("https://example.org/?", "https://example.org/"),
    ("https://example.org//a", "https://example.org//a"),
    ("https://example.org/ä", "https://example.org/%C3%A4"),
    ("https://example.org/%C3%A4?%zz", "https://example.org/%C3%A4?%zz"),
    ("https://example.org/a'b?a'b", "https://example.org/a'b?a%27b"),
    ('https://example.org/?a="<>', "https://example.org/?a=%22%3C%3E"),
    ("https://example.org/@me", "https://example.org/@me"),
    ("https://example.org/?u=a@b:c", "https://example.org/?u=a@b:c"),
]
REFUSED = [
    *("", "   ", "http://", "https://", "http:///a", "https://#", "http://:80", "//"),
    *("ftp://example.org", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,a"),
    *("about:blank", "chrome://gpu", "view-source:http://example.org", "blob:http://example.org/1"),
    *("mailto:me@example.org", "http:example.org", "https:/example.org", "ws://example.org"),
    *("http://user@example.org", "http://user:secret@example.org", "user:secret@example.org"),
    *("http://@example.org", "http://example.org@127.0.0.1", "user@example.org"),
    *("http://example.org:0", "http://example.org:65536", "http://example.org:", "http://a:b:80"),
    *("http://example.org:+80", "http://example.org:8_0", "http://example.org:８０", "http://a:-1"),
    *("http://exa mple.org", "http://example.org/a b", "http://example.org\\@127.0.0.1", "a\\b"),
    *("http://exa\tmple.org", "http://example.org/\n", "\x00example.org", "http://a\x7f.org"),
    *("http://exa\u200bmple.org", "http://example.org/\u202egro", "http://a\xa0b", "http://\ud800"),
    *("http://ex%61mple.org", "http://127.0.0.1%2f@a", "http://a..b", "http://.", "http://-a.org"),
    *("http://0177.0.0.1", "http://1.2.3.4.5", "http://256.1.1.1", "http://１２７.０.０.１"),
    *("http://①②⑦.0.0.1", "http://[::1", "http://::1", "http://[fe80::1%25eth0]", "http://[::1]a"),
    *("http://a,b", "http://a;b", "http://a|b", "http://a b", "http://<a>", f"http://{'a' * 64}.b"),
    *("example.org/" + "a" * LONGEST, "http://example.org/" + "ä" * 1000),
]


@pytest.mark.parametrize(("typed", "address"), SPELLINGS)
def test_an_address_is_spelled_in_one_way(typed: str, address: str) -> None:
    assert site_address(typed) == address


@pytest.mark.parametrize("address", sorted({address for _, address in SPELLINGS}))
def test_the_one_spelling_stays_as_it_is(address: str) -> None:
    assert site_address(address) == address


@pytest.mark.parametrize("typed", REFUSED, ids=ascii)
def test_what_is_no_page_is_refused_with_a_way_out(typed: str) -> None:
    with pytest.raises(UsageError, match="no address of a page") as caught:
        site_address(typed)
    assert caught.value.remedy


def test_a_password_is_not_repeated() -> None:
    with pytest.raises(UsageError) as caught:
        site_address("https://me:hunter2@example.org")
    assert "hunter2" not in str(caught.value)
    assert "--header" in str(caught.value)


@given(st.text(max_size=40) | st.from_regex(r"https?://[a-z0-9.@:\[\]/?#%\\-]{0,30}"))
def test_whatever_is_typed_is_refused_or_read_by_all_alike(typed: str) -> None:
    try:
        address = site_address(typed)
    except UsageError:
        return
    assert address.isascii()
    assert site_address(address) == address
    assert httpx.URL(address).scheme in {"http", "https"}
    with suppress(TargetNotAllowed):
        (named,) = policy_for(address).allowed
        assert named[0] == httpx.URL(address).raw_host.decode()


def test_the_named_host_and_port_alone_is_let_in() -> None:
    policy = policy_for("http://localhost:3000/", "https://preview.example.org/")
    assert policy.allowed == {("localhost", 3000), ("preview.example.org", 443)}
    assert policy.ports == PUBLIC.ports


def test_hosts_that_the_page_needs_are_let_in_too() -> None:
    assert policy_for("http://[::1]/", also=host_and_port("LOCALHOST.:3001")).allowed == {
        ("::1", 80),
        ("localhost", 3001),
    }


@pytest.mark.parametrize(
    "address", ["http://169.254.169.254/", "http://metadata.google.internal/", "http://[fe80::1]/"]
)
def test_what_no_scan_may_reach_is_refused_though_it_is_named(address: str) -> None:
    with pytest.raises(TargetNotAllowed):
        policy_for(site_address(address))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("api.local", (("api.local", 80), ("api.local", 443))),
        ("api.local:8080", (("api.local", 8080),)),
        ("[::1]:8080", (("::1", 8080),)),
        ("[::1]", (("::1", 80), ("::1", 443))),
        ("bücher.example:80", (("xn--bcher-kva.example", 80),)),
    ],
)
def test_a_host_has_a_port_or_both_usual_ones(
    text: str, expected: tuple[tuple[str, int], ...]
) -> None:
    assert host_and_port(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", ":80", "a:", "a:0", "a:65536", "a:b", "http://a", "a/b", "a@b:80", "::1", "a b", "*.a"],
)
def test_what_names_no_host_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no host"):
        host_and_port(text)
