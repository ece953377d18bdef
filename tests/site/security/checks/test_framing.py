"""Who may frame the page: what is sent, and exactly what is found."""

import pytest

from mergegate.site.facts.document import Meta
from tests.site.security.checks.pages import Sent, document, every, rules, severities, site

OPEN = "default-src 'self'; base-uri 'none'; form-action 'self'"
WITHOUT = "csp-frame-ancestors-missing"

OPTIONS: list[tuple[str, Sent, list[str]]] = [
    ("nothing", None, ["framing-missing"]),
    ("deny", "DENY", [WITHOUT]),
    ("small letters", "sameorigin", [WITHOUT]),
    ("sent twice", ("SAMEORIGIN", "SAMEORIGIN"), [WITHOUT]),
    ("allow-from, which no browser knows", "ALLOW-FROM https://a.example.org", ["framing-invalid"]),
    ("misspelt", "SAME-ORIGIN", ["framing-invalid"]),
    ("allowall", "ALLOWALL", ["framing-invalid"]),
    ("a contradiction", "DENY, SAMEORIGIN", [WITHOUT, "framing-conflict"]),
    ("one known word among others", "ALLOWALL, foo", [WITHOUT, "framing-conflict"]),
    ("a contradiction of strangers", "foo, bar", ["framing-invalid"]),
]
ANCESTORS: list[tuple[str, str, Sent, list[str]]] = [
    ("none", "'none'", None, []),
    ("own site", "'self' https://*.example.org", None, []),
    ("all", "*", None, ["framing-open"]),
    ("all over https", "https:", None, ["framing-open"]),
    ("all, whatever the old header says", "*", "DENY", ["framing-open"]),
    ("own site, whatever the old header says", "'self'", "ALLOW-FROM x", []),
]


@pytest.mark.parametrize(
    ("value", "found"), [row[1:] for row in OPTIONS], ids=[row[0] for row in OPTIONS]
)
def test_x_frame_options_count_without_ancestors(value: Sent, found: list[str]) -> None:
    assert rules(site(content_security_policy=OPEN, x_frame_options=value)) == found


@pytest.mark.parametrize(
    ("sources", "option", "found"),
    [row[1:] for row in ANCESTORS],
    ids=[row[0] for row in ANCESTORS],
)
def test_ancestors_count_before_x_frame_options(
    sources: str, option: Sent, found: list[str]
) -> None:
    policy = f"{OPEN}; frame-ancestors {sources}"

    assert rules(site(content_security_policy=policy, x_frame_options=option)) == found


def test_of_two_policies_one_that_is_closed_is_enough() -> None:
    policies = (f"{OPEN}; frame-ancestors *", "frame-ancestors 'self'")

    assert rules(site(content_security_policy=policies)) == []


def test_x_frame_options_in_the_page_does_nothing_and_that_is_said() -> None:
    metas = (Meta(kind="http-equiv", name="x-frame-options", content="DENY"),)
    [flaw] = every(site(document=document(metas=metas), content_security_policy=OPEN))

    assert flaw.rule == "framing-missing"
    assert flaw.message.startswith("X-Frame-Options in a meta element does nothing")


def test_a_page_that_can_be_framed_is_high() -> None:
    assert severities(site(content_security_policy=OPEN)) == {"framing-missing": "high"}
