"""Subresource integrity: what the page loads from others, and exactly what is found."""

from typing import Any

import pytest

from mergegate.site.facts.document import Link, Script
from tests.site.security.checks.pages import (
    HASH,
    PAGE,
    document,
    every,
    rules,
    script,
    severities,
    site,
)

CDN = "https://cdn.example.net/lib@1.2.3/lib.js"

TABLE: list[tuple[str, Script, list[str]]] = [
    ("without a hash", script(CDN), ["sri-missing"]),
    ("with one", script(CDN, integrity=HASH, crossorigin="anonymous"), []),
    ("with one, crossorigin empty", script(CDN, integrity=HASH, crossorigin=""), []),
    ("without crossorigin", script(CDN, integrity=HASH), ["sri-without-crossorigin"]),
    ("an old hash", script(CDN, integrity="sha1-abcd", crossorigin=""), ["sri-malformed"]),
    ("too short", script(CDN, integrity="sha384-abcd", crossorigin=""), ["sri-malformed"]),
    ("no base64", script(CDN, integrity="sha256-!!!", crossorigin=""), ["sri-malformed"]),
    ("one good of two", script(CDN, integrity=f"sha1-x {HASH}", crossorigin=""), []),
    ("with an option", script(CDN, integrity=f"{HASH}?ct=x", crossorigin=""), []),
    ("a blank", script(CDN, integrity=" ", crossorigin=""), ["sri-missing"]),
    ("own", script("https://www.example.org/a.js"), []),
    ("own subdomain", script("https://static.example.org/a.js"), []),
    ("own, with a wrong hash", script("https://www.example.org/a.js", integrity="x"), []),
    ("in the page", script("", text="1"), []),
    ("data", script(CDN, type="application/ld+json"), []),
    ("a module", script(CDN, type="module"), ["sri-missing"]),
    ("a tag manager", script("https://www.googletagmanager.com/gtm.js"), []),
    ("payments", script("https://js.stripe.com/v3/"), []),
    (
        "a library of a vendor who changes others",
        script("https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.js"),
        ["sri-missing"],
    ),
    ("a name that only ends alike", script("https://notstripe.com/x.js"), ["sri-missing"]),
    ("a hijacked host", script("https://cdn.polyfill.io/v3/polyfill.js"), ["hijacked-script-host"]),
]


@pytest.mark.parametrize(
    ("one", "found"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_script_is_judged_by_whose_it_is(one: Script, found: list[str]) -> None:
    assert rules(site(document=document(scripts=(one,)))) == found


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"rels": frozenset({"stylesheet"})}, ["sri-missing"]),
        ({"rels": frozenset({"stylesheet"}), "integrity": HASH, "crossorigin": ""}, []),
        ({"rels": frozenset({"preconnect"})}, []),
    ],
    ids=["without a hash", "with one", "no style sheet"],
)
def test_style_sheets_are_judged_alike(fields: dict[str, Any], found: list[str]) -> None:
    link = Link(href="https://cdn.example.net/a@1.0.css", **fields)

    assert rules(site(document=document(links=(link,)))) == found


def test_fonts_of_google_change_and_are_let_be() -> None:
    link = Link(rels=frozenset({"stylesheet"}), href="https://fonts.googleapis.com/css2?family=X")

    assert rules(site(document=document(links=(link,)))) == []


def test_a_file_without_a_version_needs_one_first() -> None:
    [versioned] = every(site(document=document(scripts=(script(CDN),))))
    [floating] = every(site(document=document(scripts=(script("https://unpkg.com/react"),))))

    assert "Name a version" not in versioned.remedy
    assert floating.remedy.endswith("Name a version in its address first.")


def test_severities_follow_the_table() -> None:
    assert severities(site(document=document(scripts=(script(CDN),)))) == {"sri-missing": "low"}


def test_each_file_is_a_flaw_of_its_own_up_to_a_number() -> None:
    scripts = tuple(script(f"https://cdn.example.net/{number}.js?k=1") for number in range(90))
    flaws = every(site(document=document(scripts=scripts)))

    assert len(flaws) == len({flaw.id for flaw in flaws}) == 50
    assert flaws[0].evidence == '<script src="https://cdn.example.net/0.js">'
    assert flaws[0].url == PAGE
