"""The probe in a real browser, on pages that hide nothing and on pages that fight."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, sync_playwright

from mergegate.core.errors import EngineMissing
from mergegate.sandbox.browser import executable
from mergegate.site.facts.stack import Technology
from mergegate.site.stack import SOURCE, argument, probe, stack, traces

URL = "https://site.test/"


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    """Each page takes the place of the one before; what scripts made of that goes with it."""
    with sync_playwright() as playwright:
        try:
            program = executable()
        except EngineMissing:
            pytest.skip("NOT CHECKED: the probe in a page, for there is no Chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def _evaluated(tab: Page, expression: str) -> object:
    """What ``expression`` says, asked as the engine asks: nothing of ours runs around it."""
    session = tab.context.new_cdp_session(tab)
    asked = {"expression": expression, "returnByValue": True, "timeout": 10_000}
    answer = session.send("Runtime.evaluate", asked)
    session.detach()
    assert "exceptionDetails" not in answer, answer
    value: object = answer["result"].get("value")
    return value


def _probed(tab: Page, html: str) -> object:
    def answer(route: Route) -> None:
        route.fulfill(body=html if route.request.url == URL else "", content_type="text/html")

    tab.context.clear_cookies()
    tab.unroute_all()
    tab.route("**/*", answer)
    tab.goto(URL)
    return _evaluated(tab, f"({SOURCE})({json.dumps(argument())})")


def _found(tab: Page, html: str) -> dict[str, Technology]:
    told = stack(traces(URL, _probed(tab, html), {}, []))
    return {one.name: one for one in told.technologies}


def test_every_selector_is_one(tab: Page) -> None:
    asked = [*probe.selectors(), *(one for one, _, _ in probe.readings().values())]
    check = "all => all.filter(one => { try { document.querySelector(one) } catch { return 1 } })"
    assert _evaluated(tab, f"({check})({json.dumps(asked)})") == []


def test_the_question_is_plain_json() -> None:
    assert json.loads(json.dumps(argument())) == argument()


def test_globals_metas_and_addresses_are_collected(tab: Page) -> None:
    found = _found(
        tab,
        """<!-- Generated with Sphinx 9.0.4 and Furo 2025.12.19 --><html>
        <meta name=Generator content='Hugo 0.121.1'>
        <link rel='preload stylesheet' href=/wp-includes/a.css>
        <script src='https://js.stripe.com/v3/'></script>
        <script>jQuery = {fn: {jquery: '3.7.1'}}; THREE = {REVISION: 160}</script>
        <astro-island></astro-island></html><!-- MkDocs version : 1.6.1 -->""",
    )
    assert found["Furo"].version == "2025.12.19"
    assert found["Hugo"].version == "0.121.1"
    assert found["jQuery"].version == "3.7.1"
    assert found["Three.js"].version == "160"
    assert found["MkDocs"].version == "1.6.1"
    assert {"WordPress", "Stripe", "Astro"} <= set(found)


def test_what_hangs_on_elements_is_read(tab: Page) -> None:
    found = _found(
        tab,
        """<app-root ng-version=17.1.0></app-root><div id=app></div><main><p></p></main><script>
        document.querySelector('#app').__vue_app__ = {version: '3.4.0'};
        document.querySelector('p')['__reactFiber$x1'] = {};</script>""",
    )
    assert found["Angular"].version == "17.1.0"
    assert found["Vue.js"].version == "3.4.0"
    assert "React" in found


def test_names_of_cookies_are_collected_without_values(tab: Page) -> None:
    answer = _probed(tab, "<script>document.cookie = 'PHPSESSID=secret-value'</script>")
    assert "secret-value" not in json.dumps(answer["cookies"])  # type: ignore[index]
    assert traces(URL, answer, {}, []).cookies == ("PHPSESSID",)


def test_elements_that_bear_a_name_are_no_libraries(tab: Page) -> None:
    html = "<div id=Vue></div><form id=React name=jQuery><input name=fn id=version></form>"
    html += "<a id=Stripe></a><a id=Stripe></a><iframe name=preact></iframe><img name=Intercom>"
    assert set(_found(tab, html)) == set()


def test_words_are_no_technologies(tab: Page) -> None:
    html = "<h1>React or Vue.js?</h1><p>WordPress 6.4, jQuery 3.7.1, /wp-content/, Next.js</p>"
    assert _found(tab, html) == {}


HOSTILE_PAGES = {
    "throwing getters": """for (const name of ['React', 'Vue', 'jQuery', 'next', 'Shopify'])
        Object.defineProperty(window, name, {get() { throw new Error(name) }})""",
    "throwing proxies": """const angry = new Proxy(function () {}, new Proxy({}, {
        get() { return () => { throw new Error('no') } } }));
        React = Vue = jQuery = dojo = google = Shopify = angry""",
    "endless proxies": """const deep = () => new Proxy(function () {}, {get: () => deep()});
        React = Vue = jQuery = L = Ext = deep()""",
    "huge values": """React = {version: 'x'.repeat(5e7)}; Vue = {version: Array(1e7).fill(1)};
        for (let i = 0; i < 3000; i += 1) document.head.append(Object.assign(
          document.createElement('script'), {type: 'x', src: '/' + i + 'y'.repeat(9999)}))""",
    "functions that must not be called": """const shout = () => { document.title = 'called' };
        React = {version: shout, toString: shout, valueOf: shout, toJSON: shout}; jQuery = React""",
    "other kinds of values": """React = {version: Symbol('a')}; Vue = {version: 10n ** 500n};
        jQuery = {fn: {jquery: new Date(NaN)}}; d3 = {version: NaN}""",
    "broken built-ins": """const no = () => { throw new Error('no') };
        for (const each of [Array, String, Object, RegExp, Map, Function])
          for (const name of Object.getOwnPropertyNames(each.prototype))
            try { each.prototype[name] = no } catch {}
        JSON.stringify = no; Date.now = no; Object.keys = no; document.querySelectorAll = no""",
    "lying built-ins": """Array.prototype.map = () => 'a'; String.prototype.slice = () => ({a: 1});
        String.prototype.split = () => [{}]; JSON.stringify = () => '[]';
        Object.prototype.toJSON = () => 'lie'; Array.prototype.toJSON = () => 'lie';
        document.querySelector = () => true; Date.now = () => NaN""",
    "a poisoned prototype": """Object.defineProperty(Object.prototype, 'html', {
        set() { throw 1 }, get() { throw 1 }, configurable: true});
        Object.defineProperty(Array.prototype, '0', {set() { throw 1 }, configurable: true})""",
    "no document left": "document.documentElement.remove()",
    "a clock that runs off": "Date.now = (now => () => now += 1e6)(0)",
}


@pytest.mark.parametrize("script", HOSTILE_PAGES.values(), ids=HOSTILE_PAGES)
def test_a_hostile_page_gets_an_answer_that_is_safe(tab: Page, script: str) -> None:
    answer = _probed(tab, f"<title>calm</title><script>{script}</script>")
    assert len(json.dumps(answer)) < 2_000_000
    told = stack(traces(URL, answer, {}, []))
    assert all(len(one.version) <= 40 for one in told.technologies)
    assert _evaluated(tab, "document.title") in {"calm", ""}
