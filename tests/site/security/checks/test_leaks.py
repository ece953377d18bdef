"""What a site tells of itself: the answer, and exactly what is found."""

import pytest

from mergegate.site.facts.document import Document, Meta
from mergegate.site.security.checks import leaks
from mergegate.site.security.facts import LoadedScript, SourceText, UsedLibrary
from tests.site.security.checks.seen import PAGE, facts, fetched, told

SERVER, POWERED = ("server-version", "low"), ("powered-by", "low")
DEBUG, TRACE = ("debug-page", "high"), ("debug-page", "medium")
TOOLBAR = ("debug-toolbar", "medium")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("server", "nginx", []),
        ("server", "nginx/1.18.0 (Ubuntu)", [SERVER]),
        ("server", "Apache", []),
        ("server", "Apache/2.4.41 (Ubuntu) OpenSSL/1.1.1f", [SERVER]),
        ("server", "Microsoft-IIS/10.0", [SERVER]),
        ("server", "cloudflare", []),
        ("server", "ECS (dcb/7F3B)", []),
        ("server", "ATS", []),
        ("server", "GitHub.com", []),
        ("server", "", []),
        ("x-powered-by", "PHP/7.4.3", [POWERED]),
        ("x-powered-by", "ASP.NET", [("powered-by", "info")]),
        ("x-powered-by", "Express", [("powered-by", "info")]),
        ("x-aspnet-version", "4.0.30319", [POWERED]),
        ("x-aspnetmvc-version", "5.2", [POWERED]),
        ("x-generator", "Drupal 9 (https://www.drupal.org)", [("powered-by", "info")]),
        ("x-content-type-options", "nosniff", []),
        ("via", "1.1 varnish", []),
    ],
)
def test_a_header_tells(name: str, value: str, expected: list[tuple[str, str]]) -> None:
    assert told(leaks.flaws(facts(fetched(headers={name: value})))) == expected


@pytest.mark.parametrize(
    ("generators", "expected"),
    [
        (["WordPress 6.4.2"], [("generator-version", "low")]),
        (["WordPress 6.4.2", "WooCommerce 8.3.1"], [("generator-version", "low")]),
        (["WordPress"], []),
        (["Drupal 10 (https://www.drupal.org)"], []),
        (["Docusaurus v3.1.0"], []),  # it made the pages and does not run on the server
        (["Docutils 0.19: https://docutils.sourceforge.io/"], []),
        (["AsciiDoc 10.2.0", "WordPress 6.4.2"], [("generator-version", "low")]),
        ([], []),
    ],
)
def test_a_generator_tells(generators: list[str], expected: list[tuple[str, str]]) -> None:
    metas = tuple(Meta(kind="name", name="generator", content=one) for one in generators)
    assert told(leaks.flaws(facts(document=Document(url=PAGE, metas=metas)))) == expected


