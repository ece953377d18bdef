"""What goes wrong on a page, as the browser tells it."""

import dataclasses

import pytest

from mergegate.site.browser_test.checks.scripts import script_problems
from mergegate.site.browser_test.checks.site import Site
from mergegate.site.browser_test.facts import Fault, PageVisit
from mergegate.site.browser_test.journey.recorder import Recorder
from mergegate.site.browser_test.journey.telling import spoken, thrown, vendor
from tests.site.browser_test.journey.conftest import QUICK, World
from tests.site.browser_test.journey.pages import Answer, html

_DEAF = "it said more than is listened to: later errors of its scripts are not told"
_DEAF_BESIDE = "frames of others and workers in it said more than is listened to"


def _kept_in(place: str, requests: str = "1 request") -> str:
    to = f"{requests} to http://{place} not let out of this scan"
    return f"{to}: --allow {place} lets it out"


def told(visit: PageVisit) -> list[tuple[Fault, str, int]]:
    return [(one.fault, one.message, one.count) for one in visit.faults]


ERRORS = [
    ("throw new TypeError('no such thing')", Fault.UNCAUGHT, "TypeError: no such thing"),
    ("setTimeout(() => nothing.here, 5)", Fault.UNCAUGHT, "ReferenceError: nothing is not defined"),
    ("throw 'a word'", Fault.UNCAUGHT, "a word"),
    ("throw {code: 7}", Fault.UNCAUGHT, "{code: 7}"),
    ("let x = ;", Fault.UNCAUGHT, "SyntaxError: Unexpected token ';'"),
    ("Promise.reject(new Error('late'))", Fault.REJECTION, "Error: late"),
    ("(async () => { throw null })()", Fault.REJECTION, "null"),
    ("console.error('bad', 3, true)", Fault.CONSOLE, "bad 3 true"),
    ("console.error('%cbad %s of %d', 'color: red', 'x', 3)", Fault.CONSOLE, "bad x of 3"),
    ("console.error(new RangeError('far'))", Fault.CONSOLE, "RangeError: far"),
]


def test_errors_of_scripts_are_told_and_counted(world: World) -> None:
    often = "for (let i = 0; i < 7; i++) console.error('again')"
    scripts = [script for script, _, _ in ERRORS] + [often]
    faults = world.listen(html("".join(f"<script>{one}</script>\n" for one in scripts))).faults
    found = {(one.fault, one.message, one.vendor, one.count) for one in faults}
    once = {(fault, message, None, 1) for _, fault, message in ERRORS}
    assert found == once | {(Fault.CONSOLE, "again", None, 7)}
    assert {one.frames[0].url for one in faults} == {world.site.url()}


def test_what_is_no_fault_is_not(world: World) -> None:
    """Nor that there is no icon, which nobody named."""
    scripts = [
        "console.warn('careful'); console.log('hello'); console.assert(true)",
        "try { throw new Error('caught') } catch {}",
        "const late = Promise.reject(Error('handled')); setTimeout(() => late.catch(() => 0), 50)",
        "fetch('/ok', {signal: AbortSignal.timeout(0)}).catch(() => 0)",
        "navigator.sendBeacon('/gone', 'x')",
        "new Image().src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='",
    ]
    world.site.pages["/ok"] = Answer("{}", kind="application/json")
    page = html("".join(f"<script>{script}</script>" for script in scripts))
    assert world.look(page).faults == ()


def test_the_innermost_frame_says_where(world: World) -> None:
    world.site.pages["/app.js"] = Answer(
        "function inner() {\n  throw Error('deep');\n}\nfunction outer() { inner(); }\nouter();",
        kind="text/javascript",
    )
    (fault,) = world.listen(html("<script src=/app.js></script>")).faults
    assert [(one.function, one.line) for one in fault.frames] == [
        ("inner", 2), ("outer", 4), ("", 5)
    ]  # fmt: skip
    assert fault.frames[0].column == 9
    assert fault.url == world.site.url("/app.js")


