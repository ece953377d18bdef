"""The ten tests: results that MDN's HTTP Observatory 1.4.8 gave, or why ours are others.

``bench/observatory.py`` runs the Observatory itself on these and more answers.
"""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.facts.document import Meta
from mergegate.site.security.checks import observatory
from mergegate.site.security.facts import CorsAnswer, SecurityFacts, SentCookie, TlsFacts
from tests.site.security.checks.pages import (
    HASH,
    PAGE,
    Sent,
    document,
    policy_in_page,
    script,
    site,
)

CSP, HSTS, REFERRER = "content_security_policy", "strict_transport_security", "referrer_policy"
SNIFF, FRAME, RESOURCE = "x_content_type_options", "x_frame_options", "cross_origin_resource_policy"
NONCE = "'nonce-cmFuZG9tcmFuZG9t'"
NAMES = {
    CSP: "content-security-policy",
    HSTS: "strict-transport-security",
    REFERRER: "referrer-policy",
    SNIFF: "x-content-type-options",
    FRAME: "x-frame-options",
    RESOURCE: "cross-origin-resource-policy",
}
HEADERS: list[tuple[str, Sent, str]] = [
    (CSP, None, "csp-not-implemented"),
    (CSP, "default-src 'none'", "csp-implemented-with-no-unsafe-default-src-none"),
    (CSP, "default-src 'self'", "csp-implemented-with-no-unsafe"),
    (CSP, "default-src; script-src 'self'", "csp-implemented-with-no-unsafe-default-src-none"),
    (CSP, "script-src 'unsafe-inline'; object-src 'none'", "csp-implemented-with-unsafe-inline"),
    (CSP, "script-src 'self'", "csp-implemented-with-unsafe-inline"),
    (
        CSP,
        f"script-src 'unsafe-inline' {NONCE}; object-src 'none'; style-src 'self'",
        "csp-implemented-with-no-unsafe",
    ),
    (
        CSP,
        f"default-src 'self'; script-src {NONCE} 'strict-dynamic' https: 'unsafe-inline'",
        "csp-implemented-with-no-unsafe",
    ),
    (CSP, "default-src 'self'; script-src 'strict-dynamic'", "csp-header-invalid"),
    (CSP, "default-src 'self'; default-src 'none'", "csp-header-invalid"),
    (CSP, "x", "csp-header-invalid"),
    (
        CSP,
        "default-src 'self'; report-uri /a; report-uri /b",
        "csp-implemented-but-duplicate-directives",
    ),
    (CSP, "default-src 'self' 'unsafe-eval'", "csp-implemented-with-unsafe-eval"),
    (
        CSP,
        "default-src 'self'; frame-src http://a.example.net",
        "csp-implemented-with-insecure-scheme",
    ),
    (
        CSP,
        "default-src 'self'; img-src http://a.example.net",
        "csp-implemented-with-insecure-scheme-in-passive-content-only",
    ),
    (
        CSP,
        "default-src 'self'; style-src 'unsafe-inline'",
        "csp-implemented-with-unsafe-inline-in-style-src-only",
    ),
    (
        CSP,
        ("default-src 'self' 'unsafe-inline'", "script-src 'self'; object-src 'none'"),
        "csp-implemented-with-unsafe-inline-in-style-src-only",
    ),
    (HSTS, None, "hsts-not-implemented"),
    (HSTS, "max-age=15552000", "hsts-implemented-max-age-at-least-six-months"),
    (HSTS, "max-age=15551999", "hsts-implemented-max-age-less-than-six-months"),
    (HSTS, "max-age=31536000, max-age=31536000", "hsts-header-invalid"),
    (HSTS, "includeSubDomains", "hsts-header-invalid"),
    (HSTS, "max-age=year", "hsts-header-invalid"),
    (REFERRER, None, "referrer-policy-not-implemented"),
    (REFERRER, "no-referrer, newest", "referrer-policy-private"),
    (REFERRER, "no-referrer, origin", "referrer-policy-unsafe"),
    (REFERRER, "newest", "referrer-policy-header-invalid"),
    (SNIFF, None, "x-content-type-options-not-implemented"),
    (SNIFF, "NoSniff", "x-content-type-options-nosniff"),
    (SNIFF, "nosniff, nosniff", "x-content-type-options-header-invalid"),
    (FRAME, "DENY", "x-frame-options-sameorigin-or-deny"),
    (FRAME, "ALLOW-FROM x", "x-frame-options-allow-from-origin"),
    (FRAME, "SAME", "x-frame-options-header-invalid"),
    (FRAME, None, "x-frame-options-not-implemented"),
    (RESOURCE, None, "corp-not-implemented"),
    (RESOURCE, "same-site", "corp-implemented-with-same-site"),
    (RESOURCE, "Cross-Origin", "corp-implemented-with-cross-origin"),
    (RESOURCE, "mine", "corp-header-invalid"),
]


