"""A host has one spelling; what two readers could take for two hosts is refused."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.core.errors import UsageError
from mergegate.sandbox.egress.destination import Refused, destination, request_target, tunnel_target
from mergegate.sandbox.egress.policy import Policy


@pytest.mark.parametrize(
    ("target", "host", "port", "path"),
    [
        (b"http://example.org/", "example.org", 80, b"/"),
        (b"HTTP://EXAMPLE.org./a?b=c", "example.org", 80, b"/a?b=c"),
        (b"http://example.org", "example.org", 80, b"/"),
        (b"http://example.org?x=/@y", "example.org", 80, b"/?x=/@y"),
        (b"http://example.org:8080/a:b@c//d", "example.org", 8080, b"/a:b@c//d"),
        (b"http://my_site.example.org/", "my_site.example.org", 80, b"/"),
        (b"http://xn--bcher-kva.example.org/", "xn--bcher-kva.example.org", 80, b"/"),
        (b"http://8.8.2056/", "8.8.8.8", 80, b"/"),
        (b"http://0x8080808/", "8.8.8.8", 80, b"/"),
        (b"http://134744072:81/", "8.8.8.8", 81, b"/"),
        (b"http://[2606:4700:0::1111]:8080/", "2606:4700::1111", 8080, b"/"),
    ],
)
def test_an_absolute_address_is_read(target: bytes, host: str, port: int, path: bytes) -> None:
    to, asked = request_target(target)
    assert (to.host, to.port, asked) == (host, port, path)


@pytest.mark.parametrize(
    "target",
    [
        *(b"/", b"*", b"example.org", b"example.org:80", b"//example.org/", b"", b"http:/x/"),
        *(
            b"http:example.org",
            b"http:///x",
            b"http://:80/",
            b"http://example.org:/",
            b"ftp://x.org/",
        ),
        *(
            b"https://example.org/",
            b"file:///etc/passwd",
            b"ws://example.org/",
            b"data:text/html,x",
        ),
        *(b"http://example.org:0/", b"http://example.org:65536/", b"http://example.org:080/"),
        *(
            b"http://example.org:80:80/",
            b"http://example.org:+80/",
            b"http://example.org:8\xd9\xa0/",
        ),
        *(b"http://a@example.org/", b"http://example.org#@x/", b"http://example.org/#x"),
        *(
            b"http://example.org\\x/",
            b"http://example.org\\@127.0.0.1/",
            b"view-source:http://x.org/",
        ),
    ],
)
def test_what_is_no_plain_http_address_is_unreadable(target: bytes) -> None:
    with pytest.raises(Refused) as refused:
        request_target(target)
    assert refused.value.status in {400, 403}


@pytest.mark.parametrize(
    "target",
    [
        *(b"example.org", b"example.org:", b":443", b"[::1]", b"::1:443", b"2606:4700::1:443"),
        *(
            b"example.org:443/",
            b"http://example.org:443",
            b"a@example.org:443",
            b"example.org:44 3",
        ),
        *(b"example.org:0443", b"example.org:443:443", b"[::1]x:443", b"[::1:443", b"*:443"),
    ],
)
def test_a_tunnel_names_a_host_and_a_port(target: bytes) -> None:
    with pytest.raises(Refused):
        tunnel_target(target)


@pytest.mark.parametrize(
    ("target", "authority"),
    [
        (b"example.org:443", "example.org:443"),
        (b"[2606:4700::1]:80", "[2606:4700::1]"),
        (b"[2606:4700::1]:81", "[2606:4700::1]:81"),
    ],
)
def test_a_destination_is_written_as_a_host_header(target: bytes, authority: str) -> None:
    assert tunnel_target(target).authority == authority


@given(st.text(max_size=40), st.integers(-1, 70_000))
def test_reading_a_host_twice_changes_nothing(host: str, port: int) -> None:
    try:
        once = destination(host, port)
    except Refused:
        return
    assert destination(once.host, once.port) == once
    assert once.host.isascii()
    assert once.host == once.host.lower()


@given(st.binary(max_size=60))
def test_any_target_is_read_or_refused(target: bytes) -> None:
    with contextlib.suppress(Refused):
        assert tunnel_target(target).host
    with contextlib.suppress(Refused):
        assert request_target(b"http://" + target)[1].startswith(b"/")


@pytest.mark.parametrize(
    ("host", "port"),
    [
        *(("", 80), ("a b", 80), ("localhost", 0), ("01.1.1.1", 80), ("169.254.169.254", 80)),
        *(("metadata.google.internal", 80), ("0.0.0.0", 3000), ("user@localhost", 80)),
    ],
)
def test_an_owner_cannot_name_what_no_scan_may_reach(host: str, port: int) -> None:
    with pytest.raises(UsageError):
        Policy(allowed=frozenset({(host, port)}))


def test_an_owner_may_spell_a_host_as_he_likes() -> None:
    policy = Policy(allowed=frozenset({("LocalHost.", 3000), ("[::1]", 1), ("0x7f.1", 2)}))
    assert policy.allowed == {("localhost", 3000), ("::1", 1), ("127.0.0.1", 2)}