def test_what_does_not_load_is_told_with_its_kind(world: World) -> None:
    world.site.pages |= {"/broken": Answer("x", 500), "/hidden": Answer("x", 403)}
    visit = world.listen(
        html(
            "<img alt='' src=/gone.png><script src=/broken></script><iframe title=x src=/hidden>"
            "</iframe>"
            "<script>fetch('/none').catch(() => 0)</script>"
        )
    )
    found = {(one.resource, one.status) for one in visit.faults}
    assert found == {("script", 500), ("image", 404), ("document", 403), ("fetch", 404)}


def script(text: str) -> Answer:
    return Answer(text, kind="text/javascript")


def test_what_goes_wrong_in_a_frame_of_another_site_and_in_its_worker_is_told(world: World) -> None:
    world.other.pages |= {
        "/frame": html(
            "<script>throw Error('framed')</script><script>Promise.reject(1);"
            "console.error('said'); new Worker('/worker.js')</script><img alt='' src=/gone.png>"
            "<img alt='' src='http://127.0.0.2:4321/x.png'>"
        ),
        "/worker.js": script("throw Error('deep')"),
    }
    visit = world.listen(html(f"<iframe title=x src='{world.other.foreign('/frame')}'></iframe>"))
    assert told(visit) == [
        (Fault.CONSOLE, "said", 1),
        (Fault.REJECTION, "1", 1),
        (Fault.REQUEST, "it answered 404", 1),
        (Fault.UNCAUGHT, "Error: framed", 1),
        (Fault.UNCAUGHT, "Error: deep", 1),
    ]
    assert {one.vendor for one in visit.faults} == {"localhost"}
    assert visit.notes == (_kept_in("127.0.0.2:4321"),)


def test_what_goes_wrong_in_a_worker_is_told(world: World) -> None:
    world.site.pages |= {
        # Over and over, for requests of its first moment are not heard.
        "/worker.js": script(
            "new Worker('/nested.js'); let left = 20; const again = setInterval(() => {"
            "fetch('/none'); if (!--left) clearInterval(again) }, 50); throw Error('worked')"
        ),
        "/nested.js": script("throw Error('nested')"),
    }
    made = "URL.createObjectURL(new Blob(['console.error(7); Promise.reject(8).catch(() => 0)']))"
    visit = world.listen(html(f"<script>new Worker('/worker.js'); new Worker({made})</script>"))
    assert [(one.fault, one.message, one.vendor) for one in visit.faults] == [
        (Fault.CONSOLE, "7", None),
        (Fault.REQUEST, "it answered 404", None),
        (Fault.UNCAUGHT, "Error: nested", None),
        (Fault.UNCAUGHT, "Error: worked", None),
    ]


def test_a_page_with_workers_and_foreign_frames_comes_to_rest(world: World) -> None:
    world.other.pages["/frame"] = html("<p>Text")
    world.site.pages |= {
        "/worker.js": script("new Worker('/n.js')"),
        "/n.js": script("postMessage(1)"),
    }
    frame = f"<iframe title=x src='{world.other.foreign('/frame')}'></iframe>"
    visit = world.look(html(f"{frame}<script>new Worker('/worker.js')</script>"))
    assert (visit.faults, visit.notes) == ((), ())


def test_words_that_nobody_knows_are_noted_and_end_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def puzzled(*_: object) -> None:
        raise KeyError("requestId")

    monkeypatch.setattr(Recorder, "_finished", puzzled)
    visit = world.listen(html("<script>throw Error('told')</script>"), QUICK)
    assert told(visit) == [(Fault.UNCAUGHT, "Error: told", 1)]
    assert "some of what the browser said of it could not be understood" in visit.notes


def test_a_frame_that_says_too_much_leaves_the_page_its_say(world: World) -> None:
    many = "for (let i = 0; i < 900; i++) { console.error(i); Promise.reject(i) }"
    world.other.pages["/frame"] = html(f"<script>{many}; parent.postMessage(1, '*')</script>")
    frame = f"<iframe title=x src='{world.other.foreign('/frame')}'></iframe>"
    own = "onmessage = () => setTimeout(() => { throw Error('own') }, 200)"
    bounds = dataclasses.replace(QUICK, events=500, faults=5000)
    visit = world.listen(html(f"<script>{own}</script>{frame}"), bounds)
    assert "Error: own" in {one.message for one in visit.faults}
    assert visit.notes == (_DEAF_BESIDE,)
    assert visit.gaps == ()


