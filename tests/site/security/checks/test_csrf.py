"""Forms: what the page holds, and exactly what is found."""

from dataclasses import replace

import pytest

from mergegate.site.facts.document import Form, Meta
from mergegate.site.security.facts import RenderedPage, SentCookie
from tests.site.security.checks.pages import PAGE, document, every, form, rules, severities, site

SESSION = SentCookie(name="sid", set_by=PAGE, secure=True, http_only=True, path="/")
LAX = replace(SESSION, same_site="Lax")
NONE = replace(SESSION, same_site="None")
TOKEN = SentCookie(name="csrftoken", set_by=PAGE, secure=True, same_site="Lax", path="/")
BARE = "session-cookie-without-samesite"

TABLE: list[tuple[str, Form, list[SentCookie], list[str]]] = [
    ("a change without anything", form("email"), [SESSION], ["csrf-token-missing", BARE]),
    (
        "a session that other sites may use",
        form("email"),
        [NONE],
        ["csrf-token-missing", "session-cookie-samesite-none"],
    ),
    ("a session that stays at home", form("email"), [LAX], []),
    (
        "one of two sessions stays",
        form("email"),
        [LAX, replace(SESSION, name="auth")],
        ["csrf-token-missing", BARE],
    ),
    ("no session was seen", form("email"), [], ["csrf-token-missing"]),
    ("Django", form("email", "-csrfmiddlewaretoken=x"), [SESSION], [BARE]),
    ("Rails", form("email", "-authenticity_token=x"), [SESSION], [BARE]),
    ("Laravel", form("email", "-_token=x"), [SESSION], [BARE]),
    ("ASP.NET", form("email", "-__RequestVerificationToken=x"), [SESSION], [BARE]),
    ("Symfony", form("email", "-form[_token]=x"), [SESSION], [BARE]),
    ("WordPress", form("email", "-_wpnonce=x"), [SESSION], [BARE]),
    ("Magento", form("email", "-form_key=x"), [SESSION], [BARE]),
    ("Drupal", form("email", "-form_build_id=form-x"), [SESSION], [BARE]),
    ("Next.js", form("email", "-$ACTION_ID_0123=x"), [SESSION], [BARE]),
    ("SvelteKit", form("email", action=f"{PAGE}?/save"), [SESSION], [BARE]),
    ("in the address", form("email", action=f"{PAGE}?_csrf=x"), [SESSION], [BARE]),
    (
        "a name nobody knows",
        form("email", "-x=9f86d081884c7d659a2feaa0c55ad015"),
        [SESSION],
        [BARE],
    ),
    ("a hidden number", form("email", "-product=42"), [SESSION], ["csrf-token-missing", BARE]),
    (
        "a hidden sentence",
        form("email", "-subject=Please call me back soon"),
        [SESSION],
        ["csrf-token-missing", BARE],
    ),
    (
        "a hidden word",
        form("email", "-plan=premium-annual-subscription"),
        [SESSION],
        ["csrf-token-missing", BARE],
    ),
    (
        "where to go back to",
        form("email", "-next=/shop/articles/2026/11/22/", "-from=https://www.example.org/a/1234"),
        [SESSION],
        ["csrf-token-missing", BARE],
    ),
    ("a token that is typed", form("token"), [SESSION], ["csrf-token-missing", BARE]),
    ("a token in a cookie", form("email"), [SESSION, TOKEN], [BARE]),
    ("a search by GET", form("q", method="get"), [SESSION], [BARE]),
    ("a search by POST", form("q"), [SESSION], [BARE]),
    ("a dialog", form("x", method="dialog"), [SESSION], [BARE]),
    (
        "a newsletter of others",
        form("email", action="https://mail.example.net/post"),
        [SESSION],
        [BARE],
    ),
    (
        "a token for others",
        form("email", "-csrf_token=x", action="https://mail.example.net/post"),
        [],
        ["csrf-token-leaves"],
    ),
    ("a token for one's own", form("-csrf_token=x", action="https://api.example.org/"), [], []),
    (
        "a password for others",
        form("*password", action="https://mail.example.net/in"),
        [],
        ["password-sent-to-other-site"],
    ),
    ("sign in", form("name", "*password"), [], ["csrf-login-form"]),
    ("sign in with a token", form("*password", "-csrf=x"), [], []),
    (
        "sign in by GET",
        form("*password", action=f"{PAGE}in", method="get"),
        [],
        ["password-in-address"],
    ),
]


@pytest.mark.parametrize(
    ("one", "cookies", "found"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_form_is_judged_by_its_fields_and_the_cookies(
    one: Form, cookies: list[SentCookie], found: list[str]
) -> None:
    assert rules(site(document=document(forms=(one,)), cookies=cookies)) == found


def test_a_token_in_the_head_counts_for_every_form() -> None:
    metas = (Meta(kind="name", name="csrf-token", content="x"),)
    page = document(forms=(form("email"),), metas=metas)

    assert rules(site(document=page, cookies=[SESSION])) == [BARE]


def test_a_form_is_judged_as_scripts_have_left_it() -> None:
    rendered = RenderedPage(document=document(forms=(form("email", "-csrf=x"),)))
    facts = site(document=document(forms=(form("email"),)), cookies=[SESSION])

    assert rules(replace(facts, rendered=rendered)) == [BARE]
    failed = replace(rendered, failure="it never ended")
    assert rules(replace(facts, rendered=failed)) == ["csrf-token-missing", BARE]


def test_it_is_a_hint_only_when_no_session_was_seen() -> None:
    page = document(forms=(form("email"),))

    assert severities(site(document=page, cookies=[SESSION]))["csrf-token-missing"] == "medium"
    assert severities(site(document=page)) == {"csrf-token-missing": "low"}


def test_a_password_form_without_an_address_is_most_likely_sent_by_a_script() -> None:
    facts = site(document=document(forms=(form("*password", method="get"),)))

    assert severities(facts) == {"password-in-address": "low"}


def test_no_value_of_a_field_and_no_query_is_shown() -> None:
    one = form("email", "-product=secret-4711", action=f"{PAGE}save?key=secret-4711")
    [flaw] = every(site(document=document(forms=(one,))))

    assert flaw.evidence == f'<form method="post" action="{PAGE}save"> email, product'
    assert "4711" not in repr(flaw)


def test_forms_that_cannot_be_told_apart_keep_ids_of_their_rules() -> None:
    page = document(
        forms=(replace(form("email"), selector="#a"), replace(form("x"), selector="#b"))
    )
    flaws = every(site(document=page))

    assert len({flaw.id for flaw in flaws}) == 2


def test_forms_are_told_of_up_to_a_number() -> None:
    forms = tuple(replace(form("x"), selector=f"#f{number}") for number in range(500))

    assert len(every(site(document=document(forms=forms)))) == 20


@pytest.mark.parametrize("action", ["http://[", "javascript:void(0)", "https://a:99999999/", "\0"])
def test_a_hostile_address_is_no_error(action: str) -> None:
    one = form("email" * 10_000, "-" + "token" * 10_000 + "=" + "a1" * 10_000, action=action)

    assert rules(site(document=document(forms=(one,)))) in ([], ["csrf-token-missing"])
