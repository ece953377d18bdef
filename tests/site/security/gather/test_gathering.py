"""A real server on loopback, looked at through the real way out."""

import datetime as dt
import json
import socket
import ssl
import threading
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.visit import NONE, Credentials, Visit
from mergegate.sandbox.web import client
from mergegate.site.facts.document import Document, Script
from mergegate.site.security.checks import (
    files,
    flaws,
    leaks,
    libraries,
    secrets,
    transport,
)
from mergegate.site.security.facts import RenderedPage, SecurityFacts
from mergegate.site.security.gather.bounds import Bounds
from mergegate.site.security.gather.gathering import gather
from mergegate.site.security.gather.server import PATHS, probed_files
from tests.sandbox.egress.sites import site as tls_site
from tests.secrets.mint import minted
from tests.site.links.places import Asked, Place, Say, place, raw
from tests.site.security.certificates.servers import HOST, handshakes, issued, serving, trusting
from tests.site.security.gather.maps import map_of

NOW = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.UTC)
KEY = minted("sk_live_<alnum:26>")
JS = (("Content-Type", "text/javascript"),)
TEXT = (("Content-Type", "text/plain"),)
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def look(
    there: Place, host: str = "127.0.0.1", credentials: Credentials = NONE, **options: Any
) -> SecurityFacts:
    visit = Visit(url=there.at(host=host), credentials=credentials)
    policy = Policy(allowed=frozenset({(host, there.port)}))
    with egress(policy, lookup=lambda _: ("127.0.0.1",)) as way, client(way.url, visit) as web:
        facts = gather(visit, web, way.url, now=NOW, **options)
    assert way.faults == ()
    return facts


def test_what_the_site_answers_with_an_error_is_looked_at() -> None:
    trace = f'Traceback (most recent call last):\n  File "/srv/app.py", line 3\n pay("{KEY}")'
    links = "".join(
        f"<a href='{one}'>x</a>"
        for one in (
            *(
                "/cart",
                "/cart#top",
                "/",
                "/about",
                "/logout",
                "/list?delete=1",
                "mailto:a@example.org",
            ),
            *(f"/more/{number}" for number in range(20)),
        )
    )
    with place() as there:
        there.routes |= {
            "/": Say(200, f"<!doctype html><title>Shop</title>{links}", HTML),
            "/about": Say(200, "<h1>About</h1>", HTML),
        }
        there.otherwise = Say(500, trace, TEXT)
        facts = look(there)
        asked = [one.path for one in there.asked]
    made_up, *links_asked = [urlsplit(one.final_url).path for one in facts.errors]
    assert (made_up, links_asked) == (
        "/mergegate-asks-for-what-is-not-there",
        ["/cart", *(f"/more/{number}" for number in range(8))],
    )
    assert not {"/logout", "/list?delete=1"} & set(asked)
    shown = [one for one in flaws(facts) if one.rule == "debug-page"]
    assert [(one.evidence, one.count >= 9) for one in shown] == [("/srv/app.py", True)]
    assert [one.detector for one in facts.secrets] == ["stripe-key"]


def page(*scripts: str, head: tuple[tuple[str, str], ...] = ()) -> Say:
    marks = "".join(f'<script src="{one}"></script>' for one in scripts)
    html = f"<!doctype html><title>Shop</title>{marks}<h1>Shop</h1>"
    return Say(200, html, (("Content-Type", "text/html; charset=utf-8"), *head))


def test_a_page_is_read_with_its_scripts_and_what_they_were_made_of() -> None:
    with place() as there:
        there.routes |= {
            "/": page("/a.js", "/b.js", "https://cdn.example.org/jquery-1.8.3.min.js"),
            "/a.js": Say(200, f'pay("{KEY}");\n//# sourceMappingURL=a.js.map\n', JS),
            "/a.js.map": Say(200, map_of(pay=f'const key = "{KEY}"'), TEXT),
            "/b.js": Say(200, "/*! jQuery v3.4.1 | (c) JS Foundation */", JS),
        }
        facts = look(there)
    first, second, foreign = facts.scripts
    kinds = [text.kind for text in facts.texts]
    assert kinds == ["html", "script", "script", "source-map", "html"]
    assert facts.texts[-1].url == there.at("/mergegate-asks-for-what-is-not-there")
    assert (first.own, second.own, foreign.own, foreign.fetched) == (True, True, False, None)
    assert first.source_map and first.source_map.final_url == there.at("/a.js.map")
    assert second.source_map is None
    assert [(one.detector, one.url, one.count) for one in facts.secrets] == [
        ("stripe-key", there.at("/a.js"), 2)
    ]
    assert [(one.name, one.version, one.found_by) for one in facts.libraries] == [
        ("jquery", "1.8.3", "file name"),
        ("jquery", "3.4.1", "content"),
    ]
    assert facts.local and facts.tls is None and facts.insecure is None


