"""What a page holds and says: anchors, soft 404s, and links that nobody should follow."""

import pytest

from mergegate.site.browser_test.facts import LinkState
from mergegate.site.links.address import Address, anchor, changes_state, read
from mergegate.site.links.page import read_page, says_nothing
from tests.site.links.places import Asked, Say, check, place

ALIVE, DEAD, SOFT, UNCHECKED = (
    LinkState.ALIVE,
    LinkState.DEAD,
    LinkState.SOFT_404,
    LinkState.UNCHECKED,
)


@pytest.mark.parametrize(
    ("fragment", "state"),
    [
        ("", ALIVE),
        ("#", ALIVE),
        ("#top", ALIVE),
        ("#TOP", ALIVE),
        ("#here", ALIVE),
        ("#old", ALIVE),
        ("#%C3%BCber", ALIVE),
        ("#über", ALIVE),
        ("#50%25", ALIVE),
        ("#fold%27", ALIVE),  # as Haddock writes the id
        ("#readme", ALIVE),
        ("#:~:text=words", ALIVE),
        ("#here:~:text=words", ALIVE),
        ("#/route", ALIVE),
        ("#L10-L20", ALIVE),
        ("#1-1434", ALIVE),
        ("#10", DEAD),
        ("#!route", ALIVE),
        ("#tab=2", ALIVE),
        ("#gone", DEAD),
        ("#Here", DEAD),
        ("#gone:~:text=words", DEAD),
        ("#field", DEAD),  # the name of something that is no anchor
    ],
)
@pytest.mark.parametrize("foreign", [False, True])
def test_an_anchor_is_looked_for(fragment: str, state: LinkState, foreign: bool) -> None:
    body = (
        "<h1 id=here>A</h1><a name=old></a><p id='über'></p><p id='50%'></p><p id='fold%27'></p>"
        "<input name=field><a id=user-content-readme></a>"
    )
    with place() as own, place() as other:
        there = other if foreign else own
        there.routes["/p"] = Say(body=body)
        link = there.at(f"/p{fragment}")
        assert check(own, [link], other)[link].state is state


def test_an_anchor_that_scripts_may_make_is_not_dead() -> None:
    with place(**{"/p": Say(body="<p>x</p><script src=/app.js></script>")}) as own:
        answer = check(own, [own.at("/p#made")])[own.at("/p#made")]
        assert (answer.state, answer.status) == (UNCHECKED, 200)


def test_data_in_a_page_makes_no_anchors() -> None:
    body = "<p>x</p><script type=application/ld+json>{}</script>"
    with place(**{"/p": Say(body=body)}) as own:
        assert check(own, [own.at("/p#made")])[own.at("/p#made")].state is DEAD


def test_what_the_browser_saw_counts() -> None:
    with place(**{"/p": Say(body="<p id=server>x</p><script></script>")}) as own:
        anchors = {own.at("/p"): frozenset({"made"})}
        found = check(own, [own.at("/p#made"), own.at("/p#server")], anchors=anchors)
        assert [answer.state for answer in found.values()] == [ALIVE, DEAD]


def test_a_document_that_is_no_page_has_other_anchors() -> None:
    pdf = Say(body=b"%PDF-1.7", headers=[("Content-Type", "application/pdf")])
    with place(**{"/p.pdf": pdf}) as own:
        assert check(own, [own.at("/p.pdf#page-2")])[own.at("/p.pdf#page-2")].state is ALIVE


def test_a_page_that_is_too_long_to_read_is_not_dead() -> None:
    with place(**{"/p": Say(body="x" * 1_100_000 + "<p id=late>")}) as own:
        assert check(own, [own.at("/p#late")])[own.at("/p#late")].state is UNCHECKED


def test_a_page_that_is_read_in_part_is_not_without_its_last_anchors() -> None:
    body = "<pre>" + "<span>x</span>" * 9_000 + "<i>" * 600 + "<p id=late>"
    with place(**{"/p": Say(body=body)}) as own:
        assert check(own, [own.at("/p#late")])[own.at("/p#late")].state is UNCHECKED


