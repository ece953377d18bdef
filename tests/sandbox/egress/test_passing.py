"""What is allowed passes unharmed: bodies, connections that stay, tunnels, TLS and WebSocket."""

import base64
import contextlib
import hashlib
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.policy import PUBLIC, Policy
from mergegate.sandbox.egress.server import Egress, egress
from tests.sandbox.egress.sites import (
    PATIENCE_S,
    Site,
    certificate,
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


@pytest.fixture
def there() -> Iterator[Site]:
    with site() as one:
        yield one


@contextlib.contextmanager
def client(way: Egress) -> Iterator[httpx.Client]:
    with httpx.Client(proxy=way.url, trust_env=False, verify=False, timeout=PATIENCE_S) as one:
        yield one


def test_an_allowed_site_answers(there: Site) -> None:
    with way_to(there.port) as way, client(way) as http:
        answer = http.get(f"http://127.0.0.1:{there.port}/a%20b?c=d")
        assert (answer.status_code, answer.text) == (200, "hello")
        contact = last(way)
        assert (contact.host, contact.port) == ("127.0.0.1", there.port)
        assert (contact.address, contact.verdict) == ("127.0.0.1", Verdict.PASSED)
        assert contact.received_bytes > len("hello")
        assert contact.sent_bytes > 0
    assert there.asked[0].line == "GET /a%20b?c=d HTTP/1.1"
    assert there.asked[0].headers["Host"] == f"127.0.0.1:{there.port}"


def test_connections_stay_on_both_sides(there: Site) -> None:
    with way_to(there.port) as way, client(way) as http:
        for _ in range(20):
            assert http.get(f"http://127.0.0.1:{there.port}/").text == "hello"
    assert len({asked.connection for asked in there.asked}) == 1


def test_a_kept_connection_that_died_is_replaced_unnoticed() -> None:
    served: list[int] = []

    def one_answer_each(connection: socket.socket) -> None:
        head_of(connection)
        served.append(connection.getpeername()[1])
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        if len(served) % 2:
            head_of(connection)  # takes the next request with it

    with raw_site(one_answer_each) as port, way_to(port) as way, client(way) as http:
        for _ in range(6):
            assert http.get(f"http://127.0.0.1:{port}/").text == "ok"


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_body_of_known_length_passes(there: Site, method: str) -> None:
    body = bytes(range(256)) * 4096
    with way_to(there.port) as way, client(way) as http:
        answer = http.request(method, f"http://127.0.0.1:{there.port}/", content=body)
        assert answer.content == body
    assert there.asked[0].headers["Content-Length"] == str(len(body))


def test_chunked_bodies_pass_both_ways(there: Site) -> None:
    with way_to(there.port) as way, client(way) as http:
        sent = http.post(f"http://127.0.0.1:{there.port}/", content=iter([b"a" * 70_000, b"b"]))
        assert sent.content == b"a" * 70_000 + b"b"
        assert http.get(f"http://127.0.0.1:{there.port}/chunked").text == "one two three"
    assert there.asked[0].headers["Transfer-Encoding"] == "chunked"


def test_a_head_request_gets_a_head(there: Site) -> None:
    with way_to(there.port) as way, client(way) as http:
        for _ in range(3):
            answer = http.head(f"http://127.0.0.1:{there.port}/")
            assert (answer.headers["Content-Length"], answer.content) == ("5", b"")
    assert len({asked.connection for asked in there.asked}) == 1


def test_an_old_server_that_ends_by_hanging_up_is_read_to_the_end() -> None:
    def old(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 100_000)

    with raw_site(old) as port, way_to(port) as way, client(way) as http:
        assert len(http.get(f"http://127.0.0.1:{port}/").content) == 100_000


def test_an_old_client_gets_an_answer_it_can_read(there: Site) -> None:
    ask = f"GET http://127.0.0.1:{there.port}/chunked HTTP/1.0\r\n\r\n".encode()
    with way_to(there.port) as way:
        head, _, body = say(way, ask).partition(b"\r\n\r\n")
    assert b"chunked" not in head.lower()
    assert body == b"one two three"


def test_who_waits_for_100_gets_it_from_the_site() -> None:
    def patient(connection: socket.socket) -> None:
        assert b"expect: 100-continue" in head_of(connection).lower()
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = connection.recv(4)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + body)

    with (
        raw_site(patient) as port,
        way_to(port) as way,
        socket.create_connection(("127.0.0.1", way.port), PATIENCE_S) as asking,
    ):
        head = f"POST http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
        asking.sendall(f"{head}Expect: 100-continue\r\nConnection: close\r\n\r\n".encode())
        heads = b""
        while b"100 Continue" not in heads:
            heads += asking.recv(65536)
        asking.sendall(b"body")
        assert asking.makefile("rb").read().endswith(b"\r\n\r\nbody")


def test_an_answer_before_the_body_ends_the_upload() -> None:
    def hasty(connection: socket.socket) -> None:
        head_of(connection)
        connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")

    with (
        raw_site(hasty) as port,
        way_to(port) as way,
        socket.create_connection(("127.0.0.1", way.port), PATIENCE_S) as asking,
    ):
        head = f"POST http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: x\r\n"
        asking.sendall(f"{head}Content-Length: 1000000\r\n\r\n".encode())
        answer = asking.makefile("rb").read()
    assert status(answer) == 413
    assert answer.endswith(b"no")


