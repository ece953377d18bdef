"""JUnit and SARIF of the site tools: valid by their schemas, and true to the report."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mergegate.site.audit import layout as audit
from mergegate.site.audit.report import AuditReport
from mergegate.site.browser_test import layout as browser_test
from mergegate.site.render import junit, sarif
from tests.repo.report.test_junit import outcome, schema
from tests.repo.report.test_sarif import validator
from tests.site.render import samples
from tests.site.render.drawing import drawn

AUDITS = [samples.quick, samples.shop, samples.hostile]
TESTS = [samples.clean, samples.broken, samples.hostile_test]
XML = [(drawn(audit, junit), one) for one in AUDITS] + [
    (drawn(browser_test, junit), one) for one in TESTS
]
LOGS = [(drawn(audit, sarif), one) for one in AUDITS] + [
    (drawn(browser_test, sarif), one) for one in TESTS
]


@pytest.mark.parametrize(("render", "sample"), XML)
def test_junit_is_valid(render: Callable[..., str], sample: Callable[[], object]) -> None:
    errors = schema().iter_errors(ET.fromstring(render(sample()).encode()))
    assert [error.reason for error in errors] == []


@pytest.mark.parametrize(("render", "sample"), LOGS)
def test_sarif_is_valid(render: Callable[..., str], sample: Callable[[], object]) -> None:
    errors = validator().iter_errors(json.loads(render(sample())))
    assert [error.message for error in errors] == []


def outcomes(text: str) -> dict[str, str]:
    """By class and name of the case, without the mark of the finding."""
    cases = ET.fromstring(text).iter("testcase")
    return {
        f"{one.attrib['classname']}: {one.attrib['name'].partition(' [')[0]}": outcome(one)
        for one in cases
    }


def run_of(text: str) -> Any:
    return json.loads(text)["runs"][0]


def test_what_is_over_the_budget_fails_only_beyond_the_noise() -> None:
    found = outcomes(drawn(audit, junit)(samples.shop()))
    assert found["budget.lcp: Largest Contentful Paint"] == "failure"
    assert found["budget.tbt: Total Blocking Time"] == "skipped"
    assert found["budget.cls: Cumulative Layout Shift"] == "passed"
    assert found["budget.vendor: Third party Ads Inc."] == "failure"


def test_without_a_budget_there_is_no_test_of_one() -> None:
    assert not [one for one in outcomes(drawn(audit, junit)(samples.quick())) if "budget" in one]


def test_a_figure_that_is_worse_fails_and_one_within_the_noise_is_skipped() -> None:
    found = outcomes(drawn(audit, junit)(samples.shop()))
    assert found["change.lcp: Largest Contentful Paint"] == "failure"
    assert found["change.tbt: Total Blocking Time"] == "skipped"
    assert found["change.seo: SEO"] == "passed"
    assert found["change.cls: Cumulative Layout Shift"] == "passed"


def without_base() -> AuditReport:
    return replace(samples.shop(), duel=None)


def test_an_error_fails_and_a_warning_is_skipped() -> None:
    found = outcomes(drawn(audit, junit)(without_base()))
    assert found["accessibility.image-alt: image-alt"] == "failure"
    assert found["performance.bootup-time: bootup-time"] == "skipped"


def test_an_error_that_the_base_has_too_is_skipped() -> None:
    found = outcomes(drawn(audit, junit)(samples.shop()))
    assert found["accessibility.image-alt: image-alt"] == "skipped"


def test_a_score_that_lighthouse_did_not_give_is_an_error() -> None:
    found = outcomes(drawn(audit, junit)(samples.quick()))
    assert found["scan.score: Accessibility"] == "error"
    assert found["scan.score: SEO"] == "passed"


def test_an_engine_that_failed_is_an_error() -> None:
    found = outcomes(drawn(audit, junit)(samples.hostile()))
    assert found["scan.engine: lighthouse"] == "error"


def test_problems_fail_by_level_and_pages_by_answer() -> None:
    found = outcomes(drawn(browser_test, junit)(samples.broken()))
    assert found["scripts.uncaught-error: ReferenceError: cart is not defined"] == "failure"
    assert found["accessibility.heading-order: Heading levels should only increase by one"] == (
        "skipped"
    )
    assert found["pages.page: /about"] == "passed"
    assert found["pages.page: /gone"] == "error"


def test_sarif_places_an_issue_at_its_element_or_script() -> None:
    image, bootup = run_of(drawn(audit, sarif)(samples.shop()))["results"]
    assert image["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "main > img.hero"
    place = bootup["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "https://shop.example.org/app.js"}
    assert place["region"] == {"startLine": 12}


def test_sarif_rules_are_sorted_and_results_point_at_them() -> None:
    run = run_of(drawn(browser_test, sarif)(samples.broken()))
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert ids == sorted(ids)
    assert [ids[one["ruleIndex"]] for one in run["results"]] == [
        one["ruleId"] for one in run["results"]
    ]


def test_sarif_tells_why_a_test_ended_early() -> None:
    notes = run_of(drawn(browser_test, sarif)(samples.broken()))["invocations"][0]
    assert not notes["executionSuccessful"]
    note = notes["toolExecutionNotifications"][0]
    assert note["level"] == "error"
    assert note["message"]["text"].startswith("Not judged: The time was up")


def test_sarif_says_how_many_results_had_no_room() -> None:
    run = run_of(drawn(browser_test, sarif)(samples.huge_test()))
    said = run["invocations"][0]["toolExecutionNotifications"][-1]["message"]["text"]
    assert said == f"{2_000 - len(run['results']):,} more results are left out."
