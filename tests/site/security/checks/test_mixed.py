"""What goes over http: what the page asks for, and exactly what is found."""

from dataclasses import replace
from typing import Any

import pytest

from mergegate.site.facts.document import Image, Link, Resource
from mergegate.site.security.facts import RenderedPage
from tests.site.security.checks.pages import (
    CSP,
    PAGE,
    document,
    every,
    form,
    rules,
    script,
    severities,
    site,
)

IN_CLEAR = "http://cdn.example.net/x"
PLAIN = "http://www.example.org/"


def link(rel: str, href: str = IN_CLEAR) -> Link:
    return Link(rels=frozenset({rel}), href=href)


TABLE: list[tuple[str, dict[str, Any], list[str]]] = [
    ("nothing", {}, []),
    ("a script", {"scripts": (script(IN_CLEAR),)}, ["script-over-http"]),
    ("a script of one's own", {"scripts": (script(f"{PLAIN}a.js"),)}, ["script-over-http"]),
    ("a script over https", {"scripts": (script("https://www.example.org/a.js"),)}, []),
    ("a script on this machine", {"scripts": (script("http://localhost:3000/a.js"),)}, []),
    ("a script in the page", {"scripts": (script("", text="1"),)}, []),
    ("a script in its address", {"scripts": (script("data:text/javascript,1"),)}, []),
    ("a style sheet", {"links": (link("stylesheet"),)}, ["mixed-active-content"]),
    ("a module ahead of time", {"links": (link("modulepreload"),)}, ["mixed-active-content"]),
    ("an icon", {"links": (link("icon"),)}, ["mixed-passive-content"]),
    ("only a link", {"links": (link("canonical"), link("alternate"))}, []),
    ("a frame", {"resources": (Resource(url=IN_CLEAR, kind="iframe"),)}, ["mixed-active-content"]),
    ("an image", {"images": (Image(src=IN_CLEAR),)}, ["mixed-passive-content"]),
    (
        "an image in a style",
        {"resources": (Resource(url=IN_CLEAR, kind="css"),)},
        ["mixed-passive-content"],
    ),
    ("a film", {"resources": (Resource(url=IN_CLEAR, kind="video"),)}, ["mixed-passive-content"]),
    ("a form", {"forms": (form("q", method="get", action=PLAIN),)}, ["form-over-http"]),
    (
        "a password",
        {"forms": (form("*p", "-csrf=1", action=PLAIN),)},
        ["password-over-http"],
    ),
]


@pytest.mark.parametrize(
    ("fields", "found"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_what_an_https_page_asks_for_in_the_clear(fields: dict[str, Any], found: list[str]) -> None:
    assert rules(site(document=document(**fields))) == found


@pytest.mark.parametrize(
    ("fields", "found"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_upgrading_ends_all_of_it(fields: dict[str, Any], found: list[str]) -> None:
    policy = f"{CSP}; upgrade-insecure-requests"

    assert rules(site(document=document(**fields), content_security_policy=policy)) == []


def test_a_page_over_http_is_told_of_scripts_of_others_and_of_passwords_alone() -> None:
    page = document(
        PLAIN,
        scripts=(script(IN_CLEAR), script(f"{PLAIN}own.js")),
        images=(Image(src=IN_CLEAR),),
        forms=(form("q", method="get", action=PLAIN), form("*p", "-csrf=1", action=PLAIN)),
    )

    assert rules(site(PLAIN, document=page)) == ["password-over-http", "script-over-http"]


def test_a_form_without_an_address_goes_where_the_page_came_from() -> None:
    page = document(PLAIN, forms=(form("*p", "-csrf=1", action=""),))

    assert rules(site(PLAIN, document=page)) == ["password-over-http"]


def test_a_local_preview_is_not_told_of_its_own_address() -> None:
    here = "http://192.168.1.7:8080/"
    page = document(here, forms=(form("*p", "-csrf=1", action=here),))

    assert rules(replace(site(here, document=page), local=True)) == []


def test_what_is_asked_for_at_run_time_counts_once() -> None:
    page = document(images=(Image(src=IN_CLEAR),))
    mixed = ((IN_CLEAR, "image"), ("http://api.example.net/", "xhr"))
    facts = replace(site(document=page), rendered=RenderedPage(document=page, mixed=mixed))

    assert rules(facts) == ["mixed-active-content", "mixed-passive-content"]


def test_images_are_one_flaw_that_counts_them() -> None:
    images = tuple(Image(src=f"http://i.example.net/{number}") for number in range(30))
    [flaw] = every(site(document=document(images=images)))

    assert (flaw.count, flaw.severity.label) == (30, "low")
    assert flaw.evidence == " ".join(f"http://i.example.net/{number}" for number in range(3))


def test_scripts_are_listed_up_to_a_number_and_without_their_queries() -> None:
    scripts = tuple(script(f"http://s.example.net/{n}.js?key=secret") for n in range(100))
    flaws = every(site(document=document(scripts=scripts)))

    assert len(flaws) == 20
    assert flaws[0].evidence == "http://s.example.net/0.js"
    assert "secret" not in repr(flaws)


def test_severities_follow_the_table() -> None:
    page = document(
        scripts=(script(IN_CLEAR),),
        images=(Image(src=f"{IN_CLEAR}.png"),),
        links=(link("stylesheet", f"{IN_CLEAR}.css"),),
        forms=(form("*p", "-csrf=1", action=PLAIN), form("q", method="get", action=PLAIN)),
    )

    assert severities(site(document=page)) == {
        "script-over-http": "critical",
        "mixed-active-content": "high",
        "mixed-passive-content": "low",
        "password-over-http": "critical",
        "form-over-http": "high",
    }


def test_a_page_without_an_address_is_no_error() -> None:
    assert PAGE
    assert "script-over-http" not in rules(
        site("http://[", document=document(scripts=(script("http://["),)))
    )
