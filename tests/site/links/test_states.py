"""What each way of answering makes of a link."""

import socket
import ssl
import time
from pathlib import Path

import pytest

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.visit import Visit
from mergegate.site.browser_test.facts import LinkState
from mergegate.site.links.bounds import Bounds
from mergegate.site.links.check import check_links
from tests.sandbox.egress.sites import certificate, site, way_to
from tests.site.links.places import QUICK, Asked, LeapingClock, Place, Say, check, place, raw

ALIVE, DEAD, BLOCKED = LinkState.ALIVE, LinkState.DEAD, LinkState.BLOCKED
FLAKY, UNCHECKED = LinkState.FLAKY, LinkState.UNCHECKED


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (200, ALIVE),
        (204, ALIVE),
        (206, ALIVE),
        (300, ALIVE),
        (304, ALIVE),
        (302, ALIVE),  # without Location: a browser shows what came
        (404, DEAD),
        (410, DEAD),
        (400, BLOCKED),
        (401, BLOCKED),
        (403, BLOCKED),
        (405, BLOCKED),
        (451, BLOCKED),
        (999, BLOCKED),
        (429, BLOCKED),
        (408, FLAKY),
        (425, FLAKY),
        (500, FLAKY),
        (502, FLAKY),
        (503, FLAKY),
        (504, FLAKY),
        (522, FLAKY),
    ],
)
@pytest.mark.parametrize("foreign", [False, True])
def test_a_status_says_what_became_of_a_link(status: int, state: LinkState, foreign: bool) -> None:
    with place() as own, place() as other:
        there = other if foreign else own
        there.routes["/x"] = Say(status, b"" if status in {204, 304} else b"hm", ())
        answer = check(own, [there.at("/x")], other)[there.at("/x")]
    assert (answer.state, answer.status) == (state, status)


@pytest.mark.parametrize(
    ("status", "header", "state"),
    [
        (403, ("cf-mitigated", "challenge"), BLOCKED),
        (404, ("cf-mitigated", "challenge"), BLOCKED),
        (503, ("Server", "cloudflare"), BLOCKED),
        (200, ("Server", "cloudflare"), ALIVE),
        (404, ("Server", "cloudflare"), DEAD),
        (202, ("x-amzn-waf-action", "challenge"), BLOCKED),
        (200, ("X-DataDome", "protected"), ALIVE),
        (403, ("X-DataDome", "protected"), BLOCKED),
        (503, ("Server", "nginx"), FLAKY),
    ],
)
def test_a_wall_against_robots_is_known_by_its_mark(
    status: int, header: tuple[str, str], state: LinkState
) -> None:
    with place() as own, place() as other:
        other.routes["/x"] = Say(status, "", [header])
        assert check(own, [other.at("/x")], other)[other.at("/x")].state is state


@pytest.mark.parametrize("status", [400, 403, 404, 405, 500, 501, 503])
def test_a_server_that_refuses_head_alone_is_alive(status: int) -> None:
    def answer(asked: Asked) -> Say:
        return Say(status, "") if asked.method == "HEAD" else Say()

    with place() as own, place() as other:
        other.routes["/x"] = answer
        found = check(own, [other.at("/x")], other)[other.at("/x")]
        assert (found.state, found.attempts) == (ALIVE, 1)
        assert other.methods("/x") == ["HEAD", "GET"]


def test_a_server_that_hangs_on_head_alone_is_alive() -> None:
    with place() as own, place() as other:

        def answer(asked: Asked) -> Say:
            if asked.method == "HEAD":
                time.sleep(1)
            return Say()

        other.routes["/x"] = answer
        assert check(own, [other.at("/x")], other, bounds=QUICK)[other.at("/x")].state is ALIVE


def test_one_look_at_a_page_that_answers_head_is_enough() -> None:
    with place() as own, place() as other:
        other.routes["/x"] = Say()
        check(own, [other.at("/x"), other.at("/x")], other)
        assert other.methods("/x") == ["HEAD"]


def test_a_name_that_nobody_knows_is_dead_when_others_are_known() -> None:
    with place() as own, place() as other:
        other.routes["/"] = Say()
        links = ["http://gone.example/", "https://gone.example/x", other.at("/", "known.example")]
        found = check(own, links, other, names=["known.example"])
    assert [found[link].state for link in links] == [DEAD, DEAD, ALIVE]
    assert found[links[0]].reason == found[links[1]].reason == "there is no host with this name"


def test_a_machine_that_knows_no_name_calls_none_dead() -> None:
    with place() as own:
        found = check(own, ["http://gone.example/", "https://gone.example/"])
    assert {answer.state for answer in found.values()} == {FLAKY}


def test_a_name_of_this_machine_says_nothing_about_others() -> None:
    with place() as own, place() as other:
        links = ["http://gone.example/", other.at("/", "localhost")]
        found = check(own, links, other, names=["localhost"])
    assert found["http://gone.example/"].state is FLAKY


def test_a_host_that_takes_no_connections_is_flaky() -> None:
    with place() as own, place() as other:
        port = other.port
    # Both are closed by now, and nobody else has their ports yet.
    dead = Place(port=port)
    found = check(own, [dead.at("/x"), dead.at("/y")], dead)
    assert {(one.state, one.status) for one in found.values()} == {(FLAKY, None)}
    assert found[dead.at("/x")].reason == "the host does not take connections"


@pytest.mark.parametrize(
    "link",
    [
        "http://10.0.0.1/",
        "https://192.168.1.1/admin",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost:3000/",
        "https://intranet/",
        "http://[::1]/",
        "http://127.1/",
        "http://example.org:22/",
    ],
)
def test_what_the_way_out_refuses_is_unchecked(link: str) -> None:
    with place() as own:
        answer = check(own, [link])[link]
    assert (answer.state, answer.status, answer.attempts) == (UNCHECKED, None, 1)
    assert answer.reason


