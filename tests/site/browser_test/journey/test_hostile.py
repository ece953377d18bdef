"""Pages that want to hang, deceive or fill us: each has an end, and the others go on."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from mergegate.site.browser_test.facts import Fault, PageVisit
from mergegate.site.browser_test.journey.isolated import Bounds
from tests.site.browser_test.journey.conftest import World, journeys
from tests.site.browser_test.journey.pages import Answer, html

pytestmark = pytest.mark.slow
SHORT = Bounds(load_s=8, step_s=10, settle_s=1, page_s=60, tabs=2)
HASTY = replace(SHORT, load_s=2, step_s=3, axe_s=5)
"""For what has no end: it burns a core until it is given up."""


@pytest.fixture(scope="module")
def _held() -> Iterator[World]:
    """With a Chromium of their own: what they leave is not counted against harmless pages."""
    with journeys() as held:
        yield held


def beside(world: World, hostile: Sequence[str], bounds: Bounds = SHORT) -> list[PageVisit]:
    """The hostile pages; a good one is linked behind them."""
    bad = {f"/bad{number}": page for number, page in enumerate(hostile)}
    links = "".join(f"<a href={path}>on</a> " for path in [*bad, "/good"])
    good = html("<a href=/>home</a>", "good")
    world.site.pages |= {"/": html(links), **bad, "/good": good}
    _, *seen, last = world.travel(bounds=replace(bounds, pages=len(bad) + 2)).visits
    assert world.chromium.alive
    assert (last.title, last.failure, len(last.links)) == ("good", "", 1)
    assert len(last.screenshots) == 2
    assert [one.url for one in seen] == [world.site.url(path) for path in bad]
    return seen


@pytest.mark.parametrize(
    "scripts",
    [
        ["for (;;) alert('again')", "setTimeout(() => { for (;;); }, 100)"],
        pytest.param(
            ["for (;;);", "const spin = () => Promise.resolve().then(spin); spin()"],
            marks=pytest.mark.thorough,
        ),
    ],
    ids=["while it loads and after that", "in other words"],
)
def test_a_script_without_end_hangs_its_own_page_alone(world: World, scripts: list[str]) -> None:
    hanging = [html(f"<script>{script}</script>", "bad") for script in scripts]
    for bad in beside(world, hanging, HASTY):
        assert bad.failure == "it does not answer within 3 s"
        assert bad.faults[-1].fault is Fault.CRASH
        assert bad.faults[-1].message == "The page hangs"


@pytest.mark.parametrize(
    "scripts",
    [
        [
            "location = location.pathname + '?' + Math.random()",
            "setTimeout(() => location.reload(), 20)",
        ],
        pytest.param(["location.reload()"], marks=pytest.mark.thorough),
    ],
    ids=["to a new address and, after a moment, again", "again at once"],
)
def test_pages_that_keep_going_elsewhere_are_named(world: World, scripts: list[str]) -> None:
    leaving = [html(f"<script>{script}</script>", "bad") for script in scripts]
    seen = beside(world, leaving, HASTY)
    unnamed = [
        script for script, bad in zip(scripts, seen, strict=True) if not (bad.failure or bad.notes)
    ]
    assert unnamed == []


TIRESOME = [
    "setInterval(() => { for (let i = 0; i < 3; i++) document.body.append(new Image) }, 10)",
    "for (let i = 0; i < 12; i++) open('/good?' + i); setInterval(() => open('/good'), 50)",
    "setInterval(() => history.pushState(0, '', location.pathname + '?' + Math.random()), 5)",
    (
        "setTimeout(() => window.close(), 50);"  # none that was opened with a history may
        "onbeforeunload = (event) => { event.preventDefault(); return 'stay' }"
    ),
    (
        "for (const one of ['map', 'push']) Array.prototype[one] = () => { throw 1 };"
        "JSON.stringify = JSON.parse = () => 'lies'; Promise = null; performance.now = () => 1;"
        "document.querySelectorAll = Document.prototype.querySelectorAll = () => [];"
        "Element.prototype.getAttribute = () => { throw 1 }"
    ),
    "Object.defineProperty(Object.prototype, 'get', {get() { for (;;); }})",
    (
        "for (let i = 0; i < 20000; i++) console.error('no', i);"
        "setInterval(() => { for (let i = 0; i < 500; i++) console.error(i) }, 10)"
    ),
]


def test_tiresome_pages_are_looked_at_all_the_same(world: World) -> None:
    link = "<a href=/good>good</a>"
    seen = beside(world, [html(f"{link}<script>{one}</script>", "bad") for one in TIRESOME])
    found = {
        script: (bad.failure, [one.url for one in bad.links], len(bad.screenshots))
        for script, bad in zip(TIRESOME, seen, strict=True)
    }
    assert found == dict.fromkeys(TIRESOME, ("", [world.site.url("/good")], 2))


@pytest.mark.parametrize(
    "scripts",
    [
        [
            "for (;;);",
            # Workers without end, of which the first never ends either.
            (
                "let hang = 'for (;;);'; setInterval(() => { new Worker(URL.createObjectURL("
                "new Blob([hang]))); hang = '' }, 150)"
            ),
        ],
        pytest.param(
            [
                "for (;;) alert('again')",
                # What is heard of it: test_faults.py.
                "setInterval(() => { for (let i = 0; i < 500; i++) console.error(i) }, 10)",
            ],
            marks=pytest.mark.thorough,
        ),
    ],
    ids=["hanging and breeding", "asking and talking"],
)
def test_tiresome_frames_of_another_site_hide_nothing_of_the_page(
    world: World, scripts: list[str]
) -> None:
    hostile = []
    for number, script in enumerate(scripts):
        world.other.pages[f"/{number}"] = html(f"<script>{script}</script>")
        frame = f"<iframe title=x src='{world.other.foreign(f'/{number}')}'></iframe>"
        hostile.append(html(f"<a href=/good>good</a>{frame}", "bad"))
    seen = beside(world, hostile, HASTY)
    found = [(bad.failure, len(bad.links), len(bad.screenshots)) for bad in seen]
    assert found == [("", 1, 2)] * len(scripts)


@pytest.mark.parametrize(
    "shown", ["<div hidden>{}</div>", pytest.param("{}", marks=pytest.mark.thorough)]
)
def test_a_hundred_thousand_links_are_bounded(world: World, shown: str) -> None:
    many = shown.format("\n".join(f"<p><a href=/p{number}>x</a>" for number in range(100_000)))
    visit = world.look(html(many), replace(SHORT, step_s=15))
    assert visit.failure == ""
    assert len(visit.links) == 3000
    assert any("100000 links" in note for note in visit.notes)


def test_a_renderer_that_dies_takes_its_own_page_alone() -> None:
    with journeys("--js-flags=--max-old-space-size=64") as world:
        hold = "const hold = []; for (;;) hold.push(new Array(1e5).fill(1.5))"
        (bad,) = beside(world, [html(f"<script>{hold}</script>")])
        assert bad.failure == "it took its renderer down"
        assert bad.faults[-1].fault is Fault.CRASH


def test_a_browser_that_is_ended_ends_the_journey() -> None:
    with journeys() as world:

        def last(_: str) -> Answer:
            world.chromium.process.end("it used more than 600 MiB of memory")
            return Answer(html("late"))

        world.site.pages |= {"/": html("<a href=/last>last</a>"), "/last": last}
        journey = world.travel(bounds=SHORT)
        ended = "the browser ended: it used more than 600 MiB of memory"
        assert [one.failure for one in journey.visits] == ["", ended]
        assert journey.notes == (ended,)


def test_a_body_without_end_is_cut(world: World) -> None:
    long = f"<!--{'word ' * 40_000}--><a href=/good>good</a>"
    visit = world.look(html(long), replace(SHORT, body_bytes=100_000))
    assert visit.failure == ""
    assert any("not kept" in note for note in visit.notes)