def test_what_is_found_holds_no_secret_and_no_cookie_value() -> None:
    cookie = (("Set-Cookie", "sid=0pen5esame; Path=/; HttpOnly; SameSite=lax"),)
    with place() as there:
        there.routes |= {"/": page("/a.js", head=cookie), "/a.js": Say(200, f'k="{KEY}"', JS)}
        facts = look(there)
    assert [(one.name, one.http_only, one.same_site) for one in facts.cookies] == [
        ("sid", True, "Lax")
    ]
    assert "0pen5esame" not in repr(facts)
    assert "0pen5esame" not in json.dumps(asdict(facts), default=str)
    assert KEY not in repr(facts)
    assert all(KEY not in repr(asdict(one)) for one in facts.secrets)
    told = repr([asdict(one) for one in flaws(facts)])
    assert "secret-stripe-key" in told
    assert KEY not in told and "0pen5esame" not in told


def test_the_page_is_asked_for_as_strangers_would() -> None:
    def reflects(asked: Asked) -> Say:
        origin = asked.headers.get("Origin", "")
        allow = (("Access-Control-Allow-Origin", origin),) if "stranger" in origin else ()
        credentials = (("Access-Control-Allow-Credentials", "true"), ("Vary", "origin"))
        return page(head=(*allow, *credentials))

    with place() as there:
        there.routes["/"] = reflects
        facts = look(there)
    assert [(one.kind, one.allow_origin) for one in facts.cors] == [
        ("stranger", "https://stranger.example"),
        ("null", ""),
    ]
    assert all(one.allow_credentials and one.vary_origin for one in facts.cors)


def test_a_file_is_proved_by_its_marks_and_not_by_its_status() -> None:
    with place() as there:
        there.otherwise = page()
        there.routes["/.git/HEAD"] = Say(200, "ref: refs/heads/main\n", TEXT)
        there.routes["/.env"] = Say(200, "# settings\nAPP_KEY=base64:abc\nDEBUG=1\n", TEXT)
        there.routes["/dump.sql"] = Say(404, "CREATE TABLE visitors (id int);", TEXT)
        facts = look(there)
    assert [one.path for one in facts.files if one.proved] == ["/.git/HEAD", "/.env"]
    assert all(one.fetched.body == b"" and one.fetched.text == "" for one in facts.files)


def test_paths_that_should_not_be_public_are_asked_for_two_at_a_time() -> None:
    with place() as there:
        visit, reach = Visit(url=there.at()), Policy(allowed=frozenset({("127.0.0.1", there.port)}))
        with egress(reach) as way, client(way.url, visit) as web:
            assert probed_files(visit.url, web, 1024, 2) == ()
        asked, most = list(there.asked), there.most_at_once
    assert most <= 2
    assert {(one.method, one.headers["Range"]) for one in asked} == {("GET", "bytes=0-1023")}
    assert 25 <= len(asked) <= 40


def test_a_server_that_the_page_only_redirects_to_is_left_in_peace() -> None:
    with place() as there:
        there.routes["/"] = lambda asked: (
            page()
            if asked.headers["Host"].startswith("login")
            else Say(302, "", (("Location", there.at(host="login.example.net")),))
        )
        hosts = ("shop.example.org", "login.example.net")
        reach = Policy(allowed=frozenset((host, there.port) for host in hosts))
        visit = Visit(url=there.at(host=hosts[0]))
        with (
            egress(reach, lookup=lambda _: ("127.0.0.1",)) as way,
            client(way.url, visit) as web,
        ):
            facts = gather(visit, web, way.url, now=NOW)
        asked = {one.path for one in there.asked}
    assert facts.page.ok and facts.page.final_url == there.at(host=hosts[1])
    assert asked == {"/"}
    assert (facts.files, facts.cors, facts.security_txt) == ((), (), None)
    assert any("leads to another site" in note for note in facts.notes)


