"""Fixes: written for the stack, from the page's own values, most valuable first."""

import ast
import json
from collections.abc import Iterator
from html.parser import HTMLParser
from inspect import isfunction

import pytest
import yaml

from mergegate.core.data_table import Named
from mergegate.site.audit.checks import issues
from mergegate.site.audit.facts import Area, Audited, Detail, LighthouseRun, Load, Mode, Vendor
from mergegate.site.audit.report import SiteFix
from mergegate.site.facts.stack import Technology
from mergegate.site.remedies import elements, resources
from mergegate.site.remedies.fixes import REMEDIES, fixes, with_fixes
from mergegate.site.remedies.remedy import Recipe, Remedy, Stack, nothing, stacks
from tests.site.audit.checks.runs import at, audited, load, recorded, run

_PERFORMANCE, _ACCESSIBILITY = Area.PERFORMANCE, Area.ACCESSIBILITY
_TOO_LARGE = "This image file is larger than it needs to be (900x600) for its displayed dimensions"


def _fixes(page: LighthouseRun, *technologies: str) -> tuple[SiteFix, ...]:
    return fixes(page, issues(page), [Technology(name) for name in technologies])


def _hint(id: str, *rows: Detail) -> Audited:
    return audited(id, _PERFORMANCE, mode=Mode.METRIC_SAVINGS, details=rows)


def _code(page: LighthouseRun, title: str, *technologies: str) -> str:
    return next(one.code for one in _fixes(page, *technologies) if one.title == title)


def test_an_unsized_image_gets_the_size_of_its_file() -> None:
    url = "https://shop.example/hero.png"
    page = run(
        _hint("unsized-images", at('<img src="hero.png" style="width:9px">', url=url)),
        _hint("image-delivery-insight", at('<img src="hero.png">', url=url, text=_TOO_LARGE)),
    )
    expected = '<img src="/hero.png" width="900" height="600">'
    assert _code(page, "Give images their width and height") == expected


def test_a_size_that_nobody_knows_is_asked_for() -> None:
    row = at('<img src="hero.png">', url="https://shop.example/hero.png")
    code = _code(run(_hint("unsized-images", row)), "Give images their width and height")
    assert code == '<img src="/hero.png" width="WIDTH" height="HEIGHT">'


def test_the_largest_image_is_found_by_the_name_in_its_tag() -> None:
    loads = [
        load("https://cdn.example/a/hero.png", "image"),
        load("https://cdn.example/b.png", "image"),
    ]
    row = at('<img src="https://cdn.example/a/hero.png" loading="lazy" width="9" height="8">')
    code = _code(
        run(_hint("lcp-discovery-insight", row), waterfall=loads), "Fetch the largest image first"
    )
    assert code.endswith(
        '<img src="https://cdn.example/a/hero.png" width="9" height="8" fetchpriority="high">'
    )


def test_a_framework_gets_its_own_code_and_then_plain_html() -> None:
    row = Detail(url="https://shop.example/app.js")
    found = _fixes(run(_hint("render-blocking-insight", row)), "Next.js", "React")
    told = [(one.technology, one.code) for one in found if one.title.startswith("Defer")]
    assert told == [
        (
            "Next.js",
            """import Script from "next/script";

<Script src="/app.js" strategy="afterInteractive" />""",
        ),
        ("", '<script src="/app.js" defer></script>'),
    ]


def test_an_address_that_was_cut_is_not_written() -> None:
    row = Detail(url="https://shop.example/" + "x" * 900 + ".js")
    assert _fixes(run(_hint("render-blocking-insight", row))) == ()


def test_scripts_stand_in_the_order_in_which_the_page_asked_for_them() -> None:
    rows = [Detail(url="https://shop.example/late.js"), Detail(url="https://shop.example/a.js")]
    loads = [load("https://shop.example/a.js"), load("https://shop.example/late.js")]
    page = run(_hint("render-blocking-insight", *rows), waterfall=loads)
    code = _code(page, "Defer scripts that block the first paint")
    assert code.index("/a.js") < code.index("/late.js")


def test_scripts_are_deferred_and_style_sheets_are_not() -> None:
    rows = [
        Detail(url="https://shop.example/a"),
        Detail(url="https://shop.example/b"),
        Detail(url="https://shop.example/c.css"),
    ]
    loads = [load(rows[0].url, "script"), load(rows[1].url, "stylesheet")]
    page = run(_hint("render-blocking-insight", *rows), waterfall=loads)
    assert _code(page, "Defer scripts that block the first paint").count("<script") == 1
    quiet = _code(page, "Load style sheets that the first screen does not need without blocking")
    assert ("/b" in quiet, "/c.css" in quiet, "/a" in quiet) == (True, True, False)