def test_more_workers_than_are_listened_to_run_all_the_same(world: World) -> None:
    world.site.pages["/worker.js"] = script("postMessage(1); throw Error('worked')")
    start = (
        "let done = 0; for (let i = 0; i < 5; i++) new Worker('/worker.js').onmessage = () => {"
        "if (++done === 5) document.title = 'all' }"
    )
    bounds = dataclasses.replace(QUICK, branches=2)
    visit = world.listen(html(f"<script>{start}</script>"), bounds)
    assert (visit.title, told(visit)) == ("all", [(Fault.UNCAUGHT, "Error: worked", 2)])
    assert visit.notes == (_DEAF_BESIDE,)
    assert visit.gaps == ()


_STRICT = (("Content-Security-Policy", "script-src 'self'"),)
_PLAIN_TEXT = Answer("export default 1", kind="text/plain")
_SNIFFED = Answer("let a", kind="text/plain", headers=(("X-Content-Type-Options", "nosniff"),))
LOGGED: list[tuple[str | Answer, list[str]]] = [
    (
        Answer(html("<script>go()</script><p onclick='go()'>x</p>"), headers=_STRICT),
        ["Executing inline event handler violates", "Executing inline script violates"],
    ),
    (
        html(
            "<script type=module src=/text></script><script src=/sniffed></script>"
            "<script>new WebSocket(`ws://${location.host}/none`)</script>"
        ),
        [
            "Failed to load module script: Expected",
            "Refused to execute script from 'http://127.0.0.1:",
            "WebSocket connection to 'ws://127.0.0.1:",
        ],
    ),
]


@pytest.mark.parametrize(("page", "says"), LOGGED, ids=["of its policy", "of what it loads"])
def test_what_the_browser_alone_writes_to_the_console_is_told(
    page: str | Answer, says: list[str], world: World
) -> None:
    world.site.pages |= {"/text": _PLAIN_TEXT, "/sniffed": _SNIFFED}
    faults = sorted(world.listen(page).faults, key=lambda one: one.message)
    assert {(one.fault, one.count) for one in faults} == {(Fault.LOGGED, 1)}
    pairs = zip(faults, says, strict=True)
    assert all(one.message.startswith(beginning) for one, beginning in pairs)


def test_what_failed_to_load_is_told_once_whatever_the_browser_writes_of_it(world: World) -> None:
    world.other.pages["/data"] = Answer("{}", kind="application/json")
    here, there = "/gone.js", world.other.url("/data")
    blocked = "http://127.0.0.2:4321/data"  # where no scan may go
    calls = "".join(f"fetch('{one}').catch(() => 0);" for one in (there, blocked))
    visit = world.listen(html(f"<script src={here}></script><script>{calls}</script>"))
    assert {one.fault for one in visit.faults} == {Fault.REQUEST}
    assert {one.url for one in visit.faults} >= {there, world.site.url(here)}
    assert len({one.url for one in visit.faults}) == len(visit.faults)


def test_a_policy_that_only_reports_keeps_nothing_out(world: World) -> None:
    headers = (("Content-Security-Policy-Report-Only", "script-src 'self'"),)
    visit = world.listen(Answer(html("<script>document.title = 'ran'</script>"), headers=headers))
    assert visit.title == "ran"
    assert list(script_problems(visit, Site((world.site.url(),)))) == []


def test_a_service_worker_is_kept_out_and_named(world: World) -> None:
    start = "navigator.serviceWorker.register('/gone.js').catch(() => 0)"
    visit = world.listen(html(f"<script>{start}</script>"))
    assert visit.notes == ("its service worker was not let run: whether it would is not known",)


