"""JUnit XML: valid by Jenkins' schema, a test a finding, whatever the texts hold."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from xmlschema import XMLSchema10

from mergegate.core.finding import Finding
from mergegate.core.report import Gate, Report
from mergegate.repo.report.junit import render
from tests.repo.report import changes, samples, shop, stock
from tests.repo.report.golden import expected

SCHEMA = Path(__file__).parents[2] / "contracts" / "junit-10.xsd"
ALL = [
    *(samples.passed, samples.failed, samples.incomplete, samples.hostile),
    *(stock.stocked, stock.monstrous),
]


@cache
def schema() -> XMLSchema10:
    return XMLSchema10(SCHEMA)


def suites(report: Report) -> dict[str, ET.Element]:
    return {one.attrib["name"]: one for one in ET.fromstring(render(report))}


def case_of(finding: Finding, report: Report) -> ET.Element:
    cases = suites(report)[finding.kind.value].iter("testcase")
    return next(one for one in cases if finding.id in one.attrib["name"])


def outcome(case: ET.Element) -> str:
    return case[0].tag if len(case) else "passed"


@pytest.mark.parametrize("sample", [*ALL, changes.slow_site], ids=lambda one: one.__name__)
def test_output_is_valid(sample: Callable[[], Report]) -> None:
    errors = schema().iter_errors(ET.fromstring(render(sample()).encode()))
    assert [error.reason for error in errors] == []


def test_the_schema_refuses_an_unknown_attribute() -> None:
    root = ET.fromstring(render(samples.failed()))
    root[0][0].set("file", "a.py")
    assert not schema().is_valid(root)


def test_a_passed_scan_is_a_page_of_passed_tests() -> None:
    assert render(samples.passed()) == expected("passed.junit.xml", render(samples.passed()))


def test_there_is_a_suite_for_the_scan_and_each_kind_found() -> None:
    assert list(suites(samples.failed())) == [
        *("scan", "code", "secret", "dependency", "iac", "quality", "risk"),
    ]


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_counts_are_those_of_the_tests(sample: Callable[[], Report]) -> None:
    root = ET.fromstring(render(sample()))
    for part in (root, *root):
        outcomes = [outcome(case) for case in part.iter("testcase")]
        assert part.get("tests") == str(len(outcomes))
        assert part.get("failures") == str(outcomes.count("failure"))
        assert part.get("errors") == str(outcomes.count("error"))
        assert part.get("skipped", str(outcomes.count("skipped"))) == str(outcomes.count("skipped"))


@pytest.mark.parametrize("sample", [*ALL, lambda: stock.alike(5)])
def test_no_two_tests_have_one_name(sample: Callable[[], Report]) -> None:
    names = [
        (one.get("classname"), one.get("name"))
        for one in ET.fromstring(render(sample())).iter("testcase")
    ]
    assert len(names) == len(set(names))


def test_a_finding_fails_and_its_text_says_all() -> None:
    case = case_of(shop.SQL, samples.failed())
    assert case.attrib == {
        "classname": "code.python-sql-injection",
        "name": f"{shop.SQL.title} in shop/db/orders.py [{shop.SQL.id}]",
    }
    assert case[0].attrib == {"type": "critical", "message": shop.SQL.title}
    assert case[0].text == "\n".join(
        (
            shop.SQL.title,
            shop.SQL.message,
            "At shop/db/orders.py:42, critical, rule python-sql-injection.",
            *shop.SQL.references,
        )
    )


def test_a_moved_finding_is_the_same_test() -> None:
    moved = replace(shop.SQL, place=replace(shop.SQL.place, start_line=99, end_line=99))
    before = case_of(shop.SQL, samples.report([shop.SQL]))
    assert case_of(moved, samples.report([moved])).attrib == before.attrib


def test_information_and_suppressed_findings_are_skipped() -> None:
    report = samples.failed()
    assert outcome(case_of(shop.BINARIES, report)) == "skipped"
    waived = case_of(report.suppressed[0].finding, report)
    assert waived[0].tag == "skipped"
    assert waived[0].attrib["message"] == "Set aside: Test fixture; never deployed"


def test_what_the_change_fixed_passes() -> None:
    assert outcome(case_of(shop.FIXED[0], samples.failed())) == "passed"


@pytest.mark.parametrize(
    ("sample", "said"),
    [(samples.passed, "passed"), (samples.failed, "failure"), (samples.incomplete, "error")],
)
def test_the_gate_is_a_test(sample: Callable[[], Report], said: str) -> None:
    gate = suites(sample())["scan"][0]
    assert gate.attrib["name"] == "gate"
    assert outcome(gate) == said


def test_a_failed_gate_gives_its_reasons_and_the_next_step() -> None:
    report = samples.failed()
    assert report.verdict.gate is Gate.FAILED
    text = suites(report)["scan"][0][0].text or ""
    assert text.startswith(report.verdict.reasons[0])
    assert "and the gate passes" in text


def test_engines_without_an_answer_are_errors() -> None:
    cases = suites(samples.incomplete())["scan"].iter("testcase")
    said = {one.attrib["name"]: outcome(one) for one in cases}
    assert said["semgrep"] == said["advisories"] == "error"
    assert said["zizmor"] == "skipped"
    assert said["lizard"] == "passed"


def test_hostile_text_stays_text() -> None:
    text = render(samples.hostile())
    assert "\x1b" not in text
    assert "\x00" not in text
    assert "<script>" not in text
    assert text.isprintable() or set(text) - {"\n"} == {c for c in text if c.isprintable()}


def test_a_megabyte_of_message_is_cut() -> None:
    case = case_of(shop.SQL, samples.report([replace(shop.SQL, message="x" * 1_000_000)]))
    assert len(case[0].text or "") < 5_000


def test_with_a_base_the_change_is_what_passes_or_fails() -> None:
    report = samples.failed()
    assert report.comparison is not None
    passing = replace(report.comparison, verdict=samples.passed().verdict, new=0)
    old = tuple(replace(one, is_new=False) for one in report.issues)
    quiet = replace(
        report,
        comparison=passing,
        issues=old,
        risks=tuple(replace(one, is_new=False) for one in report.risks),
        vulnerabilities=tuple(replace(one, is_new=False) for one in report.vulnerabilities),
    )
    root = ET.fromstring(render(quiet))
    assert root.get("failures") == "0"
    assert int(root.get("skipped") or sum(1 for _ in root.iter("skipped"))) >= len(old)


def test_a_site_is_a_test_beside_the_gate() -> None:
    scan = suites(changes.slow_site())["scan"]
    assert [case.get("name") for case in scan[:2]] == ["gate", "site"]
    failure = scan[1].find("failure")
    assert failure is not None
    assert failure.get("type") == "failed"
    assert "2 errors in the browser, allowed: 0" in (failure.text or "")
