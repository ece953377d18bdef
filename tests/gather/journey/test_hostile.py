"""Pages that want to hang, deceive or fill us: each has an end, and the others go on."""

import dataclasses
from collections.abc import Iterator

import pytest

from mergegate.gather.journey import Bounds
from mergegate.model.facts.journey import Fault, PageVisit
from tests.gather.journey.conftest import World, journeys
from tests.gather.journey.pages import Answer, html

pytestmark = pytest.mark.slow
SHORT = Bounds(load_s=3, step_s=3, settle_s=1, page_s=20, axe_s=5)


@pytest.fixture
def world() -> Iterator[World]:
    """With a Chromium of its own: what one page has filled is not counted against the next."""
    with journeys() as held:
        yield held


def beside(world: World, hostile: str) -> tuple[PageVisit, PageVisit]:
    """The hostile page and the good one that is linked behind it."""
    world.site.pages |= {
        "/": html("<a href=/bad>bad</a> <a href=/good>good</a>"),
        "/bad": hostile,
        "/good": html("<a href=/>home</a>", "good"),
    }
    journey = world.travel(bounds=SHORT)
    assert world.chromium.alive
    _, bad, good = journey.visits
    assert (good.title, good.failure, len(good.links)) == ("good", "", 1)
    assert len(good.screenshots) == 2
    return bad, good


@pytest.mark.parametrize(
    "script",
    [
        "for (;;) alert('again')",
        "for (;;);",
        "setTimeout(() => { for (;;); }, 100)",
        "const spin = () => Promise.resolve().then(spin); spin()",
    ],
)
def test_a_script_without_end_hangs_its_own_page_alone(world: World, script: str) -> None:
    bad, _ = beside(world, html(f"<script>{script}</script>", "bad"))
    assert bad.failure == "it does not answer within 3 s"
    assert bad.faults[-1].fault is Fault.CRASH
    assert bad.faults[-1].message == "The page hangs"


@pytest.mark.parametrize(
    "script",
    [
        "location.reload()",
        "location = '/bad?' + Math.random()",
        "setTimeout(() => location.reload(), 20)",
    ],
)
def test_a_page_that_keeps_going_elsewhere_is_named(world: World, script: str) -> None:
    bad, _ = beside(world, html(f"<script>{script}</script>", "bad"))
    assert bad.failure or bad.notes


@pytest.mark.parametrize(
    "script",
    [
        "setInterval(() => { for (let i = 0; i < 50; i++) document.body.append(new Image) }, 10)",
        "for (let i = 0; i < 40; i++) open('/good?' + i)",
        "setInterval(() => open('/good'), 50)",
        "setInterval(() => history.pushState(0, '', '/bad?' + Math.random()), 5)",
        "onbeforeunload = (event) => { event.preventDefault(); return 'stay' }",
        (
            "for (const one of ['map', 'push']) Array.prototype[one] = () => { throw 1 };"
            "JSON.stringify = JSON.parse = () => 'lies'; Promise = null; performance.now = () => 1;"
            "document.querySelectorAll = Document.prototype.querySelectorAll = () => [];"
            "Element.prototype.getAttribute = () => { throw 1 }"
        ),
        "Object.defineProperty(Object.prototype, 'get', {get() { for (;;); }})",
        "for (let i = 0; i < 20000; i++) console.error('no', i)",
        "setInterval(() => { for (let i = 0; i < 500; i++) console.error(i) }, 10)",
    ],
)
def test_a_tiresome_page_is_looked_at_all_the_same(world: World, script: str) -> None:
    page = html(f"<a href=/good>good</a><script>{script}</script>", "bad")
    bad, _ = beside(world, page)
    assert bad.failure == ""
    assert [one.url for one in bad.links] == [world.site.url("/good")]
    assert len(bad.screenshots) == 2


@pytest.mark.parametrize(
    "script",
    [
        "setInterval(() => { for (let i = 0; i < 500; i++) console.error(i) }, 10)",
        "for (;;);",
        "for (;;) alert('again')",
        "setInterval(() => new Worker(URL.createObjectURL(new Blob(['for (;;);']))), 50)",
    ],
)
def test_a_tiresome_frame_of_another_site_hides_nothing_of_the_page(
    world: World, script: str
) -> None:
    world.other.pages["/frame"] = html(f"<script>{script}</script>")
    frame = f"<iframe title=x src='{world.other.foreign('/frame')}'></iframe>"
    bad, _ = beside(world, html(f"<a href=/good>good</a>{frame}", "bad"))
    assert (bad.failure, len(bad.links), len(bad.screenshots)) == ("", 1, 2)


def test_a_page_that_closes_itself_is_named(world: World) -> None:
    bad, _ = beside(world, html("<script>setTimeout(() => window.close(), 50)</script>", "bad"))
    assert bad.failure or bad.links == ()


def test_a_hundred_thousand_links_are_bounded(world: World) -> None:
    many = "\n".join(f"<p><a href=/p{number}>x</a>" for number in range(100_000))
    world.site.pages["/"] = html(many)
    visit = world.travel(bounds=dataclasses.replace(SHORT, pages=1, step_s=15, page_s=60)).visits[0]
    assert visit.failure == ""
    assert len(visit.links) == 3000
    assert any("100000 links" in note for note in visit.notes)


def test_a_renderer_that_dies_takes_its_own_page_alone() -> None:
    with journeys("--js-flags=--max-old-space-size=64") as world:
        hold = "const hold = []; for (;;) hold.push(new Array(1e5).fill(1.5))"
        bad, _ = beside(world, html(f"<script>{hold}</script>"))
        assert bad.failure == "it took its renderer down"
        assert bad.faults[-1].fault is Fault.CRASH


def test_a_browser_that_is_ended_ends_the_journey() -> None:
    with journeys() as world:

        def last(_: str) -> Answer:
            world.chromium.companion.end("it used more than 600 MiB of memory")
            return Answer(html("late"))

        world.site.pages |= {"/": html("<a href=/last>last</a>"), "/last": last}
        journey = world.travel(bounds=SHORT)
        ended = "the browser ended: it used more than 600 MiB of memory"
        assert [one.failure for one in journey.visits] == ["", ended]
        assert journey.notes == (ended,)


def test_a_body_without_end_is_cut(world: World) -> None:
    world.site.pages["/"] = Answer(html("<p>word</p>" * 20_000 + "<a href=/good>good</a>"))
    small = dataclasses.replace(SHORT, pages=1, body_bytes=100_000)
    visit = world.travel(bounds=small).visits[0]
    assert visit.failure == ""
    assert any("not kept" in note for note in visit.notes)
