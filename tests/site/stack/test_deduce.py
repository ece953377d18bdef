"""From traces to technologies: what tells, what does not, and what follows."""

from dataclasses import replace

import pytest

from mergegate.site.facts.stack import Technology, Traces
from mergegate.site.stack import stack
from mergegate.site.stack.rule import rules

URL = "https://www.example.com/"
BARE = Traces(url=URL)


def _found(traces: Traces) -> dict[str, Technology]:
    return {one.name: one for one in stack(traces).technologies}


HITS = [
    ({"headers": {"server": ("nginx/1.25.3",)}}, "nginx", "1.25.3"),
    ({"headers": {"server": ("nginx",)}}, "nginx", ""),
    ({"headers": {"server": ("Apache/2.4.58 (Unix)",)}}, "Apache HTTP Server", "2.4.58"),
    ({"headers": {"server": ("Caddy",)}}, "Caddy", ""),
    ({"headers": {"server": ("istio-envoy",)}}, "Envoy", ""),
    ({"headers": {"x-powered-by": ("Next.js",)}}, "Next.js", ""),
    ({"headers": {"x-vercel-id": ("fra1::abc",)}}, "Vercel", ""),
    ({"headers": {"cf-ray": ("8a-FRA",)}}, "Cloudflare", ""),
    ({"headers": {"fly-request-id": ("01H",)}}, "Fly.io", ""),
    ({"metas": {"generator": ("WordPress 6.4.2",)}}, "WordPress", "6.4.2"),
    ({"metas": {"generator": ("Astro v4.16.1",)}}, "Astro", "4.16.1"),
    ({"metas": {"generator": ("Docusaurus v3.5.2",)}}, "Docusaurus", "3.5.2"),
    ({"metas": {"generator": ("mkdocs-1.6.1, mkdocs-material-9.5.1",)}}, "MkDocs", "1.6.1"),
    (
        {"metas": {"generator": ("mkdocs-1.6.1, mkdocs-material-9.5.1",)}},
        "Material for MkDocs",
        "9.5.1",
    ),
    ({"metas": {"generator": ("Go Daddy", "Hugo 0.121.1")}}, "Hugo", "0.121.1"),
    ({"globals": {"React.version": "18.3.1"}}, "React", "18.3.1"),
    ({"globals": {"jQuery.fn.jquery": "3.7.1"}}, "jQuery", "3.7.1"),
    ({"globals": {"__next_f": ""}}, "Next.js", ""),
    ({"globals": {"next.version": "15.1.0-canary.3"}}, "Next.js", "15.1.0-canary.3"),
    ({"readings": {"[ng-version]@ng-version": "17.0.2"}}, "Angular", "17.0.2"),
    ({"selectors": frozenset({"[hx-get]"})}, "htmx", ""),
    ({"cookies": ("laravel_session",)}, "Laravel", ""),
    ({"cookies": ("PHPSESSID",)}, "PHP", ""),
    ({"requests": ("https://js.stripe.com/v3/",)}, "Stripe", ""),
    ({"requests": ("https://o1.ingest.sentry.io/api",)}, "Sentry", ""),
    ({"scripts": (URL + "js/jquery-3.6.0.min.js?x=1",)}, "jQuery", "3.6.0"),
    ({"scripts": (URL + "_nuxt/entry.js",)}, "Nuxt", ""),
    (
        {"styles": ("https://cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css",)},
        "Bootstrap",
        "5.3.3",
    ),
    ({"scripts": ("https://cdn.example.com/wp-includes/a.js",)}, "WordPress", ""),
    ({"html": "<!-- Book generated using mdBook -->"}, "mdBook", ""),
    ({"html": "<style>*{--tw-ring-inset: }</style>"}, "Tailwind CSS", ""),
    ({"url": "https://shop.myshopify.com/"}, "Shopify", ""),
]


@pytest.mark.parametrize(("said", "name", "version"), HITS)
def test_a_trace_gives_its_technology_away(
    said: dict[str, object], name: str, version: str
) -> None:
    found = _found(replace(BARE, **said))  # type: ignore[arg-type]
    assert found[name].version == version


NEAR_MISSES = [
    ({"html": "<p>Why we left WordPress for Hugo, React and wp-content</p>"}, "no trace of use"),
    ({"metas": {"description": ("All about WordPress 6.4",)}}, "another meta element"),
    ({"metas": {"generator": ("Not WordPress 6.4",)}}, "another generator"),
    ({"headers": {"server": ("my-nginx-like",)}}, "another server"),
    ({"headers": {"server": ("ApacheLounge/1",)}}, "not the HTTP server"),
    ({"requests": ("https://blog.example.org/wp-content/themes/a.png",)}, "someone else's blog"),
    ({"requests": ("https://evil.test/?u=js.stripe.com",)}, "a query is no host"),
    ({"requests": ("https://notjs.stripe.com.evil.test/",)}, "another host"),
    ({"url": "https://example.com/vercel.app"}, "a path is no host"),
    ({"cookies": ("my_laravel_session_note",)}, "another cookie"),
    ({"scripts": (URL + "jquery.min.json",)}, "no script"),
    ({"scripts": ("https://[broken/jquery",)}, "no address"),
]


