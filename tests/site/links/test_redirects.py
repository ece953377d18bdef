"""Redirects: followed hop by hop, each judged anew, credentials included."""

import pytest

from mergegate.sandbox.visit import Credentials
from mergegate.site.browser_test.facts import LinkState
from mergegate.site.links.bounds import Bounds
from tests.site.links.places import Asked, Say, check, place

HTML = ("Content-Type", "text/html")


def to(where: str, status: int = 302, *more: tuple[str, str]) -> Say:
    return Say(status, "", [("Location", where), *more])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_to_its_end(status: int) -> None:
    with place(**{"/a": to("/b", status), "/b": to("c", status), "/c": Say()}) as own:
        answer = check(own, [own.at("/a")])[own.at("/a")]
        assert (answer.state, answer.status) == (LinkState.ALIVE, 200)
        assert answer.final_url == own.at("/c")


def test_a_redirect_to_a_dead_end_is_dead() -> None:
    with place(**{"/a": to("/gone")}) as own:
        answer = check(own, [own.at("/a")])[own.at("/a")]
        assert (answer.state, answer.final_url) == (LinkState.DEAD, own.at("/gone"))


@pytest.mark.parametrize(
    ("where", "state"),
    [
        ("javascript:alert(1)", LinkState.DEAD),
        ("data:text/html,x", LinkState.DEAD),
        ("file:///etc/passwd", LinkState.DEAD),
        ("http://[::1", LinkState.DEAD),
        ("http://10.0.0.1/", LinkState.UNCHECKED),
        ("http://169.254.169.254/latest/", LinkState.UNCHECKED),
        ("http://localhost/", LinkState.UNCHECKED),
        ("//127.0.0.1:1/", LinkState.UNCHECKED),
        ("http://user:word@127.0.0.1/", LinkState.UNCHECKED),
        ("mailto:a@example.org", LinkState.UNCHECKED),
        ("itms-apps://example", LinkState.UNCHECKED),
        ("/" + "x" * 20_000, LinkState.UNCHECKED),
        ("/account/logout", LinkState.UNCHECKED),
    ],
)
def test_a_redirect_is_not_followed_everywhere(where: str, state: LinkState) -> None:
    with place(**{"/a": to(where)}) as own:
        answer = check(own, [own.at("/a")])[own.at("/a")]
        assert answer.state is state
        assert "word" not in answer.final_url
        assert own.count("/account/logout") == 0


def test_a_circle_is_left_at_once() -> None:
    with place(**{"/a": to("/b"), "/b": to("/a")}) as own:
        answer = check(own, [own.at("/a")])[own.at("/a")]
        assert (answer.state, answer.reason) == (LinkState.FLAKY, "it redirects in a circle")
        assert len(own.asked) == 2


def test_a_chain_without_an_end_is_left_after_ten_hops() -> None:
    with place() as own:
        own.routes = {f"/{number}": to(f"/{number + 1}") for number in range(100)}
        answer = check(own, [own.at("/0")], bounds=Bounds())[own.at("/0")]
        assert (answer.state, len(own.asked)) == (LinkState.FLAKY, 11)


def test_a_page_that_sets_a_cookie_and_asks_again_is_alive() -> None:
    def answer(asked: Asked) -> Say:
        if "seen=yes" in asked.headers.get("Cookie", ""):
            return Say()
        return to("/a", 302, ("Set-Cookie", "seen=yes; Path=/"))

    with place(**{"/a": answer, "/b": Say()}) as own:
        found = check(own, [own.at("/a"), own.at("/b")])
        assert {one.state for one in found.values()} == {LinkState.ALIVE}
        assert all("Cookie" not in one.headers for one in own.asked if one.path == "/b")


SECRET = Credentials(headers=(("X-Preview", "s3cret"),), cookies=(("session", "s3cret"),))


def test_credentials_go_to_the_own_origin_alone() -> None:
    with place() as own, place() as other:
        own.routes |= {"/out": to(other.at("/landed")), "/x": Say(), "/back-again": Say()}
        other.routes |= {"/landed": Say(), "/back": to(own.at("/back-again")), "/y": Say()}
        links = [own.at("/out"), own.at("/x"), other.at("/back"), other.at("/y")]
        found = check(own, links, other, credentials=SECRET)
        assert {one.state for one in found.values()} == {LinkState.ALIVE}
        assert {one.headers["X-Preview"] for one in own.asked} == {"s3cret"}
        assert {one.headers["Cookie"] for one in own.asked} == {"session=s3cret"}
        assert "s3cret" not in str([one.headers for one in other.asked])


def test_the_fragment_goes_with_a_redirect() -> None:
    with place(**{"/a": to("/b"), "/b": Say(body="<p id=here>x</p>")}) as own:
        found = check(own, [own.at("/a#here"), own.at("/a#there")])
        assert [one.state for one in found.values()] == [LinkState.ALIVE, LinkState.DEAD]


def test_a_fragment_of_the_redirect_takes_its_place() -> None:
    with place(**{"/a": to("/b#here"), "/b": Say(body="<p id=here>x</p>")}) as own:
        assert check(own, [own.at("/a#gone")])[own.at("/a#gone")].state is LinkState.ALIVE