@pytest.mark.parametrize(
    ("status", "html", "expected"),
    [
        (200, "<title>Shop</title><h1>Shop</h1>", []),
        (500, "<title>Error</title><h1>Something went wrong</h1>", []),
        (500, "<title>KeyError // Werkzeug Debugger</title><script>EVALEX = true,</script>",
         [("debugger-exposed", "high")]),
        (500, "<title>KeyError // Werkzeug Debugger</title>Traceback EVALEX = false", [DEBUG]),
        (404, "You're seeing this error because you have <code>DEBUG = True</code> in", [DEBUG]),
        (404, "You&#x27;re seeing this error because you have <code>DEBUG = True</code>", [DEBUG]),
        (200, "<p>If you read: You're seeing this error because you have <code>DEBUG = True</code>",
         []),
        # Django 5.2 writes another apostrophe.
        (404, "<p>You’re seeing this error because you have <code>DEBUG = True</code> in", [DEBUG]),
        (500, "<pre>Traceback (most recent call last):\n  File \"/srv/app.py\", line 3", [TRACE]),
        (500, '{"error": "Traceback (most recent call last):\\n  File \\"/srv/app.py\\", line 3"}',
         [TRACE]),
        (200, "<pre>Traceback (most recent call last):\n  File \"/srv/app.py\", line 3", []),
        (200, "<b>Warning</b>:  connect(): no in <b>/var/a.php</b> on line <b>7</b>", [TRACE]),
        (200, "&lt;b&gt;Warning&lt;/b&gt;: x in &lt;b&gt;/var/a.php&lt;/b&gt; on line", []),
        (200, "<b>Warning</b>: this page is old", []),
        (500, "<title>Server Error in '/' Application.</title><b>Stack Trace:</b>", [TRACE]),
        (500, "<title>Action Controller: Exception caught</title>", [DEBUG]),
        (500, "<title>x</title>Symfony Exception<div class='trace-details'>", [DEBUG]),
        (500, "<h1>HTTP Status 500 – Error</h1><pre>at a.B(B.java:3)</pre>", [TRACE]),
        (200, '<div id="djDebug" dir="ltr">', [TOOLBAR]),
        (200, '<div id="sfwdt1a2b" class="sf-toolbar"></div><script>"/_wdt/1"</script>', [TOOLBAR]),
        (200, "<script>var phpdebugbar = new PhpDebugBar.DebugBar();</script>", [TOOLBAR]),
        (200, "<title>Index of /files</title><h1>Index of /files</h1><a href=\"../\">../</a>",
         [("directory-listing", "medium")]),
        (200, "<title>Index of /files</title><a href='/'>Parent Directory</a>",
         [("directory-listing", "medium")]),
        (200, "<title>Directory listing for /</title><h1>Directory listing for /</h1>",
         [("directory-listing", "medium")]),
        (200, "<title>Index of /r/ posts</title><h1>All posts</h1>", []),
        (200, "<title>Index of terms</title>Parent Directory</a>", []),
    ],
)  # fmt: skip
def test_a_page_tells(status: int, html: str, expected: list[tuple[str, str]]) -> None:
    assert told(leaks.flaws(facts(fetched(status=status, text=html)))) == expected


def test_an_error_at_the_end_of_a_long_page_is_seen() -> None:
    page = "x" * 500_000 + "<b>Fatal error</b>:  Oh in <b>/var/www/a.php</b> on line <b>7</b>"
    (flaw,) = leaks.flaws(facts(fetched(text=page)))
    assert (flaw.rule, flaw.evidence) == ("debug-page", "/var/www/a.php")


FATAL = "Fatal error: Uncaught Exception: cart in /srv/e.php:1\nStack trace:\n#0 /srv/e.php(1): f()"
ERRORS: list[tuple[int, str, list[tuple[str, str]]]] = [
    (
        500,
        f"<b>Fatal error</b>:  {FATAL[13:]}\n  thrown in <b>/srv/e.php</b> on line <b>1</b>",
        [TRACE],
    ),
    (500, FATAL, [TRACE]),
    (200, FATAL, []),
    (500, '<ul id="stackpage"><li><h2 class="stackerror">Exception: Wow!</h2>', [DEBUG]),
    (500, "Exception: x\n   at Shop.Get(Int32 id) in C:\\src\\Cart.cs:line 12", [TRACE]),
    (500, "<title>x</title>/srv/vendor/laravel/framework/src/Illuminate/Routing/R.php", [DEBUG]),
    (500, "<pre>Error: cart<br> &nbsp; &nbsp;at /srv/app.js:1:114<br>", [TRACE]),
    (
        500,
        "<br> &nbsp; &nbsp;at Layer.next (/srv/node_modules/router/layer.js:169:33)<br>",
        [TRACE],
    ),
    (404, "<title>Error</title><pre>Cannot GET /nope</pre>", []),
    (404, "<p>Look at /docs/app.js:12 for more, or at the page of errors</p>", []),
    (
        500,
        "<h1>Whitelabel Error Page</h1>java.lang.Error\n\tat a.b.Cart.get(Cart.java:31)",
        [TRACE],
    ),
    (500, '{"status":500,"trace":"Error\\n\\tat com.shop.Cart.get(Cart.java:31)"}', [TRACE]),
    (404, "<h1>Whitelabel Error Page</h1><p>An unexpected error (type=Not Found).", []),
    (500, "NoMethodError: /srv/app/models/cart.rb:12:in `total&#39;", [TRACE]),
    (500, "goroutine 7 [running]:\nmain.cart()\n\t/srv/app/main.go:12 +0x1d", [TRACE]),
]