@pytest.mark.parametrize(("said", "why"), NEAR_MISSES)
def test_what_only_looks_like_a_trace_tells_nothing(said: dict[str, object], why: str) -> None:
    assert _found(replace(BARE, **said)) == {}, why  # type: ignore[arg-type]


SHARED = [
    ("https://www.example.com/", "https://static.example.com", True),
    ("https://a.co.uk/", "https://cdn.a.co.uk", True),
    ("https://a.co.uk/", "https://b.co.uk", False),
    ("https://a.de/", "https://b.de", False),
    ("https://www.abc.de/", "https://static.abc.de", True),
    ("http://127.0.0.1/", "http://127.0.0.1", True),
    ("http://10.1.0.1/", "http://10.2.0.1", False),
    ("http://localhost:8080/", "http://localhost:8080", True),
]


@pytest.mark.parametrize(("site", "host", "own"), SHARED)
def test_paths_count_on_hosts_of_the_site_alone(site: str, host: str, own: bool) -> None:
    traces = Traces(url=site, requests=(f"{host}/wp-includes/js/a.js",))
    assert ("WordPress" in _found(traces)) is own


def test_what_comes_along_is_told_and_is_no_surer_than_its_bringer() -> None:
    found = _found(replace(BARE, headers={"x-powered-by": ("Next.js",)}))
    assert found["React"].confidence == 100
    assert found["Node.js"].confidence == 50


def test_what_is_brought_brings_its_own_in_turn() -> None:
    found = _found(replace(BARE, metas={"generator": ("Starlight v0.30.0", "Astro v5.0.0")}))
    assert {"Starlight", "Astro", "Vite"} <= set(found)


def test_pieces_of_evidence_add_up_to_a_hundred_at_most() -> None:
    one = replace(BARE, globals={"L.version": "1.9.4"})
    both = replace(BARE, globals={"L.version": "1.9.4", "L.TileLayer": ""})
    more = replace(both, selectors=frozenset({".leaflet-container"}))
    assert [_found(each)["Leaflet"].confidence for each in (one, both, more)] == [50, 100, 100]


def test_what_lacks_its_requirement_is_dropped() -> None:
    selectors = frozenset({"mat-icon"})
    with_angular = replace(BARE, selectors=selectors, readings={"[ng-version]@ng-version": "17"})
    assert "Angular Material" not in _found(replace(BARE, selectors=selectors))
    assert "Angular Material" in _found(with_angular)


def test_a_lookalike_is_dropped_for_the_real_one() -> None:
    traces = replace(
        BARE,
        metas={"generator": ("zensical-0.1.0",)},
        selectors=frozenset({"[data-md-color-scheme]"}),
    )
    found = _found(traces)
    assert "Zensical" in found
    assert "Material for MkDocs" not in found


def test_the_most_certain_comes_first_then_the_name() -> None:
    traces = replace(
        BARE, headers={"x-powered-by": ("Next.js",), "server": ("nginx",)}, cookies=("_dd_s",)
    )
    told = stack(traces).technologies
    order = sorted(told, key=lambda one: (-one.confidence, one.name.lower()))
    assert list(told) == order
    assert stack(traces) == stack(traces)


@pytest.mark.parametrize(
    "version", ["<script>", "6.4 hacked", "9" * 200, "\x1b[31m1.0", "javascript:1", ""]
)
def test_a_version_that_is_none_is_left_out(version: str) -> None:
    found = _found(replace(BARE, globals={"React.version": version}))
    assert found["React"].version == ""


def test_the_more_precise_version_is_told() -> None:
    traces = replace(BARE, scripts=(URL + "jquery-3.js",), globals={"jQuery.fn.jquery": "3.7.1"})
    assert _found(traces)["jQuery"].version == "3.7.1"


def test_the_version_that_runs_is_told_before_the_one_in_a_file_name() -> None:
    traces = replace(
        BARE, scripts=(URL + "jquery-1.12.4.js",), globals={"jQuery.fn.jquery": "3.7.1"}
    )
    assert _found(traces)["jQuery"].version == "3.7.1"


def test_two_frameworks_on_one_page_are_both_told() -> None:
    readings = {"body,body *!__k": "", "body,body *!__react*": ""}
    assert {"Preact", "React"} <= set(_found(replace(BARE, readings=readings)))


def test_nothing_is_told_of_nothing() -> None:
    assert stack(BARE).technologies == ()
    assert stack(Traces(url="")).technologies == ()


def test_whatever_a_rule_names_has_a_rule() -> None:
    named = {
        name
        for rule in rules().values()
        for name in (*(one.text for one in rule.implies), *rule.requires, *rule.excludes)
    }
    assert named <= set(rules())
