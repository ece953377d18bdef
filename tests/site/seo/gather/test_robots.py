"""What the answer to /robots.txt means, whatever it is."""

import socket
from typing import Any

import pytest

from mergegate.site.seo.facts import Robots
from mergegate.site.seo.gather.robots import robots
from tests.site.links.places import Say, place, raw
from tests.site.seo.gather.site import TEXT, asking

FORBIDS = "User-agent: *\nDisallow: /"


def ask(say: Any, **others: Any) -> Robots:
    """What it means for a page when /robots.txt answers ``say``."""
    with place(**{"/robots.txt": say, **others}) as own, asking(own) as web:
        fetched = web.get(own.at("/robots.txt"), timeout_s=1.5)
        return robots(fetched, own.at("/page"))


def moved(to: str) -> Say:
    return Say(302, "", headers=(("Location", to),))


def hops(number: int) -> dict[str, Say]:
    """A way of so many redirects to a file that forbids everything."""
    way = {f"/{hop}": moved(f"/{hop + 1}") for hop in range(1, number)}
    return {"/robots.txt": moved("/1"), **way, f"/{number}": Say(200, FORBIDS, TEXT)}


def half(connection: socket.socket) -> None:
    """The beginning of a file that does not go on."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nUser-agent: *\nAllow: /\n")


STATES = [
    ("a file", Say(200, FORBIDS, TEXT), "present", False),
    ("an empty file", Say(200, "", TEXT), "present", True),
    ("no file", Say(404, FORBIDS, TEXT), "absent", True),
    ("a file that is closed", Say(401, FORBIDS), "absent", True),
    ("a server that is busy", Say(429, FORBIDS), "unreachable", False),
    ("a server that fails", Say(503, "User-agent: *\nAllow: /"), "unreachable", False),
    ("a circle", moved("/robots.txt"), "absent", True),
    ("a page in its place", Say(200, "<!doctype html><title>Shop</title>"), "not robots", True),
    ("a page sent as text", Say(200, "\n <HTML><body>Shop", TEXT), "not robots", True),
    ("half a file", raw(half), "unreachable", False),
    ("a hung-up connection", raw(lambda connection: connection.close()), "unreachable", False),
]


@pytest.mark.parametrize(
    ("say", "state", "allowed"), [case[1:] for case in STATES], ids=[case[0] for case in STATES]
)
def test_the_answer_decides_what_crawlers_may_do(say: Any, state: str, allowed: bool) -> None:
    found = ask(say)
    assert found.state == state
    assert set(found.allowed.values()) == {allowed}


@pytest.mark.parametrize(("number", "state"), [(5, "present"), (6, "absent")])
def test_five_redirects_are_followed_and_no_more(number: int, state: str) -> None:
    way = hops(number)
    assert ask(way.pop("/robots.txt"), **way).state == state


def test_rules_that_are_sent_as_a_page_count_and_are_objected_to() -> None:
    found = ask(Say(200, FORBIDS))
    assert (found.state, found.allowed["*"]) == ("present", False)
    assert [line for line, said in found.problems if "text/plain" in said] == [0]


def test_the_line_that_decides_is_kept_for_each_crawler_that_one_decides_about() -> None:
    found = ask(Say(200, "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nAllow: /x", TEXT))
    assert found.matched["GPTBot"].line == 2
    assert "*" not in found.matched
    assert (found.allowed["GPTBot"], found.allowed["ClaudeBot"]) == (False, True)


def test_a_file_without_end_is_read_as_far_as_crawlers_read() -> None:
    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        connection.sendall(b"User-agent: *\nDisallow: /page\n")
        while True:
            connection.sendall(b"# again\n" * 8192)

    with place(**{"/robots.txt": raw(drip)}) as own, asking(own) as web:
        fetched = web.get(own.at("/robots.txt"), most_bytes=600 * 1024)
        found = robots(fetched, own.at("/page"))
    assert (found.state, found.allowed["*"]) == ("present", False)
    assert "500 KiB" in found.problems[0][1]