def test_headers_of_one_connection_stay_there(there: Site) -> None:
    ask = (
        f"GET http://127.0.0.1:{there.port}/ HTTP/1.1\r\nHost: elsewhere.example.org\r\n"
        "Connection: close, X-Hop\r\nX-Hop: 1\r\nX-Kept: 2\r\nProxy-Authorization: Basic eDp5\r\n"
        "Proxy-Connection: keep-alive\r\nKeep-Alive: 5\r\nTE: trailers\r\nUpgrade: h2c\r\n"
        "HTTP2-Settings: AAA\r\n\r\n"
    )
    with way_to(there.port) as way:
        assert status(say(way, ask.encode())) == 200
    assert there.asked[0].headers == {"Host": f"127.0.0.1:{there.port}", "X-Kept": "2"}


def test_pipelined_requests_are_each_judged(there: Site) -> None:
    allowed = get(f"127.0.0.1:{there.port}").replace(b"Connection: close\r\n", b"")
    with way_to(there.port) as way:
        answer = say(way, allowed + allowed + get(f"127.0.0.1:{there.port + 1}") + allowed)
    assert answer.count(b"HTTP/1.1 200 ") == 2
    assert answer.count(b"HTTP/1.1 403 ") == 1
    assert len(there.asked) == 2


def test_tls_goes_end_to_end(tmp_path: Path) -> None:
    server, trusted = certificate(tmp_path)
    context = ssl.create_default_context(cafile=trusted)
    with site(server) as there, way_to(there.port) as way:
        with httpx.Client(proxy=way.url, trust_env=False, verify=context) as http:
            for _ in range(3):
                answer = http.post(f"https://127.0.0.1:{there.port}/", content=b"x" * 200_000)
                assert len(answer.content) == 200_000
        contact = last(way)
        assert contact.verdict is Verdict.PASSED
        assert contact.sent_bytes > 600_000
        assert contact.received_bytes > 600_000
        assert len(way.contacted) == 1


def test_a_tunnel_ends_each_way_on_its_own() -> None:
    def backwards(connection: socket.socket) -> None:
        connection.sendall(connection.makefile("rb").read()[::-1])

    with raw_site(backwards) as port, way_to(port) as way, tunnel(way, port) as connection:
        connection.sendall(b"abc")
        connection.shutdown(socket.SHUT_WR)
        assert connection.makefile("rb").read() == b"cba"


def test_what_is_sent_along_with_connect_is_not_lost() -> None:
    with raw_site(lambda one: one.sendall(one.recv(5))) as port, way_to(port) as way:
        ask = f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n\r\nhello"
        assert say(way, ask.encode()).endswith(b"\r\n\r\nhello")


def shake(connection: socket.socket) -> None:
    """A WebSocket server as far as its handshake, then an echo."""
    head = head_of(connection)
    lines = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
    key = lines[b"Sec-WebSocket-Key"] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key).digest())
    assert lines[b"Upgrade"] == b"websocket"
    assert lines[b"Connection"] == b"Upgrade"
    connection.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\nearly"
    )
    while data := connection.recv(65536):
        connection.sendall(data)


def test_websocket_over_plain_http_is_tunnelled_after_its_handshake() -> None:
    with (
        raw_site(shake) as port,
        way_to(port) as way,
        socket.create_connection(("127.0.0.1", way.port), PATIENCE_S) as asking,
    ):
        asking.sendall(
            f"GET http://127.0.0.1:{port}/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
            "Connection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        head, _, rest = head_of(asking).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 ")
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head
        while rest != b"early":
            rest += asking.recv(65536)
        asking.sendall(b"\x81\x05frame")
        assert asking.recv(65536) == b"\x81\x05frame"


def test_a_refused_websocket_is_an_ordinary_answer(there: Site) -> None:
    ask = get(f"127.0.0.1:{there.port}").replace(b"close", b"Upgrade\r\nUpgrade: websocket")
    with way_to(there.port) as way:
        answer = say(way, ask + get(f"127.0.0.1:{there.port}"))
        assert answer.count(b"HTTP/1.1 200 ") == 2


def test_a_site_that_is_not_there_is_a_502(there: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with way_to(port) as way:
        assert status(say(way, get(f"127.0.0.1:{port}"))) == 502
        assert last(way).verdict is Verdict.FAILED


def test_the_next_address_is_tried_when_one_does_not_answer(there: Site) -> None:
    policy = Policy(allowed=frozenset({("preview.example.org", there.port)}))
    with egress(policy, lookup=lambda _: ("::1", "127.0.0.3", "127.0.0.1")) as way:
        assert status(say(way, get(f"preview.example.org:{there.port}"))) == 200
        assert last(way).address == "127.0.0.1"


def test_many_at_once_all_pass(there: Site) -> None:
    with way_to(there.port) as way, client(way) as http:
        answers: list[str] = []

        def ask(number: int) -> None:
            url = f"http://127.0.0.1:{there.port}/"
            answers.append(http.post(url, content=str(number)).text)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(answers, key=int) == [str(number) for number in range(40)]


def test_closing_leaves_no_thread_and_no_socket(there: Site) -> None:
    before = {thread.name for thread in threading.enumerate()}
    with way_to(there.port) as way, client(way) as http:
        http.get(f"http://127.0.0.1:{there.port}/")
        with tunnel(way, there.port) as left_open:
            port = way.port
    with contextlib.suppress(OSError):
        assert left_open.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 5)
    assert "mergegate-egress" not in {thread.name for thread in threading.enumerate()} - before


def test_each_scan_has_a_way_of_its_own() -> None:
    with egress(PUBLIC) as one, egress(PUBLIC) as other:
        assert one.port != other.port
        say(one, get("localhost"))
        assert (len(one.contacted), len(other.contacted)) == (1, 0)
