"""Policies that were proved in a real browser, and those that could not be."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from mergegate.sandbox.fetched import Answer as Sent
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import NONE, Credentials, Visit
from mergegate.site import rendering
from mergegate.site.rendering import Bounds
from mergegate.site.security import policy_trial
from mergegate.site.security.facts import NONCE, PolicyTrial
from tests.site.browser_test.journey.conftest import World
from tests.site.browser_test.journey.pages import Answer, html, moved
from tests.site.rendering.secured import secured

QUICK = Bounds(load_s=8, settle_s=2, step_s=3, page_s=20)
HASTY = Bounds(load_s=2, settle_s=0.5, step_s=1, page_s=30)
OPEN = (("Access-Control-Allow-Origin", "*"),)


def tried(
    world: World,
    *,
    headers: tuple[tuple[str, str], ...] = (),
    credentials: Credentials = NONE,
    bounds: Bounds = QUICK,
) -> PolicyTrial:
    """The site's first page, which is sent with these headers."""
    url = world.site.url()
    return tried_at(world, Visit(url=url, credentials=credentials), headers, bounds)


def tried_at(
    world: World, visit: Visit, headers: tuple[tuple[str, str], ...], bounds: Bounds
) -> PolicyTrial:
    page = Fetched(url=visit.url, answers=(Sent(url=visit.url, status=200, headers=headers),))
    task = policy_trial._try(visit, page, world.chromium, bounds)
    return world.hold.run(policy_trial, task)


def directives(trial: PolicyTrial) -> dict[str, list[str]]:
    parts = (one.split() for one in trial.policy.split("; "))
    return {name: sources for name, *sources in parts}


def clean(trial: PolicyTrial) -> bool:
    return trial.proved and not (trial.breaches or trial.errors or trial.failure)


