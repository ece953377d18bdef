"""Answers to other origins: what was asked and answered, and exactly what is found."""

import pytest

from mergegate.site.security.facts import CorsAnswer
from tests.site.security.checks.pages import PAGE, every, rules, severities, site

STRANGER = "https://stranger.example"
SUFFIX = "https://www.example.org.stranger.example"
PREFIX = "https://strangerwww.example.org"


def asked(
    origin: str, kind: str, allow: str = "", credentials: bool = False, vary: bool = False
) -> CorsAnswer:
    return CorsAnswer(
        origin=origin,
        kind=kind,
        allow_origin=allow,
        allow_credentials=credentials,
        vary_origin=vary,
        url=PAGE,
    )


TABLE: list[tuple[str, list[CorsAnswer], list[str]]] = [
    ("no answer", [asked(STRANGER, "stranger")], []),
    ("public", [asked(STRANGER, "stranger", "*")], []),
    ("a list of one's own", [asked(STRANGER, "stranger", "https://a.example.org", True)], []),
    (
        "wildcard and credentials, which browsers refuse",
        [asked(STRANGER, "stranger", "*", True), asked("null", "null", "*", True)],
        ["cors-wildcard-with-credentials"],
    ),
    (
        "any origin and credentials",
        [
            asked(STRANGER, "stranger", STRANGER, True, True),
            asked("null", "null", "null", True, True),
            asked(SUFFIX, "suffix", SUFFIX, True, True),
        ],
        ["cors-any-origin-with-credentials"],
    ),
    ("any origin, cached", [asked(STRANGER, "stranger", STRANGER)], ["cors-echo-without-vary"]),
    ("any origin, told apart", [asked(STRANGER, "stranger", STRANGER, False, True)], []),
    ("null and credentials", [asked("null", "null", "null", True)], ["cors-null-with-credentials"]),
    ("null alone", [asked("null", "null", "null")], []),
    (
        "its own name in front",
        [asked(STRANGER, "stranger"), asked(SUFFIX, "suffix", SUFFIX, True)],
        ["cors-look-alike-with-credentials"],
    ),
    (
        "its own name behind, without credentials",
        [asked(PREFIX, "prefix", PREFIX, False, True)],
        ["cors-look-alike-origin"],
    ),
]


@pytest.mark.parametrize(
    ("cors", "found"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_the_worst_of_the_answers_is_told(cors: list[CorsAnswer], found: list[str]) -> None:
    assert rules(site(cors=cors)) == found


def test_credentials_to_anyone_are_critical_and_the_refused_wildcard_is_not() -> None:
    reflecting = site(cors=[asked(STRANGER, "stranger", STRANGER, True)])
    refused = site(cors=[asked(STRANGER, "stranger", "*", True)])

    assert severities(reflecting) == {"cors-any-origin-with-credentials": "critical"}
    assert severities(refused) == {"cors-wildcard-with-credentials": "low"}
    assert "Browsers refuse this pair" in every(refused)[0].message


def test_the_evidence_shows_question_and_answer() -> None:
    [flaw] = every(site(cors=[asked(STRANGER, "stranger", STRANGER, True)]))

    assert flaw.evidence == (
        f"Origin: {STRANGER} → Access-Control-Allow-Origin: {STRANGER}; "
        "Access-Control-Allow-Credentials: true"
    )