CLICKED = {
    "what it throws, leaves and says": (
        ["undefinedThing.go()", "Promise.reject(Error('no'))", "console.error('no menu')"],
        [
            (Fault.CONSOLE, "no menu"),
            (Fault.REJECTION, "Error: no"),
            (Fault.UNCAUGHT, "ReferenceError: undefinedThing is not defined"),
        ],
    ),
    # What fails because the scan lets nothing out is no mistake of the page; nor what goes wrong at
    # a time of its own.
    "what it awaits, and not what comes late": (
        [
            "(async () => { await 0; throw Error('no') })()",
            "const x = new Image(); x.onerror = () => nothing.here; x.src = '/sent.png'",
            "setTimeout(() => nothing.here, 400)",
        ],
        [(Fault.REJECTION, "Error: no")],
    ),
    "not what is held back": (
        [
            "fetch('/sent').then((one) => one.json())",
            "fetch('/sent').catch(() => { throw Error('lost') })",
            "import('/sent.js')",
        ],
        [],
    ),
    "not what is waited for": (
        ["const x = new XMLHttpRequest(); x.open('GET', '/sent', false); x.send()"],
        [],
    ),
}


@pytest.mark.parametrize(("scripts", "expected"), CLICKED.values(), ids=CLICKED)
def test_what_our_own_click_sets_off_is_told(
    scripts: list[str], expected: list[tuple[Fault, str]], world: World
) -> None:
    """A button for each, which says that it was clicked."""
    buttons = "".join(
        f"<button type=button id=b{at}>Menu</button>"
        f"<script>b{at}.onclick = () => {{ console.error('button {at}'); {script} }}</script>"
        for at, script in enumerate(scripts)
    )
    visit = world.listen(html(buttons))
    clicks = [(Fault.CONSOLE, f"button {at}") for at in range(len(scripts))]
    assert sorted((one.fault, one.message) for one in visit.faults) == sorted(clicks + expected)
    assert all(one.by_input for one in visit.faults)
    assert world.site.paths() == ["/"]


def test_connections_that_the_scan_cuts_are_no_mistake_of_the_page(world: World) -> None:
    def streamed(_: str) -> Answer:
        return Answer("data: 1\n\n", kind="text/event-stream")

    world.site.pages["/events"] = streamed
    start = "new EventSource('/events').onerror = () => { throw Error('cut') }"
    slow = "<button type=button id=b>Menu</button><script>b.onclick = () => 0</script>"
    visit = world.look(
        html(f"{slow}<script>addEventListener('pointerdown', () => {{ {start} }})</script>")
    )
    assert visit.faults == ()


def test_our_own_look_asks_for_nothing(world: World) -> None:
    world.other.pages["/style.css"] = Answer("p { color: red }", kind="text/css")
    there = world.other.url("/style.css")
    visit = world.look(html(f"<link rel=stylesheet href='{there}'><p>Text"))
    assert visit.faults == ()
    assert world.other.paths() == ["/style.css"]


def test_what_the_way_out_answers_is_no_status_of_the_site(world: World) -> None:
    forbidden = "http://127.0.0.2:4321/x.png"
    visit = world.listen(html(f"<img alt='' src='{forbidden}'><img alt='' src='{world.silent}/x'>"))
    (fault,) = visit.faults
    assert (fault.status, fault.message) == (None, "the server did not answer")
    assert fault.url == f"{world.silent}/x"
    assert visit.notes == (_kept_in("127.0.0.2:4321"),)


CALLS = (
    "fetch('{}/x').then((answer) => answer.json())",
    "(async () => {{ await fetch('{}/x') }})()",
    "fetch('{}/x', {{mode: 'no-cors'}})",
    "const asked = new XMLHttpRequest(); asked.open('GET', '{}/x'); asked.send()",
    "document.head.append(Object.assign(document.createElement('script'), {{src: '{}/x'}}))",
)


def test_what_the_way_out_keeps_from_a_page_is_no_fault_of_the_site(world: World) -> None:
    """An API of its own on another port is what a page lives by: without it, not all was seen."""
    places = {f"127.0.0.1:{port}": call for port, call in enumerate(CALLS, 4321)}
    scripts = (f"<script>{call.format(f'http://{at}')}</script>" for at, call in places.items())
    visit = world.listen(html("".join(scripts)))
    assert visit.faults == ()
    assert set(map(_kept_in, places)) <= set(visit.gaps)


