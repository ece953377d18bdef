"""What axe-core says, sorted into three lists."""

from dataclasses import replace

import pytest

from mergegate.site.browser_test.checks.collect import advice, problems
from mergegate.site.browser_test.facts import AxeNode, AxeViolation
from mergegate.site.browser_test.report import Kind, Problem
from mergegate.site.level import Element, Level
from tests.site.browser_test.checks.journeys import HOME, NOTHING, broken_rule, journey, visit


def _found(*violations: AxeViolation) -> tuple[Problem, ...]:
    return problems(journey(visit(violations=violations)), NOTHING)


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("label", Kind.FORM),
        ("select-name", Kind.FORM),
        ("input-button-name", Kind.FORM),
        ("autocomplete-valid", Kind.FORM),
        ("form-field-multiple-labels", Kind.FORM),
        ("label-title-only", Kind.FORM),
        ("aria-input-field-name", Kind.FORM),
        ("aria-toggle-field-name", Kind.FORM),
        ("image-alt", Kind.IMAGE),
        ("input-image-alt", Kind.IMAGE),
        ("role-img-alt", Kind.IMAGE),
        ("svg-img-alt", Kind.IMAGE),
        ("object-alt", Kind.IMAGE),
        ("area-alt", Kind.IMAGE),
        ("image-redundant-alt", Kind.IMAGE),
        ("button-name", Kind.ACCESSIBILITY),
        ("label-content-name-mismatch", Kind.ACCESSIBILITY),
        ("video-caption", Kind.ACCESSIBILITY),
        ("rule-of-tomorrow", Kind.ACCESSIBILITY),
    ],
)
def test_each_rule_stands_in_one_list(rule: str, kind: Kind) -> None:
    (found,) = _found(broken_rule(rule))
    assert found.kind is kind
    assert found.remedy


@pytest.mark.parametrize(
    ("impact", "level"),
    [
        ("critical", Level.ERROR),
        ("serious", Level.ERROR),
        ("moderate", Level.WARNING),
        ("minor", Level.WARNING),
        ("unheard-of", Level.ERROR),
    ],
)
def test_the_level_follows_the_impact(impact: str, level: Level) -> None:
    assert _found(broken_rule("label", impact))[0].level is level


def test_each_element_is_a_problem_with_selector_and_evidence() -> None:
    found = _found(broken_rule("label", "serious", "#a", "#b"))
    assert [(one.selector, one.evidence) for one in found] == [
        ("#a", "<input class='#a'>: Fix this"),
        ("#b", "<input class='#b'>: Fix this"),
    ]


def test_the_evidence_is_the_tag_and_axes_reasons() -> None:
    node = AxeNode(Element("p", "<p>"), "Fix any of the following:\n  Contrast of 1.91")
    (found,) = _found(replace(broken_rule("color-contrast"), nodes=(node,)))
    assert found.evidence == "<p>: Contrast of 1.91"


def test_the_same_element_of_two_pages_is_told_once() -> None:
    both = [visit(path, violations=(broken_rule("label"),)) for path in ("/", "/b")]
    (found,) = problems(journey(*both), NOTHING)
    assert (found.page, found.pages, found.count) == (HOME, (HOME, f"{HOME}b"), 2)


def _contrast(
    selector: str, snippet: str = '<span class="c1">', colour: str = "#bbbbbb"
) -> AxeNode:
    return AxeNode(Element(selector, snippet), f"contrast of 1.91 (foreground color: {colour})")


@pytest.mark.parametrize(
    "other",
    [
        _contrast("#cell7 > pre > span:nth-of-type(9)"),
        _contrast("#cell4 > pre > span:nth-of-type(3)"),
    ],
)
def test_what_a_template_repeats_is_told_once(other: AxeNode) -> None:
    nodes = (_contrast("#cell4 > pre > span:nth-of-type(2)"), other)
    (found,) = _found(replace(broken_rule("color-contrast"), nodes=nodes))
    assert found.selectors == tuple(node.element.selector for node in nodes)


@pytest.mark.parametrize(
    "other",
    [
        _contrast("#cell4 > p > span:nth-of-type(2)"),
        _contrast("#cell4 > pre > span:nth-of-type(2)", '<span class="k">'),
        _contrast("#cell4 > pre > span:nth-of-type(2)", colour="#cccccc"),
        _contrast("body > span"),
    ],
)
def test_another_element_or_colour_is_another_problem(other: AxeNode) -> None:
    nodes = (_contrast("#cell4 > pre > span:nth-of-type(2)"), _contrast("#cell6"), other)
    assert len(_found(replace(broken_rule("color-contrast"), nodes=nodes))) == 3


