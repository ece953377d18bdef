"""No site and no client takes more of a scan than it may: bytes, time, connections."""

import contextlib
import socket
import threading
import time

import httpx
import pytest

from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.policy import Caps, Policy
from mergegate.sandbox.egress.server import egress
from tests.sandbox.egress.sites import (
    PATIENCE_S,
    connect,
    get,
    head_of,
    last,
    raw_site,
    say,
    site,
    status,
    tunnel,
    way_to,
)

KIB = 1024


def endless(connection: socket.socket) -> None:
    """A chunked body that never ends."""
    head_of(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")


def flood(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"x" * 65536)


def test_an_endless_body_is_broken_off() -> None:
    caps = Caps(response_bytes=256 * KIB)
    with raw_site(endless) as port, way_to(port, caps=caps) as way:
        with (
            httpx.Client(proxy=way.url, trust_env=False, verify=False) as http,
            pytest.raises(httpx.TransportError),
        ):
            http.get(f"http://127.0.0.1:{port}/")
        assert last(way).verdict is Verdict.CUT
        assert last(way).received_bytes < 512 * KIB


def test_a_body_that_announces_too_much_is_not_begun() -> None:
    def boast(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx")

    with raw_site(boast) as port, way_to(port) as way:
        assert status(say(way, get(f"127.0.0.1:{port}"))) == 502
        assert last(way).verdict is Verdict.CUT


def test_endless_hints_and_heads_are_broken_off() -> None:
    def hints(connection: socket.socket) -> None:
        head_of(connection)
        while True:
            connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 100)

    def head(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(b"X-More: x\r\n" * 100)

    for serve in (hints, head):
        with raw_site(serve) as port, way_to(port, caps=Caps(response_bytes=256 * KIB)) as way:
            assert say(way, get(f"127.0.0.1:{port}")).rstrip().endswith(b".")
            assert last(way).verdict in {Verdict.CUT, Verdict.FAILED}


def test_a_tunnel_is_broken_off_too() -> None:
    with raw_site(flood) as port, way_to(port, caps=Caps(tunnel_bytes=256 * KIB)) as way:
        with tunnel(way, port) as connection, contextlib.suppress(ConnectionError):
            assert len(connection.makefile("rb").read()) < 512 * KIB
        assert wait_for_end(way.contacted[-1].verdict, lambda: last(way).verdict) is Verdict.CUT


def wait_for_end(now: Verdict, ask: object) -> Verdict:
    """The client may see the end before the log does."""
    until = time.monotonic() + PATIENCE_S
    while now is Verdict.PASSED and time.monotonic() < until:
        time.sleep(0.01)
        now = ask()  # type: ignore[operator]
    return now


def test_an_upload_that_is_too_large_is_broken_off() -> None:
    with site() as there, way_to(there.port, caps=Caps(request_bytes=64 * KIB)) as way:
        with httpx.Client(proxy=way.url, trust_env=False, verify=False) as http:
            answer = http.post(f"http://127.0.0.1:{there.port}/", content=b"x" * 512 * KIB)
            assert answer.status_code == 502
        assert last(way).verdict is Verdict.CUT


def test_a_scan_that_has_taken_enough_gets_no_more() -> None:
    with site() as there, way_to(there.port, caps=Caps(scan_bytes=8 * KIB)) as way:
        there.pages["/"] = ("text/plain", b"x" * 3 * KIB)
        seen = [status(say(way, get(f"127.0.0.1:{there.port}"))) for _ in range(6)]
        assert seen[:2] == [200, 200]
        assert seen[-1] == 403
        assert status(say(way, connect(f"127.0.0.1:{there.port}"))) == 403
    assert len(there.asked) < 6


def test_one_answer_cannot_take_more_than_the_whole_scan_may() -> None:
    with raw_site(endless) as port, way_to(port, caps=Caps(scan_bytes=256 * KIB)) as way:
        assert len(say(way, get(f"127.0.0.1:{port}"))) < 512 * KIB
        assert last(way).reason == "the scan has taken all the bytes it may take"


def test_a_client_that_still_uploads_reads_why_it_is_refused() -> None:
    with way_to() as way:
        head = b"POST http://localhost/ HTTP/1.1\r\nHost: x\r\nContent-Length: 800000\r\n\r\n"
        assert status(say(way, head + b"x" * 800_000)) == 403


def test_requests_connections_and_names_are_counted() -> None:
    with site() as there:
        ask = get(f"127.0.0.1:{there.port}")
        with way_to(there.port, caps=Caps(requests=2)) as way:
            assert [status(say(way, ask)) for _ in range(3)] == [200, 200, 403]
            assert len(way.contacted) == 2
        with way_to(there.port, caps=Caps(connections=2)) as way:
            assert [status(say(way, ask)) for _ in range(3)] == [200, 200, 503]
    with egress(Policy(), Caps(hosts=2), lambda _: ("10.0.0.1",)) as way:
        for number in range(3):
            say(way, get(f"name{number}.example.org"))
        assert last(way).reason == "the scan has looked up all the names it may look up"


def test_connections_at_once_are_counted_and_given_back() -> None:
    with site() as there, way_to(there.port, caps=Caps(connections_at_once=3)) as way:
        ask = get(f"127.0.0.1:{there.port}")
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(tunnel(way, there.port))
            assert status(say(way, ask)) == 503
        until = time.monotonic() + PATIENCE_S
        while (seen := status(say(way, ask))) == 503 and time.monotonic() < until:
            time.sleep(0.01)
        assert seen == 200


def test_a_name_with_too_many_addresses_is_refused() -> None:
    many = tuple(f"8.8.{place // 256}.{place % 256}" for place in range(65))
    with egress(Policy(), lookup=lambda _: many) as way:
        assert status(say(way, get("many.example.org"))) == 403


def test_a_resolver_that_hangs_is_a_504_and_holds_up_nobody() -> None:
    release = threading.Event()

    def hanging(host: str) -> tuple[str, ...]:
        release.wait(PATIENCE_S)
        return ("8.8.8.8",)

    with egress(Policy(), Caps(lookup_s=0.1), hanging) as way:
        for number in range(18):  # more than there are threads for them
            assert status(say(way, get(f"slow{number}.example.org"))) == 504
        assert status(say(way, get("127.0.0.1"))) == 403
        assert way.faults == ()
    release.set()


@pytest.mark.parametrize(
    "spoken",
    [b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 103 Hints\r\n\r\n"],
)
def test_a_site_that_falls_silent_is_a_504(spoken: bytes) -> None:
    done = threading.Event()

    def silent(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(spoken)
        done.wait(PATIENCE_S)

    with raw_site(silent) as port, way_to(port, caps=Caps(idle_s=0.3)) as way:
        assert b"HTTP/1.1 504 " in say(way, get(f"127.0.0.1:{port}"))
        assert last(way).verdict is Verdict.FAILED
    done.set()


def drip(connection: socket.socket) -> None:
    head_of(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


def test_a_site_that_drips_ends_with_the_time_of_a_request() -> None:
    with raw_site(drip) as port, way_to(port, caps=Caps(idle_s=5, total_s=0.5)) as way:
        answer = say(way, get(f"127.0.0.1:{port}"))
        assert 0 < len(answer) < 1000
        assert last(way).reason == "nothing moved for too long, or it took too long"


def test_a_tunnel_that_stands_still_is_closed() -> None:
    with (
        raw_site(lambda one: print(one.recv(1), end="")) as port,
        way_to(port, caps=Caps(idle_s=0.3)) as way,
        tunnel(way, port) as connection,
    ):
        assert connection.recv(1) == b""


def test_a_client_that_drips_its_head_is_sent_away() -> None:
    with (
        way_to(caps=Caps(head_s=0.3)) as way,
        socket.create_connection(("127.0.0.1", way.port), PATIENCE_S) as slow,
    ):
        slow.sendall(b"GET http://127.0.0.1/ HTTP/1.1\r\n")
        assert status(slow.makefile("rb").read()) == 408


def test_a_client_that_says_nothing_is_hung_up_on() -> None:
    with way_to(caps=Caps(idle_s=0.2)) as way:
        assert say(way, b"") == b""
        assert way.contacted == ()


def test_a_client_that_hangs_up_ends_its_request() -> None:
    gone = threading.Event()

    def watching(connection: socket.socket) -> None:
        head_of(connection)
        if connection.recv(1) == b"":
            gone.set()

    with raw_site(watching) as port, way_to(port) as way:
        with socket.create_connection(("127.0.0.1", way.port), PATIENCE_S) as asking:
            asking.sendall(get(f"127.0.0.1:{port}"))
            until = time.monotonic() + PATIENCE_S
            while not (way.contacted and last(way).sent_bytes) and time.monotonic() < until:
                time.sleep(0.01)
        assert gone.wait(PATIENCE_S)


def test_a_client_that_does_not_read_holds_little_back() -> None:
    sent = [0]

    def counted(connection: socket.socket) -> None:
        head_of(connection)
        connection.settimeout(1)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 60000000\r\n\r\n")
        while True:
            sent[0] += connection.send(b"x" * 65536)

    with (
        raw_site(counted) as port,
        way_to(port, caps=Caps(idle_s=1.5)) as way,
        socket.create_connection(("127.0.0.1", way.port), PATIENCE_S) as asking,
    ):
        asking.sendall(get(f"127.0.0.1:{port}"))
        wait_for_end(Verdict.PASSED, lambda: last(way).verdict if way.contacted else None)
    assert 0 < sent[0] < 30_000_000


def test_a_flood_of_refusals_leaves_room_for_the_rest() -> None:

    with site() as there, way_to(there.port) as way:
        for _ in range(300):
            say(way, get("localhost"))
        assert status(say(way, get(f"127.0.0.1:{there.port}"))) == 200