def test_a_picture_or_what_is_of_another_host_is_a_note(world: World) -> None:
    page = "<img alt='' src='http://127.0.0.1:4321/x'><script>fetch('http://127.0.0.2:4321/a')"
    visit = world.listen(html(f"{page}.catch(() => fetch('http://127.0.0.2:4321/b'))</script>"))
    kept_in = {_kept_in("127.0.0.1:4321"), _kept_in("127.0.0.2:4321", "2 requests")}
    assert visit.faults == ()
    assert kept_in <= set(visit.notes)
    assert not kept_in & set(visit.gaps)


def test_a_call_that_the_site_fails_is_told_with_what_it_throws(world: World) -> None:
    """As before: only what the way out refused is not the site's."""
    there = world.other.url("/x")
    visit = world.listen(
        html(f"<script>fetch('{there}'); fetch('http://127.0.0.1:4321/')</script>")
    )
    assert {one[:2] for one in told(visit)} == {
        (Fault.REJECTION, "TypeError: Failed to fetch"),
        (Fault.REQUEST, "ERR_FAILED"),
    }
    assert len(told(visit)) == 2


AWAY = {
    "to another port": ("http://127.0.0.1:4321/", "it was not let through"),
    "to what is not there": ("/gone", "it answers 404"),
    "to where nobody listens": ("SILENT", "the host does not take connections"),
}


@pytest.mark.parametrize(("to", "failure"), AWAY.values(), ids=AWAY)
@pytest.mark.parametrize(
    "way",
    ["<meta http-equiv=refresh content='0;url={}'>", "<script>location.href = '{}'</script>"],
    ids=["refresh", "script"],
)
def test_where_a_page_goes_on_its_own_is_judged_as_what_it_is(
    world: World, way: str, to: str, failure: str
) -> None:
    """Not as a page of the site: what stands there is the way out's answer, or an error."""
    visit = world.judge(html(f"{way.format(to.replace('SILENT', world.silent))}<h1>Wait</h1>"))
    assert visit.failure.startswith(failure)
    assert visit.violations == ()


def test_where_a_page_goes_on_its_own_is_looked_at_where_it_is_one(world: World) -> None:
    world.site.pages["/next"] = html("<title>Next</title><h1>Next</h1>")
    visit = world.listen(html("<script>location.href = '/next'</script>"))
    assert (visit.failure, visit.final_url) == ("", world.site.url("/next"))


def test_too_many_faults_are_cut_and_said(world: World) -> None:
    visit = world.listen(html("<script>for (let i=0;i<300;i++) console.error('no ' + i)</script>"))
    assert len(visit.faults) == 100
    assert visit.notes == visit.gaps == (_DEAF,)


def test_an_error_keeps_to_one_line_without_controls() -> None:
    details = {
        "text": "Uncaught (in promise)",
        "exception": {"type": "string", "value": "a\x1b[31m\nb\ud800" + "c" * 1000},
    }
    fault = thrown(details)
    assert fault.message.startswith("a [31m b?ccc")
    assert len(fault.message) == 500
    assert fault.fault is Fault.REJECTION


def test_a_place_in_a_text_that_nothing_fills_stays() -> None:
    assert spoken([{"type": "string", "value": "100%s"}]) == "100%s"
    assert spoken([{"type": "number", "value": 3}, {"type": "string", "value": "%s"}]) == "3 %s"
    assert spoken([]) == ""


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.google-analytics.com/analytics.js", "Google Analytics"),
        ("https://connect.facebook.net/en_US/sdk.js", "Facebook"),
        ("https://cdn.unknown-party.example/x.js", "unknown-party.example"),
        ("https://static.shop.co.uk/x.js", "shop.co.uk"),
    ],
)
def test_a_third_party_has_a_name(url: str, name: str) -> None:
    assert vendor(url, "www.example.org") == name


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/x.js",
        "https://cdn.example.org/x.js",
        "blob:https://cdn.other.example/1",
        "",
        "https://[",
    ],
)
def test_the_site_itself_is_no_third_party(url: str) -> None:
    assert vendor(url, "www.example.org") is None


def test_an_address_belongs_to_itself() -> None:
    assert vendor("http://127.0.0.1:1/x", "127.0.0.1") is None