def test_numbered_ids_of_a_template_are_one_problem() -> None:
    (found,) = _found(broken_rule("region", "minor", "#cell1", "#cell22"))
    assert found.selectors == ("#cell1", "#cell22")


@pytest.mark.parametrize("rule", ["label", "image-alt"])
def test_each_field_and_each_image_is_a_problem(rule: str) -> None:
    named = _found(broken_rule(rule, "serious", "#line1", "#line2"))
    nodes = tuple(
        AxeNode(Element(f"p > i:nth-of-type({at})", f'<img src="/photo-{at}.jpg">'), "")
        for at in (1, 2)
    )
    assert len(named) == len(_found(replace(broken_rule(rule), nodes=nodes))) == 2


def test_an_element_that_moved_down_is_the_same_problem() -> None:
    before, after = (
        _found(replace(broken_rule("label"), nodes=(_contrast(f"form > input:nth-of-type({at})"),)))
        for at in (1, 2)
    )
    assert before[0].id == after[0].id


def test_elements_beyond_those_kept_are_counted() -> None:
    found = _found(broken_rule("label", "serious", "#a", "#b", count=42))
    assert sorted((one.selector, one.count) for one in found) == [("", 40), ("#a", 1), ("#b", 1)]


def test_elements_beyond_those_kept_are_like_them_when_these_are_all_alike() -> None:
    (found,) = _found(broken_rule("region", "minor", "#cell1", "#cell2", count=42))
    assert found.count == 42


@pytest.mark.parametrize(
    "url",
    [
        "http://dequeuniversity.com/rules/axe/4.14/label",
        "https://dequeuniversity.com.evil.example/",
        "https://evil.example/dequeuniversity.com",
        "https://dequeuniversity.com@evil.example/",
        "https://dequeuniversity.com/a b",
        "https://[",
        "javascript:alert(1)",
        "",
    ],
)
def test_a_reference_leads_to_axes_own_help_alone(url: str) -> None:
    assert _found(replace(broken_rule("label"), help_url=url))[0].reference == ""


def test_the_reference_is_axes_own_help() -> None:
    (found,) = _found(broken_rule("label"))
    assert found.reference == "https://dequeuniversity.com/rules/axe/4.14/label"


@pytest.mark.parametrize("rule", ["", "Label", "label\n", "a b", "../label", "x" * 10 + "-" * 3])
def test_what_is_no_name_of_a_rule_is_left_out(rule: str) -> None:
    assert _found(broken_rule(rule)) == ()


def test_what_hinders_and_keeps_nobody_out_is_a_warning() -> None:
    for rule in ("target-size", "dlitem", "label-title-only"):
        assert _found(broken_rule(rule, "serious"))[0].level is Level.WARNING
    assert _found(broken_rule("color-contrast", "serious"))[0].level is Level.ERROR


def test_each_element_has_the_level_of_its_own_reason_and_the_rest_that_of_the_mildest() -> None:
    pale = broken_rule("color-contrast", "serious", "#a", "#b", count=5)
    reasons = ("insufficient color contrast of 2.82", "insufficient color contrast of 4.41")
    nodes = (replace(node, summary=why) for node, why in zip(pale.nodes, reasons, strict=True))
    found = {one.selector: one.level for one in _found(replace(pale, nodes=tuple(nodes)))}
    assert found == {"#a": Level.ERROR, "#b": Level.WARNING, "": Level.WARNING}


def test_what_hinders_nobody_is_no_problem_but_advice() -> None:
    order = broken_rule("heading-order", "moderate", "h4")
    pages = journey(visit(violations=(order,)), visit("/b", violations=(order,)))
    assert problems(pages, NOTHING) == ()
    (found,) = advice(pages)
    assert (found.rule, found.level, found.count) == ("heading-order", Level.INFO, 2)


def test_only_the_elements_that_hinder_nobody_are_advice() -> None:
    small = broken_rule("target-size", "serious", "#dot", "#line", count=9)
    sizes = ("10px by 10px", "50.7px by 17px")
    nodes = (
        replace(node, summary=f"Target has insufficient size ({size}, should be …)")
        for node, size in zip(small.nodes, sizes, strict=True)
    )
    pages = journey(visit(violations=(replace(small, nodes=tuple(nodes)),)))
    assert [(one.selector, one.count) for one in problems(pages, NOTHING)] == [("#dot", 1)]
    assert [(one.selector, one.count) for one in advice(pages)] == [("", 7), ("#line", 1)]