def test_a_page_of_text_gets_the_strictest_policy(world: World) -> None:
    """Who may frame it stays as it is."""
    world.site.pages["/"] = html("<p>Hello</p>")
    trial = tried(world, headers=(("x-frame-options", "DENY"),))
    assert clean(trial)
    assert trial.policy == (
        "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def test_everything_that_a_page_uses_is_allowed_and_nothing_more(world: World) -> None:
    other = world.other.url
    world.other.pages |= {
        "/s.css": Answer(
            f"@font-face {{ font-family: x; src: url({other('/f.woff')}) }} p {{ font-family: x }}",
            kind="text/css",
        ),
        "/lib.js": Answer("window.lib = 1", kind="text/javascript"),
        "/api": Answer("{}", headers=OPEN),
        "/frame": html("framed"),
    }
    world.site.pages["/"] = html(
        f"""<style>p {{ color: red }}</style><p style="margin: 0">x</p>
        <link rel=stylesheet href="{other("/s.css")}"><script src="{other("/lib.js")}"></script>
        <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src="{other("/x.png")}">
        <iframe src="{other("/frame")}"></iframe><script>fetch('{other("/api")}')</script>
        <form action="https://pay.example.org/buy"></form>"""
    )
    trial = tried(world)
    assert clean(trial)
    foreign = other("").rstrip("/")
    found = directives(trial)
    hashes = [one for one in found["script-src"] + found["style-src"] if one.startswith("'sha256-")]
    assert len(hashes) == 2
    assert {
        name: [one for one in sources if one not in hashes] for name, sources in found.items()
    } == {
        "default-src": ["'self'"],
        "script-src": ["'self'", foreign],
        "style-src": ["'self'", foreign],
        "style-src-attr": ["'unsafe-inline'"],
        "img-src": ["'self'", "data:", foreign],
        "font-src": ["'self'", foreign],
        "connect-src": ["'self'", foreign],
        "frame-src": ["'self'", foreign],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'", "https://pay.example.org"],
        "frame-ancestors": ["'self'"],
    }


def test_where_a_redirect_leads_is_allowed_too(world: World) -> None:
    world.site.pages |= {
        "/": html("<script>fetch('/r')</script>"),
        "/r": moved(world.other.url("/api")),
    }
    world.other.pages["/api"] = Answer("{}", headers=OPEN)
    trial = tried(world)
    assert clean(trial)
    assert directives(trial)["connect-src"] == ["'self'", world.other.url("")]


def test_where_a_frame_is_led_is_allowed_too(world: World) -> None:
    world.site.pages["/"] = html(f'<iframe src="{world.other.url("/r")}"></iframe>')
    world.other.pages["/r"] = moved(world.other.foreign("/framed"))
    world.other.pages["/framed"] = html("framed")
    trial = tried(world)
    assert clean(trial)
    ends = sorted([world.other.url(""), world.other.foreign("")])
    assert directives(trial)["frame-src"] == ["'self'", *ends]


@dataclass
class Counter:
    number: int = 0

    def __call__(self, _: str) -> Answer:
        self.number += 1
        insert = "const s = document.createElement('script'); s.text = '1'; document.head.append(s)"
        quoting = "const text = \"<script src=''>\""
        return Answer(
            html(
                f"<script>window.state = {self.number}</script><script>{insert}</script>"
                f"<script>{quoting}; document.title = 'ran'</script>"
            )
        )


def test_scripts_that_change_get_a_nonce(world: World) -> None:
    """Those that they insert themselves have none, and are known by their hash."""
    world.site.pages["/"] = Counter()
    trial = tried(world)
    assert clean(trial)
    assert trial.nonces
    sources = directives(trial)["script-src"]
    assert sources[:2] == ["'self'", f"'nonce-{NONCE}'"]
    assert len(sources) == 3


@dataclass
class Styled:
    number: int = 0

    def __call__(self, _: str) -> Answer:
        self.number += 1
        return Answer(html(f"<style>p {{ top: {self.number}px }}</style><p style='left: 0'>x</p>"))


def test_styles_that_change_are_let_in_for_they_cannot_act(world: World) -> None:
    world.site.pages["/"] = Styled()
    trial = tried(world)
    assert clean(trial)
    assert directives(trial)["style-src"] == ["'self'", "'unsafe-inline'"]
    assert directives(trial)["script-src"] == ["'self'"]


def test_what_is_quoted_of_a_page_holds_no_text_and_no_query_of_it(world: World) -> None:
    hosts = [f"127.0.9.{number}" for number in range(1, 33)]
    images = "".join(f'<img src="http://{host}/a.png?key=geheim">' for host in hosts)
    button = """<button onclick="send('gehe', `it's geheim`)">x</button>"""
    world.site.pages["/"] = html(f"{images}{button}")
    trial = tried(world)
    assert {one.directive for one in trial.breaches} == {"img-src", "script-src-attr"}
    assert "gehe" not in repr(trial)
    assert {one.sample for one in trial.breaches} <= {"", "send('…', `…`)"}


UNSAFE = [
    ("<button onclick='buy()'>x</button>", "script-src-attr", "inline"),
    ("<script>eval('1')</script>", "script-src", "eval"),
    ("<script src='data:text/javascript,1'></script>", "script-src-elem", "data"),
    (
        "<a href='javascript:run()' id=a>x</a><script>a.click()</script>",
        "script-src-elem",
        "inline",
    ),
]


def test_what_no_safe_policy_allows_is_told_and_not_let_in(world: World) -> None:
    world.site.pages["/"] = html("".join(markup for markup, _, _ in UNSAFE))
    trial = tried(world)
    assert not trial.proved
    found = {(one.directive, one.blocked): one.sample for one in trial.breaches}
    assert set(found) == {(directive, blocked) for _, directive, blocked in UNSAFE}
    assert found["script-src-attr", "inline"] in {"buy()", ""}  # not every Chromium quotes it
    scripts = directives(trial)["script-src"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "data:"} & {*scripts}


def test_a_script_that_only_then_throws_is_told(world: World) -> None:
    world.site.pages["/"] = html(
        "<script>throw Error('always')</script>"
        "<script>try { eval('1') } catch { throw Error('only then') }</script>"
    )
    trial = tried(world)
    assert trial.errors == ("Error: only then",)


def test_workers_and_frames_without_an_address_are_seen(world: World) -> None:
    worker = "new Worker(URL.createObjectURL(new Blob(['1'])))"
    world.site.pages["/"] = html(
        f"<iframe srcdoc='<script>1</script>'></iframe><script>{worker}</script>"
    )
    trial = tried(world)
    assert clean(trial)
    assert directives(trial)["worker-src"] == ["'self'", "blob:"]
    assert sum(one.startswith("'sha256-") for one in directives(trial)["script-src"]) == 2


def test_what_the_sites_own_policy_forbids_is_not_held_against_the_new_one(world: World) -> None:
    meta = "<meta http-equiv=Content-Security-Policy content=\"script-src-attr 'none'\">"
    world.site.pages["/"] = f"<!doctype html>{meta}<button onclick='buy()'>x</button>"
    trial = tried(world)
    # A Chromium that looks at handlers only when they are called for tells of neither policy.
    late = [(one.directive, one.sample) for one in trial.breaches] == [("script-src-attr", "")]
    assert clean(trial) or late


def test_a_new_breach_is_not_mistaken_for_an_old_one_of_its_kind(world: World) -> None:
    """The site's own policy lets one of two scripts run, which changes from load to load."""
    own = "script-src 'nonce-a' 'unsafe-eval'"
    inline = "<script>1</script>\n<script nonce=a>eval('1')</script>"
    world.site.pages["/"] = Answer(html(inline), headers=(("Content-Security-Policy", own),))
    trial = tried(world)
    assert [(one.directive, one.blocked) for one in trial.breaches] == [("script-src", "eval")]


def test_over_https_nothing_is_asked_for_in_clear(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(rendering._LOOKS, "ignore_https_errors", True)
    image = '<img src="http://cdn.example.org/x.png">'
    port = int(world.silent.rpartition(":")[2])
    with secured({"/": html(image)}, tmp_path, port) as origin:
        trial = tried_at(world, Visit(url=f"{origin}/"), (), QUICK)
    assert clean(trial)
    assert "upgrade-insecure-requests" in directives(trial)
    assert directives(trial)["img-src"] == ["'self'", "https://cdn.example.org"]


def test_what_opens_the_site_opens_it_under_a_policy_too(world: World) -> None:
    world.site.pages["/"] = html("<p>x</p>")
    assert clean(tried(world, credentials=Credentials(headers=(("X-Pass", "geheim"),))))
    assert {sent.get("x-pass") for _, path, sent in world.site.asked if path == "/"} == {"geheim"}


def test_a_page_that_does_not_open_has_no_policy(world: World) -> None:
    world.site.pages["/"] = Answer("no", 500)
    trial = tried(world, bounds=HASTY)
    assert (trial.policy, trial.proved) == ("", False)
    assert trial.failure == "The page was not loaded: it answers 500."


def test_a_page_that_is_too_large_is_not_tried(world: World) -> None:
    world.site.pages["/"] = html("<p>x</p>" * 100)
    tiny = Bounds(load_s=8, settle_s=1, step_s=3, page_s=20, body_bytes=100)
    assert "too large" in tried(world, bounds=tiny).failure


def test_a_page_that_drowns_its_breaches_proves_nothing(world: World) -> None:
    world.site.pages["/"] = html("<script>document.write('<p onclick=x()>'.repeat(900))</script>")
    few = Bounds(load_s=8, settle_s=1, step_s=3, page_s=20, events=500)
    trial = tried(world, bounds=few)
    assert not trial.proved
    # A Chromium that looks at handlers only when they are called for is not drowned by them.
    assert trial.failure in {"", "It is not proved: the page does more than is listened to."}
    assert trial.breaches
