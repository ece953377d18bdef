"""Cookies: what is set, and exactly what is found."""

from dataclasses import replace
from typing import Any

import pytest

from mergegate.site.security.checks import cookies
from mergegate.site.security.checks.cookies import Use
from mergegate.site.security.facts import SentCookie
from tests.site.security.checks.pages import PAGE, Sent, every, rules, severities, site

GOOD = SentCookie(name="", set_by=PAGE, secure=True, http_only=True, same_site="Lax", path="/")


def cookie(name: str, **flags: Any) -> SentCookie:
    return replace(GOOD, name=name, **flags)


TABLE: list[tuple[str, SentCookie, list[str]]] = [
    ("a good session", cookie("sessionid"), []),
    ("a session over http", cookie("PHPSESSID", secure=False), ["session-cookie-without-secure"]),
    (
        "open to scripts",
        cookie("connect.sid", http_only=False),
        ["session-cookie-without-httponly"],
    ),
    ("without SameSite", cookie("JSESSIONID", same_site=""), ["session-cookie-without-samesite"]),
    ("from other sites", cookie("sid", same_site="None"), ["session-cookie-samesite-none"]),
    ("for subdomains", cookie("sid", domain=".example.org"), ["session-cookie-for-subdomains"]),
    (
        "kept by a script",
        cookie("auth_token", http_only=False, by_script=True),
        ["session-cookie-by-script"],
    ),
    ("a token that scripts read", cookie("XSRF-TOKEN", http_only=False), []),
    ("a token in Django", cookie("csrftoken", http_only=False), []),
    ("a setting", cookie("theme", http_only=False, same_site=""), []),
    ("a setting over http", cookie("lang", secure=False), ["cookie-without-secure"]),
    ("analytics", cookie("_ga", http_only=False, same_site=""), []),
    ("analytics called session", cookie("_hjSession_123", http_only=False), []),
    ("telemetry called session", cookie("ai_session", http_only=False), []),
    ("a load balancer", cookie("AWSALB", http_only=False, same_site=""), []),
    ("being deleted", cookie("sessionid", secure=False, http_only=False, max_age_s=0), []),
    (
        "None without Secure",
        cookie("embed", same_site="none", secure=False),
        ["cookie-samesite-none-without-secure"],
    ),
    ("None with Secure", cookie("embed", same_site="None"), []),
    ("unknown SameSite", cookie("embed", same_site="Sometimes"), ["cookie-samesite-invalid"]),
    (
        "partitioned without Secure",
        cookie("embed", partitioned=True, secure=False),
        ["cookie-partitioned-without-secure"],
    ),
    ("__Host- as it should be", cookie("__Host-session"), []),
    ("__Host- with a domain", cookie("__Host-a", domain="example.org"), ["cookie-prefix-broken"]),
    ("__Host- without Path=/", cookie("__Host-a", path="/shop"), ["cookie-prefix-broken"]),
    ("__Secure- without Secure", cookie("__Secure-a", secure=False), ["cookie-prefix-broken"]),
    ("__Secure- with a domain", cookie("__Secure-a", domain="example.org"), []),
    ("in small letters", cookie("__host-a", path=""), ["cookie-prefix-broken"]),
]


@pytest.mark.parametrize(
    ("one", "found"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_cookie_is_judged_by_what_it_is_for(one: SentCookie, found: list[str]) -> None:
    assert rules(site(cookies=[one])) == found


@pytest.mark.parametrize(
    ("hsts", "session", "other"),
    [(None, "high", "low"), ("max-age=31536000; includeSubDomains", "medium", "info")],
    ids=["without HSTS", "with HSTS"],
)
def test_hsts_keeps_the_worst_from_a_cookie_without_secure(
    hsts: Sent, session: str, other: str
) -> None:
    facts = site(
        cookies=[cookie("sid", secure=False), cookie("seen", secure=False)],
        strict_transport_security=hsts,
    )
    found = severities(facts)

    assert found["session-cookie-without-secure"] == session
    assert found["cookie-without-secure"] == other


@pytest.mark.parametrize(
    "url", ["http://www.example.org/", "http://localhost:3000/", "https://localhost:8443/"]
)
def test_secure_is_not_asked_for_where_it_would_lose_the_cookie(url: str) -> None:
    one = cookie("sid", secure=False, set_by=url)

    assert "session-cookie-without-secure" not in rules(site(url, cookies=[one]))


def test_a_cookie_that_is_set_twice_is_judged_as_it_was_set_last() -> None:
    first, last = cookie("sid", secure=False, http_only=False), cookie("sid")

    assert rules(site(cookies=[first, last])) == []
    assert rules(site(cookies=[last, first])) == [
        "session-cookie-without-httponly",
        "session-cookie-without-secure",
    ]


@pytest.mark.parametrize(
    "name",
    [
        *("PHPSESSID", "JSESSIONID", "ASP.NET_SessionId", ".AspNetCore.Session", "connect.sid"),
        *("sessionid", "session", "sid", "laravel_session", "_shop_session", "ci_session"),
        *("access_token", "refresh-token", "jwt", "next-auth.session-token", "remember_me"),
        *(
            "__Host-session",
            "__Secure-next-auth.session-token.0",
            "wordpress_logged_in_" + "a" * 32,
        ),
        *(
            "SESS" + "0" * 32,
            "SSESS" + "f" * 32,
            "remember_user_token",
            "__session",
            "user_session",
        ),
        *(".AspNetCore.Identity.Application", "sb-abcdef-auth-token", "account_session"),
    ],
)
def test_names_of_sessions_are_known(name: str) -> None:
    assert cookies.use(cookie(name)) is Use.SESSION


@pytest.mark.parametrize(
    "name",
    [
        *("_ga", "_gid", "__utma", "_hjSessionUser_1", "ai_session", "hubspotutk", "__cf_bm"),
        *("ARRAffinity", "heroku-session-affinity", "cookie_consent", "session_count", "theme"),
        *("last_login", "assid", "possession", "session_timeout", "obsession", "tokenizer", "x"),
        *("wordpress_test_cookie", "flash_message", "_dd_s", "intercom-session-ab12", "author"),
    ],
)
def test_names_of_other_cookies_are_no_sessions(name: str) -> None:
    assert cookies.use(cookie(name)) is Use.OTHER


@pytest.mark.parametrize("name", ["csrftoken", "XSRF-TOKEN", "__Host-csrf", "_csrf_session"])
def test_tokens_against_forgery_are_no_sessions(name: str) -> None:
    assert cookies.use(cookie(name)) is Use.CSRF


def test_the_patch_is_the_whole_header_without_the_value() -> None:
    bad = cookie("sid", secure=False, http_only=False, same_site="")
    patches = {patch.code for flaw in every(site(cookies=[bad])) for patch in flaw.patches}

    assert patches == {"Set-Cookie: sid=…; Path=/; Secure; HttpOnly; SameSite=Lax"}


def test_a_token_is_left_readable_by_its_patch() -> None:
    bad = cookie("XSRF-TOKEN", secure=False, http_only=False)
    [flaw] = every(site(cookies=[bad]))

    assert "HttpOnly" not in flaw.patches[0].code


def test_a_hostile_name_is_read_in_time_and_shown_short() -> None:
    [flaw] = every(site(cookies=[cookie("a_" * 50_000, secure=False)]))

    assert len(flaw.evidence) <= 300
