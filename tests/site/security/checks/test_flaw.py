"""Flaws: names that stay, texts that are short, rules that are whole."""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from string import Formatter

from mergegate.core.severity import Severity
from mergegate.site.facts.document import Image
from mergegate.site.security import checks
from mergegate.site.security.checks import flaws
from mergegate.site.security.checks.flaw import KNOWN, OWASP, RULES, Rule, flaw
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


def _sources() -> Iterator[str]:
    """The text of each module of the checks."""
    folder = Path(checks.__path__[0])
    yield from (one.read_text("utf-8") for one in folder.rglob("*.py"))


def _given(text: str) -> dict[str, set[str]]:
    """What a module fills in, by the name of the rule: ``_SHORT.said(days=…)``."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(ast.Attribute(ast.Name(name), "said"), keywords=keywords):
                found.setdefault(name, set()).update(one.arg or "" for one in keywords)
    return found


def _names(rule: Rule) -> set[str]:
    """What a rule's message wants to have filled in."""
    return {name for _, name, _, _ in Formatter().parse(rule.message) if name is not None}


def test_every_rule_is_whole() -> None:
    assert len(RULES) > 100
    for rule in RULES.values():
        assert rule.cwe in OWASP, rule.id
        assert rule.reference.startswith("https://"), rule.id
        assert rule.remedy.endswith((".", "…")), rule.id
        assert rule.title and not rule.title.endswith("."), rule.id
        assert bool(rule.header) or not rule.fix, rule.id


def test_no_rule_is_declared_in_two_files() -> None:
    files = (Path(checks.__path__[0]).parent / "rules").glob("*.toml")
    ids = [id for file in files for id in tomllib.loads(file.read_text("utf-8"))]

    assert sorted(ids) == sorted(RULES)


def test_every_rule_is_used_by_one_check_and_its_message_filled_in() -> None:
    bound = {
        id: (name, text)
        for text in _sources()
        for name, id in re.findall(r'^(\w+) = RULES\["([\w-]+)"\]$', text, re.MULTILINE)
    }
    exposed = {id for id in RULES if id.startswith("exposed-")}

    assert sorted([*bound, *exposed]) == sorted(RULES)
    for id, (name, text) in bound.items():
        given, wanted = _given(text), _names(RULES[id])
        assert len(re.findall(rf"\b{name}\b", text)) > 1, id
        assert not wanted or wanted <= given.get(name, given.get("rule", set())), id
    assert all(_names(RULES[id]) == {"paths"} for id in exposed)


def test_every_list_of_names_is_used() -> None:
    texts = "".join(_sources())
    used = set(re.findall(r'(?:KNOWN\[|pattern\()"([a-z-]+)"[\])]', texts))

    assert used | {f"scripts-of-anyone-{most}" for most in (1, 2, 3)} == set(KNOWN)


def test_an_id_stays_whatever_host_severity_and_words() -> None:
    one = flaw(RULE, "https://www.example.org/a?x=1", "A.", key="k", evidence="1")
    other = flaw(
        RULE, "http://preview.example.net/a", "B.", key="k", evidence="2", severity=Severity.HIGH
    )

    assert one.id == other.id
    assert one.id != flaw(RULE, "https://www.example.org/b", "A.", key="k").id
    assert one.id != flaw(RULE, "https://www.example.org/a", "A.", key="l").id


def test_a_flaw_says_all_that_its_rule_says() -> None:
    one = flaw(RULE, PAGE, "A.")

    assert one.owasp == "A02:2025 Security Misconfiguration"
    assert one.patches == (Patch(product="HTTP", code="X-Header: good", language="http"),)
    assert (one.cwe, one.reference, one.remedy) == ("CWE-693", "https://example.org/", "Send it.")


def test_a_rule_without_a_value_has_no_patch() -> None:
    assert flaw(replace(RULE, fix=""), PAGE, "A.").patches == ()


def test_hostile_texts_are_cut() -> None:
    one = flaw(RULE, "http://[" + "b" * 9000, "a" * 9000, evidence="\r\n\x1b" * 9000)

    assert max(len(text) for text in (one.message, one.url, one.evidence)) <= 600


def test_what_stands_in_a_query_is_not_repeated() -> None:
    one = flaw(RULE, "https://www.example.org/a.js?key=geheim#geheim", "A.")

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
