"""Policies derived from markup alone, which were not tried in a browser."""

import pytest

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.document import read
from mergegate.site.security.facts import NONCE, PolicyTrial
from mergegate.site.security.proposed_policy import proposed

URL = "https://shop.example.org/"
CDN = "https://cdn.example.com"


def made(html: str, url: str = URL) -> PolicyTrial:
    page = Fetched(url=url, answers=(Answer(url=url, status=200),), text=html)
    return proposed(page, read(html, url))


def directive(trial: PolicyTrial, name: str) -> str:
    found = dict(one.partition(" ")[::2] for one in trial.policy.split("; "))
    return found.get(name, "")


def test_it_is_never_proved_and_says_so() -> None:
    trial = made("<p>x")
    assert not trial.proved
    assert trial.failure.startswith("It was not tried")
    assert trial.policy == (
        "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'self'; upgrade-insecure-requests"
    )


CASES = [
    (f'<script src="{CDN}/a.js"></script>', "script-src", f"'self' {CDN}"),
    ('<script src="/a.js"></script>', "script-src", "'self'"),
    ('<script type="application/ld+json">{}</script>', "script-src", "'self'"),
    (f'<link rel=stylesheet href="{CDN}/a.css">', "style-src", f"'self' {CDN}"),
    ("<p style='top: 0'>x", "style-src-attr", "'unsafe-inline'"),
    (f'<img src="{CDN}/a.png">', "img-src", f"'self' {CDN}"),
    ('<img src="data:image/gif;base64,AA==">', "img-src", "'self' data:"),
    ('<img src="http://cdn.example.com/a.png">', "img-src", f"'self' {CDN}"),
    (f'<iframe src="{CDN}/"></iframe>', "frame-src", f"'self' {CDN}"),
    (f'<video src="{CDN}/a.mp4"></video>', "media-src", f"'self' {CDN}"),
    ('<object data="/a.pdf"></object>', "object-src", "'self'"),
    (f'<link rel=manifest href="{CDN}/m.json">', "manifest-src", f"'self' {CDN}"),
    ('<base href="/app/">', "base-uri", "'self'"),
    (f'<form action="{CDN}/send"></form>', "form-action", f"'self' {CDN}"),
    ("<form></form>", "form-action", "'self'"),
]


@pytest.mark.parametrize(("html", "name", "sources"), CASES)
def test_what_the_markup_loads_is_allowed(html: str, name: str, sources: str) -> None:
    assert directive(made(html), name) == sources


def test_inline_code_is_known_by_its_hash_as_browsers_take_it() -> None:
    """The hash of the text with line feeds alone (worked out with ``openssl dgst``)."""
    trial = made("<script>\r\n1\r\n</script>")
    assert directive(trial, "script-src") == (
        "'self' 'sha256-PBL+VNcqg2ezLpeQ7yj8J15XmnKAnnIb2qth9B/WTJ4='"
    )


def test_a_site_that_has_nonces_keeps_them() -> None:
    trial = made("<script nonce=abc>1</script>")
    assert trial.nonces
    assert directive(trial, "script-src") == f"'self' 'nonce-{NONCE}'"


def test_so_many_inline_scripts_need_a_nonce() -> None:
    assert made("".join(f"<script>{n}</script>" for n in range(40))).nonces


def test_handlers_are_told_to_break() -> None:
    [breach] = made("<button onclick='x()'>x</button>").breaches
    assert (breach.directive, breach.blocked) == ("script-src-attr", "inline")


@pytest.mark.parametrize(
    "address",
    [
        "https://a.example.org;script-src *",
        "https://a.example.org'unsafe-inline'",
        "https://a,b/",
        "https://a b/",
        "https://*/",
    ],
)
def test_a_page_adds_no_directives_of_its_own(address: str) -> None:
    trial = made(f'<script src="{address}"></script><img src="{address}">')
    assert directive(trial, "script-src") in {"'self'", "'self' https://a%20b"}
    assert trial.policy.count("script-src") == 1


def test_sources_without_end_are_cut() -> None:
    many = "".join(f'<img src="https://{n}.example.org/">' for n in range(500))
    assert len(directive(made(many), "img-src").split()) == 31


ANCESTORS = [
    ((), "'self'"),
    ((("x-frame-options", "DENY"),), "'none'"),
    ((("x-frame-options", "SAMEORIGIN"),), "'self'"),
    ((("content-security-policy", "frame-ancestors 'none'"),), "'none'"),
    (
        (("content-security-policy", "img-src *; frame-ancestors 'self' https://*.a.example:444"),),
        "'self' https://*.a.example:444",
    ),
    ((("content-security-policy", "frame-ancestors *"),), "'self'"),
    ((("content-security-policy", "frame-ancestors https:"),), "'self'"),
    ((("content-security-policy", 'frame-ancestors a.example/"x"'),), "'self'"),
]


@pytest.mark.parametrize(("headers", "sources"), ANCESTORS)
def test_who_may_frame_the_page_is_kept_where_they_are_named(
    headers: tuple[tuple[str, str], ...], sources: str
) -> None:
    page = Fetched(url=URL, answers=(Answer(url=URL, status=200, headers=headers),))
    assert directive(proposed(page, read("", URL)), "frame-ancestors") == sources
