"""What is read from a rendered page: links, anchors, axe, vitals, pictures; and what input does."""

import base64
import dataclasses
import hashlib
import re
import socket
import threading

import pytest

from mergegate.sandbox.visit import Device
from mergegate.site.browser_test.facts import PageVisit
from mergegate.site.browser_test.journey.telling import hrefs
from tests.site.browser_test.journey.conftest import JUDGED, PICTURED, QUICK, World, without
from tests.site.browser_test.journey.pages import Answer, html

JPEG = b"\xff\xd8\xff"


def selectors(visit: PageVisit) -> list[str]:
    return [one.element.selector for one in visit.links]


def test_links_of_shadow_roots_frames_and_scripts_are_told(world: World) -> None:
    world.site.pages["/inner"] = "<a href=/from-frame>framed</a>"
    visit = world.listen(
        html(
            "<a href=/sent>sent</a><map><area href=/area alt=area></map><div id=host></div>"
            "<iframe title=x src=/inner></iframe><div id=late></div><script>"
            "host.attachShadow({mode: 'open'}).innerHTML = '<a href=/shadow>shadow</a>';"
            "setTimeout(() => late.innerHTML = '<a href=/late>late</a>', 300)</script>"
        )
    )
    found = {one.url.removeprefix(world.site.url("")): one.scripted for one in visit.links}
    assert found == {
        "/sent": False,
        "/area": False,
        "/shadow": False,
        "/late": True,
        "/from-frame": False,
    }


def test_a_selector_is_short_and_finds_the_element_again(world: World) -> None:
    visit = world.listen(
        html(
            "<a id=one href=/1>1</a><a data-testid='two' href=/2>2</a><p id=twice></p>"
            "<p id=twice><a href=/3>3</a></p><div id=host></div><script>"
            "host.attachShadow({mode: 'open'}).innerHTML = '<p><a href=/4>4</a></p>'</script>"
            "<a id='3:odd' href=/5>5</a>"
        )
    )
    assert selectors(visit) == [
        "#one",
        '[data-testid="two"]',
        "html > body > main:nth-of-type(1) > p:nth-of-type(2) > a:nth-of-type(1)",
        "#host >>> p:nth-of-type(1) > a:nth-of-type(1)",
        "#\\33 \\:odd",
    ]


def test_an_element_is_described_as_a_person_would(world: World) -> None:
    visit = world.listen(
        html("<a href=/1 class=big>Go   on</a><a href=/2><img alt=Home src=data:,></a>")
    )
    assert [(one.element.label, one.element.snippet) for one in visit.links] == [
        ("Go on", '<a href="/1" class="big">'), ("Home", '<a href="/2">')
    ]  # fmt: skip


def test_anchors_are_those_of_the_rendered_page(world: World) -> None:
    visit = world.listen(
        html("<a name=old></a><p id=sent></p><script>document.body.id = 'made'</script>")
    )
    assert visit.anchors == {"old", "sent", "made"}


def test_the_links_of_a_page_are_bounded(world: World) -> None:
    page = html("".join(f"<a href=/{number}>x</a>" for number in range(50)))
    visit = world.listen(page, dataclasses.replace(QUICK, links=20))
    assert len(visit.links) == 20
    assert "50 links, of which the first 20 are told" in visit.notes


def test_hrefs_are_read_as_written() -> None:
    assert hrefs("<a href='/a'>x</a><area href=b><a>y</a><a href>z</a>") == {"/a", "b", ""}


def test_axe_names_what_it_finds(world: World) -> None:
    visit = world.judge(
        html("<img id=pic src=/x.png><form><input id=name type=text></form>" + "<img src=/y>" * 14)
    )
    found = {one.rule: one for one in visit.violations}
    assert {"image-alt", "label"} <= set(found)
    assert found["image-alt"].count == 15
    assert len(found["image-alt"].nodes) == 10
    assert found["image-alt"].impact == "critical"
    assert "cat.text-alternatives" in found["image-alt"].tags
    assert found["image-alt"].help_url.startswith("https://")
    assert found["label"].nodes[0].element.selector == "#name"