@pytest.mark.parametrize(("status", "text", "expected"), ERRORS)
def test_an_error_tells(status: int, text: str, expected: list[tuple[str, str]]) -> None:
    site = "https://www.example.org/cart"
    assert told(leaks.flaws(facts(errors=(fetched(site, status=status, text=text),)))) == expected
    assert told(leaks.flaws(facts(fetched(status=status, text=text)))) == expected


@pytest.mark.parametrize(
    "text", ["at " * 200_000, "fatal error: " * 40_000, "<b>notice</b>: " * 40_000, "/" * 500_000]
)
def test_an_error_made_to_be_slow_is_not(text: str) -> None:
    assert (
        told(leaks.flaws(facts(errors=(fetched("https://a.example", status=500, text=text),))))
        == []
    )


def test_what_other_addresses_answer_is_told_once_by_what_it_shows() -> None:
    trace = 'Traceback (most recent call last):\n  File "/srv/app.py", line 3'
    site = "https://www.example.org"
    errors = tuple(fetched(f"{site}/{name}", status=500, text=trace) for name in "ab")
    plain = fetched(f"{site}/c", status=404, text="<h1>Not found</h1>")
    script = LoadedScript(
        url=f"{site}/a.js", own=True, fetched=fetched(f"{site}/a.js", status=500, text=trace)
    )
    (flaw,) = leaks.flaws(facts(errors=(*errors, plain), scripts=(script,)))
    assert (flaw.rule, flaw.url, flaw.count) == ("debug-page", f"{site}/a", 3)
    assert flaw.evidence == "/srv/app.py"
    assert flaw.message.endswith("It answers so with status 500.")


def _script(name: str, *, mapped: bool) -> LoadedScript:
    source_map = fetched(f"https://www.example.org/{name}.map") if mapped else None
    return LoadedScript(url=f"https://www.example.org/{name}", own=True, source_map=source_map)


def test_source_maps_with_sources_are_told_apart_from_those_with_names() -> None:
    scripts = tuple(_script(f"{name}.js", mapped=name != "c") for name in "abcd")
    texts = tuple(
        SourceText(url=f"https://www.example.org/{name}.js.map", kind="source-map", text="x")
        for name in "ab"
    )
    found = list(leaks.flaws(facts(scripts=scripts, texts=texts)))
    assert told(found) == [("source-map-public", "medium"), ("source-map-names", "low")]
    assert [one.count for one in found] == [2, 1]
    assert found[1].evidence == "https://www.example.org/d.js.map"


@pytest.mark.parametrize(
    ("file", "library", "expected"),
    [
        ("bootstrap.bundle.min.js", "bootstrap", []),
        ("vue.global.prod.js", "vue", []),
        ("main.3f2a.js", "bootstrap", [("source-map-public", "medium")]),
    ],
)
def test_the_map_of_a_library_shows_what_is_public(
    file: str, library: str, expected: list[tuple[str, str]]
) -> None:
    script = _script(file, mapped=True)
    text = SourceText(url=f"{script.url}.map", kind="source-map", text="x")
    used = UsedLibrary(name=library, version="1.2.3", url=script.url)
    seen = facts(scripts=(script,), texts=(text,), libraries=(used,))
    assert told(leaks.flaws(seen)) == expected


def test_no_source_map_is_no_leak() -> None:
    assert told(leaks.flaws(facts(scripts=(_script("a.js", mapped=False),)))) == []


def test_a_page_without_an_answer_tells_nothing() -> None:
    page = fetched(headers={"server": "nginx/1.18.0"}, failure="it hangs up")
    assert told(leaks.flaws(facts(page))) == []
