"""security.txt: what is served, and exactly what is found."""

import pytest

from mergegate.sandbox.fetched import Fetched
from mergegate.site.security.checks import security_txt
from tests.site.security.checks.seen import facts, fetched, told

PLACE = "https://www.example.org/.well-known/security.txt"
GOOD = "Contact: mailto:security@example.org\nExpires: 2027-06-01T00:00:00Z\n"


def served(text: str, place: str = PLACE, status: int = 200, kind: str = "text/plain") -> Fetched:
    return fetched(place, text=text, status=status, headers={"content-type": kind})


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (served(GOOD), []),
        (served(f"# our policy: x\r\n{GOOD}".replace("\n", "\r\n")), []),
        (served(f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{GOOD}"), []),
        (served("contact: https://example.org/report\nexpires: 2027-01-01T00:00:00.000+01:00"), []),
        (served("", status=404), [("security-txt-missing", "info")]),
        (served("<!doctype html><p>Contact: us"), [("security-txt-missing", "info")]),
        (served("hello"), [("security-txt-missing", "info")]),
        (served("", status=403), []),
        (served("", status=503), []),
        (served("Contact: mailto:a@example.org\n"), [("security-txt-without-expires", "low")]),
        (served(f"{GOOD}Expires: 2027-07-01T00:00:00Z\n"),
         [("security-txt-without-expires", "low")]),
        (served(GOOD.replace("2027-06-01T00:00:00Z", "next year")),
         [("security-txt-without-expires", "low")]),
        (served(GOOD.replace("2027", "2025")), [("security-txt-expired", "low")]),
        (served("Expires: 2027-06-01T00:00:00Z\n"), [("security-txt-without-contact", "low")]),
        (served("Contact:\nExpires: 2027-06-01T00:00:00Z\n"),
         [("security-txt-without-contact", "low")]),
        (served(GOOD, kind="application/octet-stream"), [("security-txt-content-type", "low")]),
        (served(GOOD, place="https://www.example.org/security.txt"),
         [("security-txt-misplaced", "info")]),
    ],
)  # fmt: skip
def test_security_txt_is(seen: Fetched, expected: list[tuple[str, str]]) -> None:
    assert told(security_txt.flaws(facts(security_txt=seen))) == expected


def test_a_preview_needs_none() -> None:
    assert told(security_txt.flaws(facts(security_txt=served("", status=404), local=True))) == []


def test_what_was_not_asked_for_is_not_missing() -> None:
    assert told(security_txt.flaws(facts())) == []