def test_of_many_elements_the_worst_are_told(world: World) -> None:
    style = "display:block;overflow:hidden;height"
    lines = "".join(f"<a href=/{at} style='{style}:17px;width:90px'>Line</a>" for at in range(13))
    dot = f"<a id=dot href=/dot style='{style}:9px;width:9px'>.</a>"
    pale = "<p style='color:#777'>Pale</p>"
    visit = world.judge(html(lines + dot + pale * 12 + "<p style='color:#ddd'>No</p>"))
    found = {one.rule: one for one in visit.violations}
    assert (found["target-size"].count, found["color-contrast"].count) == (14, 13)
    assert found["target-size"].nodes[0].element.selector == "#dot"
    assert "#dddddd" in found["color-contrast"].nodes[0].summary


def test_axe_faults_what_scrolls_and_the_keyboard_reaches_it(world: World) -> None:
    """What makes it advice: the Chromium that judges gives it the Tab key by itself."""
    box = "<pre id=box style='overflow:auto;width:90px;height:40px'>" + "long line " * 60
    told = "<script>addEventListener('focusin', ({target}) => console.error(target.id))</script>"
    visit = world.judge(html(f"{box}</pre>{told}"))
    assert "scrollable-region-focusable" in {one.rule for one in visit.violations}
    assert [one.message for one in visit.faults] == ["box"]


def test_a_good_page_breaks_no_rule(world: World) -> None:
    visit = world.judge(html("<label>Name <input type=text></label><img src=/x.png alt=Picture>"))
    assert visit.violations == ()


def test_a_page_too_large_to_be_judged_has_a_gap_and_the_rest(world: World) -> None:
    page = html("<img id=pic src=data:,>" + "<p style='color:#eee'>Text</p>" * 40)
    contrasts, everything = "contrasts of colours were not judged", "accessibility was not judged"
    of = "47 elements are too many"

    visit = world.judge(page, dataclasses.replace(QUICK, coloured=45))
    assert [one.rule for one in visit.violations] == ["image-alt"]
    assert visit.gaps == visit.notes == (f"{contrasts}: {of}",)
    visit = world.judge(page, dataclasses.replace(QUICK, coloured=45, elements=45))
    assert visit.violations == ()
    assert visit.gaps == (f"{everything}: {of}", f"{contrasts}: {of}")
    assert visit.vitals.fcp
    visit = world.judge(page, dataclasses.replace(QUICK, large=0))
    assert [one.rule for one in visit.violations] == ["color-contrast", "image-alt"]
    assert visit.gaps == ()


def test_what_is_left_out_of_a_page_is_named_and_no_gap(world: World) -> None:
    world.site.pages["/frame"] = html("<img src=/x.png>")
    frame = "<iframe src=/frame title=Frame></iframe>"
    visit = world.look(html(f"{frame}<div style='height:9000px'></div>"))
    assert visit.notes == (
        "1 frame of its own site in it: links are followed, nothing else is judged",
        "what loads only in sight was looked for in its first 4,000 pixels",
    )
    assert visit.gaps == ()


def test_a_page_that_gives_no_time_to_judge_it_has_a_gap(world: World) -> None:
    visit = world.judge(html("<p>Text"), dataclasses.replace(QUICK, axe_s=0.001))
    assert visit.gaps == (
        "accessibility was not judged: it does not answer within 0.001 s",
        "contrasts of colours were not judged: it does not answer within 0.001 s",
    )


def test_a_page_that_should_have_been_there_is_a_gap(world: World) -> None:
    gaps = {404: (), 403: (), 503: ("it answers 503",), 429: ("it answers 429",)}
    links = "".join(f"<a href=/{status}>On</a>" for status in gaps)
    answers = {f"/{status}": Answer("no", status) for status in gaps}
    world.site.pages |= {"/": html(links), **answers}
    first, *others = world.travel().visits
    assert first.gaps == ()
    assert [one.gaps for one in others] == list(gaps.values())


def test_a_strict_content_security_policy_hides_nothing(world: World) -> None:
    page = html("<img id=pic src=data:,><a href=/on>on</a>")
    strict = (("Content-Security-Policy", "default-src 'none'"),)
    visit = world.look(Answer(page, headers=strict))
    assert [one.rule for one in visit.violations] == ["image-alt"]
    assert selectors(visit)
    assert visit.screenshots[0].boxed == ("#pic",)