def result(facts: SecurityFacts, name: str) -> str:
    return next(one.result for one in observatory.tests(facts) if one.name == name)


@pytest.mark.parametrize(("header", "value", "expected"), HEADERS)
def test_headers_get_the_observatorys_results(header: str, value: Sent, expected: str) -> None:
    base: dict[str, Sent] = {CSP: "default-src 'self'"}

    assert result(site(sent={**base, header: value}), NAMES[header]) == expected


def test_a_policy_that_only_reports_is_told_from_none() -> None:
    facts = site(content_security_policy=None, content_security_policy_report_only="default-src *")

    assert result(facts, NAMES[CSP]) == "csp-not-implemented-but-reporting-enabled"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("default-src 'self'", "csp-implemented-with-no-unsafe"),
        ("frame-ancestors 'none'", "csp-not-implemented"),
    ],
)
def test_a_policy_in_the_page_counts(content: str, expected: str) -> None:
    page = document(metas=(policy_in_page(content),))

    assert result(site(document=page, content_security_policy=None), NAMES[CSP]) == expected


@pytest.mark.parametrize(
    ("in_header", "expected"),
    [(True, "implemented-via-csp"), (False, "not-implemented")],
    ids=["in the header", "in the page, where browsers ignore them"],
)
def test_ancestors_take_the_place_of_frame_options(in_header: bool, expected: str) -> None:
    policy = "default-src 'self'; frame-ancestors 'self'"
    page = document(metas=() if in_header else (policy_in_page(policy),))
    facts = site(document=page, content_security_policy=policy if in_header else None)

    assert result(facts, NAMES[FRAME]) == f"x-frame-options-{expected}"


def test_the_last_word_on_the_referrer_is_the_pages() -> None:
    metas = (Meta(kind="name", name="referrer", content="unsafe-url"),)

    assert result(site(document=document(metas=metas)), NAMES[REFERRER]).endswith("unsafe")


@pytest.mark.parametrize(
    ("flags", "hsts", "expected"),
    [
        ({"secure": True, "http_only": True}, None, "secure-with-httponly-sessions"),
        (
            {"secure": True, "http_only": True, "same_site": "Lax"},
            None,
            "secure-with-httponly-sessions-and-samesite",
        ),
        ({"secure": True}, None, "session-without-httponly-flag"),
        ({"http_only": True}, None, "session-without-secure-flag"),
        (
            {"http_only": True},
            "max-age=31536000",
            "session-without-secure-flag-but-protected-by-hsts",
        ),
        ({"name": "theme"}, None, "without-secure-flag"),
        ({"name": "theme"}, "max-age=31536000", "without-secure-flag-but-protected-by-hsts"),
        ({"name": "csrftoken", "secure": True}, None, "anticsrf-without-samesite-flag"),
        ({"name": "a", "same_site": "None"}, None, "samesite-flag-invalid"),
        ({"name": "a", "secure": True, "same_site": "Maybe"}, None, "samesite-flag-invalid"),
        ({"name": "__Host-a", "secure": True, "path": "/x"}, None, "not-found"),
        ({"name": "heroku-session-affinity"}, None, "not-found"),
        ({"by_script": True}, None, "not-found"),
    ],
)
def test_cookies_get_the_observatorys_results(
    flags: dict[str, Any], hsts: Sent, expected: str
) -> None:
    cookie = replace(SentCookie(name="sessionid", set_by=PAGE), **flags)
    facts = site(cookies=[cookie], strict_transport_security=hsts)

    assert result(facts, "cookies") == f"cookies-{expected}"


@pytest.mark.parametrize(
    ("allow", "credentials", "expected"),
    [
        ("", False, "not-implemented"),
        ("*", True, "implemented-with-public-access"),
        ("https://stranger.example", False, "implemented-with-restricted-access"),
        ("https://stranger.example", True, "implemented-with-universal-access"),
        ("https://a.example.org", True, "implemented-with-restricted-access"),
    ],
)
def test_answers_to_strangers_get_the_observatorys_results(
    allow: str, credentials: bool, expected: str
) -> None:
    answer = CorsAnswer(
        origin="https://stranger.example",
        kind="stranger",
        allow_origin=allow,
        allow_credentials=credentials,
    )

    name = "cross-origin-resource-sharing"
    assert result(site(cors=[answer]), name) == f"{name}-{expected}"


HTTP, OTHER = PAGE.replace("https:", "http:"), "https://example.net/"


