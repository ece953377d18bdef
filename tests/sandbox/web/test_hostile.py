"""Servers that mean harm: every one ends in bounds, and as data."""

import contextlib
import gzip
import socket
import threading
import zlib
from collections.abc import Callable
from concurrent.futures import CancelledError

import pytest

from mergegate.sandbox.web import Bounds, Client, Request
from tests.sandbox.web.servers import Say, Site, raw, served_with, site, trust, web_of

MEBIBYTE = 1024 * 1024
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
PATIENCE_S = 0.5


def packed(body: bytes, coding: str) -> Say:
    return Say(200, body, (("Content-Type", "text/html"), ("Content-Encoding", coding)))


def test_a_body_is_read_as_far_as_is_wanted() -> None:
    with site({"/": Say(body=b"x" * 1000)}) as there, web_of(there) as web:
        found = web.get(there.at(), most_bytes=100)
        assert (len(found.body), found.whole, found.status) == (100, False, 200)
        assert web.get(there.at(), most_bytes=1000).whole
        nothing = web.get(there.at(), most_bytes=0)
        assert (nothing.body, nothing.whole, nothing.status) == (b"", False, 200)


def test_a_small_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(bytes(50 * MEBIBYTE))
    with site({"/": packed(bomb, "gzip")}) as there, web_of(there) as web:
        found = web.get(there.at())
        assert (len(found.body), found.whole) == (5 * MEBIBYTE, False)
        assert found.wire_bytes <= len(bomb)


@raw
def _endless(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"\r\n")
    while True:
        connection.sendall(b"x" * 65_536)


def _empty_members() -> Callable[[socket.socket], None]:
    """gzip that goes on and on and holds nothing."""
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = pack.compress(b"") + pack.flush(zlib.Z_FULL_FLUSH)
    nothing = pack.flush(zlib.Z_FULL_FLUSH) or b"\x00\x00\x00\xff\xff"

    @raw
    def serve(connection: socket.socket) -> None:
        connection.sendall(HEAD + b"Content-Encoding: gzip\r\n\r\n" + start)
        while True:
            connection.sendall(nothing * 10_000)

    return serve


@pytest.mark.parametrize("serve", [_endless, _empty_members()], ids=["plain", "packed"])
def test_an_endless_body_ends(serve: object) -> None:
    with site({"/": serve}) as there, web_of(there) as web:
        found = web.get(there.at(), most_bytes=300_000)
        assert (found.status, found.whole, found.failure) == (200, False, "")
        assert len(found.body) <= 300_000
        assert found.wire_bytes < 2 * MEBIBYTE


def _drips(*, head: bool) -> tuple[threading.Event, Callable[[socket.socket], None]]:
    gone = threading.Event()

    @raw
    def serve(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.sendall(HEAD if head else HEAD + b"\r\nbegin")
            while not gone.wait(0.02):
                connection.sendall(b"X-A: b\r\n" if head else b".")

    return gone, serve


def test_a_body_that_drips_is_what_came_of_it_in_time() -> None:
    gone, serve = _drips(head=False)
    with site({"/": serve}) as there, web_of(there) as web:
        found = web.get(there.at(), timeout_s=PATIENCE_S)
        gone.set()
        assert found.text.startswith("begin")
        assert (found.whole, found.status, found.failure) == (False, 200, "")


def test_a_head_that_drips_is_no_answer() -> None:
    gone, serve = _drips(head=True)
    with site({"/": serve}) as there, web_of(there) as web:
        found = web.get(there.at(), timeout_s=PATIENCE_S)
        gone.set()
        assert (found.failure, found.status) == ("it does not answer in time", None)


def test_the_time_is_for_all_hops_together() -> None:
    gone = threading.Event()

    @raw
    def slow(connection: socket.socket) -> None:
        gone.wait(PATIENCE_S * 0.7)
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")

    with site({"/a": slow, "/b": slow}) as there, web_of(there) as web:
        found = web.get(there.at("/a"), timeout_s=PATIENCE_S)
        gone.set()
        assert found.failure == "it does not answer in time"
        assert len(found.answers) == 1


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        (b"", "the site's answer is not well-formed HTTP/1.1"),
        (b"SSH-2.0-OpenSSH\r\n", "the site's answer is not well-formed HTTP/1.1"),
        (
            b"HTTP/1.1 200 OK\r\nX: " + b"x" * 2_000_000,
            "the head of the site's answer is larger than is read",
        ),
        (
            b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300_000,
            "the head of the site's answer is larger than is read",
        ),
    ],
    ids=["nothing", "another protocol", "long header", "many headers"],
)
def test_what_is_no_answer_is_a_failure(said: bytes, failure: str | None) -> None:
    @raw
    def serve(connection: socket.socket) -> None:
        connection.sendall(said)

    with site({"/": serve}) as there, web_of(there) as web:
        found = web.get(there.at())
        assert found.failure == failure if failure else found.failure
        assert (found.status, found.refused) == (None, False)
        assert found.answered is ("larger than is read" in found.failure)