def test_vitals_are_numbers_and_a_shift_is_counted(world: World) -> None:
    late = "setTimeout(() => { top_.style.height = '300px' }, 150)"
    visit = world.listen(
        html(f"<div id=top_></div><p style='font-size:40px'>Text</p><script>{late}</script>")
    )
    vitals = visit.vitals
    assert vitals.lcp and vitals.fcp and vitals.ttfb
    assert vitals.lcp >= vitals.fcp > vitals.ttfb > 0
    assert vitals.cls and vitals.cls > 0.01


@pytest.mark.parametrize(
    ("device", "seen"), [(Device.MOBILE, "412 true"), (Device.DESKTOP, "1350 false")]
)
def test_a_page_is_loaded_as_on_the_device_and_a_shift_soon_after_counts(
    world: World, device: Device, seen: str
) -> None:
    late = (
        "document.title = `${innerWidth} ${navigator.maxTouchPoints > 0}`;"
        "setTimeout(() => { top_.style.height = '300px' }, 120)"
    )
    world.site.pages["/"] = (
        "<!doctype html><html lang=en><meta name=viewport content='width=device-width'>"
        f"<title>A page</title><div id=top_></div><h1>Text that moves</h1><script>{late}</script>"
    )
    with without(JUDGED, PICTURED):
        (visit,) = world.travel(device=device).visits
    assert visit.title == seen
    assert visit.vitals.cls and visit.vitals.cls > 0.01


ASKING = [
    "fetch(`/sent`, {method: `POST`})",
    "fetch(`/sent`)",
    "navigator.sendBeacon(`/sent`)",
    "made.postMessage(1)",
    # What DevTools do not break off.
    "new WebSocket(`ws://${location.host}/sent`)",
    (
        "(l => { l.rel = `prefetch`; l.href = `/sent`; document.head.append(l) })"
        "(document.createElement(`link`))"
    ),
    "shared.port.postMessage(1)",
    "open(`/sent`)",
]
ALL_AT_ONCE = (
    "<button type=button>More</button><script>const code = (text) =>"
    "URL.createObjectURL(new Blob([text])); const made = new Worker(code("
    "`onmessage = () => fetch('${origin}/sent')`)); const shared = new SharedWorker(code("
    "`onconnect = (one) => one.ports[0].onmessage = () => fetch('${origin}/sent', {method: 'PUT'})`"
    "));"
    + "".join(
        f"document.querySelector('button').addEventListener('click', () => {one});"
        for one in ASKING
    )
    + "onpointermove = onkeydown = onclick = () => fetch('/sent')</script>"
)
LEFT_ALONE = (
    "<form action=/sent method=post><button>Go on</button></form>"
    "<form action=/sent method=post><button type=submit>Go on</button></form>"
    "<a href=/sent role=button>Go on</a>"
    "<button type=button onclick='fetch(`/sent`, {method: `DELETE`})'>Delete</button>"
)


@pytest.mark.parametrize(
    "body",
    [
        LEFT_ALONE,
        ALL_AT_ONCE,
        "<button type=button onclick='location = `/sent`'>More</button>",
        "<form action=/sent><button type=button onclick=form.submit()>Go</button></form>",
        "<form action=/sent><input type=text oninput=form.submit()></form>",
    ],
)
def test_input_reaches_nothing_beyond_the_page(world: World, body: str) -> None:
    world.listen(html(body))
    assert "/sent" not in {path.partition("?")[0] for _, path, _ in world.site.asked}


def test_a_slow_answer_to_input_is_measured_and_what_it_would_have_changed_noted(
    world: World,
) -> None:
    busy = "const end = performance.now() + 150; while (performance.now() < end)"
    change = f"{busy}; fetch(`/save`, {{method: `POST`}})"
    visit = world.listen(html(f'<button type=button onclick="{change}">More</button>'))
    assert visit.vitals.inp and visit.vitals.inp >= 144
    assert visit.notes == ("input set off 1 requests that change state: broken off",)
    assert visit.faults == ()


