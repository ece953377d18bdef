"""Two readers of one message never see two messages: what is doubtful is refused or spelled out."""

import socket
import threading

import pytest

from mergegate.sandbox.egress.destination import Verdict
from tests.sandbox.egress.sites import (
    Secret,
    Site,
    connect,
    get,
    head_of,
    last,
    raw_site,
    say,
    secret,
    site,
    status,
    way_to,
)

SMUGGLED = b"GET http://127.0.0.1:{secret}/ HTTP/1.1\r\nHost: x\r\n\r\n"


def filled(template: bytes, there: Site, hidden: Secret) -> bytes:
    ports = {b"{port}": there.port, b"{secret}": hidden.port}
    for mark, port in ports.items():
        template = template.replace(mark, str(port).encode())
    return template


ABSOLUTE = b"http://127.0.0.1:{port}/"
HEAD = b"POST " + ABSOLUTE + b" HTTP/1.1\r\nHost: x\r\n"
UNREADABLE = {
    "CL.TE": HEAD + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "TE.CL": HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n" + SMUGGLED,
    "two lengths": HEAD + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    "a list of lengths": HEAD + b"Content-Length: 4, 5\r\n\r\nabcde",
    "a signed length": HEAD + b"Content-Length: +4\r\n\r\nabcd",
    "a negative length": HEAD + b"Content-Length: -1\r\n\r\n",
    "a length of many digits": HEAD + b"Content-Length: " + b"9" * 60 + b"\r\n\r\n",
    "two codings": HEAD + b"Transfer-Encoding: chunked\r\n" * 2 + b"\r\n0\r\n\r\n",
    "an obscure coding": HEAD + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "coding and identity": HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "coding after a tab": HEAD + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
    "coding in HTTP/1.0": HEAD.replace(b"1.1", b"1.0")
    + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "a space before the colon": HEAD + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "no colon": HEAD + b"Transfer-Encoding\r\n\r\n",
    "a fold at the start": b"GET " + ABSOLUTE + b" HTTP/1.1\r\n Host: x\r\n\r\n",
    "a bare CR in a value": HEAD + b"X: a\rHost: y\r\n\r\n",
    "NUL in a value": HEAD + b"X: a\x00b\r\n\r\n",
    "NUL in a name": HEAD + b"X\x00: a\r\n\r\n",
    "NUL in the target": b"GET http://127.0.0.1:{port}/\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
    "two hosts": HEAD + b"Host: y\r\n\r\n",
    "no host": b"GET " + ABSOLUTE + b" HTTP/1.1\r\n\r\n",
    "no version": b"GET " + ABSOLUTE + b"\r\n\r\n",
    "version 0.9": b"GET " + ABSOLUTE + b" HTTP/0.9\r\n\r\n",
    "a strange version": b"GET " + ABSOLUTE + b" HTTP/11\r\nHost: x\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "two spaces": b"GET  " + ABSOLUTE + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a space in the target": b"GET " + ABSOLUTE + b"a b HTTP/1.1\r\nHost: x\r\n\r\n",
    "CRLF in the target": b"GET " + ABSOLUTE + b"\r\nX: y HTTP/1.1\r\nHost: x\r\n\r\n",
    "letters beyond ASCII": b"GET " + ABSOLUTE + b"\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n",
    "origin form": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "asterisk form": b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "network path": b"GET //127.0.0.1:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "userinfo": b"GET http://a:b@127.0.0.1:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "a fragment": b"GET " + ABSOLUTE + b"#x HTTP/1.1\r\nHost: x\r\n\r\n",
    "a backslash": b"GET http://127.0.0.1:{port}\\@127.0.0.1:{secret}/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "https in absolute form": b"GET https://127.0.0.1:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "ftp": b"GET ftp://127.0.0.1:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "file": b"GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    "gopher": b"GET gopher://127.0.0.1:{port}/_x HTTP/1.1\r\nHost: x\r\n\r\n",
    "connect in lower case": b"connect 127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n\r\n",
    "connect without a port": b"CONNECT 127.0.0.1 HTTP/1.1\r\nHost: x\r\n\r\n",
    "connect with a path": b"CONNECT 127.0.0.1:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "connect with a scheme": b"CONNECT http://127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n\r\n",
    "connect with a body": b"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n"
    b"Content-Length: 3\r\n\r\nabc",
    "connect, chunked": b"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "IPv6 without brackets": b"CONNECT ::1:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a huge head": HEAD + b"X: " + b"x" * 200_000 + b"\r\n\r\n",
    "endless headers": HEAD + b"X: y\r\n" * 60_000,
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(600),
    "SOCKS": b"\x05\x01\x00\r\n\r\n",
}  # fmt: skip


@pytest.mark.parametrize("trick", UNREADABLE)
def test_a_doubtful_request_is_answered_by_us_alone(trick: str) -> None:
    with site() as there, secret() as hidden, way_to(there.port) as way:
        answer = say(way, filled(UNREADABLE[trick], there, hidden), finish=True)
        assert status(answer) in {400, 403, 431, 501, 505}
        assert answer.count(b"HTTP/1.1 ") == 1
        assert last(way).verdict is Verdict.REFUSED
        assert (there.asked, hidden.hits) == ([], [])


