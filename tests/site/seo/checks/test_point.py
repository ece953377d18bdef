"""Points that stay the same from scan to scan, in an order that does not change."""

from dataclasses import replace

from mergegate.core.severity import Severity
from mergegate.site.seo.checks.point import Rule, examples, quoted, worst_first
from mergegate.site.seo.report import Ground, Theme

RULE = Rule(
    id="tea-cold",
    theme=Theme.PAGE,
    severity=Severity.LOW,
    title="Cold tea",
    remedy="Warm it.",
    source="https://example.org/tea",
)


def test_an_id_survives_another_host_and_other_figures() -> None:
    preview = RULE.point("http://localhost:3000/tea?x=1", "3 cups", count=3)
    public = RULE.point("https://example.org/tea", "4 cups", count=4)
    assert preview.id == public.id


def test_an_id_tells_pages_rules_and_places_apart() -> None:
    url = "https://example.org/tea"
    other = replace(RULE, id="tea-hot")
    ids = {
        RULE.point(url, "").id,
        RULE.point(url + "/2", "").id,
        RULE.point(url, "", place="cup").id,
        other.point(url, "").id,
    }
    assert len(ids) == 4


def test_a_point_has_what_its_rule_says_unless_told_otherwise() -> None:
    rule = replace(RULE, message="Nobody drinks it.", snippet="kettle on")
    own = rule.point("https://example.org/")
    other = rule.point(
        "https://example.org/", "m", snippet="s", source="https://b", severity=Severity.INFO
    )
    assert (own.message, own.snippet, own.severity) == (rule.message, rule.snippet, Severity.LOW)
    assert (own.remedy, own.source) == (rule.remedy, rule.source)
    assert (other.message, other.snippet, other.severity) == ("m", "s", Severity.INFO)
    assert (other.remedy, other.source) == (rule.remedy, "https://b")


def test_what_was_found_is_the_evidence_and_is_counted() -> None:
    point = RULE.point("https://example.org/", found=["green", "", "black", "black"])
    assert (point.evidence, point.count) == ("green, black", 4)
    assert RULE.point("https://example.org/").count == 1


def test_worst_comes_first_then_what_is_documented_and_each_once() -> None:
    url = "https://example.org/"
    guess = replace(RULE, id="a", ground=Ground.HEURISTIC).point(url, "")
    worst = replace(RULE, id="z", severity=Severity.HIGH).point(url, "")
    plain = RULE.point(url, "")
    assert worst_first(iter([guess, plain, worst, plain])) == (worst, plain, guess)


def test_evidence_and_quotations_are_one_short_line() -> None:
    assert len(RULE.point("https://example.org/", "", evidence="tea\n" * 1_000).evidence) == 300
    assert quoted("a\n b") == "“a b”"


def test_examples_are_few_and_different() -> None:
    assert examples(["a", "a", "", "b"]) == "a, b"
    assert examples(list("abcde")) == "a, b, c and 2 more"


def test_an_address_that_cannot_be_read_makes_a_point_all_the_same() -> None:
    assert RULE.point("http://[", "").rule == "tea-cold"