def test_a_connection_that_is_open_is_cut_before_input(world: World) -> None:
    heard: list[bytes] = []
    port = int(world.silent.rpartition(":")[2])
    with socket.create_server(("127.0.0.1", port)) as listener:
        talk = threading.Thread(target=lambda: heard.append(_talked(listener)))
        talk.start()
        visit = world.listen(
            html(
                "<button type=button onclick='socket.send(`changed`)'>More</button>"
                f"<script>socket = new WebSocket('ws://127.0.0.1:{port}/')</script>"
            )
        )
        talk.join()
    assert visit.vitals.inp
    assert heard == [b""]


def _talked(listener: socket.socket) -> bytes:
    """What one WebSocket said after it was opened."""
    connection, _ = listener.accept()
    with connection:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(4096)
        key = re.search(rb"(?i)sec-websocket-key: (\S+)", head)
        assert key
        magic = key[1] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(magic).digest())
        connection.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )
        said = b""
        while more := connection.recv(4096):
            said += more
        return said


def test_each_page_has_two_pictures_with_boxes(world: World) -> None:
    wide = "<meta name=viewport content='width=device-width'>"
    visit = world.look(html(f"{wide}<img id=pic width=50 height=50 src=/x.png><p>Text"))
    assert [(one.viewport, one.boxed) for one in visit.screenshots] == [
        ("desktop", ("#pic",)), ("mobile", ("#pic",))
    ]  # fmt: skip
    assert all(one.image.startswith(JPEG) for one in visit.screenshots)
    assert [size(one.image) for one in visit.screenshots] == [(1350, 940), (412, 823)]


def test_what_loads_only_in_sight_is_loaded_for_the_picture(world: World) -> None:
    far = "<div style='height: 3000px'></div>"
    seen = "new IntersectionObserver((all) => all[0].isIntersecting && fetch('/seen'))"
    world.site.pages["/seen"] = "seen"
    visit = world.listen(
        html(
            f"{far}<div id=late>x</div><img alt='' loading=lazy src=/gone.png>"
            f"<script>{seen}.observe(late)</script>"
        )
    )
    assert "/seen" in world.site.paths()
    assert [(one.url, one.status) for one in visit.faults] == [(world.site.url("/gone.png"), 404)]


def test_a_page_is_scrolled_no_further_than_it_is_pictured(world: World) -> None:
    world.site.pages["/at"] = "at"
    tell = "onscroll = () => fetch('/at?' + Math.round(scrollY + innerHeight))"
    visit = world.picture(html(f"<div style='height: 90000px'>tall</div><script>{tell}</script>"))
    assert [size(one.image)[1] for one in visit.screenshots] == [4000, 4000]
    at = [int(path.partition("?")[2]) for path in world.site.paths() if path.startswith("/at?")]
    assert 3500 < max(at) <= 4000


def test_a_page_that_does_not_know_phones_is_pictured_whole(world: World) -> None:
    visit = world.picture(html("<p>Text"))
    assert size(visit.screenshots[1].image) == (412, 823)


def test_a_heavy_picture_gets_worse_and_shorter(world: World) -> None:
    noise = (
        "<canvas id=c width=1300 height=1500></canvas><script>const x = c.getContext('2d');"
        "const d = x.createImageData(1300, 1500); for (let i = 0; i < d.data.length; i++)"
        "d.data[i] = Math.random() * 256; x.putImageData(d, 0, 0)</script>"
    )
    visit = world.picture(html(noise), dataclasses.replace(QUICK, picture_bytes=150_000))
    assert size(visit.screenshots[0].image)[1] == 940


def test_names_of_elements_hide_nothing_of_the_document(world: World) -> None:
    hiding = "".join(
        f"<img alt='' src=data:, name={name}><form name={name}><input aria-label=x name=id>"
        "<input aria-label=y name=attributes></form>"
        for name in ("querySelectorAll", "body", "documentElement", "createElement")
    )
    visit = world.look(html(f"{hiding}<a href=/good>good</a>"))
    assert (visit.failure, len(visit.links), len(visit.screenshots)) == ("", 1, 2)


def size(image: bytes) -> tuple[int, int]:
    """Width and height of a JPEG, from its first frame header."""
    at = 2
    while image[at + 1] not in {0xC0, 0xC1, 0xC2}:
        at += 2 + int.from_bytes(image[at + 2 : at + 4], "big")
    height, width = (int.from_bytes(image[at + n : at + n + 2], "big") for n in (5, 7))
    return width, height