@pytest.mark.parametrize(
    "link",
    [
        "mailto:a@example.org",
        "tel:+49301234",
        "javascript:void(0)",
        "data:text/plain,x",
        "ftp://example.org/",
        "http://",
        "http:///x",
        "https://user:secret@example.org/",
        "http://h/\x00",
        "not an address",
        "",
        "http://example.org/" + "x" * 9000,
        "http://[::1/",
        "http://h:99999999/",
        "http://\ud800.example/",
        "http://xn--\u00e4.example/",
    ],
)
def test_what_is_no_web_address_is_unchecked_and_never_asked_for(link: str) -> None:
    with place() as own:
        answer = check(own, [link])[link]
    assert answer.state is UNCHECKED
    assert "secret" not in answer.reason + answer.final_url


def _tls_site(folder: Path, link: str, trust: bool) -> tuple[LinkState, str]:
    context, chain = certificate(folder)
    trusting = ssl.create_default_context(cafile=str(chain)) if trust else None
    with site(context) as there, way_to(there.port) as way:
        url = link.format(port=there.port)
        visit = Visit(url="http://127.0.0.1:1/")
        answer = check_links([url], proxy=way.url, own=visit, trust=trusting).answers[0]
        return answer.state, answer.reason


def test_a_certificate_that_somebody_vouches_for_is_fine(tmp_path: Path) -> None:
    assert _tls_site(tmp_path, "https://127.0.0.1:{port}/", trust=True) == (ALIVE, "")


def test_a_certificate_that_vouches_for_itself_is_dead(tmp_path: Path) -> None:
    state, reason = _tls_site(tmp_path, "https://127.0.0.1:{port}/", trust=False)
    assert (state, "certificate" in reason) == (DEAD, True)


def test_a_certificate_of_another_name_is_dead(tmp_path: Path) -> None:
    context, chain = certificate(tmp_path)
    with site(context) as there:
        policy = Policy(allowed=frozenset({("other.example", there.port)}))
        with egress(policy, lookup=lambda _: ("127.0.0.1",)) as way:
            answers = check_links(
                [f"https://other.example:{there.port}/"],
                proxy=way.url,
                own=Visit(url="http://127.0.0.1:1/"),
                trust=ssl.create_default_context(cafile=str(chain)),
            ).answers
    assert [answer.state for answer in answers] == [DEAD]


@raw
def _hangs_up(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_RDWR)


@raw
def _speaks_no_http(connection: socket.socket) -> None:
    connection.sendall(b"SSH-2.0-OpenSSH_9.9\r\n")


@raw
def _hangs(connection: socket.socket) -> None:
    connection.recv(1)


@pytest.mark.parametrize("serve", [_hangs_up, _speaks_no_http, _hangs])
@pytest.mark.parametrize("foreign", [False, True])
def test_a_connection_that_fails_is_flaky_after_three_tries(serve: object, foreign: bool) -> None:
    with place() as own, place() as other:
        there = other if foreign else own
        there.routes["/x"] = serve
        answer = check(own, [there.at("/x")], other, bounds=QUICK)[there.at("/x")]
    assert (answer.state, answer.attempts, answer.status) == (FLAKY, 3, None)


def test_beyond_the_number_of_links_they_are_unchecked() -> None:
    with place() as own:
        links = [own.at(f"/{number}") for number in range(5)]
        found = check(own, links, bounds=Bounds(links=3))
        assert [found[link].state for link in links] == [DEAD] * 3 + [UNCHECKED] * 2
        assert found[links[4]].reason == "beyond the links that are checked"


def test_beyond_the_number_of_requests_they_are_unchecked() -> None:
    with place() as own:
        links = [own.at(f"/{number}") for number in range(5)]
        found = check(own, links, bounds=Bounds(requests=3))
    assert sorted(answer.state for answer in found.values()) == [DEAD] * 3 + [UNCHECKED] * 2


def test_beyond_the_time_they_are_unchecked() -> None:
    with place(**{"/x": _hangs, "/y": Say(404)}) as own:
        found = check(own, [own.at("/x"), own.at("/y")], bounds=Bounds(total_s=1))
    assert [found[own.at(path)].state for path in ("/x", "/y")] == [UNCHECKED, DEAD]


def test_a_host_that_never_answers_is_not_asked_for_ever() -> None:
    with place() as own:
        links = [own.at(f"/{number}") for number in range(40)]
        own.routes = dict.fromkeys((f"/{number}" for number in range(40)), _hangs)
        found = check(own, links, bounds=QUICK)
        assert {answer.state for answer in found.values()} == {FLAKY}
        assert len(own.asked) < 40


def test_links_that_differ_in_their_fragment_share_one_request() -> None:
    with place() as own:
        own.routes["/p"] = Say(body="<h1 id=a>A</h1><p id=b>B</p>")
        found = check(own, [own.at("/p#a"), own.at("/p#b"), own.at("/p"), own.at("/p#a")])
        assert (len(found), own.count("/p")) == (3, 1)


def test_no_links_make_no_answers() -> None:
    with place() as own:
        assert check(own, []) == {}
        assert own.asked == []


def test_the_answers_are_the_same_each_time() -> None:
    with place() as own:
        own.routes |= {f"/{number}": Say(200 if number % 3 else 404) for number in range(60)}
        links = [own.at(f"/{number}") for number in range(60)]
        first, second = (check(own, links, clock=LeapingClock()) for _ in range(2))
        assert first == second
