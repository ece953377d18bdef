"""Redirects: followed by hand, each hop an answer and judged anew."""

import pytest

from tests.sandbox.web.servers import Say, site, to, web_of


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_every_redirect_is_followed_and_kept(status: int) -> None:
    routes = {"/a/b": to("../c?x=1", status), "/c?x=1": Say(body=b"end")}
    with site(routes) as there, web_of(there) as web:
        found = web.get(there.at("/a/b"))
        assert [one.status for one in found.answers] == [status, 200]
        assert (found.final_url, found.text) == (there.at("/c?x=1"), "end")


@pytest.mark.parametrize("status", [300, 304, 305])
def test_what_is_no_redirect_is_the_answer(status: int) -> None:
    with site({"/": to("/b", status)}) as there, web_of(there) as web:
        assert (web.get(there.at()).status, len(there.asked)) == (status, 1)


def test_a_redirect_without_a_place_is_the_answer() -> None:
    with site({"/": Say(302, b"where?", ())}) as there, web_of(there) as web:
        assert web.get(there.at()).status == 302


def test_redirects_are_not_followed_when_they_are_not_wanted() -> None:
    with site({"/": to("/b")}) as there, web_of(there) as web:
        found = web.get(there.at(), follow=False)
        assert (found.status, found.header("location"), len(there.asked)) == (302, "/b", 1)


@pytest.mark.parametrize(
    ("where", "failure", "refused"),
    [
        ("javascript:alert(1)", "it redirects: it is not a web address", True),
        ("data:text/html,x", "it redirects: it is not a web address", True),
        ("file:///etc/passwd", "it redirects: it is not a web address", True),
        ("ftp://127.0.0.1/", "it redirects: it is not a web address", True),
        ("http://a:b@127.0.0.1/", "it redirects: it carries a name and a password", False),
        ("https://", "it redirects: the address has no host", False),
        ("http://[::1", "it redirects to an address that cannot be read", False),
        ("/" + "x" * 9000, "it redirects to an address that is too long", False),
        ("http://10.0.0.1/", "it is a private address", True),
        ("http://169.254.169.254/latest/", "", True),
        ("http://127.0.0.1:1/", "it is a loopback address; of this host ", True),
        ("https://127.0.0.1:1/", "it is a loopback address; of this host ", True),
        ("http://printer.local/", "it is a name of an inner network", True),
    ],
)
def test_a_redirect_is_not_followed_everywhere(where: str, failure: str, refused: bool) -> None:
    with site({"/": to(where)}) as there, web_of(there) as web:
        found = web.get(there.at())
        assert found.failure and found.failure.startswith(failure)
        assert (found.refused, found.final, found.status) == (refused, None, None)
        assert [one.status for one in found.answers] == [302]


def test_a_circle_is_left_at_once() -> None:
    with site({"/a": to("/b"), "/b": to("/a")}) as there, web_of(there) as web:
        found = web.get(there.at("/a"))
        assert (found.failure, len(there.asked)) == ("it redirects in a circle", 2)
        assert len(found.answers) == 2


@pytest.mark.parametrize(("hops", "failure"), [(10, ""), (11, "it redirects again and again")])
def test_a_chain_ends_after_ten_redirects(hops: int, failure: str) -> None:
    routes = {f"/{number}": to(f"/{number + 1}") for number in range(hops)}
    with site({**routes, f"/{hops}": Say()}) as there, web_of(there) as web:
        assert web.get(there.at("/0")).failure == failure
        assert len(there.asked) == 11


def test_a_place_in_other_letters_is_found() -> None:
    def answer(_: object) -> Say:
        return to("/caf\xc3\xa9 au lait")  # the bytes of UTF-8, as servers send them

    routes = {"/": answer, "/caf%C3%A9%20au%20lait": Say(body=b"here")}
    with site(routes) as there, web_of(there) as web:
        assert web.get(there.at()).text == "here"


@pytest.mark.parametrize(
    ("address", "failure"),
    [
        ("ftp://example.org/", "it is not a web address"),
        ("example.org", "it is not a web address"),
        ("", "it is not a web address"),
        ("http://u:p@example.org/", "it carries a name and a password"),
        ("http://[::1", "the address cannot be read"),
        ("http:///x", "the address has no host"),
        ("http://example.org/" + "x" * 9000, "the address is too long"),
    ],
)
def test_what_cannot_be_asked_for_is_not(address: str, failure: str) -> None:
    with site({}) as there, web_of(there) as web:
        assert web.get(address).failure == failure
