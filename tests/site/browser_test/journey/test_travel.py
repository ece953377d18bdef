"""The way from page to page."""

import dataclasses
import threading
from collections.abc import Iterator

import pytest

from mergegate.sandbox.visit import Credentials, Visit
from mergegate.site.browser_test.journey.isolated import Bounds
from mergegate.site.browser_test.journey.travel import travel
from tests.site.browser_test.journey.conftest import JUDGED, PICTURED, QUICK, World, without
from tests.site.browser_test.journey.pages import Answer, html, moved


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with without(JUDGED, PICTURED):
        yield


def links(*paths: str) -> str:
    return html("".join(f'<p><a href="{path}">to {path}</a></p>' for path in paths))


def test_the_pages_are_those_of_the_origin_breadth_first(world: World) -> None:
    there = world.site
    there.pages |= {
        "/": links("/a", "/b", "mailto:me@example.org", world.other.url("/away"), "/a#part"),
        "/a": links("/deep", "/"),
        "/b": links("/deeper", "/a"),
        "/deep": links("/"),
        "/deeper": links("/"),
    }
    bounds = dataclasses.replace(QUICK, pages=4)
    journey = travel(Visit(url=there.url()), world.chromium, bounds=bounds)
    assert [one.url for one in journey.visits] == [
        there.url(path) for path in ("/", "/a", "/b", "/deep")
    ]
    assert [one.depth for one in journey.visits] == [0, 1, 1, 2]
    assert (journey.found, journey.notes) == (5, ())
    assert journey.browser.startswith("Chromium ")
    assert world.other.asked == []


def test_one_tab_and_four_meet_the_same(world: World) -> None:
    """Even when the first page answers last."""
    other_asked = threading.Event()

    def slow(_: str) -> Answer:
        other_asked.wait(1)  # with one tab in vain
        return Answer(links("/a/x"))

    def fast(_: str) -> Answer:
        other_asked.set()
        return Answer(links("/b/x"))

    world.site.pages |= {"/": links("/a", "/b"), "/a": slow, "/b": fast, "/a/x": html("x")}
    seen = []
    for tabs in (1, 4):
        other_asked.clear()
        journey = world.travel(bounds=dataclasses.replace(QUICK, pages=4, tabs=tabs))
        seen.append([(one.url, one.title, one.links) for one in journey.visits])
    assert seen[0] == seen[1]
    paths = ("/", "/a", "/b", "/a/x")
    assert [url for url, _, _ in seen[0]] == [world.site.url(path) for path in paths]


def test_nothing_that_may_change_a_state_is_opened(world: World) -> None:
    world.site.pages["/"] = links("/logout", "/users/1/delete", "/report.pdf") + (
        "<a href=/save download>save</a>"
    )
    journey = world.travel()
    assert len(journey.visits) == 1
    assert set(world.site.paths()) <= {"/", "/favicon.ico"}
    assert len(journey.visits[0].links) == 4


def test_files_and_what_leads_away_are_no_pages_and_failures_are(world: World) -> None:
    world.site.pages |= {
        "/": links("/file", "/text", "/away", "/script-away", "/back", "/gone", "/good"),
        "/file": Answer("x", headers=(("Content-Disposition", "attachment"),)),
        "/text": Answer("x", kind="text/plain"),
        "/away": moved(world.other.url("/")),
        "/script-away": f"<script>location = '{world.other.url('/')}'</script>",
        "/back": moved("/"),
        "/good": html("good"),
    }
    world.other.pages["/"] = html("another site")
    journey = world.travel()
    assert [(one.final_url, one.status, one.failure) for one in journey.visits] == [
        (world.site.url("/"), 200, ""),
        (world.site.url("/gone"), 404, "it answers 404"),
        (world.site.url("/good"), 200, ""),
    ]


@pytest.mark.parametrize(
    ("answer", "status", "failure"),
    [
        (Answer("gone", 404), 404, "it answers 404"),
        (Answer("broken", 500), 500, "it answers 500"),
        (Answer("%PDF", kind="application/json"), 200, "it is no HTML page"),
        (Answer("", 204), None, "it is no page but a file to save"),
        (moved("/"), None, "it redirects without end"),
        (moved("http://10.0.0.1/"), None, "it was not let through"),
    ],
)
def test_a_first_page_that_is_none_says_why(
    world: World, answer: Answer, status: int | None, failure: str
) -> None:
    world.site.pages["/"] = answer
    (visit,) = world.travel().visits
    assert visit.status == status
    assert visit.failure.startswith(failure)


def test_a_first_page_whose_host_does_not_answer_says_only_that(world: World) -> None:
    world.site.pages["/"] = moved(f"{world.silent}/")
    (visit,) = world.travel().visits
    assert visit.failure == "the host does not take connections"


def test_routes_of_a_script_are_pages(world: World) -> None:
    world.site.pages["/"] = html(
        "<div id=app></div><script>"
        "setTimeout(() => { app.innerHTML = location.hash === '#/about' ? '<p>About us</p>'"
        " : '<a href=\"#/about\">About</a>'; document.title = location.hash || 'home'; }, 200)"
        "</script>"
    )
    home, about = world.travel().visits
    assert home.links[0].scripted
    assert (about.url, about.title) == (world.site.url("/#/about"), "#/about")


def test_credentials_go_to_the_own_origin_alone(world: World) -> None:
    world.site.pages |= {
        "/": html(f"<img alt='' src='{world.other.url('/pixel')}'><a href=/in>in</a>"),
        "/in": html(f"<iframe title=x src='{world.other.url('/frame')}'></iframe>"),
    }
    world.travel(credentials=Credentials(headers=(("X-Pass", "sesame"),)))
    asked = {path: headers.get("x-pass") for _, path, headers in world.site.asked}
    assert (asked["/"], asked["/in"]) == ("sesame", "sesame")
    assert {path for _, path, _ in world.other.asked} >= {"/pixel", "/frame"}
    assert all("x-pass" not in headers for _, _, headers in world.other.asked)


def test_no_page_finds_what_another_one_left(world: World) -> None:
    keep = "<script>document.title = localStorage.seen || 'new'; localStorage.seen = 'old'</script>"
    world.site.pages |= {"/": html("<a href=/a>a</a>") + keep, "/a": html("") + keep}
    assert [one.title for one in world.travel().visits] == ["new", "new"]


def test_a_journey_has_an_end(world: World) -> None:
    world.site.pages |= {"/": links("/a"), "/a": html("a")}
    journey = world.travel(bounds=Bounds(journey_s=0.001))
    assert journey.visits[0].failure.startswith("there was no more time")
    assert journey.notes == ("there was no time for more pages after 0 s",)


def test_a_journey_without_pages_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one page"):
        Bounds(pages=0)