def test_a_body_that_breaks_off_is_what_came_of_it() -> None:
    @raw
    def serve(connection: socket.socket) -> None:
        connection.sendall(HEAD + b"Content-Length: 100\r\n\r\nhalf")

    with site({"/": serve}) as there, web_of(there) as web:
        found = web.get(there.at())
        assert (found.text, found.whole, found.status) == ("half", False, 200)


def test_headers_are_kept_up_to_a_number_and_a_length() -> None:
    many = tuple((f"X-{number}", "y" * 200) for number in range(50))
    with (
        site({"/": Say(headers=many)}) as there,
        web_of(there, bounds=Bounds(headers=20, header_letters=100)) as web,
    ):
        final = web.get(there.at()).final
        assert final is not None
        assert len(final.headers) == 20
        assert max(len(value) for _, value in final.headers) <= 100


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("address", "refused"),
    [
        ("http://10.0.0.1/", True),
        ("https://10.0.0.1/", True),
        ("http://gone.example/", False),
        ("https://gone.example/", False),
    ],
)
def test_the_way_out_is_understood(address: str, refused: bool, method: str) -> None:
    with site({}) as there, web_of(there) as web:
        found = web.get(address, method=method)  # type: ignore[arg-type]
        assert (found.refused, found.status, found.answers) == (refused, None, ())
        assert found.failure


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_way_out_says_why_whatever_is_asked(scheme: str, method: str) -> None:
    with site({}) as there, web_of(there) as web:
        found = web.get(f"{scheme}://10.0.0.1/", method=method)  # type: ignore[arg-type]
        assert found.failure == "it is a private address"


def test_a_name_that_does_not_exist_is_told_from_a_host_that_does_not_listen() -> None:
    with site({}) as there, web_of(there) as web:
        assert web.get("http://gone.example/").failure == "there is no host with this name"
        assert web.get("https://gone.example/").failure == "there is no host with this name"
    with site({}) as gone:
        pass
    with web_of(gone) as web:
        assert web.get(gone.at()).failure == "the host does not take connections"
        https = gone.at().replace("http:", "https:")
        assert web.get(https).failure == "the host does not take connections"


@pytest.mark.parametrize("tls", [False, True])
def test_a_site_that_speaks_like_the_way_out_is_a_site(tls: bool) -> None:
    said = Say(
        403,
        b"Not let through: it is a private address.\n",
        (
            ("Content-Type", "text/plain; charset=utf-8"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
            ("Mergegate-Refusal", "forbidden; it is a private address"),
        ),
    )
    own = served_with() if tls else None
    with site({"/": said}, own) as there, web_of(there, trust=trust()) as web:
        found = web.get(there.at())
        assert (found.status, found.refused, found.failure) == (403, False, "")


def test_one_that_hangs_does_not_hold_up_the_others() -> None:
    gone, serve = _drips(head=True)
    routes = {"/slow": serve, "/quick": Say(body=b"quick")}
    with site(routes) as there, web_of(there) as web:
        slow = Request(there.at("/slow"), timeout_s=PATIENCE_S)
        found = web.many([slow, *[Request(there.at("/quick"))] * 5])
        gone.set()
        assert [one.text for one in found] == ["", *["quick"] * 5]


def test_a_kept_connection_that_died_is_replaced() -> None:
    answers = iter([Say(body=b"first"), None, Say(body=b"second")])

    def serve(_: object) -> Say:
        answer = next(answers)
        if answer is None:
            raise ConnectionAbortedError
        return answer

    with site({"/": serve}, served_with()) as there, web_of(there, trust=trust()) as web:
        assert [web.get(there.at()).text for _ in range(2)] == ["first", "second"]


def test_a_server_that_always_hangs_up_is_asked_twice_and_no_more() -> None:
    def serve(_: object) -> Say:
        raise ConnectionAbortedError

    with site({"/": serve}, served_with()) as there, web_of(there, trust=trust()) as web:
        assert web.get(there.at()).failure == "it hangs up, or does not answer in HTTP"
        assert len(there.asked) == 2


def test_whoever_leaves_in_the_middle_leaves_nothing_behind() -> None:
    gone, serve = _drips(head=True)
    ended = threading.Event()
    with site({"/": serve}) as there:
        with pytest.raises(KeyboardInterrupt), web_of(there) as web:
            _interrupted(web, there, ended)
        gone.set()
    assert ended.wait(5)
    assert not [one for one in threading.enumerate() if one.name == "web"]


def _interrupted(web: Client, there: Site, ended: threading.Event) -> None:
    """As if the key was pressed while an answer is waited for."""

    def ask() -> None:
        with contextlib.suppress(CancelledError):
            web.get(there.at())
        ended.set()

    threading.Thread(target=ask, daemon=True).start()
    while not there.asked:
        ended.wait(0.01)
    raise KeyboardInterrupt
