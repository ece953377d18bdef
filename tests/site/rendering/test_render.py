"""What a page becomes in a real browser."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mergegate.sandbox.visit import NONE, Credentials, Visit
from mergegate.site import rendering
from mergegate.site.rendering import Bounds, Dresser, Worn, render
from mergegate.site.security.facts import RenderedPage, SentCookie
from tests.site.browser_test.journey.conftest import World
from tests.site.browser_test.journey.pages import Answer, html, moved
from tests.site.rendering.secured import secured

QUICK = Bounds(load_s=8, settle_s=2, step_s=3, page_s=20)
HASTY = Bounds(load_s=1, settle_s=0.5, step_s=1, page_s=30)
SCRIPT = "text/javascript"


def look(
    world: World,
    page: str | Answer,
    *,
    csp: str | None = None,
    bounds: Bounds = QUICK,
    credentials: Credentials = NONE,
) -> RenderedPage:
    """The site's one page."""
    world.site.pages["/"] = page
    visit = Visit(url=world.site.url(), credentials=credentials)
    task = rendering._render(visit, world.chromium, csp, bounds)
    return world.hold.run(rendering, task)


def test_the_document_is_the_one_that_scripts_made(world: World) -> None:
    page = look(world, html("<div id=m></div><script>m.innerHTML = '<p>Later</p>'</script>"))
    assert page.failure == ""
    assert [one.text for one in page.document.blocks if one.tag == "p"] == ["Later"]
    assert page.document.doctype
    assert page.document.url == world.site.url()


def test_everything_that_is_asked_for_has_its_kind_and_every_hop(world: World) -> None:
    world.site.pages["/r"] = moved(world.other.url("/api"))
    world.other.pages["/api"] = Answer("{}", headers=(("Access-Control-Allow-Origin", "*"),))
    world.site.pages["/a.js"] = Answer("fetch('/r')", kind=SCRIPT)
    page = look(world, html('<img src="/x.png"><script src="/a.js"></script>'))
    asked = {
        (world.site.url(), "document"),
        (world.site.url("/x.png"), "image"),
        (world.site.url("/a.js"), "script"),
        (world.site.url("/r"), "fetch"),
        (world.other.url("/api"), "fetch"),
    }
    assert asked <= set(page.requests)


def test_only_cookies_of_scripts_are_told_and_without_their_values(world: World) -> None:
    set_it = "document.cookie = 'theme=geheim; path=/; SameSite=Lax'"
    answer = Answer(html(f"<script>{set_it}</script>"), headers=(("Set-Cookie", "srv=geheim"),))
    page = look(world, answer, credentials=Credentials(cookies=(("pass", "geheim"),)))
    assert page.cookies == (
        SentCookie(
            name="theme",
            set_by=world.site.url(),
            path="/",
            same_site="Lax",
            by_script=True,
        ),
    )


def test_a_cookie_that_lasts_is_told_to_last(world: World) -> None:
    page = look(world, html("<script>document.cookie = 'a=1; max-age=3600; path=/x'</script>"))
    assert page.cookies == ()  # of another path
    page = look(world, html("<script>document.cookie = 'a=1; max-age=3600'</script>"))
    [cookie] = page.cookies
    assert 3000 < (cookie.max_age_s or 0) <= 3600


def test_what_opens_the_site_goes_to_it_alone_also_under_a_policy(world: World) -> None:
    opened = Credentials(headers=(("X-Pass", "geheim"),), cookies=(("pass", "geheim"),))
    image = f'<img src="{world.other.url("/x.png")}">'
    page = look(world, html(image), csp="img-src *", credentials=opened)
    assert page.failure == ""
    [first, *_] = [sent for _, path, sent in world.site.asked if path == "/"]
    assert (first["x-pass"], first["cookie"]) == ("geheim", "pass=geheim")
    assert [sent.get("x-pass") for _, _, sent in world.other.asked] == [None]


def test_a_policy_that_is_put_on_is_obeyed(world: World) -> None:
    page = look(world, html("<script>document.title = 'ran'</script>"), csp="script-src 'none'")
    assert page.document.title == "A page"


