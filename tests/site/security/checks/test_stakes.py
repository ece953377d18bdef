"""What a missing header weighs, by what a page has to lose."""

from dataclasses import replace

import pytest

from mergegate.core.severity import Severity
from mergegate.site.facts.document import Document, Heading, Script
from mergegate.site.security.checks import flaws
from mergegate.site.security.checks.flaw import RULES
from mergegate.site.security.facts import LoadedScript, RenderedPage, SecurityFacts, SentCookie
from mergegate.site.security.report import Area
from tests.site.security.checks.pages import PAGE, document, form, site

TITLED = document(headings=(Heading(level=1, text="Trees"),), scripts=(Script(src="/menu.js"),))
SEARCH = replace(TITLED, forms=(form("q", method="get"),))
STRANGER = LoadedScript(url="https://cdn.example.net/a.js", own=False)
OWN = LoadedScript(url=f"{PAGE}menu.js", own=True)


def bare(page: Document = TITLED) -> SecurityFacts:
    """A page without any header of security."""
    headers = (
        *("content_security_policy", "strict_transport_security", "x_content_type_options"),
        *("referrer_policy", "permissions_policy", "cross_origin_opener_policy"),
        "cross_origin_resource_policy",
    )
    return site(document=page, sent=dict.fromkeys(headers))


def weights(facts: SecurityFacts) -> dict[str, str]:
    wanted = ("csp-missing", "framing-missing", "hsts-missing")
    return {one.rule: one.severity.label for one in flaws(facts) if one.rule in wanted}


NOTHING = {
    "text alone": bare(),
    "a search": bare(SEARCH),
    "a search by its form": bare(
        replace(TITLED, forms=(replace(form("entry", method="get"), selector="#search-form"),))
    ),
    "a script of its own": replace(bare(), scripts=(OWN,)),
    "a stranger's script": replace(bare(), scripts=(STRANGER,)),
    "a cookie of statistics": replace(bare(), cookies=(SentCookie(name="_ga", set_by=PAGE),)),
    "links that were not all read": bare(replace(TITLED, cut=("anchors",))),
}
SOMETHING = {
    "a login": bare(replace(TITLED, forms=(form("name", "*password"),))),
    "a form": bare(replace(TITLED, forms=(form("email"),))),
    "a form that a script sends": bare(replace(TITLED, forms=(form("email", method="get"),))),
    "a session": replace(bare(), cookies=(SentCookie(name="PHPSESSID", set_by=PAGE),)),
    "a form made by scripts": replace(
        bare(), rendered=RenderedPage(document=document(forms=(form("*password"),)))
    ),
    "a page behind a login": replace(bare(), signed_in=True),
    "a page that scripts would fill": bare(document(scripts=(Script(src="/app.js"),))),
    "forms that were not all read": bare(replace(TITLED, cut=("forms",))),
}


@pytest.mark.parametrize("facts", NOTHING.values(), ids=NOTHING)
def test_missing_headers_are_medium_where_there_is_nothing_to_take(facts: SecurityFacts) -> None:
    assert weights(facts) == dict.fromkeys(
        ("csp-missing", "framing-missing", "hsts-missing"), "medium"
    )
    missing = next(one for one in flaws(facts) if one.rule == "csp-missing")
    assert missing.message.endswith("session was seen here.")


@pytest.mark.parametrize("facts", SOMETHING.values(), ids=SOMETHING)
def test_missing_headers_are_high_where_there_is(facts: SecurityFacts) -> None:
    assert weights(facts) == dict.fromkeys(
        ("csp-missing", "framing-missing", "hsts-missing"), "high"
    )


def test_a_header_alone_is_never_red_where_there_is_nothing_to_take() -> None:
    """Answers that let other sites read them are no missing protection: they open a door."""
    headers = [one for one in RULES.values() if one.area is Area.HEADERS]
    red = {one.id for one in headers if min(one.severity, one.without_stakes) > Severity.MEDIUM}

    assert red == {one for one in red if one.startswith("cors-")}


def test_what_hands_the_code_or_the_session_over_weighs_more_than_what_might() -> None:
    """Red is what an attacker gains; a flag on a cookie takes another flaw to matter."""
    order = (
        *("exposed-env", "exposed-git", "session-cookie-without-secure"),
        *("session-cookie-without-httponly", "cookie-without-secure"),
    )
    weighed = [RULES[one].severity for one in order]

    assert weighed == sorted(weighed, reverse=True)
    assert RULES["tls-no-cipher"].severity > RULES["tls-weak-cipher"].severity
    assert (
        RULES["session-cookie-without-httponly"].severity
        == RULES["session-cookie-by-script"].severity
    )