@pytest.mark.parametrize(
    ("technology", "expected"),
    [
        ("Nginx", 'add_header Cache-Control "public, max-age=31536000, immutable";'),
        ("Apache HTTP Server", 'Header set Cache-Control "public, max-age=31536000, immutable"'),
        ("Caddy", 'header @static Cache-Control "public, max-age=31536000, immutable"'),
        ("Netlify", "/assets/*\n  Cache-Control: public, max-age=31536000, immutable"),
        ("Vercel", '"source": "/assets/(.*)"'),
        ("Express", 'maxAge: "1y", immutable: true'),
        ("Django", "whitenoise.storage.CompressedManifestStaticFilesStorage"),
        ("unheard of", "Cache-Control: public, max-age=31536000, immutable"),
    ],
)
def test_caching_is_written_in_the_servers_syntax(technology: str, expected: str) -> None:
    page = run(_hint("cache-insight", Detail(url="https://shop.example/a.js")))
    assert expected in _code(page, "Let browsers keep static files for a year", technology)


def test_only_the_headers_that_lack_are_written() -> None:
    row = Detail(text="No frame control policy found")
    answer = audited(
        "clickjacking-mitigation", Area.BEST_PRACTICES, mode=Mode.INFORMATIVE, details=[row]
    )
    code = _code(run(answer), "Send headers that protect the page", "nginx")
    assert code == 'add_header X-Frame-Options "SAMEORIGIN" always;'


@pytest.mark.parametrize(
    ("text", "expected"), [("No compression applied", 1), ("Had redirects", 0)]
)
def test_compression_is_for_what_is_not_compressed(text: str, expected: int) -> None:
    page = run(_hint("document-latency-insight", Detail(text=text)))
    assert len(_fixes(page)) == expected


def test_contrast_is_mended_with_a_colour_that_reaches_the_ratio() -> None:
    text = (
        "Element has insufficient color contrast of 1.91 (foreground color: #bbbbbb, background "
        "color: #ffffff, font size: 12.0pt (16px), font weight: normal). Expected contrast ratio "
        "of 4.5:1"
    )
    page = run(audited("color-contrast", _ACCESSIBILITY, weight=7, details=[at("<p>", text=text)]))
    (fix,) = _fixes(page)
    assert fix.code == "body > p {\n  color: #767676; /* was #bbbbbb on #ffffff */\n}"


@pytest.mark.parametrize(
    ("rule", "snippet", "expected"),
    [
        ("image-alt", '<img src="a.png">', '<img src="a.png" alt="WHAT THE IMAGE TELLS">'),
        (
            "label",
            '<input name="q" type="text">',
            '<label for="q">WHAT TO ENTER</label>\n<input name="q" type="text" id="q">',
        ),
        (
            "select-name",
            "<select>",
            '<label for="FIELD">WHAT TO ENTER</label>\n<select id="FIELD"></select>',
        ),
        ("button-name", "<button>", '<button aria-label="WHAT IT DOES">…</button>'),
        (
            "paste-preventing-inputs",
            '<input type="password" onpaste="return false">',
            '<input type="password">',
        ),
        ("frame-title", "<iframe>", '<iframe title="WHAT THE FRAME SHOWS"></iframe>'),
    ],
)
def test_elements_are_shown_as_they_should_be(rule: str, snippet: str, expected: str) -> None:
    page = run(audited(rule, _ACCESSIBILITY, weight=10, details=[at(snippet)]))
    assert [fix.code for fix in _fixes(page)] == [expected]


def test_a_video_player_is_replaced_by_its_own_stand_in() -> None:
    loads = [load("https://www.youtube.com/embed/abc_DEF-123?rel=0", "document", "YouTube")]
    answer = audited("third-parties-insight", _PERFORMANCE, mode=Mode.INFORMATIVE, rows=1)
    page = run(answer, waterfall=loads, vendors=[Vendor(name="YouTube", main_thread_ms=400)])
    (fix,) = _fixes(page)
    assert '<lite-youtube videoid="abc_DEF-123"' in fix.code


def test_every_issue_with_code_names_its_fix() -> None:
    page = recorded()
    found = issues(page)
    written = fixes(page, found, [])
    told = {issue.id: issue.fix_id for issue in with_fixes(found, written)}
    assert all(told[id] for fix in written for id in fix.issue_ids)
    assert {id for id in told.values() if id} <= {fix.id for fix in written}


def test_fixes_are_few_different_and_in_a_stable_order() -> None:
    page = recorded()
    written = _fixes(page, "Next.js", "nginx")
    assert len(written) == len({fix.id for fix in written}) == len({fix.code for fix in written})
    assert len(written) == 12
    assert written == _fixes(page, "nginx", "Next.js")