def test_a_policy_takes_the_place_of_the_sites_own(world: World) -> None:
    own = (("Content-Security-Policy", "script-src 'none'"),)
    page = html("<script>document.title = 'ran'</script>")
    assert look(world, Answer(page, headers=own)).document.title == "A page"
    freed = look(world, Answer(page, headers=own), csp="script-src 'unsafe-inline'")
    assert freed.document.title == "ran"


def test_text_in_another_encoding_survives_a_policy(world: World) -> None:
    page = look(world, Answer(html("<p>Grüße</p>"), kind="text/html; charset=utf-8"), csp="")
    assert "Grüße" in page.document.text


def test_what_is_no_page_says_so(world: World) -> None:
    assert look(world, Answer("no", 404)).failure == "it answers 404"
    file = Answer("x", kind="application/pdf")
    assert look(world, file).failure == "it is no page but a file to save"


@pytest.mark.parametrize(
    "script",
    [
        "for (;;);",
        pytest.param("for (;;) alert(1)", marks=pytest.mark.thorough),  # journeys meet it too
    ],
)
def test_a_page_that_hangs_says_so(world: World, script: str) -> None:
    page = look(world, html(f"<p>x</p><script>{script}</script>"), bounds=HASTY)
    assert page.failure == "it does not answer within 1 s"


def test_a_page_that_never_stays_ends_in_bounds(world: World) -> None:
    few = replace(HASTY, requests=3)
    page = look(world, html("<script>location = '/?' + Math.random()</script>"), bounds=few)
    assert len(page.requests) == 3


def test_nobody_there_is_a_failure_too(world: World) -> None:
    page = render(Visit(url=f"{world.silent}/"), world.chromium, bounds=HASTY)
    assert page.failure
    assert page.document.nodes == 0


def test_a_page_without_end_is_cut(world: World) -> None:
    few = Bounds(load_s=8, settle_s=1, step_s=3, page_s=20, html_letters=10_000)
    grow = "<script>document.body.innerHTML = '<p>' + 'long '.repeat(1e5)</script>"
    page = look(world, html(grow), bounds=few)
    assert page.failure == ""
    assert page.document.html_bytes == 10_000


def test_requests_without_end_are_cut(world: World) -> None:
    few = Bounds(load_s=5, settle_s=1, step_s=3, page_s=20, requests=20, events=200)
    endless = "<script>for (let n = 0; n < 500; n++) fetch('/' + n).catch(() => 0)</script>"
    page = look(world, html(endless), bounds=few)
    assert len(page.requests) == 20


def over_tls(world: World, page: str, folder: Path) -> RenderedPage:
    """The one page of a site whose certificate nobody vouches for."""
    port = int(world.silent.rpartition(":")[2])
    with secured({"/": page}, folder, port) as origin:
        task = rendering._render(Visit(url=f"{origin}/"), world.chromium, None, QUICK)
        return world.hold.run(rendering, task)


def test_mixed_content_is_told_with_its_kind(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(rendering._LOOKS, "ignore_https_errors", True)
    mixed = (
        '<script src="http://cdn.example.org/a.js"></script>'
        '<img src="http://cdn.example.org/x.png">'
    )
    page = over_tls(world, html(mixed), tmp_path)
    assert page.failure == ""
    assert set(page.mixed) == {
        ("http://cdn.example.org/a.js", "script"),
        ("http://cdn.example.org/x.png", "image"),
    }


def test_a_certificate_that_nobody_vouches_for_is_a_failure(world: World, tmp_path: Path) -> None:
    failure = over_tls(world, html(""), tmp_path).failure
    assert failure.startswith("its certificate is not valid")


def test_a_page_that_never_wore_its_policy_proves_nothing() -> None:
    unused: Any = None
    dresser = Dresser(unused, "frame", Worn(policy="script-src 'none'"), most_bytes=1)
    assert dresser.failure == "the policy could not be put on the page"