def test_a_script_that_comes_from_elsewhere_in_the_end_is_not_of_the_site() -> None:
    with place() as there, place() as other:
        moved = (("Location", other.at("/b.js")),)
        there.routes |= {"/": page("/a.js", "/c.js"), "/a.js": Say(302, "", moved)}
        there.routes["/c.js"] = Say(200, "1", JS)
        other.routes["/b.js"] = Say(200, f'k = "{KEY}"', JS)
        visit = Visit(
            url=there.at(), credentials=Credentials(headers=(("Authorization", "Bearer geheim"),))
        )
        ports = (there.port, other.port)
        reach = Policy(allowed=frozenset(("127.0.0.1", port) for port in ports))
        with egress(reach) as way, client(way.url, visit) as web:
            facts = gather(visit, web, way.url, now=NOW)
    assert [(one.kind, one.own) for one in facts.texts] == [
        ("html", True),
        ("script", False),
        ("script", True),
        ("html", True),
    ]
    assert [one.path for one in other.asked] == ["/b.js"]
    assert "Authorization" not in other.asked[0].headers
    assert there.asked[0].headers["Authorization"] == "Bearer geheim"


def test_a_site_that_answers_drop_by_drop_ends_a_step_and_not_the_scan() -> None:
    over = threading.Event()

    @raw
    def drip(line: socket.socket) -> None:
        line.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while not over.wait(0.05):
            line.sendall(b"1\r\na\r\n")

    with place() as there:
        names = [f"/{number}.js" for number in range(20)]
        paths = [one.path for one in PATHS]
        there.routes |= {"/": page(*names)} | dict.fromkeys((*names, *paths), drip)
        facts = look(there, bounds=Bounds(step_s=0.4))
        over.set()
    assert [one.path for one in facts.files if one.proved] == []
    told = [note for note in facts.notes if "answers so slowly" in note]
    assert [note.split(" about its ")[1] for note in told] == [
        "server could not be sent.",
        "scripts could not be sent.",
    ]


def test_security_txt_is_looked_for_where_it_used_to_be_as_well() -> None:
    with place() as there:
        there.routes["/"] = page()
        there.routes["/security.txt"] = Say(200, "Contact: mailto:a@example.org\n", TEXT)
        found = look(there).security_txt
    assert found and found.final_url.endswith("/security.txt") and found.ok


def test_a_rendered_page_adds_scripts_and_what_stands_in_them() -> None:
    with place() as there:
        there.routes |= {
            "/": page("/a.js"),
            "/a.js": Say(200, "1", JS),
            "/late.js": Say(200, "2", JS),
        }
        late = f'window.settings = {{clientSecret: "{KEY}"}}'
        rendered = RenderedPage(
            document=Document(url=there.at(), scripts=(Script(text=late, selector="#late"),)),
            requests=(
                (there.at("/a.js"), "script"),
                (there.at("/late.js"), "script"),
                (there.at("/x.png"), "image"),
            ),
        )
        facts = look(there, rendered=rendered)
    assert [one.url for one in facts.scripts] == [there.at("/a.js"), there.at("/late.js")]
    assert [(one.kind, one.detector) for one in facts.secrets] == [("inline-script", "stripe-key")]


def test_an_answer_that_is_a_page_is_no_script() -> None:
    with place() as there:
        there.otherwise = page("/a.js")
        there.routes["/"] = page("/a.js")
        facts = look(there)
    assert facts.scripts[0].source_map is None
    assert [text.kind for text in facts.texts] == ["html"]


def test_a_page_that_does_not_answer_gives_facts_without_anything() -> None:
    with place() as there:
        there.routes["/"] = Say(302, "", (("Location", "ftp://example.org/"),))
        facts = look(there)
    assert facts.page.failure and facts.texts == () and facts.files == ()