def test_a_fix_that_does_only_a_part_claims_no_savings() -> None:
    rows = [Detail(url="https://shop.example/a.css")]
    answer = audited(
        "render-blocking-insight",
        _PERFORMANCE,
        mode=Mode.METRIC_SAVINGS,
        savings={"LCP": 900.0},
        details=rows,
    )
    assert [dict(fix.savings) for fix in _fixes(run(answer))] == [{}]


def test_guesses_are_no_stack() -> None:
    told = [Technology("Next.js", confidence=49), Technology("React"), Technology("Vue.js")]
    assert stacks(told) == (Stack.REACT, Stack.VUE)


_HOSTILE = (
    "\"'><script>alert(1)</script>",
    "{{7*7}}{% x %}<%= x %><?php x ?>{@html x}${x}`",
    "\u202e\x00\n]]>--></style></textarea>",
    "javascript:alert(1)",
    "a" * 5000,
)


def _loads(value: str) -> Iterator[Load]:
    for kind in ("script", "stylesheet", "font", "image", "document"):
        yield load(f"https://cdn.example/{kind}/{value}", kind, value)
    yield load(f"https://www.youtube.com/embed/{value}", "document", value)


def _rich(value: str) -> LighthouseRun:
    """Every rule that a remedy knows, each row made of ``value``."""
    snippets = (
        f'<{name} src="{value}" class="{value}" id="{value}" name="{value}" alt="{value}">'
        for name in ("img", "input", "a", "button", "iframe")
    )
    text = f"{value} unload handler No compression applied {_TOO_LARGE}"
    addresses = [one.url for one in _loads(value)]
    rows = [
        *(at(snippet, value, url, text) for snippet in snippets for url in addresses),
        *(Detail(url=url, text=text) for url in addresses),
    ]
    rules = sorted({rule for remedy in REMEDIES.values() for rule in remedy.rules})
    answers = [
        audited(rule, _PERFORMANCE, mode=Mode.BINARY, details=rows[:20] if n % 2 else rows[20:])
        for n, rule in enumerate(rules)
    ]
    return run(*answers, waterfall=_loads(value), vendors=[Vendor(name=value, main_thread_ms=900)])


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on") and name != "onload"]


def _all_fixes(page: LighthouseRun) -> Iterator[SiteFix]:
    """One remedy at a time, so that the bound on their number hides none."""
    found = issues(page)
    for remedy in REMEDIES.values():
        own = [issue for issue in found if issue.rule in remedy.rules]
        for stack in ("none of ours", *remedy.stacks):
            yield from fixes(page, own, [Technology(stack)])


@pytest.mark.parametrize("value", _HOSTILE, ids=range(len(_HOSTILE)))
def test_hostile_pages_write_no_code_of_their_own(value: str) -> None:
    written = list(_all_fixes(_rich(value)))
    assert written
    for fix in written:
        assert "alert(1)<" not in fix.code
        assert "7*7}}" not in fix.code
        assert "\u202e" not in fix.code
        assert len(fix.code) < 9000
        if fix.language == "html":
            page = _Tags()
            page.feed(fix.code)
            assert page.handlers == []
            assert page.names.count("script") <= 3


def test_every_recipe_can_be_filled_and_reads_in_its_language() -> None:
    written = {(fix.language, fix.code) for fix in _all_fixes(_rich("x.png"))}
    assert len(written) > 100
    for language, code in written:
        assert "@@" not in code
        if language == "json":
            json.loads(code)
        elif language == "python":
            ast.parse(code)
        elif language == "yaml":
            list(yaml.safe_load_all(code))


def test_remedies_explain_themselves() -> None:
    assert all(remedy.explanation.endswith(".") for remedy in REMEDIES.values())
    checks = [recipe.check for remedy in REMEDIES.values() for recipe in _recipes(remedy)]
    assert all(check == "" or check.endswith(".") for check in checks)


def _recipes(remedy: Remedy) -> list[Recipe]:
    return [one for one in (remedy.plain, *remedy.stacks.values()) if one]


def test_every_function_that_fills_recipes_is_used() -> None:
    there = {
        one
        for module in (elements, elements, resources)
        for name, one in vars(module).items()
        if isfunction(one) and one.__module__ == module.__name__ and name[0] != "_"
    }
    fills = (remedy.fill for remedy in REMEDIES.values())
    used = {one.found() if isinstance(one, Named) else one for one in fills}
    assert {one.__name__ for one in there - used} == {"contrast", "readable"}


def test_only_remedies_without_values_need_no_function() -> None:
    for key, remedy in REMEDIES.items():
        slotted = any("@@" in recipe.code for recipe in _recipes(remedy))
        assert not slotted or remedy.fill is not nothing, key


def test_every_rule_of_the_headers_has_its_header() -> None:
    assert REMEDIES["security-headers"].rules == tuple(resources.HEADERS)
