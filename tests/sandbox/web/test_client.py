"""The client: what comes back, what is sent, and what never leaves."""

import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from mergegate.sandbox.visit import Credentials, Visit
from mergegate.sandbox.web import Bounds, Request, client
from tests.sandbox.web.servers import Asked, Say, site, to, web_of


def test_an_answer_comes_back_whole() -> None:
    body = "ümlaut".encode()
    with site({"/": Say(body=body)}) as there, web_of(there) as web:
        found = web.get(there.at())
        assert (found.status, found.body, found.text, found.whole) == (200, body, "ümlaut", True)
        assert (found.wire_bytes, found.failure, found.refused) == (len(body), "", False)
        assert found.header("content-type") == "text/plain; charset=utf-8"
        assert found.ok and found.final_url == there.at()


def test_headers_stay_in_their_order_and_repeat() -> None:
    said = (("Set-Cookie", "a=1"), ("X-One", "1"), ("Set-Cookie", "b=2"))
    with site({"/": Say(headers=said)}) as there, web_of(there) as web:
        final = web.get(there.at()).final
        assert final is not None
        assert final.all("set-cookie") == ("a=1", "b=2")
        names = [name for name, _ in final.headers]
        assert names.index("set-cookie") < names.index("x-one")


def test_a_bad_status_is_an_answer() -> None:
    with site({"/": Say(503, b"busy")}) as there, web_of(there) as web:
        found = web.get(there.at())
        assert (found.status, found.text, found.ok, found.failure) == (503, "busy", False, "")


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_each_method_is_sent_as_such(method: str) -> None:
    with site({"/": Say()}) as there, web_of(there) as web:
        found = web.get(there.at(), method=method)  # type: ignore[arg-type]
        assert (there.asked[0].method, found.status) == (method, 200)
        assert found.body == (b"" if method == "HEAD" else b"hello")


def test_the_fragment_stays_here_and_the_path_is_spelled_out() -> None:
    with site({"/": Say()}) as there, web_of(there) as web:
        found = web.get(f"http://127.0.0.1:{there.port}#part")
        assert (found.status, found.final_url) == (200, there.at())


@pytest.mark.parametrize(
    ("of_client", "of_request", "expected"),
    [(None, None, "Mergegate/"), ("Ours", None, "Ours"), ("Ours", "GPTBot", "GPTBot")],
)
def test_the_name_we_go_by(of_client: str | None, of_request: str | None, expected: str) -> None:
    with site({"/": Say()}) as there, web_of(there, agent=of_client) as web:
        web.get(there.at(), agent=of_request)
        assert expected in there.asked[0].headers["user-agent"]


def test_a_header_of_the_request_takes_the_place_of_the_usual_one() -> None:
    with site({"/": Say()}) as there, web_of(there) as web:
        web.get(there.at(), headers=[("accept", "text/x"), ("Origin", "https://a.example")])
        sent = there.asked[0].headers
        assert (sent["accept"], sent["origin"]) == ("text/x", "https://a.example")


def test_answers_come_in_the_order_of_the_requests() -> None:
    routes = {f"/{number}": Say(body=str(number).encode()) for number in range(30)}
    with site(routes) as there, web_of(there) as web:
        found = web.many([Request(there.at(f"/{number}")) for number in range(30)])
        assert [one.text for one in found] == [str(number) for number in range(30)]


@pytest.mark.parametrize(("options", "most"), [({}, 6), ({"at_once": 2}, 2)])
def test_no_host_is_asked_for_more_at_once_than_is_polite(
    options: dict[str, int], most: int
) -> None:
    with site({"/": Say()}) as there, web_of(there) as web:
        web.many([Request(there.at())] * 40, **options)
        assert 1 <= there.most_open <= most


def test_nothing_is_asked_beyond_the_bounds_of_the_client() -> None:
    with site({"/": Say()}) as there, web_of(there, bounds=Bounds(requests=2)) as web:
        found = [web.get(there.at()).failure for _ in range(3)]
        assert found == ["", "", "beyond the requests of a scan"]
    with site({"/": Say()}) as there, web_of(there, bounds=Bounds(total_s=0)) as web:
        assert web.get(there.at()).failure == "there is no time left to ask"
        assert there.asked == []


SECRET = Credentials(
    headers=(("X-Preview", "s3cret"), ("Cookie", "first=s3cret")), cookies=(("session", "s3cret"),)
)


def test_credentials_go_to_the_own_origin_alone_hop_by_hop() -> None:
    with site({}) as own, site({}) as other:
        own.routes |= {"/out": to(other.at("/back")), "/end": Say()}
        other.routes |= {"/back": to(own.at("/end"))}
        with web_of(own, other, credentials=SECRET) as web:
            assert web.get(own.at("/out")).final_url == own.at("/end")
        assert {one.headers["x-preview"] for one in own.asked} == {"s3cret"}
        assert {one.headers["cookie"] for one in own.asked} == {"first=s3cret; session=s3cret"}
        assert "s3cret" not in repr(other.asked)


def test_the_same_host_on_another_port_or_by_another_name_is_another_origin() -> None:
    with site({"/": Say()}) as own, site({"/": Say()}) as other:
        with web_of(own, other, credentials=SECRET, names=("own.example",)) as web:
            web.get(other.at())
            web.get(own.at(host="own.example"))
        assert "s3cret" not in repr(own.asked) + repr(other.asked)


def test_an_insecure_client_keeps_credentials_to_itself() -> None:
    with site({"/": Say()}) as own, web_of(own, credentials=SECRET, insecure=True) as web:
        assert web.get(own.at()).status == 200
        assert "s3cret" not in repr(own.asked)


def test_credentials_are_in_nothing_that_comes_back() -> None:
    with site({"/": to("/b"), "/b": Say()}) as own, web_of(own, credentials=SECRET) as web:
        assert "s3cret" not in repr(web.get(own.at()))


def test_a_cookie_set_on_the_way_goes_on_with_it_and_no_further() -> None:
    def gate(asked: Asked) -> Say:
        if "pass=yes" in asked.headers.get("cookie", ""):
            return Say(body=b"in")
        return to("/", 302, ("Set-Cookie", "pass=yes; Path=/"))

    with site({"/": gate, "/other": Say()}) as there, web_of(there) as web:
        assert web.get(there.at()).text == "in"
        web.get(there.at("/other"))
        assert "cookie" not in there.asked[-1].headers


def test_a_cookie_of_one_host_is_not_sent_to_another() -> None:
    with site({}) as one, site({"/": Say()}) as other:
        one.routes["/"] = to(other.at(host="other.example"), 302, ("Set-Cookie", "a=1"))
        with web_of(one, other, names=("other.example",)) as web:
            assert web.get(one.at()).status == 200
        assert "cookie" not in other.asked[0].headers


def test_a_client_that_has_ended_says_so() -> None:
    with site({"/": Say()}) as there:
        with web_of(there) as web:
            pass
        assert web.get(there.at()).failure == "the scan has ended"
        assert there.asked == []


def test_whoever_still_asks_at_the_end_is_told_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, ThreadPoolExecutor() as threads:
        proxy = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with client(proxy, Visit(url="https://example.org/")) as web:
            asked = threads.submit(web.get, "https://example.org/")
            connection, _ = silent.accept()
        assert asked.result(timeout=10).failure == "the scan has ended"
        connection.close()
