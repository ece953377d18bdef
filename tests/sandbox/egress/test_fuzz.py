"""Whatever is said to it, the proxy answers or hangs up, dials nothing, and stays."""

import contextlib
import random
import socket
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import Egress, egress
from tests.sandbox.egress.sites import (
    PATIENCE_S,
    Secret,
    get,
    head_of,
    nothing,
    raw_site,
    say,
    secret,
    status,
    way_to,
)

OFTEN = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    database=None,
)
PIECES = (
    *(b"GET ", b"POST ", b"CONNECT ", b"PRI ", b" HTTP/1.1\r\n", b" HTTP/1.0\r\n", b" HTTP/2.0"),
    *(b"http://", b"HTTPS://", b"127.0.0.1", b"[::1]", b"localhost", b"0x7f.1", b"2130706433"),
    *(b":SECRET", b":80", b":", b"/", b"?", b"#", b"@", b"%", b"\\", b" ", b"\t", b"\r", b"\n"),
    *(b"\r\n", b"\r\n\r\n", b"\x00", b"\xff", b"\xc2\xa0", b"Host: x\r\n", b"Host: localhost\r\n"),
    *(b"Content-Length: 5\r\n", b"Content-Length: 0\r\n", b"Transfer-Encoding: chunked\r\n"),
    *(b"Connection: close\r\n", b"Connection: Upgrade\r\nUpgrade: websocket\r\n", b"0\r\n\r\n"),
    *(b"5\r\nhello\r\n", b"Expect: 100-continue\r\n", b"Proxy-Connection: x\r\n", b"ff\r\n"),
)  # fmt: skip


@pytest.fixture(scope="module")
def hidden() -> Iterator[Secret]:
    with secret() as there:
        yield there


@pytest.fixture(scope="module")
def way(hidden: Secret) -> Iterator[Egress]:
    # Not even public addresses: random bytes must not lead this machine anywhere.
    with egress(Policy(ports=frozenset({hidden.port})), lookup=nothing) as one:
        yield one


def survives(way: Egress, hidden: Secret, said: bytes) -> None:
    answer = say(way, said.replace(b"SECRET", str(hidden.port).encode()), finish=True)
    assert answer == b"" or status(answer) in {400, 403, 408, 431, 501, 502, 505}
    assert status(say(way, get("localhost"))) == 403
    assert way.faults == ()
    assert hidden.hits == []
    assert {contact.address for contact in way.contacted} <= {""}


@OFTEN
@given(st.binary(max_size=2000))
def test_random_bytes_leave_it_standing(way: Egress, hidden: Secret, said: bytes) -> None:
    survives(way, hidden, said)


@OFTEN
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_pieces_of_http_in_any_order_lead_nowhere(
    way: Egress, hidden: Secret, pieces: list[bytes]
) -> None:
    survives(way, hidden, b"".join(pieces))


@OFTEN
@given(
    st.sampled_from((b"GET http://%s:SECRET/", b"CONNECT %s:SECRET", b"POST http://%s")),
    st.text(max_size=30),
    st.lists(st.sampled_from(PIECES), max_size=8),
)
def test_any_host_and_any_headers_lead_nowhere(
    way: Egress, hidden: Secret, start: bytes, host: str, pieces: list[bytes]
) -> None:
    target = start % host.encode("utf-8", "surrogatepass")
    survives(way, hidden, target + b" HTTP/1.1\r\nHost: x\r\n" + b"".join(pieces) + b"\r\n")


@settings(parent=OFTEN, max_examples=75)
@given(st.binary(max_size=500), st.booleans())
def test_any_answer_of_a_site_is_passed_on_or_a_502(answer: bytes, begun: bool) -> None:
    def serve(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n" * begun + answer)

    with raw_site(serve) as port, way_to(port) as way:
        said = say(way, get(f"127.0.0.1:{port}"))
        assert said == b"" or status(said)


@pytest.mark.parametrize("seed", range(20))
def test_a_good_request_with_bytes_changed_leads_nowhere(
    way: Egress, hidden: Secret, seed: int
) -> None:
    chance = random.Random(seed)
    for _ in range(15):
        said = bytearray(get(f"127.0.0.1:{hidden.port}"))
        for _ in range(chance.randint(1, 6)):
            place = chance.randrange(len(said))
            said[place : place + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
        if b"127.0.0.1" in said or said.startswith(b"G"):
            survives(way, hidden, bytes(said))


def test_pieces_that_come_one_byte_at_a_time_are_read_all_the_same() -> None:
    with way_to() as way, socket.create_connection(("127.0.0.1", way.port), PATIENCE_S) as slow:
        slow.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(ConnectionError):
            for byte in get("localhost"):
                slow.sendall(bytes([byte]))
        assert status(slow.makefile("rb").read()) == 403
