"""Read what ``Set-Cookie`` says of a cookie, and leave its value out of everything that is kept."""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import replace
from email.utils import parsedate_to_datetime

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.security.facts import SentCookie

_LONGEST_NAME = 200
_SAME_SITE = {"strict": "Strict", "lax": "Lax", "none": "None"}
_LEFT_OUT = "…"
_ATTRIBUTES = frozenset(
    {
        *("domain", "expires", "httponly", "max-age", "partitioned", "path", "priority"),
        *("samesite", "secure"),
    }
)
"""What else stands behind a semicolon is the rest of a value that its author put in quotes."""


def sent_cookies(
    fetches: Iterable[Fetched | None], now: dt.datetime, most: int, most_letters: int
) -> tuple[SentCookie, ...]:
    """The cookies of every answer on the way, as they were set; of equal ones the first."""
    found = dict.fromkeys(
        cookie
        for fetched in fetches
        if fetched
        for answer in fetched.answers
        for line in answer.all("set-cookie")
        if len(line) <= most_letters and (cookie := read(line, answer.url, now)) is not None
    )
    return tuple(found)[:most]


def read(line: str, url: str, now: dt.datetime) -> SentCookie | None:
    """One header value (RFC 6265bis, 5.6); None when browsers ignore it. ``now`` is in UTC."""
    pair, *attributes = line.split(";")
    name, sign, value = pair.partition("=")
    name, value = (name.strip(), value.strip()) if sign else ("", pair.strip())
    if not (name or value):
        return None
    said = _attributes(attributes)
    return SentCookie(
        name=name[:_LONGEST_NAME],
        set_by=url,
        domain=said.get("domain", "").lstrip(".").lower()[:_LONGEST_NAME],
        path=said.get("path", "")[:_LONGEST_NAME],
        secure="secure" in said,
        http_only="httponly" in said,
        same_site=_same_site(said.get("samesite", "")),
        partitioned="partitioned" in said,
        max_age_s=_kept_s(said, now),
    )


def without_values(fetched: Fetched) -> Fetched:
    """The same answers; of each cookie that they set, name and attributes alone."""
    return replace(fetched, answers=tuple(map(_answer, fetched.answers)))


def _answer(answer: Answer) -> Answer:
    if not answer.all("set-cookie"):
        return answer
    headers = tuple(
        (name, _valueless(value) if name == "set-cookie" else value)
        for name, value in answer.headers
    )
    return replace(answer, headers=headers)


def _valueless(line: str) -> str:
    pair, *attributes = line.split(";")
    name, sign, _ = pair.partition("=")
    known = [one for one in attributes if one.partition("=")[0].strip().lower() in _ATTRIBUTES]
    return ";".join([f"{name}={_LEFT_OUT}" if sign else _LEFT_OUT, *known])


def _attributes(written: Iterable[str]) -> dict[str, str]:
    """The attributes by name in small letters; of several with one name the last counts."""
    return dict(_pairs(written))


def _pairs(written: Iterable[str]) -> Iterator[tuple[str, str]]:
    for one in written:
        name, _, value = one.partition("=")
        yield name.strip().lower(), value.strip()


def _same_site(value: str) -> str:
    return _SAME_SITE.get(value.lower(), value[:20])


def _kept_s(said: dict[str, str], now: dt.datetime) -> int | None:
    """Max-Age counts before Expires; a date that cannot be read is none."""
    seconds = _seconds(said.get("max-age", ""))
    if seconds is not None or "expires" not in said:
        return seconds
    try:
        until = parsedate_to_datetime(said["expires"].replace("-", " "))
    except (ValueError, OverflowError):
        return None
    return int((until.replace(tzinfo=dt.UTC) - now).total_seconds())


def _seconds(value: str) -> int | None:
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 15):
        return None
    return int(value)
