"""What opens a site and what may be reached for it, as the commands take them."""

from pathlib import Path

import pytest

from mergegate.core.errors import TargetNotAllowed, UsageError
from mergegate.site.options import COOKIES_VARIABLE, HEADERS_VARIABLE, credentials, policy

_SECRET = "hunter2"


@pytest.mark.parametrize(
    ("line", "header"),
    [
        ("Authorization: Bearer a.b-c", ("Authorization", "Bearer a.b-c")),
        ("X-Vercel-Protection-Bypass:abc", ("X-Vercel-Protection-Bypass", "abc")),
        ("  X-Spaced:  around  ", ("X-Spaced", "around")),
        ("X-Time: 12:30:00", ("X-Time", "12:30:00")),
    ],
)
def test_a_header_is_a_name_and_a_value(line: str, header: tuple[str, str]) -> None:
    assert credentials([line], [], {}).headers == (header,)


@pytest.mark.parametrize(
    "line",
    [
        f"no colon {_SECRET}",
        f": {_SECRET}",
        f"X Y: {_SECRET}",
        "X-Empty:",
        f"X-Line: {_SECRET}\r\nHost: b",
        f"X-Null: {_SECRET}\0",
        f"X-Beyond: {_SECRET}é",
        f"Host: {_SECRET}",
        f"cookie: {_SECRET}",
        f"Content-Length: {_SECRET}",
        f"Transfer-Encoding: {_SECRET}",
        f"Proxy-Authorization: {_SECRET}",
        f"Sec-Fetch-Site: {_SECRET}",
    ],
)
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(line: str) -> None:
    with pytest.raises(UsageError) as raised:
        credentials([line], [], {})
    assert _SECRET not in str(raised.value)


@pytest.mark.parametrize(
    ("line", "cookie"),
    [
        ("session=abc", ("session", "abc")),
        ("token=a=b==", ("token", "a=b==")),
        ("empty=", ("empty", "")),
        ('quoted="a, b"', ("quoted", '"a, b"')),
    ],
)
def test_a_cookie_is_a_name_and_a_value(line: str, cookie: tuple[str, str]) -> None:
    assert credentials([], [line], {}).cookies == (cookie,)


@pytest.mark.parametrize(
    "line", [_SECRET, f"={_SECRET}", f"a b={_SECRET}", f"a={_SECRET};b=c", f"a={_SECRET}\tb"]
)
def test_a_cookie_that_cannot_be_sent_is_refused_without_its_value(line: str) -> None:
    with pytest.raises(UsageError) as raised:
        credentials([], [line], {})
    assert _SECRET not in str(raised.value)


def test_a_file_and_a_variable_hold_one_a_line(tmp_path: Path) -> None:
    file = tmp_path / "headers"
    file.write_text("A: 1\n\nB: 2\n")
    environment = {HEADERS_VARIABLE: "C: 3\nD: 4", COOKIES_VARIABLE: "e=5"}
    found = credentials([f"@{file}"], [], environment)
    assert dict(found.headers) == {"A": "1", "B": "2", "C": "3", "D": "4"}
    assert found.cookies == (("e", "5"),)


def test_a_file_that_is_not_there_is_bad_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        credentials([f"@{tmp_path / 'missing'}"], [], {})


def test_a_file_that_is_too_large_is_bad_usage(tmp_path: Path) -> None:
    file = tmp_path / "large"
    file.write_bytes(b"A: 1\n" * 20_000)
    with pytest.raises(UsageError, match="larger than 64 KiB"):
        credentials([f"@{file}"], [], {})


def test_too_many_are_bad_usage() -> None:
    with pytest.raises(UsageError, match="more than 50"):
        credentials(["A: 1"] * 51, [], {})
    with pytest.raises(UsageError, match="more than 50"):
        policy(["https://a.example/"], ["b.example"] * 51)


def test_nothing_given_is_no_credentials() -> None:
    assert not credentials([], [], {})


def test_the_page_and_the_hosts_of_allow_may_be_reached() -> None:
    found = policy(["http://localhost:3000/"], ["api.internal:8080", "cdn.internal"])
    assert found.allowed == {
        ("localhost", 3000),
        ("api.internal", 8080),
        ("cdn.internal", 80),
        ("cdn.internal", 443),
    }


@pytest.mark.parametrize("host", ["", "a b", "http://a.example", "a.example:0"])
def test_what_is_no_host_is_bad_usage(host: str) -> None:
    with pytest.raises(UsageError):
        policy(["https://a.example/"], [host])


def test_a_host_that_no_scan_may_reach_is_not_allowed() -> None:
    with pytest.raises(TargetNotAllowed):
        policy(["https://a.example/"], ["169.254.169.254"])