@pytest.mark.parametrize(
    ("headline", "nothing"),
    [
        ("404", True),
        ("404 Not Found", True),
        ("Error 404", True),
        ("404 - Page not found | Shop", True),
        ("Shop – Page Not Found", True),
        ("Oops! That page can’t be found.", True),
        ("The page you are looking for could not be found", True),
        ("Seite nicht gefunden", True),
        ("Page introuvable - Boutique", True),
        ("Página no encontrada", True),
        ("Página não encontrada", True),
        ("Pagina non trovata", True),
        ("Pagina niet gevonden", True),
        ("Sidan hittades inte", True),
        ("Nie znaleziono strony", True),
        ("Страница не найдена", True),
        ("Sayfa bulunamadı", True),
        ("Η σελίδα δεν βρέθηκε", True),
        ("页面不存在", True),
        ("ページが見つかりませんでした", True),
        ("페이지를 찾을 수 없습니다", True),
        ("الصفحة غير موجودة", True),
        ("הדף לא נמצא", True),
        ("", False),
        ("Home", False),
        ("How to fix 404 Not Found errors", False),
        ("404 Media", False),
        ("Room 404", False),
        ("Peugeot 404", False),
        ("Not found in any shop: our tea", False),
        ("The page", False),
        ("Error handling", False),
        ("Errors | Handbook", False),
        ("Lost and found", False),
    ],
)
def test_saying_that_there_is_nothing_is_known_in_many_languages(
    headline: str, nothing: bool
) -> None:
    assert says_nothing(headline) is nothing


WORDS = "<p>" + " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200))


def test_a_short_page_that_says_it_is_not_there_is_a_soft_404() -> None:
    with place(**{"/x": Say(body="<title>Page not found | Shop</title><p>Sorry.")}) as own:
        answer = check(own, [own.at("/x")])[own.at("/x")]
        assert (answer.state, answer.status) == (SOFT, 200)


def test_an_article_about_404_is_a_page() -> None:
    body = f"<title>404 Not Found | Handbook</title><h1>404 Not Found</h1>{WORDS}"
    with place(**{"/x": Say(body=body)}) as own:
        assert check(own, [own.at("/x")])[own.at("/x")].state is ALIVE


def test_soft_404s_of_other_sites_are_not_our_business() -> None:
    with place() as own, place() as other:
        other.routes["/x"] = Say(body="<title>Page not found</title>")
        assert check(own, [other.at("/x")], other)[other.at("/x")].state is ALIVE
        assert other.probes == []


def _anything(asked: Asked) -> Say:
    return Say(body=f"<title>Shop</title><p>We looked for {asked.path} in vain. 12:07:59{WORDS}")


def test_a_site_that_answers_alike_to_anything_has_soft_404s() -> None:
    with place(**{"/": Say(body=f"<title>Shop</title>Welcome{WORDS} all new")}) as own:
        own.routes["/real"] = Say(body=f"<title>Shop</title><p>Something{WORDS} else altogether")
        own.routes["/gone"] = _anything
        own.otherwise = _anything  # type: ignore[assignment]
        found = check(own, [own.at("/gone"), own.at("/real"), own.at("/")])
        assert found[own.at("/gone")].state is SOFT
        assert found[own.at("/")].state is ALIVE
        assert len(own.probes) == 1


def test_an_application_of_one_page_has_none() -> None:
    shell = Say(body=f"<title>App</title><script src=/app.js></script>{WORDS}{WORDS}")
    with place(**{"/": shell, "/users/1": shell}) as own:
        own.otherwise = shell
        assert check(own, [own.at("/users/1")])[own.at("/users/1")].state is ALIVE


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("/logout", True),
        ("/user/sign-out", True),
        ("/Account/SignOut", True),
        ("/wp-login.php?action=logout", True),
        ("/index.php?do=delete_post&id=3", True),
        ("/items/7/delete", True),
        ("/unsubscribe/abc", True),
        ("/shop?add-to-cart=12", True),
        ("/logout.php", True),
        ("/%6Cogout", True),
        ("/docs/logout", True),
        ("/", False),
        ("/login", False),
        ("/blog/how-to-delete-an-account", False),
        ("/docs/commands/delete", False),
        ("/undelete-me", False),
        ("/search?q=delete", False),
        ("/cancellation-policy", False),
        ("/cart", False),
    ],
)
def test_an_address_that_may_change_something_is_known(path: str, changes: bool) -> None:
    address = read(f"http://example.org{path}", 100)
    assert isinstance(address, Address)
    assert changes_state(address.url) is changes


def test_what_may_change_something_is_not_asked_for_on_the_own_site() -> None:
    with place() as own, place() as other:
        links = [own.at("/logout"), own.at("/x?action=delete")]
        found = check(own, links, other)
        assert {answer.state for answer in found.values()} == {UNCHECKED}
        assert own.asked == own.probes == []


def test_an_anchor_is_what_stands_before_a_text_directive() -> None:
    assert anchor("part:~:text=a,b") == "part"


@pytest.mark.parametrize("html", ["", "\x00", "<" * 100_000, "<p id=>", "<title>" * 5000, "\ud800"])
def test_any_text_is_some_page(html: str) -> None:
    assert isinstance(read_page(html.encode("utf-8", "replace").decode()).text, str)
