"""Flaws: names that stay, texts that are short, rules that are whole."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from mergegate.core.severity import Severity
from mergegate.site.facts.document import Image
from mergegate.site.security import checks
from mergegate.site.security.checks import flaws
from mergegate.site.security.checks.flaw import OWASP, Rule, flaw
from mergegate.site.security.report import Area, Patch
from tests.site.security.checks.pages import PAGE, document, form, site

RULE = Rule(
    id="a-rule",
    area=Area.HEADERS,
    severity=Severity.LOW,
    title="Wrong",
    remedy="Send it.",
    cwe="CWE-693",
    reference="https://example.org/",
    header="X-Header",
    fix="good",
)


def every_rule() -> Iterator[Rule]:
    """Of each module once: whoever imports a rule does not count."""
    found = pkgutil.walk_packages(checks.__path__, f"{checks.__name__}.")
    modules = [importlib.import_module(one.name) for one in found]
    yield from {
        id(value): value
        for one in modules
        for value in vars(one).values()
        if isinstance(value, Rule)
    }.values()


def test_every_rule_is_whole_and_there_once() -> None:
    rules = list(every_rule())

    assert len(rules) > 50
    assert [id for id, times in Counter(rule.id for rule in rules).items() if times > 1] == []
    for rule in rules:
        assert rule.cwe in OWASP, rule.id
        assert rule.reference.startswith("https://"), rule.id
        assert rule.remedy.endswith((".", "…")), rule.id
        assert rule.title and not rule.title.endswith("."), rule.id


def test_an_id_stays_whatever_host_severity_and_words() -> None:
    one = flaw(RULE, "A.", "https://www.example.org/a?x=1", key="k", evidence="1")
    other = flaw(
        RULE, "B.", "http://preview.example.net/a", key="k", evidence="2", severity=Severity.HIGH
    )

    assert one.id == other.id
    assert one.id != flaw(RULE, "A.", "https://www.example.org/b", key="k").id
    assert one.id != flaw(RULE, "A.", "https://www.example.org/a", key="l").id


def test_a_flaw_says_all_that_its_rule_says() -> None:
    one = flaw(RULE, "A.", PAGE)

    assert one.owasp == "A02:2025 Security Misconfiguration"
    assert one.patches == (Patch(product="HTTP", code="X-Header: good", language="http"),)
    assert (one.cwe, one.reference, one.remedy) == ("CWE-693", "https://example.org/", "Send it.")


def test_a_rule_without_a_value_has_no_patch() -> None:
    assert flaw(replace(RULE, fix=""), "A.", PAGE).patches == ()


def test_hostile_texts_are_cut() -> None:
    one = flaw(RULE, "a" * 9000, "http://[" + "b" * 9000, evidence="\r\n\x1b" * 9000)

    assert max(len(text) for text in (one.message, one.url, one.evidence)) <= 600


def test_what_stands_in_a_query_is_not_repeated() -> None:
    one = flaw(RULE, "A.", "https://www.example.org/a.js?key=geheim#geheim")

    assert one.url == "https://www.example.org/a.js"


def test_flaws_stand_worst_first_in_an_order_of_their_own() -> None:
    page = document(forms=(form("x"),), images=(Image(src="http://a.example.net/"),))
    facts = site(document=page, strict_transport_security="max-age=1", content_security_policy=None)
    found = flaws(facts)

    assert [one.severity for one in found] == sorted((one.severity for one in found), reverse=True)
    assert found == flaws(facts)


def test_what_is_the_same_twice_is_there_once_and_counted() -> None:
    found = flaws(site(document=document(forms=(form("x"), form("y")))))

    assert [(one.rule, one.count) for one in found if one.rule.startswith("csrf")] == [
        ("csrf-token-missing", 2)
    ]