def test_a_page_that_credentials_open_is_known_to_be_one() -> None:
    with place() as there:
        there.routes["/"] = Say(200, "<title>Mine</title>", HTML)
        opened = look(there, credentials=Credentials(headers=(("X-Preview", "0"),)))
        assert (look(there).signed_in, opened.signed_in) == (False, True)


def test_technologies_are_told_from_the_page() -> None:
    with place() as there:
        there.routes["/"] = page(head=(("Server", "nginx"),))
        told = look(there)
    assert [one.name for one in told.stack.technologies][:1] == ["nginx"]


def test_origins_that_look_like_our_own_are_tried_where_the_host_has_a_name() -> None:
    def ends_well(asked: Asked) -> Say:
        origin = asked.headers.get("Origin", "")
        fooled = origin.endswith("shop.example.org")
        return page(head=(("Access-Control-Allow-Origin", origin),) if fooled else ())

    with place() as there:
        there.routes["/"] = ends_well
        facts = look(there, host="shop.example.org")
    assert [(one.kind, one.origin, one.allow_origin) for one in facts.cors] == [
        ("stranger", "https://stranger.example", ""),
        ("null", "null", ""),
        ("suffix", "http://shop.example.org.stranger.example", ""),
        ("prefix", "http://strangershop.example.org", "http://strangershop.example.org"),
    ]


def test_a_page_that_is_asked_for_over_http_is_its_own_insecure_twin() -> None:
    with place() as there:
        there.routes["/"] = page()
        facts = look(there, host="shop.example.org")
    assert not facts.local
    assert facts.insecure == facts.page
    assert facts.tls is None


def test_a_page_behind_a_bad_certificate_is_not_read_but_its_certificate_is(
    tmp_path: Path,
) -> None:
    own = issued("127.0.0.1", days=-1.5, since_days=30)
    with handshakes(serving(own, tmp_path)) as port:
        visit = Visit(url=f"https://127.0.0.1:{port}/")
        reach = Policy(allowed=frozenset({("127.0.0.1", port)}))
        with egress(reach) as way, client(way.url, visit) as web:
            facts = gather(visit, web, way.url, now=dt.datetime.now(dt.UTC))
    assert facts.page.failure and facts.texts == ()
    assert facts.tls and facts.tls.trusted is False and facts.tls.days_left == -2


def test_a_page_over_https_is_told_with_how_it_is_secured(tmp_path: Path) -> None:
    own = issued("127.0.0.1", ca=True)
    with tls_site(serving(own, tmp_path)) as there:
        visit = Visit(url=f"https://127.0.0.1:{there.port}/")
        reach = Policy(allowed=frozenset({("127.0.0.1", there.port)}))
        with egress(reach) as way, client(way.url, visit, trust=trusting(own)) as web:
            facts = gather(visit, web, way.url, now=NOW)
    assert facts.page.ok
    assert facts.tls and "TLSv1.3" in facts.tls.accepts and facts.tls.name_matches
    assert facts.insecure is None


def test_of_a_well_made_site_nothing_is_said_that_matters(tmp_path: Path) -> None:
    own = issued(HOST, ca=True, days=89)
    context = serving(own, tmp_path)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("ECDHE+AESGCM")
    with tls_site(context) as there:
        there.pages["/"] = ("text/html", b'<!doctype html><script src="/app.js"></script>')
        there.pages["/app.js"] = ("text/javascript", b"/*! jQuery v3.7.1 */ run();")
        contact = b"Contact: mailto:security@example.org\nExpires: 2099-01-01T00:00:00Z\n"
        there.pages["/.well-known/security.txt"] = ("text/plain", contact)
        visit = Visit(url=f"https://{HOST}:{there.port}/")
        reach = Policy(allowed=frozenset({(HOST, there.port)}))
        with (
            egress(reach, lookup=lambda _: ("127.0.0.1",)) as way,
            client(way.url, visit, trust=trusting(own)) as web,
        ):
            seen = gather(visit, web, way.url, now=dt.datetime.now(dt.UTC))
    assert seen.tls
    facts = replace(seen, tls=replace(seen.tls, trusted=True))
    checks = (transport, files, libraries, secrets, leaks)
    assert [one.rule for check in checks for one in check.flaws(facts)] == ["server-version"]
    assert [one.name for one in facts.libraries] == ["jquery"]
