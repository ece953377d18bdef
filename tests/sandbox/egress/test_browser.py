"""Chromium behind the way out reaches its own site and nothing else, whatever a page tries."""

import contextlib
from urllib.parse import urlsplit

import pytest

from mergegate.sandbox.browser import find
from mergegate.sandbox.egress.destination import Verdict
from tests.sandbox.browser.stands import needs_chromium
from tests.sandbox.egress.attack import HOSTS, REACHED_FIRST, before, stage, visit
from tests.sandbox.egress.sites import secret, site

PROXY, BYPASS, WEBRTC = find.GUARD


@needs_chromium
@pytest.mark.slow
@pytest.mark.usefixtures("without_its_own_guard")
@pytest.mark.parametrize("missing", find.GUARD)
def test_each_flag_of_the_guard_is_needed(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the next test proves the guard, and not a page that does nothing."""
    left = tuple(flag for flag in find.GUARD if flag != missing)
    monkeypatch.setattr(find, "GUARD", left)
    with site() as there, secret() as hidden, before(there) as (_, browser):
        stage(there, hidden, "127.0.0.1")
        visit(browser, there)
        hits, datagrams = tuple(hidden.hits), tuple(hidden.datagrams)
    paths = {hit.split(b" ")[1] for hit in hits if hit.count(b" ") > 1}
    assert (paths >= REACHED_FIRST) == (missing != WEBRTC)
    assert bool(datagrams) == (missing == WEBRTC)


@needs_chromium
@pytest.mark.slow
@pytest.mark.usefixtures("without_its_own_guard")
def test_nothing_on_the_attack_page_reaches_the_secret_by_any_name() -> None:
    """A page and a secret for each name, all at once: a page waits longer than it works."""
    with contextlib.ExitStack() as held:
        there = held.enter_context(site())
        secrets = {host: held.enter_context(secret()) for host in HOSTS}
        way, browser = held.enter_context(before(there))
        for place, (host, hidden) in enumerate(secrets.items()):
            stage(there, hidden, host, f"/{place}/")
        visit(browser, there, *(f"/{place}/" for place in range(len(HOSTS))))
        for host, hidden in secrets.items():
            assert (hidden.hits, hidden.datagrams) == ([], []), host
            tried = [one for one in way.contacted if one.port == hidden.port]
            assert len(tried) >= 10
            assert {one.verdict for one in tried} == {Verdict.REFUSED}
        passed = {(one.host, one.port) for one in way.contacted if one.verdict is Verdict.PASSED}
    assert passed == {("127.0.0.1", there.port)}


@needs_chromium
@pytest.mark.slow
def test_nothing_is_reached_with_all_flags_as_they_are() -> None:
    with site() as there, secret() as hidden, before(there) as (_, browser):
        stage(there, hidden, "127.0.0.1")
        visit(browser, there)
        assert (hidden.hits, hidden.datagrams) == ([], [])


DEBUGGER = """<script>
const end = () => fetch("/done");
const socket = () => new Promise((done) => {
  const one = new WebSocket("ENDPOINT");
  one.onopen = () => { told.push("open"); done() };
  one.onerror = done;
});
const told = [];
const read = (path) => fetch(`http://127.0.0.1:PORT${path}`).then(() => told.push(path));
Promise.allSettled([socket(), read("/json/version"), read("/json/list"),
  fetch("http://127.0.0.1:PORT/json/new", {method: "PUT", mode: "no-cors"})])
  .then(() => fetch("/told", {method: "POST", body: told.join()})).then(end);
</script>"""


@needs_chromium
@pytest.mark.usefixtures("without_its_own_guard")
def test_a_page_does_not_reach_the_debugging_port() -> None:
    with site() as there, before(there) as (way, browser):
        port = urlsplit(browser.endpoint).port
        page = DEBUGGER.replace("ENDPOINT", browser.endpoint).replace("PORT", str(port))
        there.pages["/"] = ("text/html", page.encode())
        visit(browser, there)
        tried = [one for one in way.contacted if one.port == port]
    assert [one.body for one in there.asked if "/told" in one.line] == [b""]
    assert len(tried) >= 3
    assert {one.verdict for one in tried} == {Verdict.REFUSED}