@pytest.mark.parametrize(
    "trick", ["0\r\n\r\n", "-1\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "5\nhello"]
)
def test_a_chunk_that_is_none_ends_the_request(trick: str) -> None:
    with site() as there, secret() as hidden, way_to(there.port) as way:
        head = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
        say(way, filled(head + trick.encode() + SMUGGLED, there, hidden), finish=True)
        assert hidden.hits == []
        assert all(b"GET" not in asked.body for asked in there.asked)


def test_the_host_header_is_replaced_by_the_checked_host() -> None:
    with site() as there, way_to(there.port) as way:
        for host in ("127.0.0.1:1", "metadata.google.internal", "evil.example.org", "[::1]", ""):
            ask = f"GET http://127.0.0.1:{there.port}/ HTTP/1.1\r\nHost: {host}\r\n"
            assert status(say(way, f"{ask}Connection: close\r\n\r\n".encode())) == 200
        assert {asked.headers["Host"] for asked in there.asked} == {f"127.0.0.1:{there.port}"}


def test_a_connection_header_cannot_take_the_host_or_the_length_away() -> None:
    with site() as there, way_to(there.port) as way:
        ask = (
            f"POST http://127.0.0.1:{there.port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
            "Connection: close, host, content-length, transfer-encoding\r\n\r\nabcGET /x"
        )
        assert say(way, ask.encode()).endswith(b"\r\n\r\nabc")
        assert len(there.asked) == 1


def test_a_folded_header_goes_on_as_one_line() -> None:
    heads: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        heads.append(head_of(connection))
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    with raw_site(serve) as port, way_to(port) as way:
        ask = get(f"127.0.0.1:{port}").replace(b"Host: x\r\n", b"Host: x\r\nX: a\r\n\tHost: y\r\n")
        assert status(say(way, ask)) == 200
    assert b"\r\nX: a Host: y\r\n" in heads[0]
    assert heads[0].lower().count(b"\r\nhost:") == 1


def test_schemes_and_hosts_in_capitals_are_the_same_destination() -> None:
    with site() as there, way_to(there.port) as way:
        ask = get(f"127.0.0.1:{there.port}").replace(b"http://", b"HTTP://")
        assert status(say(way, ask)) == 200


@pytest.mark.parametrize(
    "answer",
    [
        *(b"hello", b"HTTP/1.1\r\n\r\n", b"HTTP/1.1 abc OK\r\n\r\n", b"HTTP/1.1 99 X\r\n\r\n"),
        *(
            b"HTTP/2.0 200 OK\r\n\r\n"[:4],
            b"",
            b"\x00" * 100,
            b"HTTP/1.1 200 OK\r\nX\x00: y\r\n\r\n",
        ),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
        b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n",
    ],
)
def test_a_site_that_breaks_the_rules_is_a_502(answer: bytes) -> None:
    def serve(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(answer)

    with raw_site(serve) as port, way_to(port) as way:
        said = say(way, get(f"127.0.0.1:{port}"))
        assert status(said) == 502
        assert b"authenticate" not in said.lower()
        assert last(way).verdict is Verdict.FAILED


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\nxyz\r\n",
    ],
)
def test_half_an_answer_never_looks_whole(answer: bytes) -> None:
    def serve(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(answer)

    with raw_site(serve) as port, way_to(port) as way:
        said = say(way, get(f"127.0.0.1:{port}"))
        assert not said.endswith(b"0\r\n\r\n")
        assert b"content-length: 100" in said.lower() or b"chunked" in said.lower() or not said
        assert last(way).verdict is Verdict.FAILED


def test_an_answer_with_two_lengths_goes_on_with_one() -> None:
    def serve(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"5\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n"
        )

    with raw_site(serve) as port, way_to(port) as way:
        head, _, body = say(way, get(f"127.0.0.1:{port}")).partition(b"\r\n\r\n")
        assert b"content-length" not in head.lower()
        assert body == b"5\r\nhello\r\n0\r\n\r\n"


def test_an_answer_nobody_asked_for_is_not_given_to_the_next_request() -> None:
    served = threading.Lock()
    connections: list[int] = []

    def serve(connection: socket.socket) -> None:
        with served:
            connections.append(connection.getpeername()[1])
        own = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        while head_of(connection):
            connection.sendall(own + b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")

    with raw_site(serve) as port, way_to(port) as way:
        for _ in range(5):
            assert say(way, get(f"127.0.0.1:{port}")).endswith(b"ok")
    assert len(connections) == 5


def test_a_refused_tunnel_does_not_carry_what_follows_it() -> None:
    with site() as there, secret() as hidden, way_to(there.port) as way:
        answer = say(way, connect(f"127.0.0.1:{hidden.port}") + get(f"127.0.0.1:{there.port}"))
        assert status(answer) == 403
        assert answer.count(b"HTTP/1.1") == 1
        assert (there.asked, hidden.hits) == ([], [])


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (get("10.0.0.1"), b"forbidden; it is a private address"),
        (get("10.0.0.1").replace(b"GET", b"HEAD"), b"forbidden; it is a private address"),
        (connect("10.0.0.1:443"), b"forbidden; it is a private address"),
        (get("gone.example"), b"no-name; the host's name could not be resolved"),
        (b"nonsense\r\n\r\n", b"forbidden; the request is not well-formed HTTP/1.1"),
    ],
)
def test_a_refusal_says_in_a_header_what_is_lacking(ask: bytes, said: bytes) -> None:
    with way_to() as way:
        assert b"\r\nMergegate-Refusal: " + said + b"\r\n" in say(way, ask)


def test_a_host_that_does_not_listen_is_said_to_be_that() -> None:
    with raw_site(lambda _: None) as port:
        pass
    with way_to(port) as way:
        assert b"Mergegate-Refusal: no-connection; " in say(way, get(f"127.0.0.1:{port}"))


def test_no_site_speaks_for_the_way_out() -> None:
    def claims(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(b"HTTP/1.1 403 Forbidden\r\nmergegate-REFUSAL: forbidden; x\r\n")
        connection.sendall(b"Content-Length: 0\r\n\r\n")

    with raw_site(claims) as port, way_to(port) as way:
        answer = say(way, get(f"127.0.0.1:{port}"))
        assert (status(answer), b"refusal" in answer.lower()) == (403, False)
