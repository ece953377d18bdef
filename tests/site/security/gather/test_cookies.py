"""What is kept of a cookie, and what is not."""

import datetime as dt
from typing import Any

import pytest

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.security.facts import SentCookie
from mergegate.site.security.gather.cookies import read, sent_cookies, without_values

URL = "https://example.org/"
NOW = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.UTC)


def cookie(name: str = "a", **fields: Any) -> SentCookie:
    return SentCookie(name=name, set_by=URL, **fields)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a=1", cookie()),
        (" a = 1 ; Path=/x", cookie(path="/x")),
        ("a=1; Secure; HttpOnly", cookie(secure=True, http_only=True)),
        ("a=1; SECURE; httponly; samesite=STRICT", cookie(secure=True, http_only=True,
                                                          same_site="Strict")),
        ("a=1; SameSite=None; Secure; Partitioned",
         cookie(same_site="None", secure=True, partitioned=True)),
        ("a=1; SameSite=whatever", cookie(same_site="whatever")),
        ("a=1; SameSite=Lax; SameSite=Strict", cookie(same_site="Strict")),
        ("a=1; Domain=.Example.ORG", cookie(domain="example.org")),
        ("a=1; Max-Age=60", cookie(max_age_s=60)),
        ("a=1; Max-Age=-5", cookie(max_age_s=-5)),
        ("a=1; Max-Age=soon", cookie()),
        ("a=1; Expires=Sun, 22 Nov 2026 13:00:00 GMT", cookie(max_age_s=3600)),
        ("a=1; Expires=Sun, 22-Nov-2026 13:00:00 GMT", cookie(max_age_s=3600)),
        ("a=1; Max-Age=60; Expires=Sun, 22 Nov 2026 13:00:00 GMT", cookie(max_age_s=60)),
        ("a=1; Expires=never", cookie()),
        ("__Host-a=1; Secure; Path=/", cookie("__Host-a", secure=True, path="/")),
        ("insecure=secure", cookie("insecure")),
        ("=1", cookie("")),
        ("1", cookie("")),
        ("", None),
        (" ; Secure", None),
    ],
)  # fmt: skip
def test_a_header_sets(line: str, expected: SentCookie | None) -> None:
    assert read(line, URL, NOW) == expected


def _sends(*lines: str) -> Fetched:
    headers = tuple(("set-cookie", line) for line in lines)
    return Fetched(url=URL, answers=(Answer(url=URL, status=200, headers=headers),))


def test_what_is_set_twice_alike_is_one_and_too_long_ones_are_none() -> None:
    sent = (_sends("a=1", "a=2; Secure", "b=" + "x" * 5000), None, _sends("a=3"))
    assert sent_cookies(sent, NOW, 10, 4096) == (cookie(), cookie(secure=True))
    assert len(sent_cookies(sent, NOW, 1, 4096)) == 1


def test_values_are_left_out_of_the_answers() -> None:
    kept = without_values(
        _sends("a=geheim; Path=/", "geheim", "=geheim; Secure", 'a="x; geheim"; geheim=1; HttpOnly')
    )
    assert kept.answers[0].all("set-cookie") == (
        "a=…; Path=/",
        "…",
        "=…; Secure",
        "a=…; HttpOnly",
    )