@pytest.mark.parametrize(
    ("route", "expected"),
    [
        ([], "not-needed-no-http"),
        ([HTTP], "missing"),
        ([HTTP, PAGE], "to-https"),
        ([HTTP, f"{HTTP}a", PAGE], "not-to-https-on-initial-redirection"),
        ([HTTP, f"{HTTP}a"], "not-to-https"),
        ([HTTP, OTHER], "off-host-from-http"),
    ],
)
def test_the_way_to_https_gets_the_observatorys_results(route: list[str], expected: str) -> None:
    answers = tuple(Answer(url=url, status=200) for url in route)
    twin = Fetched(url=HTTP, answers=answers, failure="" if route else "nobody answers")

    facts = replace(site(), insecure=twin)
    assert result(facts, "redirection") == f"redirection-{expected}"


def test_a_bad_certificate_is_no_https() -> None:
    tls = TlsFacts(host="www.example.org", port=443, trusted=False)
    answers = (Answer(url=HTTP, status=301), Answer(url=PAGE, status=200))
    facts = replace(site(), tls=tls, insecure=Fetched(url=HTTP, answers=answers))

    assert result(facts, "redirection") == "redirection-invalid-cert"
    assert result(facts, NAMES[HSTS]) == "hsts-invalid-cert"


def test_a_page_over_http_has_no_https() -> None:
    facts = site(HTTP)

    assert result(facts, "redirection") == "redirection-missing"
    assert result(facts, NAMES[HSTS]) == "hsts-not-implemented-no-https"


CDN = "https://cdn.example.net/a.js"


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ([], "not-implemented-but-no-scripts-loaded"),
        ([("", "")], "not-implemented-but-all-scripts-loaded-from-secure-origin"),
        ([(f"{PAGE}a.js", "")], "not-implemented-but-all-scripts-loaded-from-secure-origin"),
        ([(f"{PAGE}a.js", HASH)], "implemented-and-all-scripts-loaded-securely"),
        ([(CDN, HASH)], "implemented-and-external-scripts-loaded-securely"),
        ([(CDN, "")], "not-implemented-but-external-scripts-loaded-securely"),
        ([("http://a.example.net/", HASH)], "implemented-but-external-scripts-not-loaded-securely"),
        (
            [(CDN, ""), ("http://a.example.net/", "")],
            "not-implemented-and-external-scripts-not-loaded-securely",
        ),
    ],
)
def test_scripts_get_the_observatorys_results(
    sources: list[tuple[str, str]], expected: str
) -> None:
    scripts = tuple(script(src, integrity=integrity) for src, integrity in sources)

    facts = site(document=document(scripts=scripts))
    assert result(facts, "subresource-integrity") == f"sri-{expected}"


def test_what_is_no_page_loads_no_scripts() -> None:
    facts = site(content_type="application/json")

    assert result(facts, "subresource-integrity") == "sri-not-implemented-response-not-html"


def test_extra_points_count_for_those_who_lose_few() -> None:
    good = observatory.tests(site())
    poor = observatory.tests(site(strict_transport_security=None))

    # Each has 5 for the policy, 5 for the referrer, 5 for ancestors and 10 for same-origin.
    assert [one.modifier for one in good if one.modifier] == [5, 5, 5, 10]
    assert (observatory.score(good), observatory.score(poor)) == (125, 80)


@pytest.mark.parametrize(
    ("points", "letter"),
    [(135, "A+"), (100, "A+"), (99, "A"), (89, "A-"), (80, "B+"), (79, "B"), (30, "D"), (24, "F")],
)
def test_a_grade_is_the_observatorys(points: int, letter: str) -> None:
    assert observatory.grade(points) == letter


def test_all_ten_are_there_whatever_the_page() -> None:
    nothing = SecurityFacts(page=Fetched(url=PAGE, failure="nobody answers"), document=document())

    assert len(observatory.tests(nothing)) == len(observatory.tests(site())) == 10


def test_its_opinion_is_told_of_a_page_that_it_could_reach() -> None:
    told = observatory.opinion(site(strict_transport_security=None))

    assert told
    assert (told.score, told.grade, len(told.tests)) == (80, "B+", 10)
    assert observatory.opinion(replace(site(), local=True)) is None
    assert observatory.opinion(SecurityFacts(page=Fetched(url=PAGE), document=document())) is None


def test_every_test_has_its_results_in_the_data() -> None:
    results = tomllib.loads((Path(observatory.__file__).parent / "results.toml").read_text())

    assert list(results) == [one.name for one in observatory.tests(site())]


def test_a_page_without_any_header_loses_what_the_observatory_says() -> None:
    answer = Answer(url=PAGE, status=200, headers=(("content-type", "text/html"),))
    bare = SecurityFacts(page=Fetched(url=PAGE, answers=(answer,)), document=document())

    assert [one.modifier for one in observatory.tests(bare)] == [
        -25,
        0,
        0,
        0,
        0,
        -20,
        0,
        -5,
        -20,
        0,
    ]
